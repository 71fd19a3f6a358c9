// A cut of the item tree: which inner nodes are closed, that is, published in place of all below them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "sfumato/search/itemset_walk.hpp"
#include "sfumato/transactions.hpp"

namespace sfumato {

/// Closed nodes are closed with all below them; the cut is made of the highest closed nodes and the open leaves.
class ItemCut {
 public:
  explicit ItemCut(const Baskets& baskets, std::span<const std::uint8_t> closed = {})
      : baskets_(&baskets), closed_(baskets.tree.size(), 0), cost_(baskets.tree.size(), 0) {
    for (ItemNode v = 0; v < closed.size(); ++v)
      if (closed[v] != 0 && !closed_[v]) close(v);
  }

  bool closed(ItemNode v) const { return closed_[v] != 0; }
  const std::vector<std::uint8_t>& flags() const { return closed_; }
  Cost cost() const { return cost_[0]; }
  Cost cost(ItemNode v) const { return cost_[v]; }

  /// Whether a node is published, or might be after closing more.
  bool alive(ItemNode v) const { return v == 0 || !closed_[baskets_->tree.parent[v]]; }

  /// What closing a node adds to the cost.
  Cost price(ItemNode v) const { return inner(v) ? baskets_->cost[v] - cost_[v] : Cost{0}; }

  void close(ItemNode v) {
    if (!inner(v) || closed_[v]) return;
    const Cost more = price(v);
    for (ItemNode u = v; u < baskets_->tree.end[v]; ++u)
      if (inner(u)) closed_[u] = 1, cost_[u] = baskets_->cost[u];
    for (ItemNode u = v; u != 0;) {
      u = baskets_->tree.parent[u];
      cost_[u] += more;
    }
  }

  /// Opens a highest closed node; what is below it stays closed.
  void open(ItemNode v) {
    closed_[v] = 0;
    Cost below = 0;
    for (ItemNode u = v + 1; u < baskets_->tree.end[v]; u = baskets_->tree.end[u]) below += cost_[u];
    const Cost less = cost_[v] - below;
    for (ItemNode u = v;; u = baskets_->tree.parent[u]) {
      cost_[u] -= less;
      if (u == 0) break;
    }
  }

  /// The node that each node is published as.
  std::vector<ItemNode> image() const {
    const ItemTree& tree = baskets_->tree;
    std::vector<ItemNode> at(tree.size(), 0);
    for (ItemNode v = 1; v < tree.size(); ++v) at[v] = closed_[at[tree.parent[v]]] ? at[tree.parent[v]] : v;
    return at;
  }

  /// The same down to a depth: what is deeper is published at it.
  std::vector<ItemNode> image(ItemNode deepest) const {
    const ItemTree& tree = baskets_->tree;
    std::vector<ItemNode> at(tree.size(), 0);
    for (ItemNode v = 1; v < tree.size(); ++v) {
      const ItemNode above = at[tree.parent[v]];
      at[v] = closed_[above] || tree.depth[above] == deepest ? above : v;
    }
    return at;
  }

 private:
  bool inner(ItemNode v) const { return baskets_->tree.inner(v); }

  const Baskets* baskets_;
  std::vector<std::uint8_t> closed_;
  std::vector<Cost> cost_;  // of what is below each node
};

/// The nodes of a cut that records have, numbered so that fresh ones come first, and then rare ones; and the records in
/// these numbers, as far as they have a fresh node. All nodes are fresh if none are named.
struct CutRecords {
  std::vector<ItemNode> node;  // by number
  std::size_t fresh = 0;       // how many
  Records records;

  /// The image must not be deeper than `deepest`.
  CutRecords(const Baskets& baskets, const std::vector<ItemNode>& image,
             ItemNode deepest = std::numeric_limits<ItemNode>::max(), std::span<const std::uint8_t> named = {}) {
    const auto old = [&](ItemNode v) { return !named.empty() && named[v] == 0; };
    std::vector<std::uint8_t> seen(baskets.tree.size(), 0);
    for (ItemNode v = 0; v < baskets.tree.size(); ++v)
      if (!baskets.tree.inner(v) && baskets.support[v] > 0) seen[image[v]] = 1;
    std::size_t held = 0;
    for (ItemNode v = 0; v < baskets.tree.size(); ++v) {
      if (!seen[v]) continue;
      node.push_back(v);
      fresh += old(v) ? 0 : 1;
      held += baskets.held(v);
    }
    std::ranges::stable_sort(node, {}, [&](ItemNode v) { return std::pair(old(v), baskets.support[v]); });
    const RecordsView base = baskets.at_depth(deepest);
    if (3 * held <= 4 * base.node.size())
      deal(baskets);
    else
      merge(baskets, base, image);
  }

 private:
  /// Number by number to the records that have it: in order, and without a look at the items. Little would be merged.
  void deal(const Baskets& baskets) {
    const std::size_t all = baskets.records.size();
    std::vector<std::uint8_t> wanted(all, fresh == node.size() ? 1 : 0);
    for (std::size_t i = 0; i < fresh && fresh < node.size(); ++i)
      baskets.holders(node[i], [&](std::uint32_t r) { wanted[r] = 1; });
    std::vector<std::uint64_t> at(all + 1, 0);
    for (const ItemNode v : node) baskets.holders(v, [&](std::uint32_t r) { at[r + 1] += wanted[r]; });
    const auto some = static_cast<std::size_t>(std::ranges::count(wanted, 1));
    records.begin.reserve(some + 1);
    records.weight.reserve(some);
    for (std::size_t r = 0; r < all; ++r) {
      at[r + 1] += at[r];
      if (at[r + 1] == at[r]) continue;
      records.begin.push_back(at[r + 1]);
      records.weight.push_back(baskets.records.weight[r]);
    }
    records.node.resize(at[all]);
    for (std::size_t i = 0; i < node.size(); ++i)
      baskets.holders(node[i], [&](std::uint32_t r) {
        if (wanted[r]) records.node[at[r]++] = static_cast<ItemNode>(i);
      });
  }

  /// Record by record, equal ones together.
  void merge(const Baskets& baskets, const RecordsView& base, const std::vector<ItemNode>& image) {
    std::vector<ItemNode> number(baskets.tree.size(), 0);
    for (std::size_t i = 0; i < node.size(); ++i) number[node[i]] = static_cast<ItemNode>(i);
    std::vector<ItemNode> mapped(baskets.tree.size(), 0);
    for (ItemNode v = 0; v < baskets.tree.size(); ++v) mapped[v] = number[image[v]];
    Merging merging;
    std::vector<ItemNode> numbers;
    for (std::size_t r = 0; r < base.size(); ++r) {
      numbers.clear();
      bool has_fresh = false;
      for (const ItemNode v : base[r]) {
        numbers.push_back(mapped[v]);
        has_fresh = has_fresh || mapped[v] < fresh;
      }
      if (has_fresh) add_sorted(merging, numbers, base.weight[r]);
    }
    records = merging.take();
  }
};

/// Whether a cut satisfies k^m-anonymity.
inline bool is_anonymous(const Baskets& baskets, const ItemCut& cut, std::int64_t k, std::size_t m) {
  const CutRecords at(baskets, cut.image());
  bool holds = true;
  ItemsetWalk(at.records, at.node.size(), k, m).run([&](std::span<const ItemNode>) {
    holds = false;
    return Told::stop;
  });
  return holds;
}

}  // namespace sfumato

// A cut of the item tree: which inner nodes are closed, that is, published in place of all below them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sfumato/algorithms/items/walk.hpp"
#include "sfumato/baskets.hpp"
#include "sfumato/transactions.hpp"

namespace sfumato::items {

/// Closed nodes are closed with all below them; the cut is made of the highest closed nodes and the open leaves.
class Cut {
 public:
  explicit Cut(const Baskets& baskets, std::span<const std::uint8_t> closed = {})
      : baskets_(&baskets), closed_(baskets.tree.size(), 0), cost_(baskets.tree.size(), 0) {
    if (!closed.empty() && closed.size() != closed_.size())
      throw std::invalid_argument("a cut says of every node whether it is closed");
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
    if (3 * held > 4 * base.node.size())
      merge(baskets, base, image);
    else if (4 * fresh_held(baskets) <= base.size())
      pick(baskets, image);
    else
      distribute(baskets);
  }

 private:
  /// How many records have a fresh node, at most.
  std::size_t fresh_held(const Baskets& baskets) const {
    std::size_t held = 0;
    for (std::size_t i = 0; i < fresh; ++i) held += baskets.held(node[i]);
    return held;
  }

  /// By node: the number of what it is published as.
  std::vector<ItemNode> numbers_of(const Baskets& baskets, const std::vector<ItemNode>& image) const {
    std::vector<ItemNode> number(baskets.tree.size(), 0), mapped(baskets.tree.size(), 0);
    for (std::size_t i = 0; i < node.size(); ++i) number[node[i]] = static_cast<ItemNode>(i);
    for (ItemNode v = 0; v < baskets.tree.size(); ++v) mapped[v] = number[image[v]];
    return mapped;
  }

  /// The records with a fresh node, where they are few.
  void pick(const Baskets& baskets, const std::vector<ItemNode>& image) {
    std::vector<std::uint8_t> wanted(baskets.records.size(), 0);
    for (std::size_t i = 0; i < fresh; ++i) baskets.holders(node[i], [&](std::uint32_t r) { wanted[r] = 1; });
    const std::vector<ItemNode> mapped = numbers_of(baskets, image);
    std::vector<ItemNode> numbers;
    Sorted sorted(node.size());
    for (std::size_t r = 0; r < wanted.size(); ++r) {
      if (!wanted[r]) continue;
      numbers.clear();
      for (const ItemNode v : baskets.records[r]) numbers.push_back(mapped[v]);
      sorted(numbers);
      records.add(numbers, baskets.records.weight[r]);
    }
  }

  /// Appends each number to the records that have it: in order, and without reading the items. Little would be merged.
  /// Some records at a time, so that they stay in the cache.
  void distribute(const Baskets& baskets) {
    constexpr std::size_t some = 1 << 13;
    const RecordsView& all = baskets.records;
    std::vector<ItemNode> room;
    std::vector<std::size_t> end;  // of what each of them has so far
    records.reserve(all.size(), all.node.size());
    for (std::size_t first = 0; first < all.size(); first += some) {
      const std::size_t last = std::min(first + some, all.size()), start = all.begin[first];
      room.resize(all.begin[last] - start);  // no record has more nodes than items
      end.resize(last - first);
      for (std::size_t r = first; r < last; ++r) end[r - first] = all.begin[r] - start;
      for (std::size_t i = 0; i < node.size(); ++i)
        baskets.holders(node[i], first, last,
                        [&](std::uint32_t r) { room[end[r - first]++] = static_cast<ItemNode>(i); });
      for (std::size_t r = first; r < last; ++r) {
        const std::size_t begin = all.begin[r] - start;
        const auto record = std::span<const ItemNode>(room).subspan(begin, end[r - first] - begin);
        if (!record.empty() && record[0] < fresh) records.add(record, all.weight[r]);
      }
    }
  }

  /// Record by record, equal ones together.
  void merge(const Baskets& baskets, const RecordsView& base, const std::vector<ItemNode>& image) {
    const std::vector<ItemNode> mapped = numbers_of(baskets, image);
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
inline bool is_anonymous(const Baskets& baskets, const Cut& cut, std::int64_t k, std::size_t m) {
  const CutRecords at(baskets, cut.image());
  bool holds = true;
  Walk(at.records, at.node.size(), k, m).run([&](std::span<const ItemNode>) {
    holds = false;
    return VisitResult::stop;
  });
  return holds;
}

}  // namespace sfumato::items

// Transactions: records of items, and the tree that says how items may be blurred.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sfumato/cost.hpp"

namespace sfumato {

using ItemNode = std::uint32_t;

/// Nodes in preorder: the root is 0, and the subtree of v is [v, end[v]). Records hold nodes without children.
struct ItemTree {
  std::vector<ItemNode> parent;  // the root is its own
  std::vector<ItemNode> end;
  std::vector<std::int64_t> leaves;  // of the whole hierarchy, absent ones included
  std::vector<ItemNode> depth;

  ItemTree() = default;
  ItemTree(std::vector<ItemNode> parents, std::vector<std::int64_t> leaf_counts)
      : parent(std::move(parents)), end(parent.size()), leaves(std::move(leaf_counts)), depth(parent.size(), 0) {
    if (parent.empty() || leaves.size() != parent.size()) throw std::invalid_argument("a tree needs a root");
    for (ItemNode v = 1; v < size(); ++v) {
      if (parent[v] >= v) throw std::invalid_argument("nodes are numbered in preorder");
      depth[v] = depth[parent[v]] + 1;
    }
    for (ItemNode v = 0; v < size(); ++v) end[v] = v + 1;
    for (ItemNode v = size(); v-- > 1;) end[parent[v]] = std::max(end[parent[v]], end[v]);
  }

  ItemNode size() const { return static_cast<ItemNode>(parent.size()); }
  bool inner(ItemNode v) const { return end[v] > v + 1; }
  bool covers(ItemNode above, ItemNode below) const { return above <= below && below < end[above]; }
  bool comparable(ItemNode u, ItemNode v) const { return covers(u, v) || covers(v, u); }
};

/// Sets of numbers, one after the other, each so many times.
struct Records {
  std::vector<std::uint64_t> begin{0};
  std::vector<ItemNode> node;
  std::vector<std::int64_t> weight;

  std::size_t size() const { return weight.size(); }
  std::span<const ItemNode> operator[](std::size_t r) const { return {node.data() + begin[r], node.data() + begin[r + 1]}; }

  void add(std::span<const ItemNode> record, std::int64_t times) {
    node.insert(node.end(), record.begin(), record.end());
    begin.push_back(node.size());
    weight.push_back(times);
  }
};

/// Puts equal records together, whatever order they come in.
class Merging {
 public:
  explicit Merging(std::size_t expected = 0) : table_(std::size_t{1} << bits(expected), 0) {}

  /// The record must be sorted and without repetitions.
  void add(std::span<const ItemNode> record, std::int64_t weight) {
    if (2 * (found_.size() + 1) > table_.size()) grow();
    const std::uint64_t hash = hash_of(record);
    std::size_t place = hash & (table_.size() - 1);
    for (; table_[place] != 0; place = (place + 1) & (table_.size() - 1)) {
      const std::size_t known = table_[place] - 1;
      if (hashes_[known] == hash && std::ranges::equal(found_[known], record)) {
        found_.weight[known] += weight;
        return;
      }
    }
    found_.add(record, weight);
    hashes_.push_back(hash);
    table_[place] = static_cast<std::uint32_t>(found_.size());
  }

  Records take() { return std::move(found_); }

 private:
  static unsigned bits(std::size_t expected) {
    unsigned b = 6;
    while ((std::size_t{1} << b) < 2 * expected) ++b;
    return b;
  }

  static std::uint64_t hash_of(std::span<const ItemNode> record) {
    std::uint64_t h = 0x9e3779b97f4a7c15u ^ record.size();
    for (const ItemNode v : record) {
      h ^= v;
      h *= 0xff51afd7ed558ccdu;
      h ^= h >> 32;
    }
    return h;
  }

  void grow() {
    table_.assign(2 * table_.size(), 0);
    for (std::size_t known = 0; known < hashes_.size(); ++known) {
      std::size_t place = hashes_[known] & (table_.size() - 1);
      while (table_[place] != 0) place = (place + 1) & (table_.size() - 1);
      table_[place] = static_cast<std::uint32_t>(known + 1);
    }
  }

  std::vector<std::uint32_t> table_;  // the number of a record, plus one
  std::vector<std::uint64_t> hashes_;
  Records found_;
};

/// Adds a record whose numbers come in any order, some of them several times; it is sorted on the way.
inline void add_sorted(Merging& merging, std::vector<ItemNode>& record, std::int64_t weight) {
  std::ranges::sort(record);
  const auto repeated = std::ranges::unique(record);
  record.erase(repeated.begin(), repeated.end());
  merging.add(record, weight);
}

/// The records with every item replaced; what becomes equal is merged. Empty records vanish.
inline Records generalised(const Records& records, std::span<const ItemNode> image) {
  Merging merging;
  std::vector<ItemNode> mapped;
  for (std::size_t r = 0; r < records.size(); ++r) {
    mapped.clear();
    for (const ItemNode v : records[r]) mapped.push_back(image[v]);
    if (!mapped.empty()) add_sorted(merging, mapped, records.weight[r]);
  }
  return merging.take();
}

/// Transactions with their tree, and for every node the records that have an item below it. For one thread at a time.
class Baskets {
 public:
  /// cost: what it costs to publish all items below a node as that node.
  Baskets(ItemTree items, Records transactions, std::vector<Cost> costs)
      : tree(std::move(items)), records(std::move(transactions)), cost(std::move(costs)), support(tree.size(), 0),
        begin_(tree.size() + 1, 0) {
    if (cost.size() != tree.size()) throw std::invalid_argument("every node has a cost");
    for (const ItemNode v : records.node)
      if (v >= tree.size() || tree.inner(v)) throw std::invalid_argument("records hold nodes without children");
    std::vector<std::uint32_t> last(tree.size(), 0);  // the record after the last one seen below a node
    const auto above = [&](auto&& visit) {
      std::ranges::fill(last, 0u);
      for (std::size_t r = 0; r < records.size(); ++r)
        for (ItemNode v : records[r])
          for (;; v = tree.parent[v]) {
            if (last[v] == r + 1) break;
            last[v] = static_cast<std::uint32_t>(r + 1);
            visit(v, static_cast<std::uint32_t>(r));
            if (v == 0) break;
          }
    };
    above([&](ItemNode v, std::uint32_t r) {
      ++begin_[v + 1];
      support[v] += records.weight[r];
    });
    for (ItemNode v = 0; v < tree.size(); ++v) begin_[v + 1] += begin_[v];
    holders_.resize(begin_.back());
    std::vector<std::uint64_t> at(begin_.begin(), begin_.end() - 1);
    above([&](ItemNode v, std::uint32_t r) { holders_[at[v]++] = r; });
    index_dense();
  }

  /// The records with an item below a node, in order.
  std::span<const std::uint32_t> holders(ItemNode v) const {
    return {holders_.data() + begin_[v], holders_.data() + begin_[v + 1]};
  }

  /// Records that have an item below each of these nodes, counted no further than `enough`.
  std::int64_t supported(std::span<const ItemNode> nodes, std::int64_t enough) const {
    ItemNode rarest = nodes[0];
    for (const ItemNode v : nodes)
      if (holders(v).size() < holders(rarest).size()) rarest = v;
    probes_.clear();
    for (const ItemNode v : nodes)
      if (v != rarest) probes_.push_back({dense_[v], holders(v)});
    std::int64_t total = 0;
    for (const std::uint32_t r : holders(rarest)) {
      if (!std::ranges::all_of(probes_, [r](Probe& probe) { return probe.has(r); })) continue;
      total += records.weight[r];
      if (total >= enough) break;
    }
    return total;
  }

  /// The records with items no deeper than some depth, equal ones merged; all of them at the height of the tree.
  const Records& at_depth(ItemNode deepest) const {
    const ItemNode height = *std::ranges::max_element(tree.depth);
    if (deepest >= height) return records;
    if (shallow_.empty()) shallow_.resize(height);
    Records& found = shallow_[deepest];
    if (found.size() == 0 && records.size() > 0) {
      std::vector<ItemNode> image(tree.size(), 0);
      for (ItemNode v = 1; v < tree.size(); ++v) image[v] = tree.depth[v] > deepest ? image[tree.parent[v]] : v;
      found = generalised(at_depth(deepest + 1), image);
    }
    return found;
  }

  const ItemTree tree;
  const Records records;
  const std::vector<Cost> cost;
  std::vector<std::int64_t> support;

 private:
  /// Whether records have an item below some node: bits where many have, else a list that is gone through.
  struct Probe {
    const std::uint64_t* bits;
    std::span<const std::uint32_t> list;

    bool has(std::uint32_t r) {
      if (bits != nullptr) return (bits[r / 64] >> (r % 64) & 1) != 0;
      const auto at = std::ranges::lower_bound(list, r);
      list = list.subspan(static_cast<std::size_t>(at - list.begin()));  // records come in order
      return !list.empty() && list.front() == r;
    }
  };

  /// Bits for the nodes that one record in 32 or more has: there they are smaller than lists.
  void index_dense() {
    const std::size_t words = (records.size() + 63) / 64;
    dense_.assign(tree.size(), nullptr);
    std::size_t many = 0;
    for (ItemNode v = 0; v < tree.size(); ++v) many += 32 * holders(v).size() >= records.size();
    bits_.assign(many * words, 0);
    std::uint64_t* next = bits_.data();
    for (ItemNode v = 0; v < tree.size(); ++v) {
      if (32 * holders(v).size() < records.size()) continue;
      for (const std::uint32_t r : holders(v)) next[r / 64] |= std::uint64_t{1} << (r % 64);
      dense_[v] = next;
      next += words;
    }
  }

  std::vector<std::uint64_t> begin_;
  std::vector<std::uint32_t> holders_;
  std::vector<std::uint64_t> bits_;
  std::vector<const std::uint64_t*> dense_;
  mutable std::vector<Probe> probes_;     // room for one question at a time
  mutable std::vector<Records> shallow_;  // by depth, as they are asked for
};

}  // namespace sfumato

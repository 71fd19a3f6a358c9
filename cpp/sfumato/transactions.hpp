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

/// The records with every item replaced; what becomes equal is merged. Empty records vanish.
inline Records generalised(const Records& records, std::span<const ItemNode> image) {
  Merging merging;
  std::vector<ItemNode> mapped;
  for (std::size_t r = 0; r < records.size(); ++r) {
    mapped.clear();
    for (const ItemNode v : records[r]) mapped.push_back(image[v]);
    std::ranges::sort(mapped);
    const auto repeated = std::ranges::unique(mapped);
    mapped.erase(repeated.begin(), repeated.end());
    if (!mapped.empty()) merging.add(mapped, records.weight[r]);
  }
  return merging.take();
}

/// Transactions with their tree, and for every node the records that have an item below it.
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
  }

  /// The records with an item below a node, in order.
  std::span<const std::uint32_t> holders(ItemNode v) const {
    return {holders_.data() + begin_[v], holders_.data() + begin_[v + 1]};
  }

  /// Records that have an item below each of these nodes, counted no further than `enough`.
  std::int64_t supported(std::span<const ItemNode> nodes, std::int64_t enough) const {
    order_.assign(nodes.begin(), nodes.end());
    std::ranges::sort(order_, {}, [&](ItemNode v) { return holders(v).size(); });
    found_.assign(holders(order_[0]).begin(), holders(order_[0]).end());
    for (std::size_t i = 1; i < order_.size(); ++i) keep(holders(order_[i]), i + 1 == order_.size() ? enough : 0);
    std::int64_t total = 0;
    for (const std::uint32_t r : found_) {
      total += records.weight[r];
      if (total >= enough) break;
    }
    return total;
  }

  const ItemTree tree;
  const Records records;
  const std::vector<Cost> cost;
  std::vector<std::int64_t> support;

 private:
  /// Leaves those in place that are in the other list too; with `enough`, stops once their weight reaches it.
  void keep(std::span<const std::uint32_t> other, std::int64_t enough) const {
    std::size_t kept = 0;
    std::int64_t total = 0;
    auto from = other.begin();
    const bool far = other.size() > 8 * found_.size();
    for (const std::uint32_t r : found_) {
      if (far)
        from = std::lower_bound(from, other.end(), r);
      else
        while (from != other.end() && *from < r) ++from;
      if (from == other.end()) break;
      if (*from != r) continue;
      found_[kept++] = r;
      if (enough > 0 && (total += records.weight[r]) >= enough) break;
    }
    found_.resize(kept);
  }

  std::vector<std::uint64_t> begin_;
  std::vector<std::uint32_t> holders_;
  mutable std::vector<ItemNode> order_;  // room for one question at a time
  mutable std::vector<std::uint32_t> found_;
};

}  // namespace sfumato

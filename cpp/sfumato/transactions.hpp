// Transactions: records of items, and the tree that says how items may be blurred.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sfumato/narrow.hpp"

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
    require_at_most(parent.size(), most_combinations, "More than 2,147,483,647 items and groups; leave levels out.");
    if (parent.empty() || leaves.size() != parent.size()) throw std::invalid_argument("a tree needs a root");
    if (parent[0] != 0) throw std::invalid_argument("the root is its own parent");
    for (ItemNode v = 1; v < size(); ++v) {
      ItemNode before = v - 1;  // its parent is that, or above it
      while (parent[v] < v && before > parent[v]) before = parent[before];
      if (parent[v] != before) throw std::invalid_argument("nodes are numbered in preorder");
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

/// Sets of numbers, one after the other, each so many times, that something else keeps.
struct RecordsView {
  std::span<const std::uint64_t> begin;
  std::span<const ItemNode> node;
  std::span<const std::int64_t> weight;

  std::size_t size() const { return weight.size(); }
  std::span<const ItemNode> operator[](std::size_t r) const { return node.subspan(begin[r], begin[r + 1] - begin[r]); }
};

/// The same, kept here.
struct Records {
  std::vector<std::uint64_t> begin{0};
  std::vector<ItemNode> node;
  std::vector<std::int64_t> weight;

  std::size_t size() const { return weight.size(); }
  std::span<const ItemNode> operator[](std::size_t r) const {
    return {node.data() + begin[r], node.data() + begin[r + 1]};
  }

  void reserve(std::size_t records, std::size_t nodes) {
    begin.reserve(records + 1);
    node.reserve(nodes);
    weight.reserve(records);
  }

  void add(std::span<const ItemNode> record, std::int64_t times) {
    node.insert(node.end(), record.begin(), record.end());
    begin.push_back(node.size());
    weight.push_back(times);
  }

  operator RecordsView() const { return {begin, node, weight}; }
};

/// For tables of sets; equal sets have equal ones.
inline std::uint64_t hash_of(std::span<const ItemNode> record) {
  std::uint64_t h = 0x9e3779b97f4a7c15u ^ record.size();
  for (const ItemNode v : record) {
    h ^= v;
    h *= 0xff51afd7ed558ccdu;
    h ^= h >> 32;
  }
  return h;
}

/// Puts equal records together, whatever order they come in.
class Merging {
 public:
  explicit Merging(std::size_t expected = 0) : table_(std::size_t{1} << bits(expected), 0) {}

  /// The record must be sorted and without repetitions.
  void add(std::span<const ItemNode> record, std::int64_t weight) {
    if (2 * (records_.size() + 1) > table_.size()) grow();
    const std::uint64_t hash = hash_of(record);
    std::size_t place = hash & (table_.size() - 1);
    for (; table_[place] != 0; place = (place + 1) & (table_.size() - 1)) {
      const std::size_t number = table_[place] - 1;
      if (hashes_[number] == hash && std::ranges::equal(records_[number], record)) {
        records_.weight[number] += weight;
        return;
      }
    }
    records_.add(record, weight);
    hashes_.push_back(hash);
    table_[place] = narrow<std::uint32_t>(records_.size(), too_many_sets);
  }

  std::size_t size() const { return records_.size(); }
  Records take() { return std::move(records_); }

 private:
  static unsigned bits(std::size_t expected) {
    unsigned b = 6;
    while ((std::size_t{1} << b) < 2 * expected) ++b;
    return b;
  }

  void grow() {
    table_.assign(2 * table_.size(), 0);
    for (std::size_t number = 0; number < hashes_.size(); ++number) {
      std::size_t place = hashes_[number] & (table_.size() - 1);
      while (table_[place] != 0) place = (place + 1) & (table_.size() - 1);
      table_[place] = static_cast<std::uint32_t>(number + 1);
    }
  }

  std::vector<std::uint32_t> table_;  // the number of a record, plus one
  std::vector<std::uint64_t> hashes_;
  Records records_;
};

/// Sorts numbers below a limit, and removes repetitions.
class Sorted {
 public:
  explicit Sorted(std::size_t numbers) : bits_(numbers <= 512 ? (numbers + 63) / 64 : 0, 0) {}

  void operator()(std::vector<ItemNode>& record) {
    if (bits_.empty()) {
      if (!std::ranges::is_sorted(record)) std::ranges::sort(record);  // ancestors of items in order are in order
      const auto repeated = std::ranges::unique(record);
      record.erase(repeated.begin(), repeated.end());
      return;
    }
    for (const ItemNode v : record) bits_[v / 64] |= std::uint64_t{1} << (v % 64);
    record.clear();
    for (std::size_t i = 0; i < bits_.size(); ++i)
      for (; bits_[i] != 0; bits_[i] &= bits_[i] - 1)
        record.push_back(static_cast<ItemNode>(64 * i + static_cast<std::size_t>(std::countr_zero(bits_[i]))));
  }

 private:
  std::vector<std::uint64_t> bits_;  // nobody's, between two calls
};

/// Adds a record whose numbers come in any order, some of them several times; it is sorted on the way.
inline void add_sorted(Merging& merging, std::vector<ItemNode>& record, std::int64_t weight) {
  Sorted{SIZE_MAX}(record);
  merging.add(record, weight);
}

/// The records with every item replaced; what becomes equal is merged. Empty records vanish. Nothing if more than
/// `most` different ones are left.
inline std::optional<Records> generalised(const RecordsView& records, std::span<const ItemNode> image,
                                          std::size_t most) {
  Merging merging;
  std::vector<ItemNode> mapped;
  for (std::size_t r = 0; r < records.size() && merging.size() <= most; ++r) {
    const std::span<const ItemNode> record = records[r];
    mapped.resize(record.size());
    std::ranges::transform(record, mapped.begin(), [&](ItemNode v) { return image[v]; });
    if (!mapped.empty()) add_sorted(merging, mapped, records.weight[r]);
  }
  if (merging.size() > most) return std::nullopt;
  return merging.take();
}

inline Records generalised(const RecordsView& records, std::span<const ItemNode> image) {
  return *generalised(records, image, SIZE_MAX);
}

}  // namespace sfumato

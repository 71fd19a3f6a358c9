// The space of local recoding: every record is published at a generalised tuple, a node of each attribute's tree above
// its values, or an interval around them where the attribute is an order. Records with the same values are one item
// with a count.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sfumato/cost.hpp"
#include "sfumato/frequencies.hpp"
#include "sfumato/privacy/model.hpp"

namespace sfumato::local {

/// Nodes depth first: parents come before children, node 0 is the root and its own parent. Of an order, a node is an
/// interval of cells, the first one times 2^16 plus the last one; `parent` is empty. If its last cell is the missing
/// value, no interval but that of all cells has it together with others.
struct Tree {
  std::vector<std::uint32_t> parent;
  std::vector<std::int64_t>
      cost;  // of a record that is published at a node, or by cells of an interval; never less above
  bool ordered = false, missing = false;
};

/// No value v of a column has more than most[v] of `whole` of a valid class; no limit is known where `most` is empty.
struct ShareBounds {
  std::size_t column = 0;
  std::vector<std::int64_t> most;
  std::int64_t whole = 1;
};

struct Problem {
  std::vector<Tree> trees;                       // by attribute
  std::vector<std::vector<std::uint32_t>> leaf;  // by attribute: the node of each item's value, which has no children
  std::vector<std::int64_t> counts;              // records of each item
  Models models;                                 // what else must hold; models that do not object to merging classes
  std::vector<SensitiveColumn> columns;          // that the models read, by item
  std::int64_t least = 1;                        // records of a class
  std::uint64_t seed = 0;
  ShareBounds shares;  // that the models imply
};

/// Some records of an item.
struct Member {
  std::uint32_t item, copies;
};

using Members = std::vector<Member>;
using Tuple = std::vector<std::uint32_t>;  // a node of each tree

class Space {
 public:
  explicit Space(const Problem& problem) : problem_(&problem) {
    for (std::size_t a = 0; a < attributes(); ++a) add_tree(problem.trees[a]);
    for (std::size_t a = 0; a < attributes(); ++a) add_items(a);
    records_ = std::accumulate(problem.counts.begin(), problem.counts.end(), std::int64_t{0});
  }

  const Problem& problem() const { return *problem_; }
  std::size_t attributes() const { return problem_->trees.size(); }
  std::size_t items() const { return problem_->counts.size(); }
  std::int64_t records() const { return records_; }
  bool ordered(std::size_t a) const { return problem_->trees[a].ordered; }
  bool missing(std::size_t a) const { return problem_->trees[a].missing; }
  /// Nodes of a tree, cells of an order.
  std::size_t places(std::size_t a) const { return problem_->trees[a].cost.size(); }
  /// The place of a leaf.
  std::uint32_t place(std::size_t a, std::uint32_t leaf) const { return ordered(a) ? last(leaf) : leaf; }
  std::uint32_t top(std::size_t a) const { return ordered(a) ? static_cast<std::uint32_t>(places(a) - 1) : 0; }
  std::uint32_t parent(std::size_t a, std::uint32_t v) const { return problem_->trees[a].parent[v]; }
  std::uint32_t depth(std::size_t a, std::uint32_t v) const { return depth_[a][v]; }
  std::int64_t cost(std::size_t a, std::uint32_t v) const {
    return problem_->trees[a].cost[ordered(a) ? last(v) - first(v) : v];
  }
  std::uint32_t leaf(std::size_t a, std::uint32_t item) const { return problem_->leaf[a][item]; }

  static constexpr std::size_t most_cells = std::size_t{1} << 16;
  static std::uint32_t first(std::uint32_t v) { return v >> 16; }
  static std::uint32_t last(std::uint32_t v) { return v & 0xffff; }
  /// The smallest interval of an order that has these cells.
  std::uint32_t interval(std::size_t a, std::uint32_t first, std::uint32_t last) const {
    if (missing(a) && last + 1 == places(a) && first < last) first = 0;
    return first << 16 | last;
  }

  /// Nodes from v on, up to but without this one, are v and what is below it.
  std::uint32_t end(std::size_t a, std::uint32_t v) const { return end_[a][v]; }
  bool above(std::size_t a, std::uint32_t v, std::uint32_t below) const {
    if (ordered(a)) return first(v) <= first(below) && last(below) <= last(v);
    return v <= below && below < end_[a][v];
  }

  std::uint32_t join(std::size_t a, std::uint32_t v, std::uint32_t w) const {
    if (ordered(a)) return interval(a, std::min(first(v), first(w)), std::max(last(v), last(w)));
    while (!above(a, v, w)) v = parent(a, v);
    return v;
  }

  bool covers(std::span<const std::uint32_t> tuple, std::uint32_t item) const {
    for (std::size_t a = 0; a < tuple.size(); ++a)
      if (!above(a, tuple[a], leaf(a, item))) return false;
    return true;
  }

  std::int64_t each(std::span<const std::uint32_t> tuple) const {
    std::int64_t sum = 0;
    for (std::size_t a = 0; a < tuple.size(); ++a) sum += cost(a, tuple[a]);
    return sum;
  }

  /// The lowest tuple above all members.
  void tighten(std::span<const Member> members, std::span<std::uint32_t> tuple) const {
    for (std::size_t a = 0; a < tuple.size(); ++a) {
      std::uint32_t v = leaf(a, members.front().item);
      for (const Member& member : members) {
        v = join(a, v, leaf(a, member.item));
        if (v == top(a)) break;
      }
      tuple[a] = v;
    }
  }

  /// Shelves, to look up nodes above a leaf: those on one of the shelves from its own upwards. A node of a tree has its
  /// own; an interval is on that of the smallest aligned block around it, whose length is a power of two.
  std::size_t shelves(std::size_t a) const { return ordered(a) ? 2 * std::bit_ceil(places(a)) : places(a); }
  std::uint32_t shelf(std::size_t a, std::uint32_t v) const {
    if (!ordered(a)) return v;
    return static_cast<std::uint32_t>((std::bit_ceil(places(a)) + first(v)) >> std::bit_width(first(v) ^ last(v)));
  }
  std::uint32_t top_shelf(std::size_t a) const { return ordered(a) ? 1 : 0; }
  std::uint32_t shelf_above(std::size_t a, std::uint32_t shelf) const {
    return ordered(a) ? shelf / 2 : parent(a, shelf);
  }

  /// The items below a tuple. Rare nodes have lists, frequent ones sets of bits: the memory stays within a few dozen
  /// bytes for an item, whatever the trees.
  void covered(std::span<const std::uint32_t> tuple, std::vector<std::uint32_t>& items_below) {
    items_below.clear();
    std::size_t shortest = attributes();
    for (std::size_t a = 0; a < attributes(); ++a)
      if (!has_bits(a, tuple[a]) && (shortest == attributes() || listed(a, tuple) < listed(shortest, tuple)))
        shortest = a;
    if (shortest < attributes()) {
      for (const std::uint32_t item : list(shortest, tuple[shortest]))
        if (covers(tuple, item)) items_below.push_back(item);
      return;
    }
    word_.assign((items() + 63) / 64, ~std::uint64_t{0});
    for (std::size_t a = 0; a < attributes(); ++a) {
      if (tuple[a] == top(a)) continue;
      if (ordered(a)) {  // up to the last cell, without those up to the one before the first
        const auto& upto = bits_[a][last(tuple[a])];
        for (std::size_t w = 0; w < upto.size(); ++w) word_[w] &= upto[w];
        if (first(tuple[a]) == 0) continue;
        const auto& before = bits_[a][first(tuple[a]) - 1];
        for (std::size_t w = 0; w < before.size(); ++w) word_[w] &= ~before[w];
        continue;
      }
      const auto& row = bits_[a][tuple[a]];
      for (std::size_t w = 0; w < row.size(); ++w) word_[w] &= row[w];
    }
    if (items() % 64 != 0) word_.back() &= (std::uint64_t{1} << items() % 64) - 1;
    for (std::size_t w = 0; w < word_.size(); ++w)
      for (std::uint64_t left = word_[w]; left != 0; left &= left - 1)
        items_below.push_back(static_cast<std::uint32_t>(64 * w + static_cast<std::size_t>(std::countr_zero(left))));
  }

 private:
  void add_tree(const Tree& tree) {
    if (tree.ordered) return add_order(tree);
    const std::size_t n = tree.parent.size();
    auto& depth = depth_.emplace_back(n, 0);
    auto& end = end_.emplace_back(n, 0);
    if (n == 0 || tree.cost.size() != n) throw std::invalid_argument("a tree needs a root, and a cost for every node");
    for (std::uint32_t v = 0; v < n; ++v) {
      std::uint32_t before = v == 0 ? 0 : v - 1;  // depth first, its parent is that, or above it
      while (tree.parent[v] < before) before = tree.parent[before];
      if (tree.parent[v] != before) throw std::invalid_argument("nodes are numbered depth first");
      if (tree.cost[tree.parent[v]] < tree.cost[v]) throw std::invalid_argument("a node costs less than one below it");
      if (v > 0) depth[v] = depth[tree.parent[v]] + 1;
      end[v] = v + 1;
    }
    for (std::size_t v = n; v-- > 1;) end[tree.parent[v]] = std::max(end[tree.parent[v]], end[v]);
  }

  void add_order(const Tree& order) {
    if (order.cost.empty() || order.cost.size() > most_cells)
      throw std::invalid_argument("an order has 1 to 65,536 cells");
    if (!std::ranges::is_sorted(order.cost)) throw std::invalid_argument("an interval costs less than one within it");
    depth_.emplace_back(), end_.emplace_back();
  }

  bool is_leaf(std::size_t a, std::uint32_t v) const {
    if (ordered(a)) return first(v) == last(v) && last(v) < places(a);
    return v < places(a) && end_[a][v] == v + 1;
  }

  /// Where the items of each leaf begin in the order of leaves, and the bits of frequent nodes; of an order with few
  /// cells, those of the items up to each cell.
  void add_items(std::size_t a) {
    const auto& leaves = problem_->leaf[a];
    if (leaves.size() != items()) throw std::invalid_argument("every attribute needs a node for every item");
    auto& begin = begin_.emplace_back(places(a) + 1, 0);
    for (const std::uint32_t v : leaves) {
      if (!is_leaf(a, v)) throw std::invalid_argument("an item's value is no leaf");
      ++begin[place(a, v) + 1];
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    auto& order = order_.emplace_back(items());
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    for (std::uint32_t i = 0; i < items(); ++i) order[next[place(a, leaves[i])]++] = i;
    auto& bits = bits_.emplace_back(places(a));
    if (ordered(a) && places(a) > few_cells_) return;
    for (std::uint32_t v = 0; v < places(a); ++v) {
      const auto below = list(a, v);
      if (!ordered(a) && v > 0 && below.size() * 64 < items()) continue;
      bits[v].assign((items() + 63) / 64, 0);
      for (const std::uint32_t i : below) bits[v][i / 64] |= std::uint64_t{1} << i % 64;
    }
  }

  std::span<const std::uint32_t> list(std::size_t a, std::uint32_t v) const {
    const std::size_t from = ordered(a) ? first(v) : v, to = ordered(a) ? last(v) + 1 : end_[a][v];
    return std::span(order_[a]).subspan(begin_[a][from], begin_[a][to] - begin_[a][from]);
  }
  /// Whether a node has bits: frequent ones do.
  bool has_bits(std::size_t a, std::uint32_t v) const {
    if (!ordered(a)) return !bits_[a][v].empty();
    return v == top(a) || (places(a) <= few_cells_ && list(a, v).size() * 64 >= items());
  }
  std::size_t listed(std::size_t a, std::span<const std::uint32_t> tuple) const { return list(a, tuple[a]).size(); }

  static constexpr std::size_t few_cells_ = 256;
  const Problem* problem_;
  std::int64_t records_ = 0;
  std::vector<std::vector<std::uint32_t>> depth_, end_;
  std::vector<std::vector<std::uint32_t>> begin_, order_;  // by attribute: items in the order of their leaves
  std::vector<std::vector<std::vector<std::uint64_t>>>
      bits_;  // by attribute and node, none for rare ones; or upto a cell
  std::vector<std::uint64_t> word_;
};

inline std::int64_t size_of(std::span<const Member> members) {
  std::int64_t size = 0;
  for (const Member& member : members) size += member.copies;
  return size;
}

}  // namespace sfumato::local

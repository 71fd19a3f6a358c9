// The trees that cuts go through: the occurring nodes of all hierarchies, numbered in one row.
//
// Nodes of an attribute are numbered depth first, so a node and all below it are a range of numbers. Levels that name
// the same leaves are one node: a chain with a single child publishes nothing new. A node whose other children do not
// occur keeps its one occurring child: to specialise it divides no class, but publishes a finer value.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "sfumato/frequencies.hpp"

namespace sfumato::cuts {

class Tree {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  struct Node {
    std::uint32_t attribute, parent;  // `none` for a root
    std::uint32_t end;                // one after the last node below
    std::uint32_t depth;
    std::uint32_t level;          // the lowest level that names it
    std::uint32_t value, values;  // the first of its occurring values, and how many there are
    std::int64_t leaves;          // of the whole hierarchy, absent ones too
    std::int64_t records = 0;
  };

  /// The nodes between two levels of each hierarchy.
  Tree(const Frequencies& frequencies, std::span<const std::uint16_t> lowest, std::span<const std::uint16_t> highest) {
    for (std::size_t a = 0; a < frequencies.attributes(); ++a) {
      first_.push_back(size());
      const Hierarchy& hierarchy = frequencies.hierarchy(a);
      leaf_.emplace_back(hierarchy.values(), none);
      for (std::uint32_t v = 0; v < hierarchy.values();)
        v = grow(hierarchy, static_cast<std::uint32_t>(a), lowest[a], highest[a], v, none);
    }
    first_.push_back(size());
    for (const Node& node : nodes_) reach_.push_back({node.parent, node.end});
    children_.resize(nodes_.size());
    lowest_.resize(nodes_.size());
    std::iota(lowest_.begin(), lowest_.end(), 0u);
    for (std::uint32_t v = 0; v < size(); ++v)
      if (nodes_[v].parent != none) children_[nodes_[v].parent].push_back(v);
    index_depths();
    for (std::size_t a = 0; a < frequencies.attributes(); ++a)
      for (std::size_t i = 0; i < frequencies.size(); ++i)
        nodes_[leaf_[a][frequencies.codes(a)[i]]].records += frequencies.counts()[i];
    for (std::uint32_t v = size(); v-- > 0;)  // those below come later
      if (nodes_[v].parent != none) nodes_[nodes_[v].parent].records += nodes_[v].records;
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
  std::size_t attributes() const { return leaf_.size(); }
  const Node& operator[](std::uint32_t v) const { return nodes_[v]; }
  const std::vector<std::uint32_t>& children(std::uint32_t v) const { return children_[v]; }
  bool leaf(std::uint32_t v) const { return children_[v].empty(); }
  /// Makes a node a leaf. Nodes keep their numbers; those below are not met again.
  void cut_off(std::uint32_t v) {
    children_[v].clear();
    std::fill(lowest_.begin() + v, lowest_.begin() + nodes_[v].end, v);
  }
  /// The same without what is deeper than `depth`.
  Tree down_to(std::uint32_t depth) const {
    Tree tree = *this;
    for (std::uint32_t v = 0; v < size(); ++v)
      if (nodes_[v].depth == depth && !leaf(v)) tree.cut_off(v);
    return tree;
  }
  /// The greatest depth of a node.
  std::uint32_t depth() const { return static_cast<std::uint32_t>(at_depth_.size()) - 2; }
  /// What specialising a node reveals of its records: the bits that say which child each of them is below.
  double information(std::uint32_t v) const {
    double bits = 0;
    for (const std::uint32_t child : children_[v]) {
      const auto records = static_cast<double>(nodes_[child].records);
      bits += records * std::log2(static_cast<double>(nodes_[v].records) / records);
    }
    return bits;
  }
  /// The leaf that a former one is now.
  std::uint32_t lowest(std::uint32_t leaf) const { return lowest_[leaf]; }
  bool below(std::uint32_t v, std::uint32_t above) const { return v >= above && v < reach_[above].end; }

  /// The lowest node of a value.
  std::uint32_t of_value(std::size_t a, std::uint32_t value) const { return leaf_[a][value]; }

  /// Nodes of attribute a: first(a) … first(a + 1).
  std::uint32_t first(std::size_t a) const { return first_[a]; }

  /// The child of `v` that `below` is, or is below of.
  std::uint32_t step(std::uint32_t v, std::uint32_t below) const { return steps(v)[below]; }
  /// The same of all nodes below.
  std::span<const std::uint32_t> steps(std::uint32_t v) const { return at_depth_[nodes_[v].depth + 1]; }

  std::uint32_t root(std::uint32_t v) const { return at_depth_[0][v]; }

  /// The lowest node above both ends of a stretch of nodes of one attribute; `none` if they have no root in common.
  std::uint32_t join(std::uint32_t least, std::uint32_t most) const {
    std::uint32_t v = least;
    while (v != none && most >= reach_[v].end) v = reach_[v].parent;
    return v;
  }

 private:
  /// The node at `level` over `value`, and all below it; returns the value after its last.
  std::uint32_t grow(const Hierarchy& hierarchy, std::uint32_t a, std::size_t lowest, std::size_t level,
                     std::uint32_t value, std::uint32_t parent) {
    const auto last = [&](std::size_t j) {
      const auto& node = hierarchy.level(j).node;
      std::uint32_t end = value + 1;
      while (end < node.size() && node[end] == node[value]) ++end;
      return end;
    };
    const auto leaves = [&](std::size_t j) { return hierarchy.level(j).leaves[hierarchy.level(j).node[value]]; };
    const std::uint32_t end = last(level);
    while (level > lowest && last(level - 1) == end && leaves(level - 1) == leaves(level)) --level;
    const std::uint32_t here = size();
    nodes_.push_back({a, parent, here + 1, parent == none ? 0 : nodes_[parent].depth + 1,
                      static_cast<std::uint32_t>(level), value, end - value, leaves(level)});
    if (level == lowest)
      std::fill(leaf_[a].begin() + value, leaf_[a].begin() + end, here);
    else
      for (std::uint32_t v = value; v < end;) v = grow(hierarchy, a, lowest, level - 1, v, here);
    nodes_[here].end = size();
    return end;
  }

  void index_depths() {
    for (std::uint32_t v = 0; v < size(); ++v) {
      const std::uint32_t depth = nodes_[v].depth;
      if (at_depth_.size() <= depth + 1) at_depth_.resize(depth + 2, std::vector<std::uint32_t>(size(), none));
      for (std::uint32_t d = 0; d < depth; ++d) at_depth_[d][v] = at_depth_[d][nodes_[v].parent];
      at_depth_[depth][v] = v;
    }
  }

  struct Reach {
    std::uint32_t parent, end;
  };

  std::vector<Node> nodes_;
  std::vector<Reach> reach_;                                            // what joining reads of the nodes, side by side
  std::vector<std::vector<std::uint32_t>> children_, leaf_, at_depth_;  // at_depth_[d][v]: the node at depth d above v
  std::vector<std::uint32_t> first_, lowest_;
};

}  // namespace sfumato::cuts

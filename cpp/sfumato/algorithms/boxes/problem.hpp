// The problem that a search of boxes solves: the axes of the space, what a box costs, and what must hold in it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "sfumato/cost.hpp"
#include "sfumato/frequencies.hpp"
#include "sfumato/privacy/model.hpp"

namespace sfumato::boxes {

/// Cells in a row. A box has a range of them on every axis.
struct Axis {
  std::uint32_t cells = 1;
  bool tree = false;     // a taxonomy: a split replaces a node by all its children; else a cut between two cells
  bool missing = false;  // not a tree: the last cell is the missing value, which is cut off before anything else
  // Nodes of the tree by their ranges of cells, all different; the root is node 0.
  std::vector<std::uint32_t> first{}, last{};
  std::vector<std::vector<std::uint32_t>> children{};  // in the order of their cells

  /// The child of a node that has these cells; the node itself if none has.
  std::uint32_t child(std::uint32_t node, std::uint32_t low, std::uint32_t high) const {
    const auto& below = children[node];
    const auto after = std::ranges::upper_bound(below, low, {}, [&](std::uint32_t child) { return first[child]; });
    return after == below.begin() || high > last[*(after - 1)] ? node : *(after - 1);
  }

  /// The lowest node that has these cells.
  std::uint32_t node(std::uint32_t low, std::uint32_t high) const {
    std::uint32_t at = 0;
    for (std::uint32_t below = child(at, low, high); below != at; below = child(at, low, high)) at = below;
    return at;
  }
};

/// A quasi-identifier: one axis; or, where it has no order, an axis of two cells (no, yes) for each of its values.
struct Attribute {
  std::uint32_t axis = 0, axes = 1;
  // What a record pays, or how long the box is: by node of a tree, else by the number of cells, or of values.
  std::vector<Cost> price{};
  // Whether a box is wide enough, if its width is limited: by node of a tree, or by the number of values.
  std::vector<std::uint8_t> wide{};
  // The same of an order: by low cell, the first high cell with which a box is wide enough; all after it are too.
  std::vector<std::uint32_t> reach{};

  bool limited() const { return !wide.empty() || !reach.empty(); }
};

/// sum: n Σ price; product: n Π price; square: n²; minority: n less the records of the most frequent label.
enum class Metric { sum, product, square, minority };

/// How splits are ordered: by lower bound, by the cost of the parts as they are, or by the one over the other.
enum class Priority { bound, cost, ratio };

/// How opt(B) is computed: chosen by size, or as tests want it; dense only where that is possible.
enum class Method { by_size, sparse, dense };

struct Problem {
  const Frequencies& frequencies;
  std::vector<std::vector<std::uint32_t>> cells;  // by axis and combination
  std::vector<Axis> axes;
  std::vector<Attribute> attributes;
  Models models;
  bool counts_only = false;  // a class satisfies the models if and only if it has at least `least` records
  std::int64_t least = 1;    // no class of fewer records satisfies the models
  Metric metric = Metric::square;
  std::size_t target = 0;  // minority: the column of the labels
  bool suppress = false;   // a violating box is suppressed whole; else it may not exist
  Cost suppressed = 0;     // what a suppressed record costs
  Priority priority = Priority::bound;
  Cost upper = no_cost;  // the cost of a partition at hand: only cheaper ones are wanted
  // Stop once cost <= bound * approximation.
  std::int64_t factor_numerator = 1, factor_denominator = 1;
  std::size_t optima = 1;  // how many of the cheapest partitions, all of the same cost
  Method way = Method::by_size;
};

/// A partition of the records into boxes.
struct Partition {
  std::vector<std::uint32_t> box;        // of each combination
  std::vector<std::uint32_t> low, high;  // by box and axis
  std::vector<std::uint8_t> withheld;    // by box
  Cost cost = 0;
};

struct Result {
  bool complete = false;              // proved: nothing costs less (than `upper`), or nothing is valid
  std::vector<Partition> partitions;  // of the same cost; none if there is none below `upper`
  Cost bound = 0;
};

/// The columns whose values are counted, each once.
inline std::vector<std::size_t> columns_read(const Problem& problem) {
  std::vector<std::size_t> columns;
  const auto add = [&](std::size_t position) {
    if (std::ranges::find(columns, position) == columns.end()) columns.push_back(position);
  };
  for (const auto& model : problem.models)
    if (!problem.counts_only && model->sensitive()) add(*model->sensitive());
  if (problem.metric == Metric::minority) add(problem.target);
  return columns;
}

/// The length of a box on an axis that is no tree.
inline std::uint32_t length_of(const Axis& axis, std::uint32_t low, std::uint32_t high) {
  return axis.missing && high + 1 == axis.cells && low < high ? axis.cells : high - low + 1;
}

}  // namespace sfumato::boxes

// What a search of boxes requires: axes that are orders or trees, a cell on each for every combination, and a price for
// every box.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "sfumato/algorithms/boxes/problem.hpp"
#include "sfumato/search/column_checks.hpp"
#include "sfumato/search/lattice_checks.hpp"

namespace sfumato::boxes {

inline constexpr Cost dearest_of_all = Cost{1} << 120;  // what all records may cost together

/// The children of a node divide its cells, in order; one without children has one cell.
inline bool is_divided(const Axis& axis, std::size_t node) {
  const auto& below = axis.children[node];
  if (below.empty()) return axis.first[node] == axis.last[node];
  if (below.size() < 2) return false;
  std::uint32_t next = axis.first[node];
  for (const std::uint32_t child : below) {
    if (child >= axis.first.size() || axis.first[child] != next || axis.last[child] < next) return false;
    next = axis.last[child] + 1;
  }
  return next == axis.last[node] + 1;
}

inline void require_axis(const Axis& axis) {
  if (axis.cells == 0 || axis.cells > most_combinations) throw std::invalid_argument("an axis has cells");
  if (!axis.tree) {
    if (axis.missing && axis.cells < 2) throw std::invalid_argument("the missing value is not the only cell");
    return;
  }
  const std::size_t nodes = axis.first.size();
  if (nodes == 0 || axis.last.size() != nodes || axis.children.size() != nodes || axis.first[0] != 0 ||
      axis.last[0] != axis.cells - 1)
    throw std::invalid_argument("the root of a tree has all its cells");
  for (std::size_t node = 0; node < nodes; ++node)
    if (axis.first[node] > axis.last[node] || axis.last[node] >= axis.cells || !is_divided(axis, node))
      throw std::invalid_argument("the children of a node divide its cells");
}

/// How many boxes of an attribute are told apart: nodes, or numbers of cells or of values.
inline std::size_t places_of(const Problem& problem, const Attribute& attribute) {
  if (attribute.axes > 1) return std::size_t{attribute.axes} + 1;
  const Axis& axis = problem.axes[attribute.axis];
  return axis.tree ? axis.first.size() : std::size_t{axis.cells} + 1;
}

inline void require_attribute(const Problem& problem, const Attribute& attribute) {
  const std::size_t places = places_of(problem, attribute);
  const bool priced = problem.metric == Metric::sum || problem.metric == Metric::product;
  if (attribute.price.empty() ? priced : attribute.price.size() < places)
    throw std::invalid_argument("a price for every box");
  if (std::ranges::any_of(attribute.price, [](Cost price) { return price < 0; }))
    throw std::invalid_argument("prices are not negative");
  if (!attribute.wide.empty() && attribute.wide.size() < places) throw std::invalid_argument("a width for every box");
  const Axis& axis = problem.axes[attribute.axis];
  if (!attribute.reach.empty() && (attribute.axes > 1 || axis.tree || attribute.reach.size() < axis.cells))
    throw std::invalid_argument("a width for every box of an order");
  for (std::uint32_t a = 0; attribute.axes > 1 && a < attribute.axes; ++a)
    if (problem.axes[attribute.axis + a].cells != 2 || problem.axes[attribute.axis + a].tree)
      throw std::invalid_argument("a value is there or not");
}

/// What all records cost together fits, even where each costs the dearest.
inline void require_room(const Problem& problem) {
  const Cost most = dearest_of_all / (problem.frequencies.records() + 1);
  Cost each = problem.metric == Metric::product ? 1 : 0;
  for (const Attribute& attribute : problem.attributes) {
    const Cost price = attribute.price.empty() ? 0 : *std::ranges::max_element(attribute.price);
    const bool fits = problem.metric == Metric::product ? price == 0 || each <= most / price : price <= most - each;
    if (!fits) throw std::invalid_argument("records cost more than can be added up");
    each = problem.metric == Metric::product ? each * price : each + price;
  }
  if (problem.suppressed < 0 || problem.suppressed > most)
    throw std::invalid_argument("a suppressed record costs more than can be added up");
}

inline void require(const Problem& problem) {
  const std::size_t rows = problem.frequencies.size();
  if (problem.cells.size() != problem.axes.size()) throw std::invalid_argument("cells on every axis");
  for (const Axis& axis : problem.axes) require_axis(axis);
  for (std::size_t a = 0; a < problem.axes.size(); ++a) require_below(problem.cells[a], rows, problem.axes[a].cells);
  std::size_t next = 0;
  for (const Attribute& attribute : problem.attributes) {
    if (attribute.axis != next || attribute.axes == 0 || attribute.axes > problem.axes.size() - next)
      throw std::invalid_argument("attributes have all axes, one after the other");
    next += attribute.axes;
    require_attribute(problem, attribute);
  }
  if (next != problem.axes.size()) throw std::invalid_argument("attributes have all axes, one after the other");
  require_room(problem);
  require_columns(problem.frequencies, problem.models);
  if (problem.metric == Metric::minority && problem.target >= problem.frequencies.sensitive().size())
    throw std::invalid_argument("a loss reads a column that is not there");
  if (problem.least < 1 || problem.optima == 0) throw std::invalid_argument("one record, and one partition, at least");
  if (problem.factor_denominator < 1 || problem.factor_numerator < problem.factor_denominator)
    throw std::invalid_argument("what is good enough is no better than the best");
}

}  // namespace sfumato::boxes

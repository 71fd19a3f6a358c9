// What the sequential sweep requires: levels, nodes and codes for every combination.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "sfumato/algorithms/sweep/sequential_sweep.hpp"
#include "sfumato/search/column_checks.hpp"

namespace sfumato::sweep {

inline constexpr std::int64_t most_swept = std::int64_t{1} << 28;  // records are drawn one by one

inline void require_attribute(const Problem& problem, std::size_t a) {
  const Depths& attribute = problem.attributes[a];
  const auto& digits = problem.retained[a];
  if (attribute.leaf.empty() || attribute.node.empty() || digits.size() != attribute.node.size())
    throw std::invalid_argument("an attribute has values, and says what each depth retains");
  require_below(attribute.leaf, attribute.leaf.size(), attribute.node.size());
  for (const auto& node : attribute.node)
    if (node.size() != attribute.leaf.size()) throw std::invalid_argument("a node for each value at every depth");
  for (const auto& digit : digits)
    if (digit.size() != problem.retained[0][0].size()) throw std::invalid_argument("numbers of the same length");
  require_below(problem.values[a], problem.counts.size(), attribute.leaf.size());
}

inline void require(const Problem& problem) {
  const std::size_t rows = problem.counts.size();
  require_rows(problem.counts, 1);
  if (problem.least < 1) throw std::invalid_argument("a class has one record at least");
  std::int64_t records = 0;
  for (const std::int64_t count : problem.counts) records += count;
  if (records >= most_swept) throw OutOfRange(too_many_records);
  const std::size_t attributes = problem.attributes.size();
  if (attributes == 0 || problem.values.size() != attributes || problem.retained.size() != attributes)
    throw std::invalid_argument("values of every attribute, and what they retain");
  for (std::size_t a = 0; a < attributes; ++a) require_attribute(problem, a);
  for (const auto& column : problem.codes)
    if (column.size() != rows) throw std::invalid_argument("a code for each combination");
  if (problem.sensitive.empty() || problem.nodes.size() != problem.sensitive.size())
    throw std::invalid_argument("nodes of every sensitive attribute");
  for (std::size_t s = 0; s < problem.nodes.size(); ++s)
    require_below(problem.nodes[s], rows, problem.sensitive[s].nodes());
  require_models(problem.models, problem.columns, rows);
}

}  // namespace sfumato::sweep

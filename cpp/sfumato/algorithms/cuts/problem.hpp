// The problem that a search of cuts solves: models, what happens to classes that violate them, and the loss, in whole
// units.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sfumato/cost.hpp"
#include "sfumato/frequencies.hpp"
#include "sfumato/privacy/model.hpp"

namespace sfumato::cuts {

/// What happens to a class that violates a model.
enum class Scheme {
  none,               // it may not exist
  violating_values,   // the values that violate become unknown
  all_values,         // all its sensitive values become unknown
  violating_records,  // as few records go as remove all violations
  all_records,        // all its records go
};

/// Values adds up over published values, as LM does.
enum class Metric { values, discernibility, classification };

struct Loss {
  Metric metric;
  std::vector<std::vector<std::vector<Cost>>>
      weight;              // values: by attribute, level and node; none below its children's
  Cost record = 0;         // values: of a suppressed record
  Cost value = 0;          // values: of a suppressed sensitive value
  std::size_t target = 0;  // classification: the column of the labels
};

/// The paper's lower bounds, or ours on top of them.
enum class Bounds { paper, strong };

/// Which open value is decided next: that of most records and most information (the paper: of most records), or of
/// least.
enum class Order { descending, ascending };

struct Problem {
  const Frequencies& frequencies;
  Models models;
  Scheme scheme;
  Loss loss;
  std::vector<std::uint16_t> lowest, highest;  // levels that values may be published at, by attribute
  std::int64_t limit;                          // most records, or values, that may be suppressed
  std::size_t top = 1;                         // how many of the cheapest cuts
  Bounds bounds = Bounds::strong;
  Order order = Order::descending;
  bool update_bounds = true;        // when a value is locked
  std::size_t merging_from = 2048;  // tuples: fewer are not worth merging where locks leave them alike
  std::size_t tabulating_from =
      1 << 15;           // tuples: for fewer, fewer classes each are tabulated sooner than cuts are searched
  double choosing = 16;  // entries looked at for each class that may be tabulated, before cuts are searched after all
};

/// The sensitive columns that the models or the loss read.
inline std::vector<std::size_t> columns_read(const Problem& problem) {
  std::vector<std::size_t> columns;
  for (const auto& model : problem.models)
    if (model->sensitive()) columns.push_back(*model->sensitive());
  if (problem.loss.metric == Metric::classification) columns.push_back(problem.loss.target);
  std::ranges::sort(columns);
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

}  // namespace sfumato::cuts

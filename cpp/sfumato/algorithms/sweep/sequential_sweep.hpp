// Sequential Sweep: records are swept from class to class, from specific to general, until every class is diverse.
// H. Tian, W. Zhang, "Extending l-diversity for better data anonymization", ITNG 2009, Section III.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sfumato/algorithms/sweep/level_groups.hpp"
#include "sfumato/cost.hpp"
#include "sfumato/frequencies.hpp"
#include "sfumato/privacy/induced.hpp"
#include "sfumato/privacy/model.hpp"
#include "sfumato/search/control.hpp"

namespace sfumato::sweep {

/// The order of the classes: for each attribute and depth what a value retains; see LevelOrder.
using Retained = std::vector<std::vector<std::vector<std::uint32_t>>>;

struct Problem {
  std::vector<Depths> attributes;  // the most important first
  Retained retained;               // by attribute
  std::vector<std::vector<std::uint32_t>>
      values;  // by attribute: the value of each combination; sorted by the first ones
  std::vector<std::vector<std::uint32_t>> codes;  // all other columns in which records differ
  std::vector<std::int64_t> counts;               // records of each combination
  std::vector<InducedLimits> sensitive;           // attributes whose values may be generalised
  std::vector<std::vector<std::uint32_t>> nodes;  // by such an attribute: the node of each combination
  Models models;                                  // what else must hold
  std::vector<SensitiveColumn> columns;           // that the models read
  std::int64_t least = 1;                         // records of a class
  std::uint64_t seed = 0;
  // Sensitive values are generalised in place if that loses at most `price` for every record that would be swept, in
  // the units of InducedLimits::information; never if the price is negative.
  Cost price = -1;
};

/// What is published: `copies` records of a combination, at the depths of an item of the order.
struct Result {
  bool complete = true;
  std::vector<std::uint16_t> depths;             // of the items, one after the other
  std::vector<std::uint32_t> combination, item;  // of each entry
  std::vector<std::vector<std::uint32_t>> node;  // by sensitive attribute, of each entry
  std::vector<std::uint32_t> copies;             // of each entry
};

Result sequential_sweep(const Problem& problem, Control& control);

}  // namespace sfumato::sweep

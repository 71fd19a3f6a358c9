// A separable loss: a record's cost is a sum over its published values, and a fixed price when it is suppressed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sfumato/cost.hpp"
#include "sfumato/frequencies.hpp"

namespace sfumato {

class SeparableLoss {
 public:
  /// weight[a][j][node]: cost of publishing that node, in units of unit[a].
  SeparableLoss(std::vector<std::vector<std::vector<std::int64_t>>> weight, std::vector<Cost> unit, Cost suppressed)
      : weight_(std::move(weight)), unit_(std::move(unit)), suppressed_(suppressed) {
    for (const auto& levels : weight_)
      for (const auto& level : levels)
        for (const std::int64_t weight_of_node : level)
          widest_ = std::max(widest_, weight_of_node < 0 ? ~static_cast<std::uint64_t>(weight_of_node) + 1
                                                         : static_cast<std::uint64_t>(weight_of_node));
  }

  /// Whether every node of the table's hierarchies has a weight.
  bool fits(const Frequencies& frequencies) const {
    if (weight_.size() != frequencies.attributes() || unit_.size() != frequencies.attributes()) return false;
    for (std::size_t a = 0; a < weight_.size(); ++a) {
      const Hierarchy& hierarchy = frequencies.hierarchy(a);
      if (weight_[a].size() <= hierarchy.height()) return false;
      for (std::size_t j = 0; j <= hierarchy.height(); ++j)
        if (weight_[a][j].size() < hierarchy.level(j).nodes()) return false;
    }
    return true;
  }

  /// Cost of one suppressed record.
  Cost suppressed() const { return suppressed_; }

  /// What publishing a node of attribute a's level j costs.
  Cost each(std::size_t a, std::size_t j, std::size_t node) const { return unit_[a] * weight_[a][j][node]; }

  /// Adds what a value costs a record at most, at each level of each attribute.
  void add_dearest(const Frequencies& frequencies, std::vector<Cost>& costs) const {
    for (std::size_t a = 0; a < unit_.size(); ++a)
      for (std::size_t j = 0; j <= frequencies.hierarchy(a).height(); ++j)
        if (!weight_[a][j].empty()) costs[frequencies.level_begin(a) + j] += unit_[a] * std::ranges::max(weight_[a][j]);
  }

  /// What the records cost at each level of each attribute, given the records per attribute and value.
  void level_costs(const Frequencies& frequencies, const std::vector<std::vector<std::int64_t>>& value_counts,
                   std::vector<Cost>& costs) const {
    costs.assign(frequencies.levels(), 0);
    add_level_costs(frequencies, value_counts, costs);
  }

  /// Adds them to other costs. Sums of an attribute's weights mostly fit into 64 bits; those of logarithms may not.
  void add_level_costs(const Frequencies& frequencies, const std::vector<std::vector<std::int64_t>>& value_counts,
                       std::vector<Cost>& costs) const {
    const auto records = static_cast<std::uint64_t>(std::max<std::int64_t>(frequencies.records(), 1));
    if (widest_ <= (std::uint64_t{1} << 62) / records)
      add_sums<std::int64_t>(frequencies, value_counts, costs);
    else
      add_sums<Cost>(frequencies, value_counts, costs);
  }

 private:
  template <class Sum>
  void add_sums(const Frequencies& frequencies, const std::vector<std::vector<std::int64_t>>& value_counts,
                std::vector<Cost>& costs) const {
    for (std::size_t a = 0; a < frequencies.attributes(); ++a)
      for (std::size_t j = 0; j <= frequencies.hierarchy(a).height(); ++j) {
        const Level& level = frequencies.hierarchy(a).level(j);
        Sum sum = 0;
        for (std::size_t v = 0; v < level.node.size(); ++v)
          sum += Sum{value_counts[a][v]} * weight_[a][j][level.node[v]];
        costs[frequencies.level_begin(a) + j] += unit_[a] * sum;
      }
  }

  std::vector<std::vector<std::vector<std::int64_t>>> weight_;
  std::vector<Cost> unit_;
  Cost suppressed_;
  std::uint64_t widest_ = 0;  // weight, whatever its sign
};

}  // namespace sfumato

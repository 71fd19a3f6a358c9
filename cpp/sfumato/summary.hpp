// The class summary: what models and losses may ask of equivalence classes, for all classes of a node at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sfumato/groups.hpp"
#include "sfumato/histogram.hpp"

namespace sfumato {

struct Classes {
  std::span<const std::int64_t> sizes;
  std::span<const Histogram> histograms;       // by sensitive column of the tuples
  std::span<const std::int64_t> units{};       // different persons; none if every record is a person's only one
  std::span<const std::int64_t> population{};  // how many of the population would be published alike, if models ask

  /// Whose privacy it is: units if there are any, else records.
  std::span<const std::int64_t> persons() const { return units.empty() ? sizes : units; }
  std::size_t count() const { return sizes.size(); }
};

/// Builds the summary of a grouping; histograms only for the sensitive columns that the tuples carry, units and
/// population if they do. Tuples of the population alone come last, so classes without a record have the last numbers:
/// they are left out, and neither models nor losses ever see them.
class Summary {
 public:
  Classes of(const Groups& groups, const Tuples& tuples) {
    const std::size_t classes = with_records(groups);
    histograms_.resize(tuples.sensitive.size() + tuples.lanes.size());  // one of them is empty
    if (!tuples.sensitive.empty()) sort_by_class(groups);
    for (std::size_t s = 0; s < tuples.sensitive.size(); ++s)
      histogram(classes, tuples.counts, tuples.sensitive[s], histograms_[s]);
    for (std::size_t s = 0; s < tuples.lanes.size(); ++s) {
      histograms_[s].width = tuples.lanes[s].width();
      tuples.lanes[s].add_up(groups.ids(), groups.count(), histograms_[s].lanes);
    }
    units_.clear();
    if (tuples.units) tuples.units->count(groups.ids(), groups.count(), units_, seen_), units_.resize(classes);
    population_.assign(tuples.population.empty() ? 0 : groups.count(), 0);
    for (std::size_t i = 0; i < tuples.population.size(); ++i) population_[groups.ids()[i]] += tuples.population[i];
    if (!population_.empty()) population_.resize(classes);
    return {groups.sizes().first(classes), histograms_, units_, population_};
  }

 private:
  static std::size_t with_records(const Groups& groups) {
    const auto sizes = groups.sizes();
    const auto end = std::partition_point(sizes.begin(), sizes.end(), [](std::int64_t size) { return size > 0; });
    return static_cast<std::size_t>(end - sizes.begin());
  }

  void sort_by_class(const Groups& groups) {
    begin_.assign(groups.count() + 1, 0);
    for (const std::uint32_t id : groups.ids()) ++begin_[id + 1];
    for (std::size_t c = 1; c < begin_.size(); ++c) begin_[c] += begin_[c - 1];
    order_.resize(groups.ids().size());
    next_.assign(begin_.begin(), begin_.end());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[next_[groups.ids()[i]]++] = static_cast<std::uint32_t>(i);
  }

  void histogram(std::size_t classes, std::span<const std::int64_t> counts, const SensitiveColumn& column,
                 Histogram& out) {
    out.width = 0;
    out.begin.assign(1, 0);
    out.value.clear();
    out.count.clear();
    cell_.assign(column.values, 0);  // index of the value's cell plus one; cells of earlier classes do not count
    for (std::size_t c = 0; c < classes; ++c) {
      const std::size_t start = out.value.size();
      for (std::size_t j = begin_[c]; j < begin_[c + 1]; ++j) {
        if (counts[order_[j]] == 0) continue;  // of the population alone
        const std::uint32_t value = column.codes[order_[j]];
        if (cell_[value] <= start) {
          out.value.push_back(value);
          out.count.push_back(0);
          cell_[value] = out.value.size();
        }
        out.count[cell_[value] - 1] += counts[order_[j]];
      }
      out.begin.push_back(out.value.size());
    }
  }

  std::vector<Histogram> histograms_;
  std::vector<std::size_t> begin_, next_, cell_;
  std::vector<std::uint32_t> order_, seen_;
  std::vector<std::int64_t> units_, population_;
};

}  // namespace sfumato

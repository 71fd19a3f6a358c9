// Whether the records of a box are a class that satisfies the models, and what it costs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sfumato/algorithms/boxes/records.hpp"
#include "sfumato/summary.hpp"

namespace sfumato::boxes {

template <class Int, class Lane>
class Judge {
 public:
  struct Verdict {
    Int cost;       // of the box as it is: a class, or suppressed; impossible if it can be neither
    bool hopeless;  // nor can any partition of it
    bool withheld;
  };

  explicit Judge(const Records<Int, Lane>& records) : records_(records), problem_(records.problem()) {
    for (const std::size_t position : columns_read(problem_)) read(position);
    histograms_.resize(problem_.frequencies.sensitive().size());
    if (!problem_.counts_only && problem_.frequencies.units()) list_units();
  }

  Verdict operator()(std::span<const std::uint32_t> tuples, const Lane* lanes, std::int64_t n) {
    const auto violated = [&](bool for_ever) -> Verdict {
      if (problem_.suppress) return {static_cast<Int>(n) * static_cast<Int>(problem_.suppressed), false, true};
      return {impossible<Int>, for_ever, false};
    };
    if (!records_.wide(lanes) || n < Records<Int, Lane>::least_of(problem_)) return violated(true);
    if (!columns_.empty()) count(tuples);
    if (!problem_.counts_only) {
      const std::int64_t sizes[] = {n}, units[] = {own_.empty() ? n : persons(tuples)};
      const Classes classes{sizes, histograms_, own_.empty() ? std::span<const std::int64_t>() : units, {}};
      std::uint8_t mark = 0, up = 0;
      for (const auto& model : problem_.models) {
        std::uint8_t one = 0;
        model->mark(classes, model->sensitive() ? &histograms_[*model->sensitive()] : nullptr, {&one, 1});
        mark |= one;
        up |= one && model->monotonicity() != Monotonicity::none;
      }
      if (mark) return violated(up != 0);
    }
    switch (problem_.metric) {
      case Metric::square: return {static_cast<Int>(n) * static_cast<Int>(n), false, false};
      case Metric::minority:
        return {static_cast<Int>(n - std::ranges::max(histograms_[problem_.target].count)), false, false};
      default: return {static_cast<Int>(n) * records_.price(lanes), false, false};
    }
  }

 private:
  struct Column {
    std::size_t position;
    std::vector<std::uint32_t> begin, value;  // by tuple: its values …
    std::vector<std::int64_t> records;        // … and their records
    std::vector<std::uint32_t> cell;          // by value: its place in the histogram that is being counted, plus one
  };

  void read(std::size_t position) {
    const SensitiveColumn& from = problem_.frequencies.sensitive()[position];
    Column& column = columns_.emplace_back(Column{position, {0}, {}, {}, std::vector<std::uint32_t>(from.values, 0)});
    for (std::size_t t = 0; t < records_.size(); ++t) {
      const std::size_t start = column.value.size();
      for (const std::uint32_t i : records_.combinations(t)) {
        const auto same =
            std::find(column.value.begin() + static_cast<std::ptrdiff_t>(start), column.value.end(), from.codes[i]);
        const auto at = static_cast<std::size_t>(same - column.value.begin());
        if (same == column.value.end()) {
          column.value.push_back(from.codes[i]);
          column.records.push_back(0);
        }
        column.records[at] += problem_.frequencies.counts()[i];
      }
      column.begin.push_back(
          static_cast<std::uint32_t>(column.value.size()));  // one a combination at most: see Records
    }
  }

  void count(std::span<const std::uint32_t> tuples) {
    for (Column& column : columns_) {
      Histogram& histogram = histograms_[column.position];
      histogram.value.clear();
      histogram.count.clear();
      for (const std::uint32_t t : tuples)
        for (std::size_t j = column.begin[t]; j < column.begin[t + 1]; ++j) {
          std::uint32_t& cell = column.cell[column.value[j]];
          if (cell == 0) {
            histogram.value.push_back(column.value[j]);
            histogram.count.push_back(0);
            cell = static_cast<std::uint32_t>(histogram.value.size());  // of values that have numbers of 32 bits
          }
          histogram.count[cell - 1] += column.records[j];
        }
      for (const std::uint32_t value : histogram.value) column.cell[value] = 0;
      histogram.begin = {0, histogram.value.size()};
    }
  }

  void list_units() {
    const Units& units = *problem_.frequencies.units();
    own_ = units.own();
    shared_.resize(own_.size());
    seen_.assign(units.shared(), 0);
    for (std::uint32_t u = 0; u < units.shared(); ++u)
      for (const std::uint32_t i : units.places(u)) shared_[i].push_back(u);
  }

  /// Different units, at least one.
  std::int64_t persons(std::span<const std::uint32_t> tuples) {
    std::int64_t units = 0;
    ++stamp_;
    for (const std::uint32_t t : tuples)
      for (const std::uint32_t i : records_.combinations(t)) {
        units += own_[i];
        for (const std::uint32_t u : shared_[i]) {
          units += seen_[u] != stamp_;
          seen_[u] = stamp_;
        }
      }
    return std::max<std::int64_t>(units, 1);
  }

  const Records<Int, Lane>& records_;
  const Problem& problem_;
  std::vector<Column> columns_;
  std::vector<Histogram> histograms_;
  std::vector<std::int64_t> own_;
  std::vector<std::vector<std::uint32_t>> shared_;
  std::vector<std::uint64_t> seen_;
  std::uint64_t stamp_ = 0;
};

}  // namespace sfumato::boxes

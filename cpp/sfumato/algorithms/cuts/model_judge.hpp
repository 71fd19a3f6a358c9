// Models that are not limits on the shares of values: each judges one class at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sfumato/algorithms/cuts/problem.hpp"
#include "sfumato/algorithms/cuts/tuples.hpp"
#include "sfumato/privacy/model.hpp"

namespace sfumato::cuts {

class ModelJudge {
 public:
  struct Verdict {
    bool violated = false;
    bool hopeless = false;  // no part of the class can be published
  };

  ModelJudge(const Problem& problem, const Tuples& tuples)
      : tuples_(&tuples), histograms_(problem.frequencies.sensitive().size()), round_of_(tuples.most_units(), 0) {}

  void add(const ClassModel& model) { models_.push_back(&model); }
  bool empty() const { return models_.empty(); }

  /// Sets the histogram of a column: the records of these values; `records`: by value.
  void count(std::size_t column, std::span<const std::uint32_t> values, std::span<const std::int64_t> records) {
    Histogram& histogram = histograms_[column];
    histogram.value.clear();
    histogram.count.clear();
    for (const std::uint32_t value : values) {
      if (records[value] == 0) continue;
      histogram.value.push_back(value);
      histogram.count.push_back(records[value]);
    }
    histogram.begin = {0, histogram.value.size()};
  }

  /// Judges a class of these tuples, n records, whose columns have been counted.
  Verdict judge(std::span<const std::uint32_t> members, std::int64_t n) {
    const std::int64_t sizes[] = {n}, persons[] = {units(members)};
    Classes one{sizes, histograms_};
    if (tuples_->has_units()) one.units = persons;
    std::uint8_t violates = 0;
    std::int64_t publishable = n;
    const auto read_by = [&](const ClassModel* model) {
      return model->sensitive() ? &histograms_[*model->sensitive()] : nullptr;
    };
    for (const ClassModel* model : models_) model->mark(one, read_by(model), {&violates, 1});
    for (const ClassModel* model : models_) model->limit(one, read_by(model), {&violates, 1}, {&publishable, 1});
    return {violates != 0, publishable == 0};
  }

 private:
  std::int64_t units(std::span<const std::uint32_t> members) {
    if (!tuples_->has_units()) return 0;
    std::int64_t count = 0;
    ++round_;
    for (const std::uint32_t t : members) {
      count += tuples_->own_units(t);
      for (const std::uint32_t u : tuples_->shared_units(t)) {
        count += round_of_[u] != round_;
        round_of_[u] = round_;
      }
    }
    return std::max<std::int64_t>(count, 1);
  }

  const Tuples* tuples_;
  std::vector<const ClassModel*> models_;
  std::vector<Histogram> histograms_;    // by column
  std::vector<std::uint64_t> round_of_;  // by unit: the class in which it was counted last
  std::uint64_t round_ = 0;
};

}  // namespace sfumato::cuts

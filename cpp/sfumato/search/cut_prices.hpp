// What a class costs under each metric and scheme, and what its records cost at least however it is divided.
// Liu and Wang, "On optimal anonymization for l+-diversity", ICDE 2010, Sections V and VII; docs/algorithms/l_plus_optimize.md.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include "sfumato/search/cut_problem.hpp"
#include "sfumato/search/cut_tuples.hpp"
#include "sfumato/search/threshold.hpp"

namespace sfumato {

/// A class at its own nodes costs kept * W + fixed, W the price of its published values (if the loss adds those up; else 0).
template <class Sum>
struct Measured {
  std::int64_t records = 0;
  std::int64_t kept = 0;   // records that are published
  std::int64_t gone = 0;   // records (or values) that are suppressed
  Sum fixed = 0;
  std::int64_t least = 0;  // records (or values) that are suppressed at least, however the class is divided
  bool impossible = false; // it may not exist, nor be divided into classes that all may
};

template <class Sum>
class CutPrices {
 public:
  CutPrices(const CutProblem& problem, const CutTuples& tuples)
      : problem_(&problem), tuples_(&tuples), counter_(tuples.kinds(), 0), columns_(columns_read(problem)), total_(problem.frequencies.records()) {
    const auto& columns = problem.frequencies.sensitive();
    for (const SensitiveColumn& column : columns) marginal_.emplace_back(column.values, 0), present_.emplace_back();
    histograms_.resize(columns.size());
    for (const auto& model : problem.models) {
      if (const auto* limits = model->share_limits()) {
        limited_.emplace_back(*model->sensitive(), *limits, total_);
      } else {
        asked_.push_back(model.get());
      }
      upwards_ &= model->monotonicity() != Monotonicity::none;
    }
    if (problem.loss.metric == CutMetric::classification) {
      labels_.assign(columns[problem.loss.target].values, 0);
    }
    record_ = static_cast<Sum>(problem.loss.record);
    value_ = static_cast<Sum>(problem.loss.value);
    seen_.assign(tuples.most_units(), 0);
  }

  /// Counts the records of a class and judges it.
  Measured<Sum> measure(std::span<const std::uint32_t> members) {
    Measured<Sum> found;
    for (const std::uint32_t t : members)
      for (const Cell& cell : tuples_->cells(t)) {
        if (counter_[cell.kind] == 0) touched_.push_back(cell.kind);
        counter_[cell.kind] += cell.count;
        found.records += cell.count;
      }
    for (const std::size_t column : columns_) {
      std::int64_t* const marginal = marginal_[column].data();
      for (const std::uint32_t kind : touched_) {
        const std::uint32_t value = tuples_->value(kind, column);
        if (marginal[value] == 0) present_[column].push_back(value);
        marginal[value] += counter_[kind];
      }
    }
    judge(members, found);
    for (const std::uint32_t kind : touched_) counter_[kind] = 0;
    touched_.clear();
    for (const std::size_t column : columns_) {
      for (const std::uint32_t value : present_[column]) marginal_[column][value] = 0;
      present_[column].clear();
    }
    return found;
  }

  /// What the records of a class cost in every division of it. `price`: of the values that are locked. `alone`: what its
  /// tuples cost as classes of their own that suppress nothing.
  Sum at_least(const Measured<Sum>& of, Sum price, Sum alone, std::span<const std::uint32_t> members) {
    switch (problem_->loss.metric) {
      case CutMetric::values:
        if (problem_->scheme == CutScheme::none) return of.records * price;
        if (withholds_values()) return of.records * price + of.least * value_;
        return std::min((of.records - of.least) * price + of.least * record_, of.records * record_);
      case CutMetric::discernibility:
        if (problem_->scheme == CutScheme::violating_records) return lowered(of.least, members);
        return of.least == 0 ? alone : without_dearest(of.least, members);
      default: return std::max<Sum>(alone, of.least);
    }
  }

  /// What a tuple costs as a class of its own that suppresses nothing, apart from LM.
  Sum alone(std::uint32_t t) {
    const std::int64_t n = tuples_->records(t);
    if (problem_->loss.metric == CutMetric::values) return 0;
    if (problem_->loss.metric == CutMetric::discernibility) return static_cast<Sum>(n) * n;
    std::int64_t most = 0;
    for (const Cell& cell : tuples_->cells(t)) {
      std::int64_t& count = labels_[tuples_->value(cell.kind, problem_->loss.target)];
      most = std::max(most, count += cell.count);
    }
    for (const Cell& cell : tuples_->cells(t)) labels_[tuples_->value(cell.kind, problem_->loss.target)] = 0;
    return n - most;
  }

 private:
  /// Limits on the shares of a column's values; equal ones are worked out once.
  struct Limited {
    Limited(std::size_t of, const std::vector<Ratio>& shares, std::int64_t most) : column(of) {
      for (const Ratio& share : shares) {
        const Threshold limit(share, most);
        const auto known = std::ranges::find(limits, limit);
        of_value.push_back(static_cast<std::uint32_t>(known - limits.begin()));
        if (known == limits.end()) limits.push_back(limit);
      }
      room.resize(limits.size());
    }

    const Threshold& limit(std::uint32_t value) const { return limits[of_value[value]]; }

    /// What each limit leaves room for among n records.
    void divide(std::int64_t n) const {
      for (std::size_t i = 0; i < limits.size(); ++i) room[i] = limits[i].floor(n);
    }

    std::size_t column;
    std::vector<Threshold> limits;
    std::vector<std::uint32_t> of_value;
    mutable std::vector<std::int64_t> room;
  };

  void judge(std::span<const std::uint32_t> members, Measured<Sum>& of) {
    bool violated = false, lost = false;
    for (const Limited& limited : limited_) violated |= violates(limited, of.records);
    if (!asked_.empty()) ask(members, of.records, violated, lost);
    of.kept = of.records;
    const std::int64_t n = of.records;
    switch (problem_->scheme) {
      case CutScheme::none: of.impossible = violated; break;
      case CutScheme::violating_values:
        for (const Limited& limited : limited_) withhold_violating(limited, of);
        break;
      case CutScheme::all_values:
        for (const Limited& limited : limited_)
          if (violates(limited, n)) of.least += n - most_kept(limited, n), of.gone += n;
        break;
      case CutScheme::violating_records:
        if (violated) of.kept = most_kept(limited_.front(), n);
        of.least = of.gone = n - of.kept;
        break;
      case CutScheme::all_records:
        if (!violated) break;
        of.least = upwards_ ? 1 : 0;
        for (const Limited& limited : limited_) of.least = std::max(of.least, n - most_kept(limited, n));
        if (lost) of.least = n;
        of.kept = 0;
        of.gone = n;
        break;
    }
    of.fixed = of.gone * suppressed();
    if (problem_->loss.metric == CutMetric::discernibility) of.fixed += static_cast<Sum>(of.kept) * of.kept;
    if (problem_->loss.metric == CutMetric::classification) of.fixed += of.kept > 0 ? of.kept - majority(of) : 0;
  }

  Sum suppressed() const {
    if (problem_->loss.metric == CutMetric::values) return withholds_values() ? value_ : record_;
    return problem_->loss.metric == CutMetric::discernibility ? static_cast<Sum>(total_) : Sum{1};
  }

  bool withholds_values() const {
    return problem_->scheme == CutScheme::violating_values || problem_->scheme == CutScheme::all_values;
  }

  bool violates(const Limited& limited, std::int64_t n) const {
    return std::ranges::any_of(present_[limited.column], [&](std::uint32_t value) {
      return !limited.limit(value).admits(marginal_[limited.column][value], n);
    });
  }

  /// Lemma 3 without recursion: x of n_s records must go such that n_s - x <= theta (n - x).
  void withhold_violating(const Limited& limited, Measured<Sum>& of) const {
    for (const std::uint32_t value : present_[limited.column]) {
      const std::int64_t count = marginal_[limited.column][value];
      if (limited.limit(value).admits(count, of.records)) continue;
      of.gone += count;
      of.least += limited.limit(value).least_removed(count, of.records);
    }
  }

  /// Lemma 3 with recursion: of n records, the most that satisfy the limits on shares. What n records leave room for is at
  /// least what any fewer do, so going down from n never passes the most.
  std::int64_t most_kept(const Limited& limited, std::int64_t n) const {
    for (std::int64_t before = -1; before != n;) {
      before = n;
      n = 0;
      limited.divide(before);
      for (const std::uint32_t value : present_[limited.column])
        n += std::min(marginal_[limited.column][value], limited.room[limited.of_value[value]]);
    }
    return n;
  }

  /// The kept records that have the label of most of them.
  std::int64_t majority(const Measured<Sum>& of) {
    const std::size_t target = problem_->loss.target;
    if (problem_->scheme == CutScheme::violating_records && of.least > 0) {
      const Limited& limited = limited_.front();
      limited.divide(of.kept);
      for (const std::uint32_t kind : touched_) {
        const std::int64_t room = limited.room[limited.of_value[tuples_->value(kind, limited.column)]];
        labels_[tuples_->value(kind, target)] += std::min(counter_[kind], room);
      }
    } else {
      for (const std::uint32_t label : present_[target]) labels_[label] = marginal_[target][label];
    }
    std::int64_t most = 0;
    for (const std::uint32_t label : present_[target]) {
      most = std::max(most, labels_[label]);
      labels_[label] = 0;
    }
    return most;
  }

  /// Models that are no limits on shares: each is asked about the one class.
  void ask(std::span<const std::uint32_t> members, std::int64_t n, bool& violated, bool& lost) {
    for (const std::size_t column : columns_) {
      Histogram& histogram = histograms_[column];
      histogram.begin = {0, present_[column].size()};
      histogram.value = present_[column];
      histogram.count.clear();
      for (const std::uint32_t value : present_[column]) histogram.count.push_back(marginal_[column][value]);
    }
    const std::int64_t sizes[] = {n}, persons[] = {units(members)};
    Classes one{sizes, histograms_};
    if (tuples_->has_units()) one.units = persons;
    std::uint8_t violates = 0;
    std::int64_t publishable = n;
    const auto read_by = [&](const ClassModel* model) {
      return model->sensitive() ? &histograms_[*model->sensitive()] : nullptr;
    };
    for (const ClassModel* model : asked_) model->mark(one, read_by(model), {&violates, 1});
    for (const ClassModel* model : asked_) model->limit(one, read_by(model), {&violates, 1}, {&publishable, 1});
    violated |= violates != 0;
    lost |= publishable == 0;
  }

  std::int64_t units(std::span<const std::uint32_t> members) {
    if (!tuples_->has_units()) return 0;
    std::int64_t count = 0;
    ++round_;
    for (const std::uint32_t t : members) {
      count += tuples_->own_units(t);
      for (const std::uint32_t u : tuples_->shared_units(t)) {
        count += seen_[u] != round_;
        seen_[u] = round_;
      }
    }
    return std::max<std::int64_t>(count, 1);
  }

  void sort_sizes(std::span<const std::uint32_t> members) {
    sizes_.clear();
    for (const std::uint32_t t : members) sizes_.push_back(tuples_->records(t));
    std::ranges::sort(sizes_, std::greater<>());
  }

  /// DM when `least` records go with all their class: the rest costs its tuples' sizes, and the dearest may be the ones that go.
  Sum without_dearest(std::int64_t least, std::span<const std::uint32_t> members) {
    sort_sizes(members);
    Sum sum = static_cast<Sum>(least) * total_;
    for (const std::int64_t size : sizes_) {
      const std::int64_t gone = std::min(least, size);
      least -= gone;
      sum += static_cast<Sum>(size - gone) * size;
    }
    return sum;
  }

  /// DM when `least` records or more go, each from any tuple: the squares are least if the largest tuples are levelled.
  /// Beyond `least`, a record is worth its price N only while its tuple has more than (N + 1)/2.
  Sum lowered(std::int64_t least, std::span<const std::uint32_t> members) {
    sort_sizes(members);
    const std::int64_t half = (total_ + 1) / 2;
    if (!sizes_.empty() && sizes_.front() - half > least) least = sizes_.front() - half;
    Sum sum = static_cast<Sum>(least) * total_;
    std::size_t level = 0;  // tuples 0 … level - 1 are lowered to the size of tuple level
    std::int64_t spent = 0;
    while (level < sizes_.size()) {
      const std::int64_t next = level + 1 < sizes_.size() ? sizes_[level + 1] : 0;
      const auto many = static_cast<std::int64_t>(level + 1);
      const std::int64_t step = (sizes_[level] - next) * many;
      if (spent + step >= least) {
        const std::int64_t rest = least - spent, each = rest / many, more = rest % many;
        const std::int64_t high = sizes_[level] - each;
        sum += static_cast<Sum>(many - more) * high * high + static_cast<Sum>(more) * (high - 1) * (high - 1);
        break;
      }
      spent += step;
      ++level;
    }
    for (std::size_t i = level + 1; i < sizes_.size(); ++i) sum += static_cast<Sum>(sizes_[i]) * sizes_[i];
    return sum;
  }

  const CutProblem* problem_;
  const CutTuples* tuples_;
  std::vector<std::int64_t> counter_;  // by kind
  std::vector<std::uint32_t> touched_;
  std::vector<std::vector<std::int64_t>> marginal_;  // by column and value
  std::vector<std::vector<std::uint32_t>> present_;
  std::vector<std::size_t> columns_;  // that models or the loss read
  std::vector<Histogram> histograms_;
  std::vector<Limited> limited_;
  std::vector<const ClassModel*> asked_;
  std::vector<std::int64_t> labels_, sizes_;
  std::vector<std::uint64_t> seen_;
  std::uint64_t round_ = 0;
  std::int64_t total_;
  bool upwards_ = true;
  Sum record_ = 0, value_ = 0;
};

}  // namespace sfumato

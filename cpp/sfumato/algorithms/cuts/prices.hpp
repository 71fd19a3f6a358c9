// What a class costs under each metric and scheme, and what its records cost at least however it is divided.
// Liu and Wang, "On optimal anonymization for l+-diversity", ICDE 2010, Sections V and VII;
// docs/algorithms/l_plus_optimize.md.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "sfumato/algorithms/cuts/class_cost.hpp"
#include "sfumato/algorithms/cuts/groups.hpp"
#include "sfumato/algorithms/cuts/lanes.hpp"
#include "sfumato/algorithms/cuts/limits.hpp"
#include "sfumato/algorithms/cuts/model_judge.hpp"
#include "sfumato/algorithms/cuts/problem.hpp"
#include "sfumato/algorithms/cuts/tuples.hpp"

namespace sfumato::cuts {

template <class Sum>
class Prices {
 public:
  Prices(const Problem& problem, const Tuples& tuples)
      : problem_(&problem),
        tuples_(&tuples),
        counter_(tuples.kinds(), 0),
        columns_(columns_read(problem)),
        few_(tuples.few_kinds()),
        judge_(problem, tuples),
        total_(problem.frequencies.records()) {
    const auto& columns = problem.frequencies.sensitive();
    for (const SensitiveColumn& column : columns) marginal_.emplace_back(column.values, 0), present_.emplace_back();
    for (const auto& model : problem.models) {
      if (const auto* limits = model->share_limits()) {
        limited_.emplace_back(*model->sensitive(), *limits, total_);
      } else {
        judge_.add(*model);
      }
      upwards_ &= model->monotonicity() != Monotonicity::none;
    }
    if (problem.loss.metric == Metric::classification) {
      labels_.assign(columns[problem.loss.target].values, 0);
    }
    record_ = static_cast<Sum>(problem.loss.record);
    value_ = static_cast<Sum>(problem.loss.value);
    const bool labelled = problem.loss.metric == Metric::classification;
    if (few_ && limited_.size() == 1 && judge_.empty() && total_ <= INT32_MAX && !tuples.has_units()) {
      const std::size_t column = limited_.front().column();
      lanes_ = KindLanes(tuples, column, columns[column].values,
                         labelled ? std::optional(problem.loss.target) : std::nullopt, labelled ? labels_.size() : 1);
    }
    small_ = lanes_.fit() && !labelled;
    if (few_) {
      for (std::uint32_t kind = 0; kind < tuples.kinds(); ++kind) touched_.push_back(kind);
      for (const std::size_t column : columns_)
        for (std::uint32_t value = 0; value < columns[column].values; ++value) present_[column].push_back(value);
    }
  }

  /// Counts the records of a class and judges it.
  ClassCost<Sum> measure(std::span<const std::uint32_t> members) {
    std::int64_t records = 0;
    if (small_ && members.size() <= Int16x8::max) {
      for (const std::uint32_t t : members) {
        tuples_->prefetch_kind_counts(t);
        records += tuples_->records(t);
      }
      if (records <= Int16x8::max) return measure_small(members, records);
      records = 0;
    }
    each_prefetched(
        members, [&](std::uint32_t t) { tuples_->prefetch_kind_counts(t); },
        [&](std::size_t, std::uint32_t t) {
          for (const KindCount& cell : tuples_->kind_counts(t)) {
            if (!few_ && counter_[cell.kind] == 0) touched_.push_back(cell.kind);
            counter_[cell.kind] += cell.count;
          }
          records += tuples_->records(t);
        });
    const ClassCost<Sum> of = concluded(counter_, records, members);
    for (const std::uint32_t kind : touched_) counter_[kind] = 0;
    if (!few_) touched_.clear();
    return of;
  }

  /// Judges a class of so many records of each of these kinds, which are all kinds if those are few; `members` are its
  /// tuples, if units are counted.
  ClassCost<Sum> measure(std::span<const std::uint32_t> kinds, std::span<const std::int64_t> counts,
                         std::int64_t records, std::span<const std::uint32_t> members) {
    if (few_) return concluded(counts, records, members);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      counter_[kinds[i]] = counts[i];
      if (counts[i] > 0) touched_.push_back(kinds[i]);
    }
    const ClassCost<Sum> of = concluded(counter_, records, members);
    for (const std::uint32_t kind : touched_) counter_[kind] = 0;
    touched_.clear();
    return of;
  }

  /// Whether a class is judged by the counts of its kinds alone, each by a limit of its own, and they fit in registers.
  bool simple() const { return small_; }

  /// Whether it would be if kinds were put into lanes by their labels.
  bool in_lanes() const { return lanes_.fit(); }
  const KindLanes& lanes() const { return lanes_; }

  /// Judges a class of so many records in each lane, if that is all there is to judge. (Without labels, kinds are
  /// lanes.)
  ClassCost<Sum> measure(std::span<const Int16x8> counts, std::int64_t records) {
    look(counts);
    ClassCost<Sum> of;
    of.records = records;
    judge({}, of);
    lanes_.look({});
    return of;
  }

  /// The same of one that is not to be divided: what is suppressed at least is left out.
  ClassCost<Sum> measure_whole(std::span<const Int16x8> counts, std::int64_t records) {
    look(counts);
    ClassCost<Sum> of;
    of.records = records;
    judge_whole(limited_.front(), of);
    lanes_.look({});
    return of;
  }

  /// What the records of a class cost in every division of it. `price`: of the values that are locked. `plain`: what
  /// its tuples cost as classes of their own that suppress nothing. `sizes`: of the tuples, in falling order.
  Sum at_least(const ClassCost<Sum>& of, Sum price, Sum plain, std::span<const std::int64_t> sizes) const {
    switch (problem_->loss.metric) {
      case Metric::values:
        if (problem_->scheme == Scheme::none) return of.records * price;
        if (withholds_values()) return of.records * price + of.least * value_;
        return records_at_least(of.records, of.least, price);
      case Metric::discernibility:
        if (problem_->scheme == Scheme::violating_records) return discernibility_levelled<Sum>(of.least, sizes, total_);
        return of.least == 0 ? plain : discernibility_without_dearest<Sum>(of.least, sizes, total_);
      default: return std::max<Sum>(plain, of.least);
    }
  }

  /// Whether it depends on the sizes of the tuples, if `least` are suppressed at least.
  bool reads_sizes(std::int64_t least) const {
    return problem_->loss.metric == Metric::discernibility &&
           (least > 0 || problem_->scheme == Scheme::violating_records);
  }

  /// LM of n records of which `least` are suppressed at least, and of which the others cost `price` each.
  Sum records_at_least(std::int64_t n, std::int64_t least, Sum price) const {
    return std::min((n - least) * price + least * record_, n * record_);
  }

  /// What records cost that suppress nothing, apart from LM; `kinds` and `counts` of them.
  Sum plain(std::span<const std::uint32_t> kinds, std::span<const std::int64_t> counts, std::int64_t records) {
    if (problem_->loss.metric == Metric::values) return 0;
    if (problem_->loss.metric == Metric::discernibility) return static_cast<Sum>(records) * records;
    std::int64_t most = 0;
    for (std::size_t i = 0; i < kinds.size(); ++i) most = std::max(most, labels_[label(kinds[i])] += counts[i]);
    for (const std::uint32_t kind : kinds) labels_[label(kind)] = 0;
    return records - most;
  }

  /// The same of a tuple.
  Sum plain(std::uint32_t t) {
    if (problem_->loss.metric != Metric::classification) return plain({}, {}, tuples_->records(t));
    kinds_.clear();
    counts_.clear();
    for (const KindCount& cell : tuples_->kind_counts(t)) {
      kinds_.push_back(cell.kind);
      counts_.push_back(cell.count);
    }
    return plain(kinds_, counts_, tuples_->records(t));
  }

  /// The records that have not the label of most in their group of tuples.
  Sum minorities(std::span<const std::uint32_t> members, const TupleGroups& groups) {
    const std::size_t labels = labels_.size();
    votes_.assign(groups.size() * labels, 0);
    each_prefetched(
        members, [&](std::uint32_t t) { tuples_->prefetch_kind_counts(t); },
        [&](std::size_t i, std::uint32_t t) {
          for (const KindCount& cell : tuples_->kind_counts(t))
            votes_[groups.of(i) * labels + label(cell.kind)] += cell.count;
        });
    Sum sum = 0;
    for (std::size_t g = 0; g < groups.size(); ++g)
      sum += groups.records(g) - *std::max_element(votes_.begin() + static_cast<std::ptrdiff_t>(g * labels),
                                                   votes_.begin() + static_cast<std::ptrdiff_t>((g + 1) * labels));
    return sum;
  }

  /// The label of a kind.
  std::uint32_t label(std::uint32_t kind) const { return tuples_->value(kind, problem_->loss.target); }

  static constexpr std::size_t most_registers = KindLanes::most_registers;  // of kinds

 private:
  ClassCost<Sum> measure_small(std::span<const std::uint32_t> members, std::int64_t records) {
    const std::size_t registers = (tuples_->kinds() + Int16x8::lanes - 1) / Int16x8::lanes;
    std::int16_t counts[most_registers * Int16x8::lanes];
    std::fill_n(counts, registers * Int16x8::lanes, std::int16_t{0});
    for (const std::uint32_t t : members)
      for (const KindCount& cell : tuples_->kind_counts(t))
        counts[cell.kind] = static_cast<std::int16_t>(counts[cell.kind] + static_cast<std::int16_t>(cell.count));
    for (std::size_t j = 0; j < registers; ++j) registers_[j] = Int16x8::load(counts + j * Int16x8::lanes);
    return measure({registers_.data(), registers}, records);
  }

  ClassCost<Sum> concluded(std::span<const std::int64_t> counts, std::int64_t records,
                           std::span<const std::uint32_t> members) {
    ClassCost<Sum> of;
    of.records = records;
    count_ = counts;
    const bool summed = !few_ || columns_.size() != 1;  // else kinds are the values of the one column
    if (summed) add_up();
    for (ColumnLimits& limits : limited_) {
      const std::size_t column = limits.column();
      if (few_)
        limits.look(summed ? marginal_[column] : counts);
      else
        limits.look(present_[column], marginal_[column]);
    }
    if (!summed && (!judge_.empty() || problem_->loss.metric == Metric::classification))
      std::ranges::copy(counts, marginal_[columns_.front()].begin());
    judge(members, of);
    if (summed) forget();
    return of;
  }

  /// Records by column and value.
  void add_up() {
    for (const std::size_t column : columns_) {
      std::int64_t* const marginal = marginal_[column].data();
      for (const std::uint32_t kind : touched_) {
        const std::uint32_t value = tuples_->value(kind, column);
        if (!few_ && marginal[value] == 0) present_[column].push_back(value);
        marginal[value] += count_[kind];
      }
    }
  }

  void forget() {
    for (const std::size_t column : columns_) {
      for (const std::uint32_t value : present_[column]) marginal_[column][value] = 0;
      if (!few_) present_[column].clear();
    }
  }

  void look(std::span<const Int16x8> counts) {
    lanes_.look(counts);
    limited_.front().look(lanes_.by_value());
  }

  void judge(std::span<const std::uint32_t> members, ClassCost<Sum>& of) {
    const std::int64_t n = of.records;
    ModelJudge::Verdict verdict = by_models(members, n);
    for (const ColumnLimits& limits : limited_) verdict.violated |= limits.violated(n);
    const bool violated = verdict.violated;
    of.kept = n;
    switch (problem_->scheme) {
      case Scheme::none: of.impossible = violated; break;
      case Scheme::violating_values:
        if (!violated) break;
        for (const ColumnLimits& limits : limited_) {
          const auto [all, least] = limits.withheld(n);
          of.suppressed += all;
          of.least += least;
        }
        break;
      case Scheme::all_values:
        if (!violated) break;
        for (ColumnLimits& limits : limited_)
          if (limits.violated(n)) of.least += n - limits.most_kept(n), of.suppressed += n;
        break;
      case Scheme::violating_records:
        if (violated) of.kept = limited_.front().most_kept(n);
        of.least = of.suppressed = n - of.kept;
        break;
      case Scheme::all_records:
        if (!violated) break;
        of.least = upwards_ ? 1 : 0;
        for (ColumnLimits& limits : limited_) of.least = std::max(of.least, n - limits.most_kept(n));
        if (verdict.hopeless) of.least = n;
        of.kept = 0;
        of.suppressed = n;
        break;
    }
    conclude(of);
  }

  ModelJudge::Verdict by_models(std::span<const std::uint32_t> members, std::int64_t n) {
    if (judge_.empty()) return {};
    for (const std::size_t column : columns_) judge_.count(column, present_[column], marginal_[column]);
    return judge_.judge(members, n);
  }

  void judge_whole(ColumnLimits& limits, ClassCost<Sum>& of) {
    of.kept = of.records;
    switch (problem_->scheme) {
      case Scheme::none: of.impossible = limits.violated(of.records); break;
      case Scheme::violating_values: of.suppressed = limits.exceeding(of.records); break;
      case Scheme::all_values: of.suppressed = limits.violated(of.records) ? of.records : 0; break;
      case Scheme::violating_records: of.kept = limits.most_kept(of.records); break;
      case Scheme::all_records: of.kept = limits.violated(of.records) ? 0 : of.records; break;
    }
    if (!withholds_values()) of.suppressed = of.records - of.kept;
    conclude(of);
  }

  /// What it costs, by what is published and suppressed of it.
  void conclude(ClassCost<Sum>& of) {
    of.fixed = of.suppressed * price_of_suppressed();
    if (problem_->loss.metric == Metric::discernibility) of.fixed += static_cast<Sum>(of.kept) * of.kept;
    if (problem_->loss.metric == Metric::classification) of.fixed += of.kept > 0 ? of.kept - majority(of) : 0;
  }

  Sum price_of_suppressed() const {
    if (problem_->loss.metric == Metric::values) return withholds_values() ? value_ : record_;
    return problem_->loss.metric == Metric::discernibility ? static_cast<Sum>(total_) : Sum{1};
  }

  bool withholds_values() const {
    return problem_->scheme == Scheme::violating_values || problem_->scheme == Scheme::all_values;
  }

  /// The kept records that have the label of most of them.
  std::int64_t majority(const ClassCost<Sum>& of) {
    const std::size_t target = problem_->loss.target;
    const bool partly_suppressed = problem_->scheme == Scheme::violating_records && of.suppressed > 0;
    if (lanes_.looking())
      return partly_suppressed ? lanes_.majority(limited_.front().rooms(of.kept)) : lanes_.majority();
    if (partly_suppressed) {
      ColumnLimits& limits = limited_.front();
      limits.divide(of.kept);
      for (const std::uint32_t kind : touched_)
        labels_[label(kind)] += std::min(count_[kind], limits.room(tuples_->value(kind, limits.column())));
    } else {
      for (const std::uint32_t value : present_[target]) labels_[value] = marginal_[target][value];
    }
    std::int64_t most = 0;
    for (const std::uint32_t value : present_[target]) {
      most = std::max(most, labels_[value]);
      labels_[value] = 0;
    }
    return most;
  }

  const Problem* problem_;
  const Tuples* tuples_;
  std::vector<std::int64_t> counter_;  // by kind
  std::span<const std::int64_t> count_;
  std::vector<std::uint32_t> touched_;  // kinds that occur in the class; all of them if they are few, as `present_`
  std::vector<std::vector<std::int64_t>> marginal_;  // by column and value
  std::vector<std::vector<std::uint32_t>> present_;
  std::vector<std::size_t> columns_;  // that models or the loss read
  bool few_, small_ = false;
  std::array<Int16x8, most_registers> registers_;  // records by kind, where they are few
  KindLanes lanes_;
  std::vector<ColumnLimits> limited_;
  ModelJudge judge_;  // of all other models
  std::vector<std::int64_t> labels_, votes_, counts_;
  std::vector<std::uint32_t> kinds_;
  std::int64_t total_;
  bool upwards_ = true;
  Sum record_ = 0, value_ = 0;
};

}  // namespace sfumato::cuts

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

#include "sfumato/search/cut_groups.hpp"
#include "sfumato/search/cut_lanes.hpp"
#include "sfumato/search/cut_limits.hpp"
#include "sfumato/search/cut_measured.hpp"
#include "sfumato/search/cut_problem.hpp"
#include "sfumato/search/cut_squares.hpp"
#include "sfumato/search/cut_tuples.hpp"

namespace sfumato {

template <class Sum>
class CutPrices {
 public:
  CutPrices(const CutProblem& problem, const CutTuples& tuples)
      : problem_(&problem),
        tuples_(&tuples),
        counter_(tuples.kinds(), 0),
        columns_(columns_read(problem)),
        few_(tuples.few()),
        total_(problem.frequencies.records()) {
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
    const bool labelled = problem.loss.metric == CutMetric::classification;
    if (few_ && limited_.size() == 1 && asked_.empty() && total_ <= INT32_MAX && !tuples.has_units()) {
      const std::size_t column = limited_.front().column();
      lanes_ = CutLanes(tuples, column, columns[column].values,
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
  Measured<Sum> measure(std::span<const std::uint32_t> members) {
    std::int64_t records = 0;
    if (small_ && members.size() <= Eight::most) {
      for (const std::uint32_t t : members) {
        tuples_->fetch_cells(t);
        records += tuples_->records(t);
      }
      if (records <= Eight::most) return measure_small(members, records);
      records = 0;
    }
    each_fetched(
        members, [&](std::uint32_t t) { tuples_->fetch_cells(t); },
        [&](std::size_t, std::uint32_t t) {
          for (const Cell& cell : tuples_->cells(t)) {
            if (!few_ && counter_[cell.kind] == 0) touched_.push_back(cell.kind);
            counter_[cell.kind] += cell.count;
          }
          records += tuples_->records(t);
        });
    const Measured<Sum> found = concluded(counter_, records, members);
    for (const std::uint32_t kind : touched_) counter_[kind] = 0;
    if (!few_) touched_.clear();
    return found;
  }

  /// Judges a class of so many records of each of these kinds, which are all kinds if those are few; `members` are its
  /// tuples, if units are counted.
  Measured<Sum> measure(std::span<const std::uint32_t> kinds, std::span<const std::int64_t> counts,
                        std::int64_t records, std::span<const std::uint32_t> members) {
    if (few_) return concluded(counts, records, members);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      counter_[kinds[i]] = counts[i];
      if (counts[i] > 0) touched_.push_back(kinds[i]);
    }
    const Measured<Sum> found = concluded(counter_, records, members);
    for (const std::uint32_t kind : touched_) counter_[kind] = 0;
    touched_.clear();
    return found;
  }

  /// Whether the counts of kinds are all that there is to judge, each by a limit of its own, and eights hold them.
  bool simple() const { return small_; }

  /// Whether it would be if kinds were put into lanes by their labels.
  bool in_lanes() const { return lanes_.fit(); }
  const CutLanes& lanes() const { return lanes_; }

  /// Judges a class of so many records in each lane, if that is all there is to judge. (Without labels, kinds are
  /// lanes.)
  Measured<Sum> measure(std::span<const Eight> counts, std::int64_t records) {
    look(counts);
    Measured<Sum> found;
    found.records = records;
    judge({}, found);
    lanes_.look({});
    return found;
  }

  /// The same of one that is not to be divided: what is suppressed at least is not asked for.
  Measured<Sum> measure_whole(std::span<const Eight> counts, std::int64_t records) {
    look(counts);
    Measured<Sum> found;
    found.records = records;
    judge_whole(limited_.front(), found);
    lanes_.look({});
    return found;
  }

  /// What the records of a class cost in every division of it. `price`: of the values that are locked. `plain`: what
  /// its tuples cost as classes of their own that suppress nothing. `sizes`: of the tuples, in falling order.
  Sum at_least(const Measured<Sum>& of, Sum price, Sum plain, std::span<const std::int64_t> sizes) const {
    switch (problem_->loss.metric) {
      case CutMetric::values:
        if (problem_->scheme == CutScheme::none) return of.records * price;
        if (withholds_values()) return of.records * price + of.least * value_;
        return records_at_least(of.records, of.least, price);
      case CutMetric::discernibility:
        if (problem_->scheme == CutScheme::violating_records) return lowered<Sum>(of.least, sizes, total_);
        return of.least == 0 ? plain : without_dearest<Sum>(of.least, sizes, total_);
      default: return std::max<Sum>(plain, of.least);
    }
  }

  /// Whether it depends on the sizes of the tuples, if `least` are suppressed at least.
  bool reads_sizes(std::int64_t least) const {
    return problem_->loss.metric == CutMetric::discernibility &&
           (least > 0 || problem_->scheme == CutScheme::violating_records);
  }

  /// LM of n records of which `least` are suppressed at least, and of which the others cost `price` each.
  Sum records_at_least(std::int64_t n, std::int64_t least, Sum price) const {
    return std::min((n - least) * price + least * record_, n * record_);
  }

  /// What records cost that suppress nothing, apart from LM; `kinds` and `counts` of them.
  Sum plain(std::span<const std::uint32_t> kinds, std::span<const std::int64_t> counts, std::int64_t records) {
    if (problem_->loss.metric == CutMetric::values) return 0;
    if (problem_->loss.metric == CutMetric::discernibility) return static_cast<Sum>(records) * records;
    std::int64_t most = 0;
    for (std::size_t i = 0; i < kinds.size(); ++i) most = std::max(most, labels_[label(kinds[i])] += counts[i]);
    for (const std::uint32_t kind : kinds) labels_[label(kind)] = 0;
    return records - most;
  }

  /// The same of a tuple.
  Sum plain(std::uint32_t t) {
    if (problem_->loss.metric != CutMetric::classification) return plain({}, {}, tuples_->records(t));
    kinds_.clear();
    counts_.clear();
    for (const Cell& cell : tuples_->cells(t)) {
      kinds_.push_back(cell.kind);
      counts_.push_back(cell.count);
    }
    return plain(kinds_, counts_, tuples_->records(t));
  }

  /// The records that have not the label of most in their group of tuples.
  Sum minorities(std::span<const std::uint32_t> members, const CutGroups& groups) {
    const std::size_t labels = labels_.size();
    votes_.assign(groups.size() * labels, 0);
    each_fetched(
        members, [&](std::uint32_t t) { tuples_->fetch_cells(t); },
        [&](std::size_t i, std::uint32_t t) {
          for (const Cell& cell : tuples_->cells(t)) votes_[groups.of(i) * labels + label(cell.kind)] += cell.count;
        });
    Sum sum = 0;
    for (std::size_t g = 0; g < groups.size(); ++g)
      sum += groups.records(g) - *std::max_element(votes_.begin() + static_cast<std::ptrdiff_t>(g * labels),
                                                   votes_.begin() + static_cast<std::ptrdiff_t>((g + 1) * labels));
    return sum;
  }

  /// The label of a kind.
  std::uint32_t label(std::uint32_t kind) const { return tuples_->value(kind, problem_->loss.target); }

  static constexpr std::size_t most_eights = CutLanes::most_eights;  // of kinds

 private:
  Measured<Sum> measure_small(std::span<const std::uint32_t> members, std::int64_t records) {
    const std::size_t eights = (tuples_->kinds() + Eight::count - 1) / Eight::count;
    std::int16_t counts[most_eights * Eight::count];
    std::fill_n(counts, eights * Eight::count, std::int16_t{0});
    for (const std::uint32_t t : members)
      for (const Cell& cell : tuples_->cells(t))
        counts[cell.kind] = static_cast<std::int16_t>(counts[cell.kind] + static_cast<std::int16_t>(cell.count));
    for (std::size_t j = 0; j < eights; ++j) eight_[j] = Eight::at(counts + j * Eight::count);
    return measure({eight_.data(), eights}, records);
  }

  Measured<Sum> concluded(std::span<const std::int64_t> counts, std::int64_t records,
                          std::span<const std::uint32_t> members) {
    Measured<Sum> found;
    found.records = records;
    count_ = counts;
    const bool summed = !few_ || columns_.size() != 1;  // else kinds are the values of the one column
    if (summed) add_up();
    for (CutLimits& limits : limited_) {
      const std::size_t column = limits.column();
      if (few_)
        limits.look(summed ? marginal_[column] : counts);
      else
        limits.look(present_[column], marginal_[column]);
    }
    if (!summed && (!asked_.empty() || problem_->loss.metric == CutMetric::classification))
      std::ranges::copy(counts, marginal_[columns_.front()].begin());
    judge(members, found);
    if (summed) forget();
    return found;
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

  void look(std::span<const Eight> counts) {
    lanes_.look(counts);
    limited_.front().look(lanes_.by_value());
  }

  void judge(std::span<const std::uint32_t> members, Measured<Sum>& of) {
    const std::int64_t n = of.records;
    bool violated = false, lost = false;
    for (const CutLimits& limits : limited_) violated |= limits.violated(n);
    if (!asked_.empty()) ask(members, n, violated, lost);
    of.kept = n;
    switch (problem_->scheme) {
      case CutScheme::none: of.impossible = violated; break;
      case CutScheme::violating_values:
        if (!violated) break;
        for (const CutLimits& limits : limited_) {
          const auto [all, least] = limits.withheld(n);
          of.gone += all;
          of.least += least;
        }
        break;
      case CutScheme::all_values:
        if (!violated) break;
        for (CutLimits& limits : limited_)
          if (limits.violated(n)) of.least += n - limits.most_kept(n), of.gone += n;
        break;
      case CutScheme::violating_records:
        if (violated) of.kept = limited_.front().most_kept(n);
        of.least = of.gone = n - of.kept;
        break;
      case CutScheme::all_records:
        if (!violated) break;
        of.least = upwards_ ? 1 : 0;
        for (CutLimits& limits : limited_) of.least = std::max(of.least, n - limits.most_kept(n));
        if (lost) of.least = n;
        of.kept = 0;
        of.gone = n;
        break;
    }
    conclude(of);
  }

  void judge_whole(CutLimits& limits, Measured<Sum>& of) {
    of.kept = of.records;
    switch (problem_->scheme) {
      case CutScheme::none: of.impossible = limits.violated(of.records); break;
      case CutScheme::violating_values: of.gone = limits.exceeding(of.records); break;
      case CutScheme::all_values: of.gone = limits.violated(of.records) ? of.records : 0; break;
      case CutScheme::violating_records: of.kept = limits.most_kept(of.records); break;
      case CutScheme::all_records: of.kept = limits.violated(of.records) ? 0 : of.records; break;
    }
    if (!withholds_values()) of.gone = of.records - of.kept;
    conclude(of);
  }

  /// What it costs, now that it is known what goes.
  void conclude(Measured<Sum>& of) {
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

  /// The kept records that have the label of most of them.
  std::int64_t majority(const Measured<Sum>& of) {
    const std::size_t target = problem_->loss.target;
    const bool some_go = problem_->scheme == CutScheme::violating_records && of.gone > 0;
    if (lanes_.looking()) return some_go ? lanes_.majority(limited_.front().rooms(of.kept)) : lanes_.majority();
    if (some_go) {
      CutLimits& limits = limited_.front();
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

  /// Models that are no limits on shares: each is asked about the one class.
  void ask(std::span<const std::uint32_t> members, std::int64_t n, bool& violated, bool& lost) {
    for (const std::size_t column : columns_) {
      Histogram& histogram = histograms_[column];
      histogram.value.clear();
      histogram.count.clear();
      for (const std::uint32_t value : present_[column]) {
        if (marginal_[column][value] == 0) continue;
        histogram.value.push_back(value);
        histogram.count.push_back(marginal_[column][value]);
      }
      histogram.begin = {0, histogram.value.size()};
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

  const CutProblem* problem_;
  const CutTuples* tuples_;
  std::vector<std::int64_t> counter_;  // by kind
  std::span<const std::int64_t> count_;
  std::vector<std::uint32_t> touched_;  // kinds that occur in the class; all of them if they are few, as `present_`
  std::vector<std::vector<std::int64_t>> marginal_;  // by column and value
  std::vector<std::vector<std::uint32_t>> present_;
  std::vector<std::size_t> columns_;  // that models or the loss read
  bool few_, small_ = false;
  std::array<Eight, most_eights> eight_;  // records by kind, where they are few
  CutLanes lanes_;
  std::vector<Histogram> histograms_;
  std::vector<CutLimits> limited_;
  std::vector<const ClassModel*> asked_;
  std::vector<std::int64_t> labels_, votes_, counts_;
  std::vector<std::uint32_t> kinds_;
  std::vector<std::uint64_t> seen_;
  std::uint64_t round_ = 0;
  std::int64_t total_;
  bool upwards_ = true;
  Sum record_ = 0, value_ = 0;
};

}  // namespace sfumato

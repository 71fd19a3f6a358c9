#include "sfumato/algorithms/boxes/gen_search.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "sfumato/algorithms/boxes/background_search.hpp"
#include "sfumato/algorithms/boxes/checks.hpp"
#include "sfumato/algorithms/boxes/dense.hpp"
#include "sfumato/algorithms/boxes/dense_size.hpp"
#include "sfumato/algorithms/boxes/incumbents.hpp"
#include "sfumato/algorithms/boxes/mondrian.hpp"

namespace sfumato::boxes {
namespace {

/// At the root the threshold rises step by step, so that there is a valid bound at every moment, and little is looked
/// at that the proof does not need. Between the steps, partitions are made from the bounds so far. Where the proof
/// takes long, a second thread looks for better ones.
template <class Int, class Lane>
class GenSearch : Incumbents<Int, Lane> {
  using Base = Incumbents<Int, Lane>;
  using Base::all, Base::budget_, Base::control_, Base::crowded, Base::dive, Base::exact, Base::forget_but,
      Base::gave_up_, Base::judge_, Base::look_for_better, Base::looked_, Base::none, Base::no_limit, Base::partitions_,
      Base::pause_, Base::problem_, Base::records_, Base::solve, Base::stopped_, Base::walk_;
  using typename Base::Box, typename Base::Ids, typename Base::Records, typename Base::Sums;
  using Helper = BackgroundSearch<Int, Lane>;

 public:
  GenSearch(const Problem& problem, Control& control)
      : Base(Records(problem), control, control.limits().memory - Helper::memory(control.limits())) {}

  Result run() {
    enter();
    const bool dense = may_be_dense();
    if (dense && problem_.way == Method::by_size)
      budget_ = std::max(least_budget, static_cast<std::int64_t>(DenseSize<Int>::effort(problem_) / 1024));
    if (problem_.way != Method::dense || !dense) prove();
    if (helper_) helper_->stop();
    exchange();
    const Ids whole = dense && !finished() && !control_.stopped() ? partition_of_all_boxes() : Ids{};
    return result(whole);
  }

  Result mondrian() {
    Result result;
    root_ = walk_.root(sums_);
    from_ = walk_.push_all(), to_ = from_ + records_.size();
    const Ids ids = mondrian_boxes();
    result.complete = !control_.stopped();
    if (!ids.empty() || records_.size() == 0) result.partitions.push_back(partitions_.partition(ids));
    return result;
  }

 private:
  /// All records as one box, and a first partition unless one is given that is to be underbid.
  void enter() {
    root_ = walk_.root(sums_);
    from_ = walk_.push_all(), to_ = from_ + records_.size();
    lower_ = records_.size() == 0 ? 0 : records_.bound(sums_);
    upper_ = problem_.upper < none ? static_cast<Int>(problem_.upper) : none;
    if (records_.size() == 0) {
      improve({});
    } else if (upper_ >= none) {
      improve(mondrian_boxes());
    }
    control_.tick(static_cast<Cost>(lower_));
  }

  /// Raises the threshold until the bound and the best partition meet, or the search gives up.
  void prove() {
    const auto mark = walk_.mark();
    step_ = std::max<Int>(1, lower_ / 128);
    while (!finished() && !control_.stopped()) {
      exchange();
      if (has_best_ || upper_ >= none) improve(dive(from_, to_, root_, sums_));
      if (stopped_ || finished()) break;
      const Int theta = std::min<Int>(lower_ + step_, upper_ - 1);
      const std::int64_t before = looked_;
      pause_ = next_round_;
      const Int value = solve(from_, to_, root_, sums_, theta);
      pause_ = no_limit;
      if (paused()) {
        walk_.release(mark);
        if (!round()) break;
        continue;
      }
      if (stopped_) break;
      if (looked_ - before < looked_ / 2) step_ = std::min<Int>(2 * step_, none / 4);  // it was proved soon: try more
      lower_ = value;
      if (value <= theta) {
        improve(exact(from_, to_, root_, sums_, value));
        break;
      }
      control_.tick(static_cast<Cost>(std::min(lower_, upper_)));
    }
  }

  /// Whether the search was stopped because it takes long, or came too deep: a better partition may be worth more. The
  /// table goes on where it was.
  bool paused() const {
    return stopped_ && (gave_up_ || looked_ > next_round_) && looked_ <= budget_ && !control_.stopped();
  }

  /// A round of looking for better partitions; false if the proof will come no further.
  bool round() {
    const bool gave_up = gave_up_;
    stopped_ = gave_up_ = false;
    if (next_round_ == first_round && records_.tighten([&] { return control_.stopped(); })) {
      sums_ = {};
      for (std::size_t t = 0; t < records_.size(); ++t) sums_ += records_.sums(t);
      lower_ = std::max(lower_, std::min(records_.bound(sums_), upper_));
      step_ = std::max(step_, lower_ / 128);
      control_.tick(static_cast<Cost>(lower_));
    }
    if (!helper_ && control_.limits().threads > 1) helper_.emplace(records_, control_.limits());
    const Int before = upper_;
    look_for_better(from_, to_, root_, sums_, lower_, best_, [this](const Ids& ids) { improve(ids); });
    // Sooner where the proof is stuck, and soonest where the round was worth it.
    next_round_ = looked_ + (lower_ > proved_ ? looked_ : upper_ < before ? looked_ / 8 : looked_ / 3);
    proved_ = lower_;
    if (gave_up && upper_ == before) return false;
    if (crowded()) forget_but(best_);
    return true;
  }

  void improve(const Ids& ids) {
    const Int cost = partitions_.cost(ids);
    if ((ids.empty() && records_.size() > 0) || cost >= upper_) return;
    best_ = ids, upper_ = cost, has_best_ = true;
    control_.improved(static_cast<Cost>(upper_));
  }

  /// The best of both threads becomes that of each.
  void exchange() {
    if (helper_) improve(partitions_.taken(helper_->exchange(partitions_.boxes(best_), upper_)));
  }

  /// A cheapest partition by the costs of all boxes, which are the bound then; none if it was stopped.
  Ids partition_of_all_boxes() {
    stopped_ = false;
    Ids whole;
    DenseSearch<Int, Lane> all_boxes(records_, control_, records_.everything());
    if (!all_boxes.run()) return whole;
    lower_ = all_boxes.least();
    if (lower_ < none) improve(whole = all_boxes.partition(judge_, walk_, partitions_));
    return whole;
  }

  Result result(Ids whole) {
    Result result;
    lower_ = std::min(lower_, upper_);
    result.complete = lower_ == upper_;
    result.bound = lower_ >= none ? no_cost : static_cast<Cost>(lower_);
    if (result.complete && has_best_ && next_round_ > first_round) {
      // A second thread finds cheapest partitions in its own time: this one does not depend on it.
      if (whole.empty()) whole = exact(from_, to_, root_, sums_, upper_);
      if (!whole.empty() && partitions_.cost(whole) == upper_) best_ = whole;
    }
    if (result.complete && has_best_ && problem_.optima > 1 && !stopped_) {
      for (const Ids& ids : all(from_, to_, root_, sums_, upper_, problem_.optima))
        result.partitions.push_back(partitions_.partition(ids));
    }
    if (has_best_ && result.partitions.empty()) result.partitions.push_back(partitions_.partition(best_));
    control_.finish(result.bound);
    return result;
  }

  Ids mondrian_boxes() {
    return Mondrian<Int, Lane>(records_, judge_, walk_, partitions_, control_).run(from_, to_, root_, sums_.records);
  }

  bool finished() const { return lower_ >= upper_ || close(upper_, lower_); }

  bool close(Int upper, Int lower) const {
    if (upper >= none) return false;
    Cost most = 0, least = 0;
    const bool over = __builtin_mul_overflow(static_cast<Cost>(upper), problem_.factor_denominator, &most) |
                      __builtin_mul_overflow(static_cast<Cost>(lower), problem_.factor_numerator, &least);
    if (!over) return most <= least;
    // Without the last digits, so that it is not said too soon: factors have no more than 64 bits.
    return ((static_cast<Cost>(upper) >> 64) + 1) * problem_.factor_denominator <=
           (static_cast<Cost>(lower) >> 64) * problem_.factor_numerator;
  }

  /// Whether all boxes fit into the memory, and models read counts alone. An order of splits is kept where one is asked
  /// for.
  bool may_be_dense() const {
    if (problem_.way == Method::sparse || problem_.optima > 1 || problem_.priority != Priority::bound) return false;
    if (records_.size() == 0 || !DenseSize<Int>::possible(problem_)) return false;
    return DenseSize<Int>::effort(problem_) <= most_dense_ &&
           DenseSize<Int>::fits(problem_, control_.limits().memory, control_.limits().threads);
  }

  static constexpr std::uint64_t most_dense_ = std::uint64_t{1} << 31;
  static constexpr std::int64_t least_budget = 4'000, first_round = 30'000;
  std::int64_t next_round_ = first_round;
  Box root_;
  Sums sums_;
  std::size_t from_ = 0, to_ = 0;  // all tuples
  Int lower_ = 0, upper_ = none, step_ = 1, proved_ = 0;
  Ids best_;
  bool has_best_ = false;
  std::optional<Helper> helper_;
};

/// Calls with a search of numbers and lanes that are as wide as the problem needs. What all records cost together, even
/// where each costs the dearest, is below 2^120: whoever states the problem sees to that.
template <class Call>
Result with_search(const Problem& problem, Control& control, Call call) {
  const Cost n = problem.frequencies.records();
  if (problem.least > n + 1) {  // no class has as many: numbers of records may be narrow
    Problem fewer = problem;
    fewer.least = static_cast<std::int64_t>(n + 1);
    return with_search(fewer, control, call);
  }
  Cost dearest = std::max<Cost>(n, problem.suppressed);
  Cost values = problem.metric == Metric::product ? 1 : 0;
  for (const Attribute& attribute : problem.attributes) {
    const Cost most = attribute.price.empty() ? 0 : *std::max_element(attribute.price.begin(), attribute.price.end());
    values = problem.metric == Metric::product ? values * most : values + most;
  }
  dearest = std::max(dearest, values);
  std::uint32_t cells = 0;
  for (const Axis& axis : problem.axes) cells = std::max(cells, axis.cells);
  const bool narrow = cells <= std::numeric_limits<std::uint8_t>::max();
  const Cost most = std::max<Cost>(n, 1);
  if (narrow && dearest < static_cast<Cost>(impossible<std::int32_t>) / most)
    return call(GenSearch<std::int32_t, std::uint8_t>(problem, control));
  if (narrow && dearest < (Cost{1} << 58) / most) return call(GenSearch<std::int64_t, std::uint8_t>(problem, control));
  if (cells <= std::numeric_limits<std::uint16_t>::max()) return call(GenSearch<Cost, std::uint16_t>(problem, control));
  return call(GenSearch<Cost, std::uint32_t>(problem, control));
}

}  // namespace

Result gen_search(const Problem& problem, Control& control) {
  require(problem);
  return with_search(problem, control, [](auto&& search) { return search.run(); });
}

Result steepest(const Problem& problem, Control& control) {
  require(problem);
  return with_search(problem, control, [](auto&& search) { return search.mondrian(); });
}

}  // namespace sfumato::boxes

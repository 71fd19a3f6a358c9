#include "sfumato/algorithms/gen_search.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "sfumato/algorithms/mondrian.hpp"
#include "sfumato/search/box_dense.hpp"
#include "sfumato/search/box_helper.hpp"
#include "sfumato/search/box_incumbents.hpp"

namespace sfumato {
namespace {

/// At the root the threshold rises step by step, so that there is a valid bound at every moment, and little is looked
/// at that the proof does not need. Between the steps, partitions are made from what is known. Where the proof takes
/// long, a second thread looks for better ones.
template <class Int, class Lane>
class Search : BoxIncumbents<Int, Lane> {
  using Base = BoxIncumbents<Int, Lane>;
  using Base::all, Base::budget_, Base::control_, Base::crowded, Base::dive, Base::exact, Base::forget_but,
      Base::gave_up_, Base::judge_, Base::look_for_better, Base::looked_, Base::none, Base::no_limit, Base::partitions_,
      Base::pause_, Base::problem_, Base::records_, Base::solve, Base::stopped_, Base::walk_;
  using typename Base::Box, typename Base::Ids, typename Base::Records, typename Base::Sums;
  using Helper = BoxHelper<Int, Lane>;

 public:
  Search(const BoxProblem& problem, Control& control)
      : Base(Records(problem), control, control.limits().memory - Helper::memory(control.limits())) {}

  BoxResult run() {
    BoxResult result;
    Sums sums;
    const Box root = walk_.root(sums);
    const std::size_t from = walk_.push_all(), to = from + records_.size();
    const auto mark = walk_.mark();
    Int lower = records_.size() == 0 ? 0 : records_.bound(sums),
        upper = problem_.upper < none ? static_cast<Int>(problem_.upper) : none;
    Ids best;
    bool found = false;
    const auto improve = [&](const Ids& ids) {
      const Int cost = partitions_.cost(ids);
      if ((ids.empty() && records_.size() > 0) || cost >= upper) return;
      best = ids, upper = cost, found = true;
      control_.improved(static_cast<Cost>(upper));
    };
    std::optional<Helper> helper;
    const auto exchange = [&] {
      if (helper) improve(partitions_.taken(helper->exchange(partitions_.boxes(best), upper)));
    };
    if (records_.size() == 0) {
      improve({});
    } else if (upper >= none) {
      improve(Mondrian<Int, Lane>(records_, judge_, walk_, partitions_, control_).run(from, to, root, sums.records));
    }
    control_.tick(static_cast<Cost>(lower));
    const bool dense = may_be_dense();
    if (dense && problem_.way == BoxWay::by_size)
      budget_ = std::max(least_budget, static_cast<std::int64_t>(BoxDense<Int, Lane>::effort(problem_) / 1024));
    Int step = std::max<Int>(1, lower / 128), proved = 0;
    while ((problem_.way != BoxWay::dense || !dense) && lower < upper && !close(upper, lower) && !control_.stopped()) {
      exchange();
      if (found || upper >= none) improve(dive(from, to, root, sums));
      if (lower >= upper || stopped_ || close(upper, lower)) break;
      const Int theta = std::min<Int>(lower + step, upper - 1);
      const std::int64_t before = looked_;
      pause_ = next_round_;
      const Int value = solve(from, to, root, sums, theta);
      pause_ = no_limit;
      if (stopped_ && (gave_up_ || looked_ > next_round_) && looked_ <= budget_ && !control_.stopped()) {
        // It takes long, or came too deep: a better partition may be worth more. The table goes on where it was.
        const bool gave_up = gave_up_;
        stopped_ = gave_up_ = false;
        walk_.release(mark);
        if (next_round_ == first_round && records_.tighten([&] { return control_.stopped(); })) {
          sums = {};
          for (std::size_t t = 0; t < records_.size(); ++t) sums += records_.sums(t);
          lower = std::max(lower, std::min(records_.bound(sums), upper));
          step = std::max(step, lower / 128);
          control_.tick(static_cast<Cost>(lower));
        }
        if (!helper && control_.limits().threads > 1) helper.emplace(records_, control_.limits());
        const Int before_round = upper;
        look_for_better(from, to, root, sums, lower, best, improve);
        // Sooner where the proof is stuck, and soonest where the round was worth it.
        next_round_ = looked_ + (lower > proved ? looked_ : upper < before_round ? looked_ / 8 : looked_ / 3);
        proved = lower;
        if (gave_up && upper == before_round) break;  // it will come no further
        if (crowded()) forget_but(best);
        continue;
      }
      if (stopped_) break;
      if (looked_ - before < looked_ / 2)
        step = std::min<Int>(2 * step, none / 4);  // what is quickly proved may be more
      lower = value;
      if (value <= theta) {
        improve(exact(from, to, root, sums, value));
        break;
      }
      control_.tick(static_cast<Cost>(std::min(lower, upper)));
    }
    if (helper) helper->stop();
    exchange();
    Ids whole;
    if (dense && lower < upper && !close(upper, lower) && !control_.stopped()) {
      stopped_ = false;
      BoxDense<Int, Lane> all_boxes(records_, control_, records_.everything());
      if (all_boxes.run()) {
        lower = all_boxes.least();
        if (lower < none) improve(whole = all_boxes.partition(judge_, walk_, partitions_));
      }
    }
    lower = std::min(lower, upper);
    result.complete = lower == upper;
    result.bound = lower >= none ? no_cost : static_cast<Cost>(lower);
    if (result.complete && found && next_round_ > first_round) {
      // A second thread finds cheapest partitions in its own time: one is told that does not depend on it.
      if (whole.empty()) whole = exact(from, to, root, sums, upper);
      if (!whole.empty() && partitions_.cost(whole) == upper) best = whole;
    }
    if (result.complete && found && problem_.optima > 1 && !stopped_) {
      for (const Ids& ids : all(from, to, root, sums, upper, problem_.optima))
        result.found.push_back(partitions_.told(ids));
    }
    if (found && result.found.empty()) result.found.push_back(partitions_.told(best));
    control_.finish(result.bound);
    return result;
  }

  BoxResult mondrian() {
    BoxResult result;
    Sums sums;
    const Box root = walk_.root(sums);
    const std::size_t from = walk_.push_all();
    const Ids ids = Mondrian<Int, Lane>(records_, judge_, walk_, partitions_, control_)
                        .run(from, from + records_.size(), root, sums.records);
    result.complete = !control_.stopped();
    if (!ids.empty() || records_.size() == 0) result.found.push_back(partitions_.told(ids));
    return result;
  }

 private:
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

  /// Whether all boxes fit into the memory, and what is asked of them is counted. Who asks for an order of splits wants
  /// to see them in that order.
  bool may_be_dense() const {
    using Dense = BoxDense<Int, Lane>;
    if (problem_.way == BoxWay::sparse || problem_.optima > 1 || problem_.priority != BoxPriority::bound) return false;
    if (records_.size() == 0 || !Dense::possible(problem_)) return false;
    return Dense::effort(problem_) <= most_dense_ &&
           Dense::fits(problem_, control_.limits().memory, control_.limits().threads);
  }

  static constexpr std::uint64_t most_dense_ = std::uint64_t{1} << 31;
  static constexpr std::int64_t least_budget = 4'000, first_round = 30'000;
  std::int64_t next_round_ = first_round;
};

/// Calls with a search of numbers and lanes that are as wide as the problem needs. What all records cost together, even
/// where each costs the dearest, is below 2^120: whoever states the problem sees to that.
template <class Call>
BoxResult with_search(const BoxProblem& problem, Control& control, Call call) {
  const Cost n = problem.frequencies.records();
  if (problem.least > n + 1) {  // no class has as many: numbers of records may be narrow
    BoxProblem fewer = problem;
    fewer.least = static_cast<std::int64_t>(n + 1);
    return with_search(fewer, control, call);
  }
  Cost dearest = std::max<Cost>(n, problem.suppressed);
  Cost values = problem.metric == BoxMetric::product ? 1 : 0;
  for (const BoxAttribute& attribute : problem.attributes) {
    const Cost most = attribute.price.empty() ? 0 : *std::max_element(attribute.price.begin(), attribute.price.end());
    values = problem.metric == BoxMetric::product ? values * most : values + most;
  }
  dearest = std::max(dearest, values);
  std::uint32_t cells = 0;
  for (const BoxAxis& axis : problem.axes) cells = std::max(cells, axis.cells);
  const bool narrow = cells <= std::numeric_limits<std::uint8_t>::max();
  const Cost most = std::max<Cost>(n, 1);
  if (narrow && dearest < static_cast<Cost>(impossible<std::int32_t>) / most)
    return call(Search<std::int32_t, std::uint8_t>(problem, control));
  if (narrow && dearest < (Cost{1} << 58) / most) return call(Search<std::int64_t, std::uint8_t>(problem, control));
  if (cells <= std::numeric_limits<std::uint16_t>::max()) return call(Search<Cost, std::uint16_t>(problem, control));
  return call(Search<Cost, std::uint32_t>(problem, control));
}

}  // namespace

BoxResult gen_search(const BoxProblem& problem, Control& control) {
  return with_search(problem, control, [](auto&& search) { return search.run(); });
}

BoxResult steepest(const BoxProblem& problem, Control& control) {
  return with_search(problem, control, [](auto&& search) { return search.mondrian(); });
}

}  // namespace sfumato

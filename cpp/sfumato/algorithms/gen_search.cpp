#include "sfumato/algorithms/gen_search.hpp"

#include "sfumato/algorithms/mondrian.hpp"
#include "sfumato/search/box_dense.hpp"
#include "sfumato/search/box_search.hpp"

namespace sfumato {
namespace {

/// At the root the threshold rises step by step, so that there is a valid bound at every moment, and little is looked at
/// that the proof does not need. Between the steps, partitions are made from what is known.
template <class Int, class Lane>
class Search : BoxSearch<Int, Lane> {
  using Base = BoxSearch<Int, Lane>;
  using typename Base::Box, typename Base::Ids, typename Base::Records, typename Base::Sums;
  using Base::all, Base::budget_, Base::control_, Base::divisible, Base::exact, Base::judge_, Base::looked_, Base::none,
      Base::no_limit, Base::partitions_, Base::pause_, Base::problem_, Base::promising, Base::records_, Base::solve,
      Base::stopped_, Base::walk_;
  static constexpr std::size_t tries_of_axis = 2;

 public:
  using Base::Base;

  BoxResult run() {
    BoxResult result;
    Sums sums;
    const Box root = walk_.root(sums);
    const std::size_t from = walk_.push_all(), to = from + records_.size();
    const auto mark = walk_.mark();
    Int lower = records_.size() == 0 ? 0 : records_.bound(sums), upper = problem_.upper < none ? static_cast<Int>(problem_.upper) : none;
    Ids best;
    bool found = false;
    const auto improve = [&](const Ids& ids) {
      const Int cost = partitions_.cost(ids);
      if ((ids.empty() && records_.size() > 0) || cost >= upper) return;
      best = ids, upper = cost, found = true;
      control_.improved(static_cast<Cost>(upper));
    };
    if (records_.size() == 0) {
      improve({});
    } else if (upper >= none) {
      improve(Mondrian<Int, Lane>(records_, judge_, walk_, partitions_, control_).run(from, to, root, sums.records));
    }
    control_.tick(static_cast<Cost>(lower));
    const bool dense = may_be_dense();
    if (dense && problem_.way == BoxWay::by_size) budget_ = static_cast<std::int64_t>(BoxDense<Int, Lane>::boxes(problem_) / 1024);
    Int step = std::max<Int>(1, lower / 128), proved = 0;
    while ((problem_.way != BoxWay::dense || !dense) && lower < upper && !close(upper, lower) && !control_.stopped()) {
      if (found || upper >= none) improve(dive(from, to, root, sums));
      if (lower >= upper || stopped_ || close(upper, lower)) break;
      const Int theta = std::min<Int>(lower + step, upper - 1);
      const std::int64_t before = looked_;
      pause_ = next_rollout_;
      const Int value = solve(from, to, root, sums, theta);
      pause_ = no_limit;
      if (stopped_ && looked_ > next_rollout_ && looked_ <= budget_ && !control_.stopped()) {
        // It takes long: a better partition may be worth more. The table goes on where it was.
        stopped_ = false;
        walk_.release(mark);
        if (few_ == few_at_first && records_.tighten()) {
          sums = {};
          for (std::size_t t = 0; t < records_.size(); ++t) sums += records_.sums(t);
          lower = std::max(lower, std::min(records_.bound(sums), upper));
          step = std::max(step, lower / 128);
          control_.tick(static_cast<Cost>(lower));
        }
        few_ *= 2, patience_ = looked_ / 8;
        improve(dive(from, to, root, sums));
        improve(rollout(from, to, root, sums));
        next_rollout_ = looked_ + (lower > proved ? looked_ : looked_ / 4);  // sooner where the proof is stuck
        proved = lower;
        continue;
      }
      if (stopped_) break;
      if (looked_ - before < looked_ / 2) step = std::min<Int>(2 * step, none / 4);  // what is quickly proved may be more
      lower = value;
      if (value <= theta) {
        improve(exact(from, to, root, sums, value));
        break;
      }
      control_.tick(static_cast<Cost>(std::min(lower, upper)));
    }
    if (dense && lower < upper && !close(upper, lower) && !control_.stopped()) {
      stopped_ = false;
      BoxDense<Int, Lane> all_boxes(records_, control_);
      if (all_boxes.run()) {
        lower = all_boxes.least();
        if (lower < upper) improve(from_dense(all_boxes));
      }
    }
    lower = std::min(lower, upper);
    result.complete = lower == upper;
    result.bound = lower >= none ? no_cost : static_cast<Cost>(lower);
    if (result.complete && found && problem_.optima > 1 && !stopped_) {
      for (const Ids& ids : all(from, to, root, sums, upper, problem_.optima)) result.found.push_back(partitions_.told(ids));
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
    const Ids ids = Mondrian<Int, Lane>(records_, judge_, walk_, partitions_, control_).run(from, from + records_.size(), root, sums.records);
    result.complete = !control_.stopped();
    if (!ids.empty() || records_.size() == 0) result.found.push_back(partitions_.told(ids));
    return result;
  }

 private:
  bool close(Int upper, Int lower) const {
    return upper < none && static_cast<Cost>(upper) * problem_.factor_denominator <=
                               static_cast<Cost>(lower) * problem_.factor_numerator;
  }

  /// Whether all boxes fit into the memory, and records are only counted.
  bool may_be_dense() const {
    using Dense = BoxDense<Int, Lane>;
    if (problem_.way == BoxWay::sparse || problem_.optima > 1 || records_.size() == 0 || !Dense::possible(problem_)) return false;
    return Dense::boxes(problem_) <= most_dense_ && Dense::bytes(problem_) <= control_.limits().memory;
  }

  /// The boxes of a cheapest partition; where widths do not count, they shrink to their records.
  Ids from_dense(const BoxDense<Int, Lane>& dense) {
    Ids ids;
    dense.partition([&](const std::vector<std::uint32_t>& digits) {
      Box box(records_.width(), Records::most);
      std::vector<std::uint32_t> inside;
      std::int64_t n = 0;
      for (std::uint32_t t = 0; t < records_.size(); ++t) {
        bool in = true;
        for (std::size_t a = 0; in && a < digits.size(); ++a) {
          const std::uint32_t cell = records_.low(records_.lanes(t), dense.axis(a));
          in = dense.block(a, digits[a]).low <= cell && cell <= dense.block(a, digits[a]).high;
        }
        if (!in) continue;
        inside.push_back(t);
        n += records_.sums(t).records;
        records_.widen(box.data(), records_.lanes(t));
      }
      for (std::size_t a = 0; a < digits.size(); ++a)
        walk_.keep_whole(box.data(), dense.axis(a), dense.block(a, digits[a]).low, dense.block(a, digits[a]).high);
      const auto verdict = judge_(inside, box.data(), n);
      ids.push_back(partitions_.id(box.data(), inside, verdict.cost, verdict.withheld));
    });
    std::ranges::sort(ids);
    return ids;
  }

  static constexpr Int unknown = none + 1;

  std::int64_t classes(const Sums& sums) const { return sums.large + sums.small / Records::least_of(problem_); }

  /// The least cost of a box, by a threshold that rises; unknown if that takes more boxes than there is patience for.
  Int climb(std::size_t from, std::size_t to, const Box& box, Sums sums) {
    const std::int64_t until = looked_ + patience_;
    const auto mark = walk_.mark();
    Int lower = records_.bound(sums), step = std::max<Int>(1, lower / 128);
    while (lower < none) {
      const Int theta = std::min<Int>(lower + step, none - 1);
      pause_ = until;
      const Int value = solve(from, to, box, sums, theta);
      pause_ = no_limit;
      if (stopped_) {
        if (looked_ <= until || looked_ > budget_ || control_.stopped()) return none;
        stopped_ = false;
        walk_.release(mark);
        return unknown;
      }
      lower = value;
      if (value <= theta) break;
      step = std::min<Int>(2 * step, none / 4);
    }
    return lower;
  }

  /// A partition by what is known: each box is split as promises least, unless it costs no more as it is. Few boxes are
  /// looked at, and the more the table knows, the better it gets. None if it comes to a box that cannot be published.
  Ids dive(std::size_t from, std::size_t to, const Box& box, Sums sums) {
    Ids found;
    if (!control_.examine()) {
      stopped_ = true;
      return found;
    }
    const auto verdict = judge_(walk_.tuples(from, to), box.data(), sums.records);
    if (verdict.hopeless) return found;
    if (classes(sums) <= few_) {  // small enough to be searched
      const Int value = climb(from, to, box, sums);
      if (stopped_ || value == none) return found;
      if (value < none) return exact(from, to, box, sums, value);
    }
    const auto mark = walk_.mark();
    if (divisible(from, to, sums)) walk_.expand(walk_.tuples(from, to), box.data());
    std::vector<std::pair<Int, std::size_t>> order;
    Int above = none;
    for (std::size_t s = mark.splits; s < walk_.splits(); ++s)
      if (promising(walk_.split(s), verdict.cost - 1, above)) order.emplace_back(walk_.split(s).lower, s);
    std::ranges::sort(order);
    if (order.size() > 3) order.resize(3);
    for (std::size_t i = 0; i < order.size() && found.empty() && !stopped_; ++i) {
      const auto split = walk_.split(order[i].second);
      std::vector<std::size_t> begin;
      walk_.deal(walk_.tuples(from, to), split, begin);
      for (std::size_t p = 0; p < split.parts && !stopped_; ++p) {
        const Lane* lanes = walk_.lanes(split.first + p);
        const Ids part = dive(begin[p], begin[p + 1], {lanes, lanes + records_.width()}, walk_.part(split.first + p).sums);
        if (part.empty()) {
          found.clear();
          break;
        }
        found.insert(found.end(), part.begin(), part.end());
      }
      walk_.drop_tuples(mark.tuples);
    }
    walk_.release(mark);
    if (stopped_) return {};
    if (found.empty() && verdict.cost < none)  // what promises least cannot be published: split as far as one can see
      found = Mondrian<Int, Lane>(records_, judge_, walk_, partitions_, control_).run(from, to, box, sums.records);
    if (verdict.cost < none && (found.empty() || partitions_.cost(found) >= verdict.cost))
      found = {partitions_.id(box.data(), walk_.tuples(from, to), verdict.cost, verdict.withheld)};
    std::ranges::sort(found);
    return found;
  }

  /// A better partition, where a proof is far: the splits that promise least, a few of every axis, are each followed by
  /// dives, and the best of them is taken; then the same in its parts. When stopped, parts stay as the dives left them.
  Ids rollout(std::size_t from, std::size_t to, const Box& box, Sums sums) {
    Ids found = dive(from, to, box, sums);
    if (stopped_ || found.size() < 2 || classes(sums) <= few_) return found;
    const auto mark = walk_.mark();
    walk_.expand(walk_.tuples(from, to), box.data());
    std::vector<std::pair<Int, std::size_t>> order;
    Int above = none;
    for (std::size_t s = mark.splits; s < walk_.splits(); ++s)
      if (promising(walk_.split(s), partitions_.cost(found), above)) order.emplace_back(walk_.split(s).lower, s);
    std::ranges::sort(order);
    std::vector<std::size_t> tried(records_.axes(), 0);
    std::vector<Ids> parts;
    Int least = none;
    std::size_t best = 0;
    for (const auto& [lower, s] : order) {
      if (stopped_) break;
      if (++tried[walk_.split(s).axis] > tries_of_axis) continue;
      const auto dived = each_part(from, to, s, [&](auto... part) { return dive(part...); });
      Int together = 0;
      for (const Ids& ids : dived) together = box_sum(together, ids.empty() ? none : partitions_.cost(ids));
      if (!stopped_ && together < least) least = together, best = s, parts = dived;
    }
    if (least < none) {
      auto better = stopped_ ? parts : each_part(from, to, best, [&](auto... part) { return rollout(part...); });
      Ids together;
      for (std::size_t p = 0; p < parts.size(); ++p) {
        if (better[p].empty() || partitions_.cost(better[p]) > partitions_.cost(parts[p])) better[p] = parts[p];
        together.insert(together.end(), better[p].begin(), better[p].end());
      }
      if (partitions_.cost(together) < partitions_.cost(found)) found = together;
    }
    walk_.release(mark);
    std::ranges::sort(found);
    return found;
  }

  /// What a call returns for every part of a split.
  template <class Call>
  std::vector<Ids> each_part(std::size_t from, std::size_t to, std::size_t s, Call call) {
    const auto split = walk_.split(s);
    const std::size_t base = walk_.mark().tuples;
    std::vector<std::size_t> begin;
    walk_.deal(walk_.tuples(from, to), split, begin);
    std::vector<Ids> found;
    for (std::size_t p = 0; p < split.parts; ++p) {
      const Lane* lanes = walk_.lanes(split.first + p);
      const Box box(lanes, lanes + records_.width());
      found.push_back(call(begin[p], begin[p + 1], box, walk_.part(split.first + p).sums));
    }
    walk_.drop_tuples(base);
    return found;
  }

  static constexpr std::uint64_t most_dense_ = std::uint64_t{1} << 31;
  std::int64_t next_rollout_ = 60'000;
  static constexpr std::int64_t few_at_first = 6;
  std::int64_t few_ = few_at_first, patience_ = no_limit / 2;
};

/// Calls with a search of numbers that are as wide as the problem needs.
template <class Call>
BoxResult with_search(const BoxProblem& problem, Control& control, Call call) {
  const Cost n = problem.frequencies.records();
  Cost dearest = std::max<Cost>(n, problem.suppressed);
  Cost values = problem.metric == BoxMetric::product ? 1 : 0;
  for (const BoxAttribute& attribute : problem.attributes) {
    const Cost most = attribute.price.empty() ? 0 : *std::max_element(attribute.price.begin(), attribute.price.end());
    values = problem.metric == BoxMetric::product ? values * most : values + most;
  }
  dearest = std::max(dearest, values);
  const bool narrow = std::ranges::all_of(problem.axes, [](const BoxAxis& axis) { return axis.cells <= 255; });
  if (narrow && dearest < static_cast<Cost>(impossible<std::int32_t>) / std::max<Cost>(n, 1)) return call(Search<std::int32_t, std::uint8_t>(problem, control));
  if (narrow && dearest < (Cost{1} << 58) / std::max<Cost>(n, 1)) return call(Search<std::int64_t, std::uint8_t>(problem, control));
  return call(Search<Cost, std::uint16_t>(problem, control));
}

}  // namespace

BoxResult gen_search(const BoxProblem& problem, Control& control) {
  return with_search(problem, control, [](auto&& search) { return search.run(); });
}

BoxResult steepest(const BoxProblem& problem, Control& control) {
  return with_search(problem, control, [](auto&& search) { return search.mondrian(); });
}

}  // namespace sfumato

#include "sfumato/algorithms/gen_search.hpp"

#include <set>

#include "sfumato/algorithms/mondrian.hpp"
#include "sfumato/search/box_dense.hpp"
#include "sfumato/search/box_table.hpp"

namespace sfumato {
namespace {

/// A box's least cost is worked out up to a threshold: what it returns is the least cost if it is at most that, and else
/// a lower bound above it. All that becomes known stays in a table. At the root the threshold rises step by step, so that
/// there is a valid bound at every moment, and little is looked at that the proof does not need.
template <class Int, class Lane>
class Search {
  using Records = BoxRecords<Int, Lane>;
  using Sums = BoxSums<Int>;
  using Ids = typename BoxPartitions<Int, Lane>::Ids;
  using Box = std::vector<Lane>;
  static constexpr Int none = impossible<Int>;
  static constexpr std::int64_t few_classes = 6;

 public:
  Search(const BoxProblem& problem, Control& control)
      : problem_(problem), control_(control), records_(problem), judge_(records_), walk_(records_), partitions_(records_),
        table_(records_.width() * sizeof(Lane), control.limits().memory) {}

  BoxResult run() {
    BoxResult result;
    Sums sums;
    const Box root = walk_.root(sums);
    const std::size_t from = walk_.push_all(), to = from + records_.size();
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
    if (dense && problem_.way == BoxWay::by_size) budget_ = static_cast<std::int64_t>(BoxDense<Int, Lane>::boxes(problem_) / 64);
    Int step = std::max<Int>(1, lower / 512);
    while ((problem_.way != BoxWay::dense || !dense) && lower < upper && !close(upper, lower) && !control_.stopped()) {
      if (found || upper >= none) improve(dive(from, to, root, sums));
      if (lower >= upper || stopped_ || close(upper, lower)) break;
      const Int theta = std::min<Int>(lower + step, upper - 1);
      const std::int64_t before = looked_;
      const Int value = solve(from, to, root, sums, theta);
      if (stopped_) break;
      if (looked_ - before < looked_ / 2) step *= 2;  // what is quickly proved may be more
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
    return Dense::boxes(problem_) <= std::min<std::uint64_t>(control_.limits().memory / Dense::bytes_of_box, most_dense_);
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
          const std::uint32_t cell = records_.low(records_.lanes(t), a);
          in = dense.block(a, digits[a]).low <= cell && cell <= dense.block(a, digits[a]).high;
        }
        if (!in) continue;
        inside.push_back(t);
        n += records_.sums(t).records;
        records_.widen(box.data(), records_.lanes(t));
      }
      for (std::size_t a = 0; a < digits.size(); ++a)
        walk_.keep_whole(box.data(), a, dense.block(a, digits[a]).low, dense.block(a, digits[a]).high);
      const auto verdict = judge_(inside, box.data(), n);
      ids.push_back(partitions_.id(box.data(), inside, verdict.cost, verdict.withheld));
    });
    std::ranges::sort(ids);
    return ids;
  }

  /// Sums by value: what is passed may lie on a stack that moves.
  Int solve(std::size_t from, std::size_t to, const Box& box, Sums sums, Int theta) {
    if (++looked_ > budget_ || !control_.examine()) {
      stopped_ = true;
      return 0;
    }
    const auto verdict = judge_(walk_.tuples(from, to), box.data(), sums.records);
    Int best = verdict.cost, above = none, upper = best;
    if (!verdict.hopeless && divisible(from, to, sums)) {
      const auto mark = walk_.mark();
      walk_.expand(walk_.tuples(from, to), box.data());
      std::size_t kept = mark.splits;
      for (std::size_t s = mark.splits; s < walk_.splits(); ++s) {
        auto& split = walk_.split(s);
        if (!promising(split, std::min(theta, best - 1), above)) continue;
        order(split);
        walk_.split(kept++) = split;
      }
      walk_.drop_splits(kept);
      std::sort(walk_.begin_of(mark.splits), walk_.begin_of(kept),
                [](const auto& one, const auto& other) { return one.order < other.order; });
      for (std::size_t s = mark.splits; s < kept; ++s) {
        const Int limit = std::min(theta, best - 1);
        const Int value = resolve(from, to, s, limit);
        if (stopped_) return 0;
        if (value <= limit) best = value;
        else above = std::min(above, value);
        Int together = 0;
        for (std::size_t p = 0; p < walk_.split(s).parts; ++p)
          together = box_sum(together, walk_.part(walk_.split(s).first + p).upper);
        upper = std::min(upper, together);
      }
      walk_.release(mark);
    }
    const Int value = std::min(best, above);
    table_.put(box.data(), {value, best <= theta || value >= none ? value : std::min(upper, best)});
    return value;
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
    if (sums.large + sums.small / Records::least_of(problem_) <= few_classes) {  // small enough to be searched
      const Int value = solve(from, to, box, sums, none - 1);
      if (stopped_ || value >= none) return found;
      return exact(from, to, box, sums, value);
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
    if (verdict.cost < none && (found.empty() || partitions_.cost(found) >= verdict.cost))
      found = {partitions_.id(box.data(), walk_.tuples(from, to), verdict.cost, verdict.withheld)};
    std::ranges::sort(found);
    return found;
  }

  /// Whether a partition of a box into several is worth a look.
  bool divisible(std::size_t from, std::size_t to, const Sums& sums) const {
    if (walk_.any_whole()) return true;
    if (to - from < 2) return false;
    return problem_.suppress || sums.large + sums.small / Records::least_of(problem_) > 1;
  }

  /// Bounds a split by its sums, then by what is known of its parts; false if that is above the limit.
  bool promising(typename BoxWalk<Int, Lane>::Split& split, Int limit, Int& above) {
    split.lower = 0;
    for (std::size_t p = split.first; p < split.first + split.parts; ++p) {
      auto& part = walk_.part(p);
      part.lower = records_.bound(part.sums);
      split.lower = box_sum(split.lower, part.lower);
    }
    if (split.lower <= limit) look_up(split);
    if (split.lower <= limit) return true;
    above = std::min(above, split.lower);
    return false;
  }

  void look_up(typename BoxWalk<Int, Lane>::Split& split) {
    split.lower = 0;
    for (std::size_t p = split.first; p < split.first + split.parts; ++p) {
      auto& part = walk_.part(p);
      if (part.lower < part.upper)
        if (const auto* known = table_.find(walk_.lanes(p))) {
          part.lower = std::max(part.lower, known->lower);
          part.upper = known->upper;
        }
      split.lower = box_sum(split.lower, part.lower);
    }
  }

  void order(typename BoxWalk<Int, Lane>::Split& split) {
    split.order = static_cast<double>(split.lower);
    if (problem_.priority == BoxPriority::bound) return;
    double cost = 0;
    for (std::size_t p = split.first; p < split.first + split.parts; ++p) {
      const auto n = static_cast<double>(walk_.part(p).sums.records);
      const bool values = problem_.metric == BoxMetric::sum || problem_.metric == BoxMetric::product;
      cost += values ? n * static_cast<double>(records_.price(walk_.lanes(p))) : n * n;
    }
    split.order = problem_.priority == BoxPriority::cost ? cost : cost > 0 ? split.order / cost : 0;
  }

  /// The least cost of a split if it is at most the limit, else a lower bound above it.
  Int resolve(std::size_t from, std::size_t to, std::size_t s, Int limit) {
    look_up(walk_.split(s));
    const auto split = walk_.split(s);
    Int lower = split.lower;
    if (lower > limit) return lower;
    const std::size_t base = walk_.mark().tuples;
    std::vector<std::size_t> begin;
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < split.parts; ++i)
      if (walk_.part(split.first + i).lower < walk_.part(split.first + i).upper) open.push_back(i);
    if (open.empty()) return lower;
    walk_.deal(walk_.tuples(from, to), split, begin);
    std::ranges::sort(open, [&](std::size_t i, std::size_t j) { return begin[i + 1] - begin[i] < begin[j + 1] - begin[j]; });
    for (const std::size_t i : open) {
      const std::size_t p = split.first + i;
      const Lane* lanes = walk_.lanes(p);
      const Int before = walk_.part(p).lower, allowed = limit - (lower - before);
      const Int value = solve(begin[i], begin[i + 1], {lanes, lanes + records_.width()}, walk_.part(p).sums, allowed);
      if (stopped_) break;
      auto& part = walk_.part(p);
      part.lower = std::max(value, before);
      if (value <= allowed) part.upper = value;
      else if (const auto* known = table_.find(walk_.lanes(p))) part.upper = known->upper;
      lower = value >= none ? none : lower - before + part.lower;
      if (lower > limit) break;
    }
    walk_.drop_tuples(base);
    return lower;
  }

  Ids exact(std::size_t from, std::size_t to, const Box& box, Sums sums, Int value) {
    const auto found = all(from, to, box, sums, value, 1);
    return found.empty() ? Ids{} : *found.begin();
  }

  /// Partitions of a box that cost just `value`, its least cost: so many, or all there are.
  std::set<Ids> all(std::size_t from, std::size_t to, const Box& box, Sums sums, Int value, std::size_t most) {
    std::set<Ids> found;
    const auto verdict = judge_(walk_.tuples(from, to), box.data(), sums.records);
    if (verdict.cost == value) found.insert({partitions_.id(box.data(), walk_.tuples(from, to), verdict.cost, verdict.withheld)});
    if (found.size() >= most || !divisible(from, to, sums)) return found;
    const auto mark = walk_.mark();
    walk_.expand(walk_.tuples(from, to), box.data());
    const std::size_t end = walk_.splits();
    for (std::size_t s = mark.splits; s < end && found.size() < most && !stopped_; ++s) {
      Int above = none;
      if (!promising(walk_.split(s), value, above) || resolve(from, to, s, value) != value || stopped_) continue;
      const auto split = walk_.split(s);
      std::vector<std::size_t> begin;
      walk_.deal(walk_.tuples(from, to), split, begin);
      std::set<Ids> together{Ids{}};
      for (std::size_t i = 0; i < split.parts; ++i) {
        const auto part = walk_.part(split.first + i);
        const Lane* lanes = walk_.lanes(split.first + i);
        const auto parts = all(begin[i], begin[i + 1], {lanes, lanes + records_.width()}, part.sums, part.lower, most);
        std::set<Ids> longer;
        for (const Ids& one : together)
          for (const Ids& other : parts) {
            if (longer.size() >= most) break;
            Ids both(one);
            both.insert(both.end(), other.begin(), other.end());
            std::ranges::sort(both);
            longer.insert(std::move(both));
          }
        together.swap(longer);
      }
      for (const Ids& ids : together)
        if (found.size() < most) found.insert(ids);
      walk_.drop_tuples(mark.tuples);
    }
    walk_.release(mark);
    return found;
  }

  const BoxProblem& problem_;
  Control& control_;
  Records records_;
  BoxJudge<Int, Lane> judge_;
  BoxWalk<Int, Lane> walk_;
  BoxPartitions<Int, Lane> partitions_;
  BoxTable<Int> table_;
  static constexpr std::uint64_t most_dense_ = std::uint64_t{1} << 31;
  std::int64_t looked_ = 0, budget_ = std::numeric_limits<std::int64_t>::max();
  bool stopped_ = false;
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

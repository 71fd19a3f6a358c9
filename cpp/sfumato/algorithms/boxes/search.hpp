// The search of boxes: what opt(B) = min(cost(B), min over splits of the sum of opt(parts)) is, up to a threshold.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "sfumato/algorithms/boxes/bound_table.hpp"
#include "sfumato/algorithms/boxes/cost_ratios.hpp"
#include "sfumato/algorithms/boxes/judge.hpp"
#include "sfumato/algorithms/boxes/partitions.hpp"
#include "sfumato/algorithms/boxes/walk.hpp"
#include "sfumato/search/control.hpp"

namespace sfumato::boxes {

/// A box's least cost is computed up to a threshold: what it returns is the least cost if it is at most that, and
/// else a lower bound above it. All bounds stay in a table.
///
/// Where a proof is out of reach, the same search finds good partitions by guesses: bounds are raised by a share of
/// what partitions were seen to cost above them. What comes of that is a partition, and no bound: it has a table of its
/// own.
template <class Int, class Lane>
class Search {
 public:
  using Records = boxes::Records<Int, Lane>;
  using Sums = RecordSums<Int>;
  using Ids = typename Partitions<Int, Lane>::Ids;
  using Box = std::vector<Lane>;
  static constexpr Int none = impossible<Int>;

  /// With so many bytes for the tables.
  Search(Records records, Control& control, std::size_t memory)
      : problem_(records.problem()),
        control_(control),
        memory_(memory),
        records_(std::move(records)),
        judge_(records_),
        walk_(records_),
        partitions_(records_),
        ratios_(records_),
        table_(records_.width() * sizeof(Lane), memory / 4 * 3),
        guesses_(guess_table()),
        plain_(records_.plain()),
        most_of_stack_(most_of_stack(memory)) {}

 protected:
  /// Sums by value: what is passed may lie on a stack that moves.
  Int solve(std::size_t from, std::size_t to, const Box& box, Sums sums, Int theta) {
    if (++looked_ > std::min(budget_, pause_) || !control_.examine()) {
      stopped_ = true;
      return 0;
    }
    if (too_deep()) {
      stopped_ = gave_up_ = true;
      return 0;
    }
    const auto verdict = judge_(walk_.tuples(from, to), box.data(), sums.records);
    Int best = verdict.cost, above = none, upper = best;
    if (!verdict.hopeless && divisible(from, to, sums)) {
      const auto mark = walk_.mark();
      walk_.expand(walk_.tuples(from, to), box.data());
      const Int limit = std::min(theta, best - 1);
      std::size_t kept = mark.splits;
      for (std::size_t s = mark.splits; s < walk_.splits(); ++s) {
        auto& split = walk_.split(s);
        if (!bounded(split, limit, above)) continue;
        prefetch(split);
        walk_.split(kept++) = split;
      }
      walk_.drop_splits(kept);
      kept = mark.splits;
      for (std::size_t s = mark.splits; s < walk_.splits(); ++s) {
        auto& split = walk_.split(s);
        if (!looked_up(split, limit, above)) continue;
        order(split);
        walk_.split(kept++) = split;
      }
      walk_.drop_splits(kept);
      if (walk_.many(mark)) {
        std::vector<std::size_t> left(kept - mark.splits);
        std::iota(left.begin(), left.end(), mark.splits);
        walk_.keep(mark, left);
      }
      std::sort(walk_.begin_of(mark.splits), walk_.begin_of(kept),
                [](const auto& one, const auto& other) { return one.order < other.order; });
      for (std::size_t s = mark.splits; s < kept; ++s) {
        const Int most = std::min(theta, best - 1);
        const Int value = resolve(from, to, s, most);
        if (stopped_) return 0;
        if (value <= most)
          best = value;
        else
          above = std::min(above, value);
        Int together = 0;
        for (std::size_t p = 0; p < walk_.split(s).parts; ++p)
          together = saturated_sum(together, walk_.part(walk_.split(s).first + p).upper);
        upper = std::min(upper, together);
      }
      walk_.release(mark);
    }
    const Int value = std::min(best, above);
    table().put(box.data(), {value, best <= theta || value >= none ? value : std::min(upper, best)});
    return value;
  }

  /// Whether a partition of a box into several is worth a look.
  bool divisible(std::size_t from, std::size_t to, const Sums& sums) const {
    if (walk_.any_whole()) return true;
    if (to - from < 2) return false;
    return problem_.suppress || sums.large + sums.small / Records::least_of(problem_) > 1;
  }

  /// Bounds a split by its sums, then by the tabulated bounds of its parts; false if that is above the limit.
  bool promising(typename Walk<Int, Lane>::Split& split, Int limit, Int& above) {
    return bounded(split, limit, above) && looked_up(split, limit, above);
  }

  bool bounded(typename Walk<Int, Lane>::Split& split, Int limit, Int& above) {
    split.lower = 0;
    for (std::size_t p = split.first; p < split.first + split.parts; ++p) {
      auto& part = walk_.part(p);
      part.lower = records_.bound(part.sums);
      if (plain_ && part.lower < none && records_.most_classes(part.sums) == 1)
        part.lower = part.upper = records_.as_a_class(part.sums, walk_.lanes(p));
      else if (guessing_ && part.lower < none)
        part.lower = ratios_.guess(part.sums, part.lower);
      split.lower = saturated_sum(split.lower, part.lower);
      if (split.lower > limit) break;
    }
    return within(split, limit, above);
  }

  bool looked_up(typename Walk<Int, Lane>::Split& split, Int limit, Int& above) {
    look_up(split);
    return within(split, limit, above);
  }

  bool within(const typename Walk<Int, Lane>::Split& split, Int limit, Int& above) const {
    if (split.lower <= limit) return true;
    above = std::min(above, split.lower);
    return false;
  }

  /// Prefetches what will be looked up.
  void prefetch(const typename Walk<Int, Lane>::Split& split) {
    for (std::size_t p = split.first; p < split.first + split.parts; ++p)
      if (walk_.part(p).lower < walk_.part(p).upper) table().home(walk_.lanes(p));
  }

  void look_up(typename Walk<Int, Lane>::Split& split) {
    split.lower = 0;
    for (std::size_t p = split.first; p < split.first + split.parts; ++p) {
      auto& part = walk_.part(p);
      if (part.lower < part.upper)
        if (const auto* entry = table().find(walk_.lanes(p))) {
          part.lower = guessing_ ? entry->lower : std::max(part.lower, entry->lower);  // guesses may be too high
          part.upper = entry->upper;
        }
      split.lower = saturated_sum(split.lower, part.lower);
    }
  }

  void order(typename Walk<Int, Lane>::Split& split) {
    split.order = static_cast<double>(split.lower);
    if (problem_.priority == Priority::bound) return;
    double cost = 0;
    for (std::size_t p = split.first; p < split.first + split.parts; ++p) {
      const auto n = static_cast<double>(walk_.part(p).sums.records);
      const bool values = problem_.metric == Metric::sum || problem_.metric == Metric::product;
      cost += values ? n * static_cast<double>(records_.price(walk_.lanes(p))) : n * n;
    }
    split.order = problem_.priority == Priority::cost ? cost : cost > 0 ? split.order / cost : 0;
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
    walk_.distribute(walk_.tuples(from, to), split, begin);
    std::ranges::sort(open,
                      [&](std::size_t i, std::size_t j) { return begin[i + 1] - begin[i] < begin[j + 1] - begin[j]; });
    for (const std::size_t i : open) {
      const std::size_t p = split.first + i;
      const Lane* lanes = walk_.lanes(p);
      const Int before = walk_.part(p).lower, allowed = limit - (lower - before);
      const Deeper deeper(depth_);
      const Int value = solve(begin[i], begin[i + 1], {lanes, lanes + records_.width()}, walk_.part(p).sums, allowed);
      if (stopped_) break;
      auto& part = walk_.part(p);
      part.lower = guessing_ ? value : std::max(value, before);
      if (value <= allowed)
        part.upper = value;
      else if (const auto* entry = table().find(walk_.lanes(p)))
        part.upper = entry->upper;
      lower = value >= none ? none : lower - before + part.lower;
      if (lower > limit) break;
    }
    walk_.drop_tuples(base);
    return lower;
  }

  Ids exact(std::size_t from, std::size_t to, const Box& box, Sums sums, Int value) {
    const auto partitions = all(from, to, box, sums, value, 1);
    if (gave_up_) stopped_ = gave_up_ = false;  // it was too deep, and nothing else
    return partitions.empty() ? Ids{} : *partitions.begin();
  }

  /// Partitions of a box that cost just `value`, its least cost: so many, or all there are. None if it was stopped, or
  /// is too deep.
  std::set<Ids> all(std::size_t from, std::size_t to, const Box& box, Sums sums, Int value, std::size_t most) {
    std::set<Ids> partitions;
    const auto verdict = judge_(walk_.tuples(from, to), box.data(), sums.records);
    if (verdict.cost == value)
      partitions.insert({partitions_.id(box.data(), walk_.tuples(from, to), verdict.cost, verdict.withheld)});
    if (partitions.size() >= most || too_deep() || control_.stopped() || !divisible(from, to, sums)) return partitions;
    const Deeper deeper(depth_);
    const auto mark = walk_.mark();
    walk_.expand(walk_.tuples(from, to), box.data());
    std::size_t end = walk_.splits();
    for (std::size_t s = mark.splits; s < end && partitions.size() < most && !stopped_; ++s) {
      if (walk_.many(mark) && control_.stopped()) break;
      if (guessing_ ? !guessed_exactly(s, value) : !costs(from, to, s, value)) continue;
      if (most == 1 && walk_.many(mark)) s = walk_.keep(mark, {s}).front(), end = s + 1;  // it takes no other split
      const auto split = walk_.split(s);
      std::vector<std::size_t> begin;
      walk_.distribute(walk_.tuples(from, to), split, begin);
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
        if (partitions.size() < most) partitions.insert(ids);
      walk_.drop_tuples(mark.tuples);
    }
    walk_.release(mark);
    return partitions;
  }

  /// Whether the least cost of a split is just this.
  bool costs(std::size_t from, std::size_t to, std::size_t s, Int value) {
    Int above = none;
    return promising(walk_.split(s), value, above) && resolve(from, to, s, value) == value && !stopped_;
  }

  /// Whether a split costs just this by the guesses so far; they are not computed anew.
  bool guessed_exactly(std::size_t s, Int value) {
    Int above = none;
    if (!promising(walk_.split(s), none - 1, above) || walk_.split(s).lower != value) return false;
    for (std::size_t p = walk_.split(s).first; p < walk_.split(s).first + walk_.split(s).parts; ++p)
      if (walk_.part(p).lower < walk_.part(p).upper) return false;
    return true;
  }

  /// Guesses, so far on the way from the bounds to what was seen; at 0 the search is exact again.
  void guess(double share) {
    guessing_ = share > 0;
    if (!guessing_) return;
    ratios_.fix(share);
    guesses_ = guess_table();
  }

  /// Boxes within boxes are on stacks of calls and of splits, and both end. Whoever comes so deep leaves a box as it
  /// is, or gives up for now. Orders of thousands of cells can be sliced so, one slice after the other.
  bool too_deep() const { return depth_ >= deepest || walk_.bytes() > most_of_stack_; }
  struct Deeper {
    explicit Deeper(std::size_t& depth) : depth_(depth) { ++depth_; }
    ~Deeper() { --depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    std::size_t& depth_;
  };
  /// A share of the memory, but enough for boxes of any usual depth; and so little that parts are fewer than 2^32.
  static std::size_t most_of_stack(std::size_t memory) {
    return std::clamp(memory / 8, std::size_t{1} << 25, std::size_t{1} << 36);
  }

  BoundTable<Int> guess_table() const { return {records_.width() * sizeof(Lane), memory_ / 4}; }
  BoundTable<Int>& table() { return guessing_ ? guesses_ : table_; }

  const Problem& problem_;
  Control& control_;
  std::size_t memory_;
  Records records_;
  Judge<Int, Lane> judge_;
  Walk<Int, Lane> walk_;
  Partitions<Int, Lane> partitions_;
  CostRatios<Int, Lane> ratios_;
  BoundTable<Int> table_, guesses_;
  bool plain_, guessing_ = false;
  static constexpr std::size_t deepest = 3'000;
  std::size_t depth_ = 0, most_of_stack_;
  bool gave_up_ = false;  // the search was too deep, and was stopped by nothing else
  // Boxes looked at; after so many the search gives up, or pauses. The bounds so far stay.
  static constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
  std::int64_t looked_ = 0, budget_ = no_limit, pause_ = no_limit;
  bool stopped_ = false;
};

}  // namespace sfumato::boxes

// Good partitions of boxes where a proof is far: by bounds, by guesses, and from each other.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "sfumato/algorithms/boxes/mondrian.hpp"
#include "sfumato/algorithms/boxes/refinement.hpp"
#include "sfumato/algorithms/boxes/search.hpp"

namespace sfumato::boxes {

template <class Int, class Lane>
class Incumbents : protected Search<Int, Lane> {
 protected:
  using Base = Search<Int, Lane>;
  using Base::Base;
  using Base::budget_, Base::control_, Base::depth_, Base::divisible, Base::exact, Base::gave_up_, Base::guess,
      Base::guessing_, Base::judge_, Base::looked_, Base::memory_, Base::none, Base::no_limit, Base::partitions_,
      Base::pause_, Base::promising, Base::ratios_, Base::records_, Base::solve, Base::stopped_, Base::too_deep,
      Base::walk_;
  using typename Base::Box, typename Base::Ids, typename Base::Records, typename Base::Sums;
  using typename Base::Deeper;

  static constexpr std::int64_t few_at_first = 6, few_of_all = 100, most_of_rollouts = 48, least_patience = 20'000;
  static constexpr std::size_t tries_of_axis = 1, tries_of_axis_at_first = 2, most_weighed = 30;
  static constexpr Int unknown = none + 1;

  /// Rounds of looking for better partitions of everything; each is dearer than the one before. `lower` bounds them,
  /// `best` is the best so far, `improve` is called with each new one. Boxes of a few classes are searched exactly,
  /// larger ones by guesses.
  template <class Improve>
  void look_for_better(std::size_t from, std::size_t to, const Box& root, Sums sums, Int lower, const Ids& best,
                       Improve improve) {
    patience_ = std::max<std::int64_t>(looked_ / 8, least_patience);
    Ids now;
    if (looked_ >= 4 * refined_at_ && control_.limits().threads == 1)
      improve(refined_by(root, std::min(next_effort(lower, best), most_effort(1.0 / 3))));
    if (round_ == 0 && records_.most_classes(sums) <= few_of_all) ++round_;  // rollouts are cheap: none of the dives
    if (round_++ == 0) {
      for (const std::int64_t few : {6, 6, 12, 12}) now = better(now, dived(few, 0, from, to, root, sums));
      now = better(now, dived(48, 0.4, from, to, root, sums));
      improve(now);
      now = polished(12, 0, from, to, root, sums, now);
    } else {
      const std::int64_t start = looked_;
      few_ = few_of_rollouts_;
      guess(cheap_ ? 0 : 0.25);
      now = rollout(from, to, root, sums);
      guess(0);
      cheap_ = looked_ - start < looked_ / 4;
      few_of_rollouts_ = std::min(cheap_ ? 2 * few_of_rollouts_ : few_of_rollouts_ + 2, most_of_rollouts);
    }
    improve(now);
    for (const auto& [few, share] : {std::pair{24, 0.0}, {48, 0.25}})
      improve(now = polished(few, share, from, to, root, sums, now));
    improve(polished(64, 0.25, from, to, root, sums, best));
    few_ = few_at_first;
  }

  /// A partition by the bounds so far: each box is split where that promises to cost least, unless it costs no more as
  /// it is. Few boxes are looked at, and the closer the bounds, the better it gets. None if it comes to a box that
  /// cannot be published.
  Ids dive(std::size_t from, std::size_t to, const Box& box, Sums sums) {
    Ids best;
    if (!control_.examine()) {
      stopped_ = true;
      return best;
    }
    const auto verdict = judge_(walk_.tuples(from, to), box.data(), sums.records);
    if (verdict.hopeless) return best;
    if (records_.most_classes(sums) <= few_) {  // small enough to be searched
      best = searched(from, to, box, sums);
      if (stopped_ || !best.empty()) return best;
    }
    const auto mark = walk_.mark();
    if (divisible(from, to, sums) && !too_deep()) walk_.expand(walk_.tuples(from, to), box.data());
    auto order = by_worth(from, to, mark.splits, verdict.cost - 1);
    if (order.size() > 3) order.resize(3);
    order = walk_.keep(mark, order);
    for (std::size_t i = 0; i < order.size() && best.empty() && !stopped_; ++i) {
      for (const Ids& part : each_part(from, to, order[i], [&](auto... of) { return dive(of...); })) {
        if (part.empty()) {
          best.clear();
          break;
        }
        best.insert(best.end(), part.begin(), part.end());
      }
    }
    walk_.release(mark);
    if (stopped_) return {};
    if (best.empty() && verdict.cost < none)  // the split that promised least cannot be published: split greedily
      best = Mondrian<Int, Lane>(records_, judge_, walk_, partitions_, control_).run(from, to, box, sums.records);
    if (verdict.cost < none && (best.empty() || partitions_.cost(best) >= verdict.cost))
      best = {partitions_.id(box.data(), walk_.tuples(from, to), verdict.cost, verdict.withheld)};
    std::ranges::sort(best);
    if (!best.empty()) ratios_.learn(sums, partitions_.cost(best), false);
    return best;
  }

  Ids better(const Ids& one, const Ids& other) const {
    return other.empty() || (!one.empty() && partitions_.cost(one) <= partitions_.cost(other)) ? one : other;
  }

  /// A partition by few cuts at a time, with so much to count between the first of them; none where that cannot be
  /// done.
  Ids refined_by(const Box& root, std::uint64_t effort) {
    if (!DenseSize<Int>::possible(records_.problem())) return {};
    return Refinement<Int, Lane>(records_, judge_, walk_, partitions_, control_).run(root, effort, memory_);
  }
  /// Within a share of the memory.
  std::uint64_t most_effort(double share) const {
    return static_cast<std::uint64_t>(share * static_cast<double>(memory_) / sizeof(Int));
  }

  /// Some 50 to 100 numbers take as long to count as a look of the search: they are few where the proof goes on, and
  /// many where it is stuck or far.
  std::uint64_t next_effort(Int lower, const Ids& best) {
    const bool far = best.empty() || partitions_.cost(best) / 2 > lower;
    const std::uint64_t per_look = far || lower <= refined_above_ ? 64 : 8;
    refined_at_ = looked_, refined_above_ = lower;
    return static_cast<std::uint64_t>(looked_) * per_look;
  }

  Ids dived(std::int64_t few, double share, std::size_t from, std::size_t to, const Box& root, Sums sums) {
    few_ = few;
    guess(share);
    const Ids best = dive(from, to, root, sums);
    guess(0);
    return best;
  }

  Ids polished(std::int64_t few, double share, std::size_t from, std::size_t to, const Box& root, Sums sums,
               const Ids& now) {
    few_ = few;
    guess(share);
    const Ids best = polish(from, to, root, sums, now);
    guess(0);
    return best;
  }

  /// The cheapest partition of a box, by a threshold that rises; none if that takes more boxes than there is patience
  /// for.
  Ids searched(std::size_t from, std::size_t to, const Box& box, Sums sums) {
    const Int value = climb(from, to, box, sums);
    if (stopped_ || value >= none) return {};
    ratios_.learn(sums, value, true);
    return exact(from, to, box, sums, value);
  }

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
        if ((looked_ <= until && !gave_up_) || looked_ > budget_ || control_.stopped()) return none;
        stopped_ = gave_up_ = false;
        walk_.release(mark);
        return unknown;
      }
      lower = value;
      if (value <= theta) break;
      step = std::min<Int>(2 * step, none / 4);
    }
    return lower;
  }

  /// The splits of a box that may cost no more than a limit, those first that are expected to cost least.
  std::vector<std::size_t> by_promise(std::size_t first, Int limit) {
    std::vector<std::pair<double, std::size_t>> order;
    Int above = none;
    for (std::size_t s = first; s < walk_.splits(); ++s) {
      if (!promising(walk_.split(s), limit, above)) continue;
      double together = 0;
      for (std::size_t p = walk_.split(s).first; p < walk_.split(s).first + walk_.split(s).parts; ++p) {
        const auto& part = walk_.part(p);
        together +=
            part.lower >= part.upper ? static_cast<double>(part.lower) : ratios_.expected(part.sums, part.lower);
      }
      order.emplace_back(together, s);
    }
    std::ranges::sort(order);
    std::vector<std::size_t> splits;
    for (const auto& [together, s] : order) splits.push_back(s);
    return splits;
  }

  /// The same, but of those that promise most the small parts are searched: they are what it is easiest to be wrong
  /// about, and a slice that wastes little is worth more than one that might.
  std::vector<std::size_t> by_worth(std::size_t from, std::size_t to, std::size_t first, Int limit) {
    const auto order = by_promise(first, limit);
    if (small_ == 0 || guessing_) return order;
    std::vector<std::pair<double, std::size_t>> worth;
    for (const std::size_t s : order) {
      if (worth.size() == most_weighed || stopped_) break;
      double together = noise_ > 0 ? exponential(noise_) : 0;
      std::size_t p = walk_.split(s).first;
      each_part(from, to, s, [&](std::size_t begin, std::size_t end, const Box& box, Sums sums) {
        const auto part = walk_.part(p++);
        Int value = part.lower >= part.upper ? part.lower : unknown;
        if (value == unknown && records_.most_classes(sums) <= small_) value = climb(begin, end, box, sums);
        together += value == unknown ? ratios_.expected(sums, part.lower) : static_cast<double>(value);
        return Ids{};
      });
      worth.emplace_back(together, s);
    }
    std::ranges::sort(worth);
    std::vector<std::size_t> splits;
    for (const auto& [together, s] : worth)
      if (together < static_cast<double>(none)) splits.push_back(s);
    return splits;
  }

  /// The splits that promise least, a few of every axis, are each followed by dives, and the best of them is taken;
  /// then the same in its parts. When stopped, parts stay as the dives left them.
  Ids rollout(std::size_t from, std::size_t to, const Box& box, Sums sums) {
    Ids best = dive(from, to, box, sums);
    if (stopped_ || best.size() < 2 || records_.most_classes(sums) <= few_ || too_deep()) return best;
    const auto mark = walk_.mark();
    walk_.expand(walk_.tuples(from, to), box.data());
    std::vector<std::size_t> tried(records_.axes(), 0);
    std::vector<Ids> parts;
    Int least = none;
    std::size_t best_split = 0;
    for (const std::size_t s : by_promise(mark.splits, partitions_.cost(best))) {
      if (stopped_ || partitions_.bytes() > memory_ / 2) break;
      if (++tried[walk_.split(s).axis] > (round_ == 2 ? tries_of_axis_at_first : tries_of_axis)) continue;
      auto dives = each_part(from, to, s, [&](auto... of) { return dive(of...); });
      Int together = 0;
      for (const Ids& ids : dives) together = saturated_sum(together, ids.empty() ? none : partitions_.cost(ids));
      if (!stopped_ && together < least) least = together, best_split = s, parts = std::move(dives);
    }
    if (least < none) {
      best_split = walk_.keep(mark, {best_split}).front();
      auto deeper = stopped_ ? parts : each_part(from, to, best_split, [&](auto... of) { return rollout(of...); });
      Ids together;
      for (std::size_t p = 0; p < parts.size(); ++p) {
        const Ids part = better(parts[p], deeper[p]);
        together.insert(together.end(), part.begin(), part.end());
      }
      best = better(best, together);
    }
    walk_.release(mark);
    std::ranges::sort(best);
    return best;
  }

  /// The same partition, or a better one: its boxes are put together again along splits that cut none of them, and
  /// where these have few classes they are searched.
  Ids polish(std::size_t from, std::size_t to, const Box& box, Sums sums, const Ids& now) {
    if (now.size() < 2 || stopped_ || too_deep()) return now;
    if (records_.most_classes(sums) <= few_) {
      const Ids best = searched(from, to, box, sums);
      if (stopped_ || !best.empty()) return better(now, best);
    }
    const auto mark = walk_.mark();
    walk_.expand(walk_.tuples(from, to), box.data());
    std::vector<Ids> parts;
    std::size_t chosen = walk_.splits();
    for (std::size_t s = mark.splits; s < walk_.splits() && !stopped_between(s); ++s) {
      auto by_part = parts_by_split(now, s);
      const auto size = [](const Ids& ids) { return ids.size(); };
      if (!by_part.empty() &&
          (parts.empty() || std::ranges::max(by_part, {}, size).size() < std::ranges::max(parts, {}, size).size()))
        parts = std::move(by_part), chosen = s;  // halves rather than a slice and the rest
    }
    Ids best = now;
    if (!parts.empty()) {
      auto next = parts.begin();
      chosen = walk_.keep(mark, {chosen}).front();
      best.clear();
      for (const Ids& part : each_part(from, to, chosen, [&](auto... of) { return polish(of..., *next++); }))
        best.insert(best.end(), part.begin(), part.end());
    }
    walk_.release(mark);
    std::ranges::sort(best);
    return best;
  }

  /// The boxes of a partition by the parts of a split; nothing if it cuts one of them, or has one part only.
  std::vector<Ids> parts_by_split(const Ids& boxes, std::size_t s) {
    const auto split = walk_.split(s);
    std::vector<Ids> parts(split.parts);
    if (split.parts < 2) return {};
    for (const std::uint32_t id : boxes) {
      std::size_t p = 0;
      while (p < split.parts && !partitions_.within(id, walk_.lanes(split.first + p))) ++p;
      if (p == split.parts) return {};
      parts[p].push_back(id);
    }
    return parts;
  }

  /// Whether it was stopped, tested now and then where there are many splits.
  bool stopped_between(std::size_t s) { return s % 256 == 255 && control_.stopped(); }

  /// Whether the boxes that have a number take much memory, and those that are not needed should go.
  bool crowded() const { return partitions_.bytes() > std::max(memory_ / 8, most_unasked); }
  void forget_but(Ids& ids) {
    const auto boxes = partitions_.boxes(ids);
    partitions_.forget();
    ids = partitions_.taken(boxes);
  }
  static constexpr std::size_t most_unasked = std::size_t{1} << 25;

  /// What a call returns for every part of a split.
  template <class Call>
  std::vector<Ids> each_part(std::size_t from, std::size_t to, std::size_t s, Call call) {
    const auto split = walk_.split(s);
    const std::size_t base = walk_.mark().tuples;
    std::vector<std::size_t> begin;
    walk_.distribute(walk_.tuples(from, to), split, begin);
    const Deeper deeper(depth_);
    std::vector<Ids> results;
    for (std::size_t p = 0; p < split.parts; ++p) {
      const Lane* lanes = walk_.lanes(split.first + p);
      const Box box(lanes, lanes + records_.width());
      results.push_back(call(begin[p], begin[p + 1], box, walk_.part(split.first + p).sums));
    }
    walk_.drop_tuples(base);
    return results;
  }

  /// A number that is mostly near its mean or below it, and now and then far above.
  double exponential(double mean) { return mean * -std::log((static_cast<double>(random_()) + 1) / 4294967296.0); }

  // Parts of up to so many classes are searched before a split is chosen; what choices are shaken by; at 0 neither is
  // done.
  std::int64_t small_ = 0;
  double noise_ = 0;
  std::mt19937 random_{2011};
  std::int64_t few_ = few_at_first, few_of_rollouts_ = 12, patience_ = no_limit / 2, round_ = 0, refined_at_ = 0;
  Int refined_above_ = 0;  // the bound at that time
  bool cheap_ = true;      // the last rollout, if there was one: the next may be exact too, for twice as many classes
};

}  // namespace sfumato::boxes

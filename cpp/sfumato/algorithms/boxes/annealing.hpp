// Better and better partitions of boxes, at random: groups of neighbouring classes are split anew.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sfumato/algorithms/boxes/incumbents.hpp"

namespace sfumato::boxes {

/// Simulated annealing. The boxes of a partition are put together again along splits that cut none of them, down to a
/// group of some size; a dive that is shaken a little splits the group elsewhere. If that comes near what the group
/// costs now, it is polished. What costs less is taken, and what costs a little more now and then, at first.
template <class Int, class Lane>
class Annealing : Incumbents<Int, Lane> {
  using Base = Incumbents<Int, Lane>;
  using Base::better, Base::control_, Base::crowded, Base::parts_by_split, Base::dived, Base::each_part,
      Base::exponential, Base::looked_, Base::most_effort, Base::noise_, Base::partitions_, Base::patience_,
      Base::polished, Base::random_, Base::records_, Base::refined_by, Base::small_, Base::stopped_,
      Base::stopped_between, Base::too_deep, Base::walk_;
  using typename Base::Box, typename Base::Ids, typename Base::Sums;

 public:
  using Base::Base;

  /// Until it is stopped. `exchange` is called with the boxes and the cost of the best so far, and returns the boxes of
  /// a better one if somebody else has it, or none. First come partitions by few cuts at a time, between more and more
  /// of them; then annealing: each cycle begins with the best, and takes twice as long as the one before.
  template <class Exchange>
  void run(Exchange exchange) {
    Sums sums;
    const Box root = walk_.root(sums);
    const std::size_t from = walk_.push_all(), to = from + records_.size();
    patience_ = Base::least_patience;
    small_ = small_parts;
    Ids now;
    for (const std::int64_t few : {6, 6, 12, 12}) now = better(now, dived(few, 0, from, to, root, sums));
    Ids best = now;
    const auto exchanged = [&] {
      const auto other = exchange(partitions_.boxes(best), best.empty() ? Base::none : partitions_.cost(best));
      if (other.empty()) return false;
      best = partitions_.taken(other);
      return true;
    };
    const std::uint64_t most = most_effort(7.0 / 8);  // little else is kept at that time
    for (std::uint64_t effort = 0; best.size() > 1 && 2 * effort < most && !control_.stopped();) {
      effort = std::min(std::max(4 * effort, first_effort), most);
      best = better(best, refined_by(root, effort));
      exchanged();
    }
    for (std::int64_t start = looked_, length = first_cycle; !stopped_; start = looked_, length *= 2) {
      now = best;
      while (!stopped_ && looked_ < start + length) {
        if (control_.stopped()) return;  // tested here too: a move may look at no box
        best = better(best, now);
        if (exchanged()) now = best;
        if (best.size() < 2) return;  // nothing there to be put together
        const double left = 1 - static_cast<double>(looked_ - start) / static_cast<double>(length);
        warmth_ = hot * left * left * static_cast<double>(partitions_.cost(best)) / static_cast<double>(best.size());
        const auto all = static_cast<double>(records_.most_classes(sums));
        now = moved(from, to, root, sums, now, least_group * std::pow(std::max(1.0, all / least_group), chance()));
        if (crowded() || partitions_.kept() > std::max(most_kept, 8 * records_.size())) forget_but(now, best);
      }
    }
  }

 private:
  static constexpr std::int64_t small_parts = 12, few_of_dives = 12, first_cycle = 1'000'000;
  static constexpr double least_group = 24, hot = 0.4, shaken = 2, near = 0.5, nearer = 0.25;
  static constexpr std::size_t most_kept = 8'000'000;
  static constexpr std::uint64_t first_effort = 12'000'000;

  double chance() { return static_cast<double>(random_()) / 4294967296.0; }

  /// The same partition, or that with one group of at most so many classes split anew.
  Ids moved(std::size_t from, std::size_t to, const Box& box, Sums sums, const Ids& now, double most) {
    if (now.size() < 2 || stopped_ || too_deep()) return now;
    if (static_cast<double>(records_.most_classes(sums)) <= most) return anew(from, to, box, sums, now);
    const auto mark = walk_.mark();
    walk_.expand(walk_.tuples(from, to), box.data());
    std::vector<std::size_t> ways;
    for (std::size_t s = mark.splits; s < walk_.splits() && !stopped_between(s); ++s)
      if (!parts_by_split(now, s).empty()) ways.push_back(s);
    Ids next = now;
    if (!ways.empty()) {
      const std::size_t way = ways[random_() % ways.size()];
      const auto parts = parts_by_split(now, way);
      const std::size_t s = walk_.keep(mark, {way}).front();
      std::size_t chosen = 0, part = 0;
      for (std::size_t at = random_() % now.size(); at >= parts[chosen].size(); ++chosen) at -= parts[chosen].size();
      next.clear();
      for (const Ids& ids : each_part(from, to, s, [&](auto... of) {
             const Ids& own = parts[part];
             return part++ == chosen ? this->moved(of..., own, most) : own;
           }))
        next.insert(next.end(), ids.begin(), ids.end());
    }
    walk_.release(mark);
    std::ranges::sort(next);
    return next;
  }

  Ids anew(std::size_t from, std::size_t to, const Box& box, Sums sums, const Ids& now) {
    const double own = static_cast<double>(partitions_.cost(now)), limit = own + exponential(warmth_);
    const double root = std::sqrt(static_cast<double>(records_.most_classes(sums)));  // larger groups vary less
    noise_ = exponential(shaken * own / static_cast<double>(now.size()));
    Ids next = dived(few_of_dives, 0, from, to, box, sums);
    noise_ = 0;
    const auto within = [&](double more) {
      return !stopped_ && !next.empty() && static_cast<double>(partitions_.cost(next)) <= limit * (1 + more / root);
    };
    if (within(near)) next = polished(24, 0, from, to, box, sums, next);
    if (within(nearer)) next = polished(48, 0.25, from, to, box, sums, next);
    return within(0) ? next : now;
  }

  void forget_but(Ids& one, Ids& other) {
    const auto first = partitions_.boxes(one), second = partitions_.boxes(other);
    partitions_.forget();
    one = partitions_.taken(first), other = partitions_.taken(second);
  }

  double warmth_ = 0;  // what a group may cost more, on average
};

}  // namespace sfumato::boxes

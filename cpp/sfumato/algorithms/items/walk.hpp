// A walk over the sets of up to m numbers that occur together in records, depth first, by projection.
//
// The records that hold a prefix are kept as places in them; those of every extension are collected in one pass. What k
// equal records hold to the end needs no look: each set in it has their support. So long as counts reach k, the walk
// goes on; where one does not, the set is reported. Where few numbers follow, records are masks from there on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "sfumato/algorithms/items/mask_walk.hpp"
#include "sfumato/transactions.hpp"

namespace sfumato::items {

class Walk {
 public:
  /// The records hold numbers below `numbers`, each in increasing order.
  /// most_masked: masks are used where no more numbers follow.
  Walk(const Records& records, std::size_t numbers, std::int64_t k, std::size_t m, std::size_t most_masked = 512)
      : records_(records), k_(k), most_masked_(most_masked), size_(m), levels_(m), local_(numbers, none) {
    for (Level& level : levels_) {
      level.count.assign(numbers, 0);
      level.places.assign(numbers, 0);
    }
  }

  /// Reports sets of 1 to m numbers with support above 0 and below k: of each such set itself or a part that is one,
  /// and of those that begin with a number, the shorter prefixes first. Only sets that begin below `first_end` if it is
  /// given. Only sets of up to `size` if that is given, no more than m.
  template <class Report>
  void run(Report report, std::size_t first_end = SIZE_MAX, std::size_t size = SIZE_MAX) {
    size_ = std::min(size, levels_.size());
    if (std::exchange(first_end_, first_end) != first_end) filled_ = 0;
    stopped_ = false;
    prefix_.clear();
    extend(0, {}, report, first_end);
  }

 private:
  struct Place {
    std::uint32_t record, at = 0;  // the part of the record from here on
  };
  struct Level {
    std::vector<std::int64_t> count;    // support of the prefix with each number
    std::vector<std::uint32_t> places;  // records of it
    std::vector<ItemNode> seen;
    std::vector<Place> room;
    std::vector<std::size_t> begin;
  };

  /// Goes through the places of a prefix; the empty one is at the beginning of every record.
  template <class Visit>
  void each(std::size_t depth, std::span<const Place> places, Visit visit) const {
    if (depth == 0)
      for (std::size_t r = 0; r < records_.size(); ++r) visit(Place{static_cast<std::uint32_t>(r)});
    for (const Place& place : places) visit(place);
  }

  template <class Report>
  void extend(std::size_t depth, std::span<const Place> places, Report& report, std::size_t first_end) {
    if (depth + 1 == size_) return count_last(depth, places, report, first_end);
    Level& level = levels_[depth];
    level.seen.clear();
    std::size_t longest = 0;
    each(depth, places, [&](const Place& place) {
      const std::span<const ItemNode> rest = records_[place.record].subspan(place.at);
      const std::int64_t weight = records_.weight[place.record];
      longest = std::max(longest, rest.size());
      for (const ItemNode v : rest) {
        if (level.places[v]++ == 0) level.seen.push_back(v);
        level.count[v] += weight;
      }
    });
    std::ranges::sort(level.seen);
    bool left = false;
    for (const ItemNode v : level.seen) {
      if (level.count[v] >= k_ || left || stopped_ || v >= first_end) continue;
      prefix_.push_back(v);
      const VisitResult result = report(std::span<const ItemNode>(prefix_));
      prefix_.pop_back();
      stopped_ = result == VisitResult::stop;
      left = result == VisitResult::next_first && depth > 0;
    }
    leave_first_ = leave_first_ || left;
    if (!stopped_ && !leave_first_ && !(depth > 0 && covered(level, places, longest))) {
      if (!masked(depth, places, report, first_end)) project(depth, places, report, first_end);
    }
    for (const ItemNode v : level.seen) level.count[v] = 0, level.places[v] = 0;
    if (depth == 1) leave_first_ = false;
  }

  /// The same where nothing follows: nothing but counts is needed.
  template <class Report>
  void count_last(std::size_t depth, std::span<const Place> places, Report& report, std::size_t first_end) {
    Level& level = levels_[depth];
    level.seen.clear();
    const bool most = depth > 0 && 4 * places.size() >= level.count.size();  // of the numbers will be seen
    each(depth, places, [&](const Place& place) {
      const std::int64_t weight = records_.weight[place.record];
      const std::span<const ItemNode> rest = records_[place.record].subspan(place.at);
      if (most) {
        for (const ItemNode v : rest) level.count[v] += weight;
        return;
      }
      for (const ItemNode v : rest) {
        if (depth == 0 && v >= first_end) break;
        if (level.count[v] == 0) level.seen.push_back(v);
        level.count[v] += weight;
      }
    });
    if (most)
      for (ItemNode v = prefix_.back() + 1; v < level.count.size(); ++v)
        if (level.count[v] > 0) level.seen.push_back(v);
    bool left = false;
    for (const ItemNode v : level.seen) {
      if (level.count[v] < k_ && !left && !stopped_) {
        prefix_.push_back(v);
        const VisitResult result = report(std::span<const ItemNode>(prefix_));
        prefix_.pop_back();
        stopped_ = result == VisitResult::stop;
        left = result == VisitResult::next_first && depth > 0;
      }
      level.count[v] = 0;
    }
    leave_first_ = (leave_first_ || left) && depth != 1;
  }

  template <class Report>
  void project(std::size_t depth, std::span<const Place> places, Report& report, std::size_t first_end) {
    Level& level = levels_[depth];
    std::erase_if(level.seen, [&](ItemNode v) {
      if (v < first_end) return false;
      level.count[v] = 0, level.places[v] = 0;
      return true;
    });
    for (std::size_t next = 0; next < level.seen.size() && !stopped_ && !leave_first_;)
      next = collect(depth, places, report, next);
  }

  /// Goes through those that were seen, from one on, as many as there is room for; says who is next.
  template <class Report>
  std::size_t collect(std::size_t depth, std::span<const Place> places, Report& report, std::size_t first) {
    constexpr std::size_t room = 1 << 19;
    Level& level = levels_[depth];
    std::size_t total = 0, end = first;
    level.begin.clear();
    for (; end < level.seen.size() && (end == first || total + level.places[level.seen[end]] <= room); ++end) {
      const ItemNode v = level.seen[end];
      level.begin.push_back(total);
      const std::uint32_t held = level.places[v];
      level.places[v] = static_cast<std::uint32_t>(total);
      if (level.count[v] >= k_) total += held;
    }
    level.room.resize(total);
    const ItemNode lowest = level.seen[first], highest = level.seen[end - 1];
    each(depth, places, [&](const Place& place) {
      const std::span<const ItemNode> record = records_[place.record];
      for (std::size_t i = place.at; i + 1 < record.size() && record[i] <= highest; ++i) {
        const ItemNode v = record[i];
        if (v >= lowest && level.count[v] >= k_)
          level.room[level.places[v]++] = {place.record, static_cast<std::uint32_t>(i + 1)};
      }
    });
    for (std::size_t i = first; i < end && !stopped_ && !leave_first_; ++i) {
      const ItemNode v = level.seen[i];
      const std::size_t begin = level.begin[i - first];
      if (level.count[v] < k_ || level.places[v] == begin) continue;
      prefix_.push_back(v);
      extend(depth + 1, std::span<const Place>(level.room).subspan(begin, level.places[v] - begin), report, SIZE_MAX);
      prefix_.pop_back();
    }
    return end;
  }

  /// Goes on with masks, if no more numbers follow than these have room for. At the top they are looked for in all
  /// records, which is worth it if there are only pairs, or few numbers.
  template <class Report>
  bool masked(std::size_t depth, std::span<const Place> places, Report& report, std::size_t first_end) {
    std::size_t first = 0, held = 0;
    following_.clear();
    for (const ItemNode v : levels_[depth].seen) {
      held += levels_[depth].places[v];
      if (v < first_end && levels_[depth].count[v] < k_) continue;  // was reported
      following_.push_back(v);
      first += v < first_end;
    }
    if (k_ > std::int64_t{UINT32_MAX}) return false;
    const std::size_t few = depth > 0 || size_ == 2 ? MaskWalk<8>::most : MaskWalk<4>::most;
    if (following_.size() > std::min(most_masked_, few)) return false;
    if (depth == 0 && following_.size() * records_.size() > std::max(64 * records_.size(), 64 * held))
      return false;  // large
    if (following_.size() < 2) return true;
    if (following_.size() <= 64)
      masked<1>(depth, places, report, first);
    else if (following_.size() <= 128)
      masked<2>(depth, places, report, first);
    else if (following_.size() <= 256)
      masked<4>(depth, places, report, first);
    else
      masked<8>(depth, places, report, first);
    return true;
  }

  template <std::size_t W, class Report>
  void masked(std::size_t depth, std::span<const Place> places, Report& report, std::size_t first) {
    auto& walk = std::get<std::optional<MaskWalk<W>>>(walks_);
    if (!walk) walk.emplace(k_, levels_.size() - depth);
    if (depth > 0 || filled_ != W) fill(*walk, depth, places);
    filled_ = depth > 0 ? 0 : W;
    const std::size_t before = prefix_.size();
    const auto report_set = [&](std::span<const ItemNode> set) {
      for (const ItemNode i : set) prefix_.push_back(following_[i]);
      const VisitResult answer = report(std::span<const ItemNode>(prefix_));
      prefix_.resize(before);
      leave_first_ = leave_first_ || (depth > 0 && answer == VisitResult::next_first);
      return answer == VisitResult::next_first && depth > 0 ? VisitResult::stop : answer;
    };
    stopped_ = !walk->run(following_.size(), depth > 0 ? SIZE_MAX : first, size_ - depth, report_set) && !leave_first_;
  }

  template <std::size_t W>
  void fill(MaskWalk<W>& walk, std::size_t depth, std::span<const Place> places) {
    walk.clear(depth > 0 ? places.size() : records_.size());
    for (std::size_t i = 0; i < following_.size(); ++i) local_[following_[i]] = static_cast<std::uint16_t>(i);
    each(depth, places, [&](const Place& place) {
      typename MaskWalk<W>::Mask mask{};
      for (const ItemNode v : records_[place.record].subspan(place.at))
        if (const std::uint16_t i = local_[v]; i != none) mask[i / 64] |= std::uint64_t{1} << (i % 64);
      walk.add(mask, records_.weight[place.record]);
    });
    for (const ItemNode v : following_) local_[v] = none;
  }

  /// Whether k equal records hold all that was seen.
  bool covered(const Level& level, std::span<const Place> places, std::size_t longest) const {
    if (longest < level.seen.size()) return false;
    std::int64_t whole = 0;
    for (const Place& place : places)
      if (records_[place.record].size() - place.at == longest) whole += records_.weight[place.record];
    return whole >= k_;  // as long as all that was seen is all that was seen
  }

  static constexpr std::uint16_t none = UINT16_MAX;

  const Records& records_;
  std::int64_t k_;
  std::size_t most_masked_, size_;
  std::vector<Level> levels_;
  std::vector<ItemNode> prefix_;
  std::vector<ItemNode> following_;   // the numbers of masks, in order
  std::vector<std::uint16_t> local_;  // by number: which of them it is
  std::tuple<std::optional<MaskWalk<1>>, std::optional<MaskWalk<2>>, std::optional<MaskWalk<4>>,
             std::optional<MaskWalk<8>>>
      walks_;
  std::size_t first_end_ = SIZE_MAX;
  std::size_t filled_ = 0;  // the words of masks that all records are in
  bool stopped_ = false, leave_first_ = false;
};

}  // namespace sfumato::items

// A walk over the sets of up to m numbers that occur together in records, depth first, by projection.
//
// The records that hold a prefix are kept as places in them; those of every extension are found in one pass. What k
// equal records hold to the end needs no look: each set in it has their support. So long as counts reach k, the walk
// goes on; where one does not, the set is told. Where few numbers follow, records are masks from there on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "sfumato/search/mask_walk.hpp"
#include "sfumato/transactions.hpp"

namespace sfumato {

class ItemsetWalk {
 public:
  /// The records hold numbers below `numbers`, each in increasing order.
  /// most_masked: masks are used where no more numbers follow.
  ItemsetWalk(const Records& records, std::size_t numbers, std::int64_t k, std::size_t m, std::size_t most_masked = 512)
      : records_(records), k_(k), most_masked_(most_masked), levels_(m), local_(numbers, none) {
    for (Level& level : levels_) {
      level.count.assign(numbers, 0);
      level.places.assign(numbers, 0);
    }
  }

  /// Tells sets of 1 to m numbers with support above 0 and below k: of each such set itself or a part that is one, and
  /// of those that begin with a number, the shorter prefixes first. Only sets that begin below `first_end` if it is given.
  template <class Tell>
  void run(Tell tell, std::size_t first_end = SIZE_MAX) {
    std::vector<Place> all;
    all.reserve(records_.size());
    for (std::size_t r = 0; r < records_.size(); ++r)
      all.push_back({static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(0)});
    stopped_ = false;
    prefix_.clear();
    extend(0, all, tell, first_end);
  }

 private:
  struct Place {
    std::uint32_t record, at;  // the part of the record from here on
  };
  struct Level {
    std::vector<std::int64_t> count;    // support of the prefix with each number
    std::vector<std::uint32_t> places;  // records of it
    std::vector<ItemNode> seen;
    std::vector<Place> room;
    std::vector<std::size_t> begin;
  };

  template <class Tell>
  void extend(std::size_t depth, std::span<const Place> places, Tell& tell, std::size_t first_end) {
    if (depth + 1 == levels_.size()) return count_last(depth, places, tell, first_end);
    Level& level = levels_[depth];
    level.seen.clear();
    std::size_t longest = 0;
    for (const Place& place : places) {
      const std::span<const ItemNode> record = records_[place.record];
      const std::int64_t weight = records_.weight[place.record];
      longest = std::max(longest, record.size() - place.at);
      for (std::size_t i = place.at; i < record.size(); ++i) {
        const ItemNode v = record[i];
        if (depth == 0 && v >= first_end) break;
        if (level.places[v]++ == 0) level.seen.push_back(v);
        level.count[v] += weight;
      }
    }
    std::ranges::sort(level.seen);
    bool left = false;
    for (const ItemNode v : level.seen) {
      if (level.count[v] >= k_ || left || stopped_) continue;
      prefix_.push_back(v);
      const Told told = tell(std::span<const ItemNode>(prefix_));
      prefix_.pop_back();
      stopped_ = told == Told::stop;
      left = told == Told::next_first && depth > 0;
    }
    leave_first_ = leave_first_ || left;
    if (!stopped_ && !leave_first_ && !(depth > 0 && covered(level, places, longest))) {
      if (depth == 0 || !masked(depth, places, tell)) project(depth, places, tell);
    }
    for (const ItemNode v : level.seen) level.count[v] = 0, level.places[v] = 0;
    if (depth == 1) leave_first_ = false;
  }

  /// The same where nothing follows: nothing but counts is needed.
  template <class Tell>
  void count_last(std::size_t depth, std::span<const Place> places, Tell& tell, std::size_t first_end) {
    Level& level = levels_[depth];
    level.seen.clear();
    for (const Place& place : places) {
      const std::int64_t weight = records_.weight[place.record];
      for (const ItemNode v : records_[place.record].subspan(place.at)) {
        if (depth == 0 && v >= first_end) break;
        if (level.count[v] == 0) level.seen.push_back(v);
        level.count[v] += weight;
      }
    }
    bool left = false;
    for (const ItemNode v : level.seen) {
      if (level.count[v] < k_ && !left && !stopped_) {
        prefix_.push_back(v);
        const Told told = tell(std::span<const ItemNode>(prefix_));
        prefix_.pop_back();
        stopped_ = told == Told::stop;
        left = told == Told::next_first && depth > 0;
      }
      level.count[v] = 0;
    }
    leave_first_ = (leave_first_ || left) && depth != 1;
  }

  template <class Tell>
  void project(std::size_t depth, std::span<const Place> places, Tell& tell) {
    Level& level = levels_[depth];
    std::size_t total = 0;
    level.begin.clear();
    for (const ItemNode v : level.seen) {
      level.begin.push_back(total);
      const std::uint32_t held = level.places[v];
      level.places[v] = static_cast<std::uint32_t>(total);
      if (level.count[v] >= k_) total += held;
    }
    level.begin.push_back(total);
    level.room.resize(total);
    for (const Place& place : places) {
      const std::span<const ItemNode> record = records_[place.record];
      for (std::size_t i = place.at; i + 1 < record.size(); ++i) {
        const ItemNode v = record[i];
        if (level.count[v] >= k_) level.room[level.places[v]++] = {place.record, static_cast<std::uint32_t>(i + 1)};
      }
    }
    for (std::size_t i = 0; i < level.seen.size() && !stopped_ && !leave_first_; ++i) {
      const ItemNode v = level.seen[i];
      if (level.count[v] < k_ || level.places[v] == level.begin[i]) continue;
      prefix_.push_back(v);
      const std::size_t end = level.places[v];
      extend(depth + 1, std::span<const Place>(level.room).subspan(level.begin[i], end - level.begin[i]), tell, SIZE_MAX);
      prefix_.pop_back();
    }
  }

  /// Goes on with masks, if no more numbers follow than these have room for.
  template <class Tell>
  bool masked(std::size_t depth, std::span<const Place> places, Tell& tell) {
    following_.clear();
    for (const ItemNode v : levels_[depth].seen)
      if (levels_[depth].count[v] >= k_) following_.push_back(v);
    if (following_.size() > std::min(most_masked_, MaskWalk<8>::most)) return false;
    if (following_.size() < 2) return true;
    if (following_.size() <= 64) masked<1>(depth, places, tell);
    else if (following_.size() <= 128) masked<2>(depth, places, tell);
    else if (following_.size() <= 256) masked<4>(depth, places, tell);
    else masked<8>(depth, places, tell);
    return true;
  }

  template <std::size_t W, class Tell>
  void masked(std::size_t depth, std::span<const Place> places, Tell& tell) {
    auto& walk = std::get<std::optional<MaskWalk<W>>>(walks_);
    if (!walk) walk.emplace(k_, levels_.size() - depth);
    walk->clear();
    for (std::size_t i = 0; i < following_.size(); ++i) local_[following_[i]] = static_cast<std::uint16_t>(i);
    for (const Place& place : places) {
      typename MaskWalk<W>::Mask mask{};
      for (const ItemNode v : records_[place.record].subspan(place.at))
        if (const std::uint16_t i = local_[v]; i != none) mask[i / 64] |= std::uint64_t{1} << (i % 64);
      walk->add(mask, records_.weight[place.record]);
    }
    for (const ItemNode v : following_) local_[v] = none;
    const std::size_t before = prefix_.size();
    const Told told = walk->run(following_.size(), [&](std::span<const ItemNode> set) {
      for (const ItemNode i : set) prefix_.push_back(following_[i]);
      const Told answer = tell(std::span<const ItemNode>(prefix_));
      prefix_.resize(before);
      return answer;
    });
    stopped_ = told == Told::stop;
    leave_first_ = told == Told::next_first;
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
  std::size_t most_masked_;
  std::vector<Level> levels_;
  std::vector<ItemNode> prefix_;
  std::vector<ItemNode> following_;   // the numbers of masks, in order
  std::vector<std::uint16_t> local_;  // by number: which of them it is
  std::tuple<std::optional<MaskWalk<1>>, std::optional<MaskWalk<2>>, std::optional<MaskWalk<4>>, std::optional<MaskWalk<8>>> walks_;
  bool stopped_ = false, leave_first_ = false;
};

}  // namespace sfumato

// A walk over the sets of up to m numbers that occur together in records, depth first, by projection.
//
// The records that hold a prefix are kept as places in them; those of every extension are found in one pass. What k
// equal records hold to the end needs no look: each set in it has their support. So long as counts reach k, the walk
// goes on; where one does not, the set is told.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sfumato/transactions.hpp"

namespace sfumato {

/// What to do after a set was told.
enum class Told { go_on, next_first, stop };

class ItemsetWalk {
 public:
  /// The records hold numbers below `numbers`, each in increasing order.
  ItemsetWalk(const Records& records, std::size_t numbers, std::int64_t k, std::size_t m)
      : records_(records), k_(k), levels_(m) {
    for (Level& level : levels_) {
      level.count.assign(numbers, 0);
      level.places.assign(numbers, 0);
    }
  }

  /// Tells sets of 1 to m numbers with support above 0 and below k: of each such set the shortest prefix that is one.
  /// Only sets that begin below `first_end` if it is given.
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
      const Told told = tell(std::span<const ItemNode>(prefix_), level.count[v]);
      prefix_.pop_back();
      stopped_ = told == Told::stop;
      left = told == Told::next_first && depth > 0;
    }
    leave_first_ = leave_first_ || left;
    if (!stopped_ && !leave_first_ && !(depth > 0 && covered(level, places, longest)))
      project(depth, places, tell);
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
        const Told told = tell(std::span<const ItemNode>(prefix_), level.count[v]);
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

  /// Whether k equal records hold all that was seen.
  bool covered(const Level& level, std::span<const Place> places, std::size_t longest) const {
    if (longest < level.seen.size()) return false;
    std::int64_t whole = 0;
    for (const Place& place : places)
      if (records_[place.record].size() - place.at == longest) whole += records_.weight[place.record];
    return whole >= k_;  // as long as all that was seen is all that was seen
  }

  const Records& records_;
  std::int64_t k_;
  std::vector<Level> levels_;
  std::vector<ItemNode> prefix_;
  bool stopped_ = false, leave_first_ = false;
};

}  // namespace sfumato

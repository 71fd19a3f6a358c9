// Limits on the shares of a column's values in a class, and what has to go where they are exceeded.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sfumato/search/eight.hpp"
#include "sfumato/search/threshold.hpp"

namespace sfumato {

class CutLimits {
 public:
  /// For counts up to `most`. Equal limits are worked out once.
  CutLimits(std::size_t column, const std::vector<Ratio>& shares, std::int64_t most) : column_(column) {
    for (const Ratio& share : shares) {
      const Threshold limit(share, most);
      const auto known = std::ranges::find(limits_, limit);
      of_value_.push_back(static_cast<std::uint32_t>(known - limits_.begin()));
      if (known == limits_.end()) limits_.push_back(limit);
    }
    room_.resize(limits_.size());
    if (equal())
      for (std::int64_t n = 0; n < std::min(most + 1, few); ++n) rooms_.push_back(limits_.front().floor(n));
    eights_of_room_ = equal() ? 1 : (shares.size() + Eight::count - 1) / Eight::count;
    scratch_.resize(eights_of_room_);
    if (shares.size() > most_in_eights) return;
    for (std::int64_t n = 0; n < std::min(most + 1, few); ++n) {
      work_out_rooms(n);
      small_rooms_.insert(small_rooms_.end(), scratch_.begin(), scratch_.end());
    }
  }

  std::size_t column() const { return column_; }

  /// Looks at a class of so many records of each value; the counts stay where they are.
  void look(std::span<const std::int64_t> counts) {
    eights_ = {};
    counts_ = counts;
    limit_of_ = of_value_;
  }

  /// The same of a class of few records, and few values.
  void look(std::span<const Eight> counts) { eights_ = counts; }

  /// Looks at a class that has these values; `counts`: by value.
  void look(std::span<const std::uint32_t> values, std::span<const std::int64_t> counts) {
    eights_ = {};
    some_counts_.clear();
    some_limits_.clear();
    for (const std::uint32_t value : values) {
      some_counts_.push_back(counts[value]);
      some_limits_.push_back(of_value_[value]);
    }
    counts_ = some_counts_;
    limit_of_ = some_limits_;
  }

  /// Whether a limit is exceeded in the class, of n records.
  bool violated(std::int64_t n) const {
    if (!eights_.empty()) {
      const Rooms room = rooms(n);
      for (std::size_t j = 0; j < eights_.size(); ++j)
        if (!above(eights_[j], room[j]).none()) return true;
      return false;
    }
    if (equal()) {
      std::int64_t most = 0;
      for (const std::int64_t count : counts_) most = std::max(most, count);
      return most > one_room(n);
    }
    for (std::size_t i = 0; i < counts_.size(); ++i)
      if (!limits_[limit_of_[i]].admits(counts_[i], n)) return true;
    return false;
  }

  /// The records of values that exceed their limits.
  std::int64_t exceeding(std::int64_t n) const {
    if (eights_.empty()) return withheld(n).all;
    const Rooms room = rooms(n);
    Eight all;
    for (std::size_t j = 0; j < eights_.size(); ++j) all = all + above(eights_[j], room[j]);
    return all.sum();
  }

  struct Withheld {
    std::int64_t all = 0, least = 0;
  };

  /// The same, and what of them goes at least. Lemma 3 without recursion: in every division of the class, at least x
  /// of n_s records go, such that n_s - x <= theta (n - x).
  Withheld withheld(std::int64_t n) const {
    Withheld found;
    if (!eights_.empty()) {
      const Rooms room = rooms(n);
      for (std::size_t j = 0; j < eights_.size(); ++j) withhold(j, above(eights_[j], room[j]), n, found);
      return found;
    }
    if (equal()) {
      const std::int64_t room = one_room(n);
      for (const std::int64_t count : counts_) {
        if (count <= room) continue;
        found.all += count;
        found.least += limits_.front().least_removed(count, n);
      }
      return found;
    }
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      const Threshold& limit = limits_[limit_of_[i]];
      if (limit.admits(counts_[i], n)) continue;
      found.all += counts_[i];
      found.least += limit.least_removed(counts_[i], n);
    }
    return found;
  }

  /// Lemma 3 with recursion: of n records, the most that keep the limits. What n records leave room for is at least
  /// what any fewer do, so going down from n never passes the most.
  std::int64_t most_kept(std::int64_t n) {
    for (std::int64_t before = -1; before != n && n > 0;) {
      before = n;
      n = 0;
      if (!eights_.empty()) {
        const Rooms room = rooms(before);
        Eight kept;
        for (std::size_t j = 0; j < eights_.size(); ++j) kept = kept + least(eights_[j], room[j]);
        n = kept.sum();
        continue;
      }
      divide(before);
      if (equal())
        for (const std::int64_t count : counts_) n += std::min(count, room_.front());
      else
        for (std::size_t i = 0; i < counts_.size(); ++i) n += std::min(counts_[i], room_[limit_of_[i]]);
    }
    return n;
  }

  /// Works out what `room` says: what the limits leave room for among n records.
  void divide(std::int64_t n) {
    if (equal())
      room_.front() = one_room(n);
    else
      for (std::size_t i = 0; i < limits_.size(); ++i) room_[i] = limits_[i].floor(n);
  }
  std::int64_t room(std::uint32_t value) const { return room_[of_value_[value]]; }

  /// The same of eight values each, as far as it matters where records are few.
  class Rooms {
   public:
    Rooms(const Eight* first, std::size_t step) : first_(first), step_(step) {}
    const Eight& operator[](std::size_t j) const { return first_[j * step_]; }

   private:
    const Eight* first_;
    std::size_t step_;  // 0: one limit is that of all
  };
  /// Valid until the next call.
  Rooms rooms(std::int64_t n) const {
    const std::size_t step = equal() ? 0 : 1, at = static_cast<std::size_t>(n) * eights_of_room_;
    if (at < small_rooms_.size()) return {small_rooms_.data() + at, step};
    work_out_rooms(n);
    return {scratch_.data(), step};
  }
  static constexpr std::size_t most_in_eights = 64;  // values

 private:
  static constexpr std::int64_t few = 1024;  // records: what they leave room for is worked out before

  bool equal() const { return limits_.size() == 1; }

  void work_out_rooms(std::int64_t n) const {
    const auto small = [&](const Threshold& limit) {
      return static_cast<std::int16_t>(std::min<std::int64_t>(limit.floor(n), Eight::most));
    };
    if (equal()) scratch_.front() = Eight::all(small(limits_.front()));
    for (std::size_t j = 0; !equal() && j < scratch_.size(); ++j) {
      std::int16_t rooms[Eight::count] = {};
      for (std::size_t i = 0, value = j * Eight::count; i < Eight::count && value < of_value_.size(); ++i, ++value)
        rooms[i] = small(limits_[of_value_[value]]);
      scratch_[j] = Eight::at(rooms);
    }
  }

  /// What the one limit leaves room for among n records.
  std::int64_t one_room(std::int64_t n) const {
    return static_cast<std::size_t>(n) < rooms_.size() ? rooms_[static_cast<std::size_t>(n)] : limits_.front().floor(n);
  }
  /// `exceeding`: the counts of the j-th eight values that exceed their limits.
  void withhold(std::size_t j, const Eight& exceeding, std::int64_t n, Withheld& found) const {
    if (exceeding.none()) return;
    std::int16_t numbers[Eight::count];
    exceeding.put(numbers);
    found.all += exceeding.sum();
    for (std::size_t i = 0; i < Eight::count; ++i)
      if (numbers[i] > 0) found.least += limits_[of_value_[j * Eight::count + i]].least_removed(numbers[i], n);
  }

  std::size_t column_;
  std::vector<Threshold> limits_;
  std::vector<std::uint32_t> of_value_, some_limits_;
  std::vector<std::int64_t> room_, some_counts_, rooms_;
  std::vector<Eight> small_rooms_;  // by records
  mutable std::vector<Eight> scratch_;
  std::size_t eights_of_room_;
  std::span<const std::int64_t> counts_;
  std::span<const std::uint32_t> limit_of_;
  std::span<const Eight> eights_;  // the counts, if those are small
};

}  // namespace sfumato

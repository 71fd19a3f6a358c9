// Limits on the shares of a column's values in a class, and what has to be suppressed where they are exceeded.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sfumato/algorithms/cuts/int16x8.hpp"
#include "sfumato/ratio.hpp"

namespace sfumato::cuts {

/// A limit on a share, in 64 bits where they suffice.
class Threshold {
 public:
  /// For counts up to `most`. A limit of 1 or more limits nothing: it counts as 1.
  Threshold(const Ratio& share, std::int64_t most) : share_(share.whole() > 0 ? Ratio(1, 0, 1) : share) {
    const Cost room = (Cost{1} << 62) / (most + 1);
    if (share_.denominator() > room) return;
    p_ = static_cast<std::int64_t>(numerator());
    q_ = static_cast<std::int64_t>(share_.denominator());
  }

  bool operator==(const Threshold& other) const {
    return numerator() == other.numerator() && share_.denominator() == other.share_.denominator();
  }

  /// count <= share * n
  bool admits(std::int64_t count, std::int64_t n) const {
    return q_ > 0 ? count * q_ <= p_ * n : share_.admits(count, n);
  }

  /// The largest count that is at most share * n.
  std::int64_t floor(std::int64_t n) const { return q_ > 0 ? p_ * n / q_ : static_cast<std::int64_t>(share_.floor(n)); }

  /// The least x with count - x <= share * (n - x), where count exceeds share * n, so that the share is below 1.
  std::int64_t least_removed(std::int64_t count, std::int64_t n) const {
    if (q_ > 0) return (count * q_ - p_ * n + (q_ - p_) - 1) / (q_ - p_);
    const Cost p = numerator(), q = share_.denominator();
    return static_cast<std::int64_t>((count * q - p * n + (q - p) - 1) / (q - p));
  }

 private:
  Cost numerator() const { return share_.whole() * share_.denominator() + share_.rest(); }

  Ratio share_;
  std::int64_t p_ = 0, q_ = 0;  // q_ = 0: too wide
};

class ColumnLimits {
 public:
  /// For counts up to `most`. Equal limits are evaluated once.
  ColumnLimits(std::size_t column, const std::vector<Ratio>& shares, std::int64_t most) : column_(column) {
    for (const Ratio& share : shares) {
      const Threshold limit(share, most);
      const auto same = std::ranges::find(limits_, limit);
      of_value_.push_back(static_cast<std::uint32_t>(same - limits_.begin()));
      if (same == limits_.end()) limits_.push_back(limit);
    }
    room_.resize(limits_.size());
    if (equal())
      for (std::int64_t n = 0; n < std::min(most + 1, few); ++n) rooms_.push_back(limits_.front().floor(n));
    registers_of_room_ = equal() ? 1 : (shares.size() + Int16x8::lanes - 1) / Int16x8::lanes;
    scratch_.resize(registers_of_room_);
    if (shares.size() > most_packed) return;
    for (std::int64_t n = 0; n < std::min(most + 1, few); ++n) {
      pack_rooms(n);
      packed_rooms_.insert(packed_rooms_.end(), scratch_.begin(), scratch_.end());
    }
  }

  std::size_t column() const { return column_; }

  /// Looks at a class of so many records of each value; the counts stay where they are.
  void look(std::span<const std::int64_t> counts) {
    packed_ = {};
    counts_ = counts;
    limit_of_ = of_value_;
  }

  /// The same of a class of few records and few values, whose counts are packed in registers.
  void look(std::span<const Int16x8> counts) { packed_ = counts; }

  /// Looks at a class that has these values; `counts`: by value.
  void look(std::span<const std::uint32_t> values, std::span<const std::int64_t> counts) {
    packed_ = {};
    present_counts_.clear();
    present_limits_.clear();
    for (const std::uint32_t value : values) {
      present_counts_.push_back(counts[value]);
      present_limits_.push_back(of_value_[value]);
    }
    counts_ = present_counts_;
    limit_of_ = present_limits_;
  }

  /// Whether a limit is exceeded in the class, of n records.
  bool violated(std::int64_t n) const {
    if (!packed_.empty()) {
      const Rooms room = rooms(n);
      for (std::size_t j = 0; j < packed_.size(); ++j)
        if (!where_above(packed_[j], room[j]).all_zero()) return true;
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
    if (packed_.empty()) return withheld(n).all;
    const Rooms room = rooms(n);
    Int16x8 all;
    for (std::size_t j = 0; j < packed_.size(); ++j) all = all + where_above(packed_[j], room[j]);
    return all.sum();
  }

  struct Withheld {
    std::int64_t all = 0, least = 0;
  };

  /// The same, and how many of them are suppressed at least. Lemma 3 without recursion: in every division of the class,
  /// at least x of n_s records are suppressed, such that n_s - x <= theta (n - x).
  Withheld withheld(std::int64_t n) const {
    Withheld sum;
    if (!packed_.empty()) {
      const Rooms room = rooms(n);
      for (std::size_t j = 0; j < packed_.size(); ++j) withhold(j, where_above(packed_[j], room[j]), n, sum);
      return sum;
    }
    if (equal()) {
      const std::int64_t room = one_room(n);
      for (const std::int64_t count : counts_) {
        if (count <= room) continue;
        sum.all += count;
        sum.least += limits_.front().least_removed(count, n);
      }
      return sum;
    }
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      const Threshold& limit = limits_[limit_of_[i]];
      if (limit.admits(counts_[i], n)) continue;
      sum.all += counts_[i];
      sum.least += limit.least_removed(counts_[i], n);
    }
    return sum;
  }

  /// Lemma 3 with recursion: the most of n records that keep the limits. n records leave room for at least as much as
  /// any fewer do, so going down from n never passes the most.
  std::int64_t most_kept(std::int64_t n) {
    for (std::int64_t before = -1; before != n && n > 0;) {
      before = n;
      n = 0;
      if (!packed_.empty()) {
        const Rooms room = rooms(before);
        Int16x8 kept;
        for (std::size_t j = 0; j < packed_.size(); ++j) kept = kept + lesser(packed_[j], room[j]);
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

  /// Sets what `room` returns: what the limits leave room for among n records.
  void divide(std::int64_t n) {
    if (equal())
      room_.front() = one_room(n);
    else
      for (std::size_t i = 0; i < limits_.size(); ++i) room_[i] = limits_[i].floor(n);
  }
  std::int64_t room(std::uint32_t value) const { return room_[of_value_[value]]; }

  /// The same of eight values at a time, for classes of few records.
  class Rooms {
   public:
    Rooms(const Int16x8* first, std::size_t step) : first_(first), step_(step) {}
    const Int16x8& operator[](std::size_t j) const { return first_[j * step_]; }

   private:
    const Int16x8* first_;
    std::size_t step_;  // 0: one limit is that of all
  };
  /// Valid until the next call.
  Rooms rooms(std::int64_t n) const {
    const std::size_t step = equal() ? 0 : 1, at = static_cast<std::size_t>(n) * registers_of_room_;
    if (at < packed_rooms_.size()) return {packed_rooms_.data() + at, step};
    pack_rooms(n);
    return {scratch_.data(), step};
  }
  static constexpr std::size_t most_packed = 64;  // values

 private:
  static constexpr std::int64_t few = 1024;  // records: what they leave room for is tabulated

  bool equal() const { return limits_.size() == 1; }

  void pack_rooms(std::int64_t n) const {
    const auto small = [&](const Threshold& limit) {
      return static_cast<std::int16_t>(std::min<std::int64_t>(limit.floor(n), Int16x8::max));
    };
    if (equal()) scratch_.front() = Int16x8::broadcast(small(limits_.front()));
    for (std::size_t j = 0; !equal() && j < scratch_.size(); ++j) {
      std::int16_t rooms[Int16x8::lanes] = {};
      for (std::size_t i = 0, value = j * Int16x8::lanes; i < Int16x8::lanes && value < of_value_.size(); ++i, ++value)
        rooms[i] = small(limits_[of_value_[value]]);
      scratch_[j] = Int16x8::load(rooms);
    }
  }

  /// What the one limit leaves room for among n records.
  std::int64_t one_room(std::int64_t n) const {
    return static_cast<std::size_t>(n) < rooms_.size() ? rooms_[static_cast<std::size_t>(n)] : limits_.front().floor(n);
  }
  /// Adds the counts that exceed their limits, in the j-th register.
  void withhold(std::size_t j, const Int16x8& exceeding, std::int64_t n, Withheld& sum) const {
    if (exceeding.all_zero()) return;
    std::int16_t numbers[Int16x8::lanes];
    exceeding.store(numbers);
    sum.all += exceeding.sum();
    for (std::size_t i = 0; i < Int16x8::lanes; ++i)
      if (numbers[i] > 0) sum.least += limits_[of_value_[j * Int16x8::lanes + i]].least_removed(numbers[i], n);
  }

  std::size_t column_;
  std::vector<Threshold> limits_;
  std::vector<std::uint32_t> of_value_, present_limits_;
  std::vector<std::int64_t> room_, present_counts_, rooms_;
  std::vector<Int16x8> packed_rooms_;  // by records
  mutable std::vector<Int16x8> scratch_;
  std::size_t registers_of_room_;
  std::span<const std::int64_t> counts_;
  std::span<const std::uint32_t> limit_of_;
  std::span<const Int16x8> packed_;  // the counts, if those are small
};

}  // namespace sfumato::cuts

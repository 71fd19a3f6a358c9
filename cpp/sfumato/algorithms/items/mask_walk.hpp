// A walk over the sets of few numbers that occur together in records, with records as masks.
//
// Below a prefix all pairs are counted at once: a row for every number x, with a counter for each number after it,
// sliced into bits so that a record adds one to 64 of them with a few instructions. Counters stop at k, rows stop when
// all of theirs have, and a prefix when all of its rows have. Records come longest first, and those with a prefix are
// looked for only as far as they are needed: sets that thousands of records have are through after a few dozen.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "sfumato/transactions.hpp"

namespace sfumato::items {

/// What a walk does after it has reported a set.
enum class VisitResult { go_on, next_first, stop };

/// Records with numbers below 64 W. The room is used again by the next run.
template <std::size_t W>
class MaskWalk {
 public:
  using Mask = std::array<std::uint64_t, W>;
  static constexpr std::size_t most = 64 * W;

  /// k: no more than 32 bits have room for. m: the size of the largest sets, at least 2.
  MaskWalk(std::int64_t k, std::size_t m)
      : k_(k),
        planes_(static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(k - 1)))),
        stride_(2 + planes_),
        levels_(m - 1) {
    for (std::size_t j = 0; j < planes_; ++j) {  // a counter that starts here overflows when k were added
      const std::uint64_t start = (std::uint64_t{1} << planes_) - static_cast<std::uint64_t>(k);
      start_.push_back(start >> j & 1 ? ~std::uint64_t{0} : 0);
    }
  }

  /// Begins again, with room for so many records.
  void clear(std::size_t expected) {
    levels_[0].records.clear();
    mask_.clear();
    weight_.clear();
    mask_.reserve(expected);
    weight_.reserve(expected);
  }

  /// A record is of no use without two numbers.
  void add(const Mask& mask, std::int64_t weight) {
    if (!several(mask)) return;
    mask_.push_back(mask);
    weight_.push_back(static_cast<std::uint32_t>(std::min(weight, k_)));
  }

  /// Reports rare sets of 2 to `size` numbers below `numbers` that begin below `first_end`: of each such set itself or
  /// a part. Sets that begin alike come one after the other; the others are left out after `next_first`.
  template <class Report>
  bool run(std::size_t numbers, std::size_t first_end, std::size_t size, Report report) {
    Level& top = levels_[0];
    if (top.records.size() != mask_.size()) sort_longest_first(top.records);
    Mask all{}, first{};
    for (std::size_t x = 0; x < numbers; ++x) (x < first_end ? first : all)[x / 64] |= bit(x);
    for (std::size_t i = 0; i < W; ++i) all[i] |= first[i];
    for (Level& level : levels_) {
      level.row.resize(numbers * W * stride_);
      level.target.resize(numbers);
    }
    for (std::size_t x = 0; x < numbers; ++x) top.target[x] = all;
    prefix_.clear();
    deepest_ = size - 2;
    return walk(0, all, first, report) != VisitResult::stop;
  }

 private:
  struct Level {
    std::vector<std::uint32_t> records;  // those that have the prefix, as far as they were looked for
    std::size_t looked = 0;              // at so many of the level above
    std::size_t last = 0;                // the last number of the prefix
    Mask within{};                       // what may follow it
    std::vector<std::uint64_t> row;      // by number and word: who was seen, who has k, and the slices of counters
    std::vector<Mask> target;            // by number: whom k records must have with it; then, who has them
  };

  static std::uint64_t bit(std::size_t x) { return std::uint64_t{1} << (x % 64); }
  static bool several(const Mask& mask) {
    std::size_t words = 0;
    for (const std::uint64_t word : mask) {
      if ((word & (word - 1)) != 0) return true;
      words += word != 0;
    }
    return words > 1;
  }
  template <class Visit>
  static void each(Mask mask, Visit visit) {
    for (std::size_t i = 0; i < W; ++i)
      for (; mask[i] != 0; mask[i] &= mask[i] - 1) visit(64 * i + static_cast<std::size_t>(std::countr_zero(mask[i])));
  }

  void sort_longest_first(std::vector<std::uint32_t>& order) const {
    std::array<std::uint32_t, most + 2> begin{};
    std::vector<std::uint16_t> missing(mask_.size());
    for (std::size_t r = 0; r < mask_.size(); ++r) {
      std::size_t length = 0;
      for (const std::uint64_t word : mask_[r]) length += static_cast<std::size_t>(std::popcount(word));
      missing[r] = static_cast<std::uint16_t>(most - length);
      ++begin[missing[r] + 1u];
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    order.resize(mask_.size());
    for (std::size_t r = 0; r < mask_.size(); ++r) order[begin[missing[r]]++] = static_cast<std::uint32_t>(r);
  }

  /// Looks for some more records that have the prefix; false if there are none.
  bool more(std::size_t depth) {
    constexpr std::size_t some = 64;
    if (depth == 0) return false;
    Level &level = levels_[depth], &above = levels_[depth - 1];
    const std::size_t before = level.records.size(), word = level.last / 64;
    const std::uint64_t wanted = bit(level.last);
    for (;;) {
      while (level.looked < above.records.size()) {
        const std::uint32_t r = above.records[level.looked++];
        const Mask& mask = mask_[r];
        if ((mask[word] & wanted) == 0) continue;
        Mask rest;
        for (std::size_t i = 0; i < W; ++i) rest[i] = mask[i] & level.within[i];
        if (!several(rest)) continue;
        level.records.push_back(r);
        if (level.records.size() - before >= some) return true;
      }
      if (!more(depth - 1)) return level.records.size() > before;
    }
  }

  /// Adds a record to the counters of a row, from the word of x on; whether one is left that matters.
  bool bump(std::uint64_t* row, std::size_t x, const Mask& mask, std::int64_t weight, const Mask& target) const {
    std::uint64_t left = 0;
    row += (x / 64) * stride_;
    for (std::size_t i = x / 64; i < W; ++i, row += stride_) {
      const std::uint64_t bits = mask[i] & target[i];
      row[0] |= bits;
      std::uint64_t full = weight >= k_ ? bits : 0;
      if (full == 0)
        for (std::uint64_t one = static_cast<std::uint64_t>(weight), from = 0; one != 0; one >>= 1, ++from) {
          if ((one & 1) == 0) continue;
          std::uint64_t carry = bits & ~(row[1] | full);
          for (std::uint64_t j = from; carry != 0 && j < planes_; ++j) {
            const std::uint64_t next = row[2 + j] & carry;
            row[2 + j] ^= carry;
            carry = next;
          }
          full |= carry;
        }
      row[1] |= full;
      left |= target[i] & ~row[1];
    }
    return left != 0;
  }

  /// Counts the pairs that follow the prefix, and begin so; false if k records have all that may follow.
  bool count(std::size_t depth, const Mask& within, const Mask& begin) {
    Level& level = levels_[depth];
    Mask open = begin;
    each(within, [&](std::size_t x) {
      Mask& target = level.target[x];
      std::uint64_t left = 0;
      for (std::size_t i = 0; i < W; ++i) {
        target[i] = i < x / 64   ? 0
                    : i > x / 64 ? target[i] & within[i]
                                 : target[i] & within[i] & ~(bit(x) | (bit(x) - 1));
        left |= target[i];
      }
      if (left == 0) open[x / 64] &= ~bit(x);
      std::uint64_t* row = &level.row[(x * W + x / 64) * stride_];
      for (std::size_t i = x / 64; i < W; ++i, row += stride_) {
        row[0] = row[1] = 0;
        std::ranges::copy(start_, row + 2);
      }
    });
    std::int64_t whole = 0;
    for (std::size_t at = 0; at < level.records.size() || more(depth); ++at) {
      const std::uint32_t r = level.records[at];
      const Mask& mask = mask_[r];
      std::uint64_t absent = 0, waiting = 0;
      for (std::size_t i = 0; i < W; ++i) absent |= within[i] & ~mask[i];
      if (absent == 0 && (whole += weight_[r]) >= k_) return false;
      for (std::size_t i = 0; i < W; ++i)
        for (std::uint64_t rows = mask[i] & open[i]; rows != 0; rows &= rows - 1) {
          const std::size_t x = 64 * i + static_cast<std::size_t>(std::countr_zero(rows));
          if (!bump(&level.row[x * W * stride_], x, mask, weight_[r], level.target[x])) open[i] &= ~bit(x);
        }
      for (std::size_t i = 0; i < W; ++i) waiting |= open[i];
      if (waiting == 0) break;
    }
    return true;
  }

  template <class Report>
  VisitResult walk(std::size_t depth, const Mask& within, const Mask& begin, Report& report) {
    if (!count(depth, within, begin)) return VisitResult::go_on;
    Level& level = levels_[depth];
    VisitResult result = VisitResult::go_on;
    each(begin, [&](std::size_t x) {  // rare pairs are put aside, the others are what may follow x
      Mask& target = level.target[x];
      for (std::size_t i = x / 64; i < W; ++i) {
        std::uint64_t* row = &level.row[(x * W + i) * stride_];
        row[0] &= target[i] & ~row[1];
        target[i] &= row[1];
      }
    });
    each(begin, [&](std::size_t x) {
      if (depth == 0 && result == VisitResult::next_first) result = VisitResult::go_on;
      prefix_.push_back(static_cast<ItemNode>(x));
      for (std::size_t i = x / 64; i < W; ++i)
        for (std::uint64_t rare = level.row[(x * W + i) * stride_]; rare != 0 && result == VisitResult::go_on;
             rare &= rare - 1) {
          prefix_.push_back(static_cast<ItemNode>(64 * i + static_cast<std::size_t>(std::countr_zero(rare))));
          result = report(std::span<const ItemNode>(prefix_));
          prefix_.pop_back();
        }
      if (result == VisitResult::go_on && depth < deepest_ && several(level.target[x]))
        result = descend(depth, x, report);
      prefix_.pop_back();
    });
    return result;
  }

  template <class Report>
  VisitResult descend(std::size_t depth, std::size_t x, Report& report) {
    Level &level = levels_[depth], &below = levels_[depth + 1];
    below.records.clear();
    below.looked = 0;
    below.last = x;
    below.within = level.target[x];
    each(below.within, [&](std::size_t y) { below.target[y] = level.target[y]; });
    return walk(depth + 1, below.within, below.within, report);
  }

  std::int64_t k_;
  std::size_t planes_, stride_;
  std::vector<std::uint64_t> start_;
  std::vector<Mask> mask_;
  std::vector<std::uint32_t> weight_;  // up to k
  std::vector<Level> levels_;
  std::vector<ItemNode> prefix_;
  std::size_t deepest_ = 0;
};

}  // namespace sfumato::items

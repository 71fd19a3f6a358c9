// Fisher and Yates' shuffle, step by step as NumPy's, so that a seed gives one order wherever it is used.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

namespace sfumato {

/// A generator of random numbers, as NumPy hands its own to others.
struct BitGenerator {
  void* state;
  std::uint32_t (*next_32)(void*);
  std::uint64_t (*next_64)(void*);

  /// Any number up to `most`, all equally likely.
  std::uint64_t up_to(std::uint64_t most) const {
    const std::uint64_t mask = std::numeric_limits<std::uint64_t>::max() >> std::countl_zero(most | 1);
    const bool narrow = most <= std::numeric_limits<std::uint32_t>::max();
    for (;;)
      if (const std::uint64_t value = (narrow ? next_32(state) : next_64(state)) & mask; value <= most) return value;
  }
};

/// Each place is swapped with one at or before it, from the last on. Where to does not depend on what is there: it is
/// drawn a little ahead, so that the rows have come from memory when they are swapped.
inline void shuffle(std::span<std::int32_t> rows, const BitGenerator& random) {
  std::array<std::size_t, 64> places;
  for (std::size_t end = rows.size(); end > 1;) {
    const std::size_t some = std::min(places.size(), end - 1);
    for (std::size_t i = 0; i < some; ++i) {
      places[i] = static_cast<std::size_t>(random.up_to(end - 1 - i));
      __builtin_prefetch(rows.data() + places[i], 1);
    }
    for (std::size_t i = 0; i < some; ++i) std::swap(rows[end - 1 - i], rows[places[i]]);
    end -= some;
  }
}

}  // namespace sfumato

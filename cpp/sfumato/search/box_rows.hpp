// What is done to many boxes at once, of which the costs lie side by side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sfumato/search/box_records.hpp"
#include "sfumato/wide.hpp"

namespace sfumato {

/// Sums of two rows where they are less. Two that are impossible still fit.
SFUMATO_WIDE inline void least_sums(std::int32_t* __restrict out, const std::int32_t* __restrict one,
                                    const std::int32_t* __restrict other, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = std::min(out[i], one[i] + other[i]);
}
SFUMATO_WIDE inline void least_sums(std::int64_t* __restrict out, const std::int64_t* __restrict one,
                                    const std::int64_t* __restrict other, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = std::min(out[i], one[i] + other[i]);
}
inline void least_sums(Cost* out, const Cost* one, const Cost* other, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = std::min(out[i], one[i] + other[i]);
}

/// What boxes of so many records cost by their squares, if they have enough.
SFUMATO_WIDE inline void squares(std::int32_t* __restrict out, const std::int32_t* __restrict records, std::size_t n,
                                 std::int32_t enough) {
  for (std::size_t i = 0; i < n; ++i)
    out[i] = records[i] > 0 && records[i] < enough ? impossible<std::int32_t> : records[i] * records[i];
}
template <class Int, class Count>
void squares(Int* out, const Count* records, std::size_t n, Count enough) {
  for (std::size_t i = 0; i < n; ++i)
    out[i] = records[i] > 0 && records[i] < enough ? impossible<Int>
                                                   : static_cast<Int>(records[i]) * static_cast<Int>(records[i]);
}

}  // namespace sfumato

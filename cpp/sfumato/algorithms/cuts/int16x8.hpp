// A SIMD register of eight 16-bit numbers, none of them negative: one instruction per operation where the compiler may
// assume SSE2.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace sfumato::cuts {

class Int16x8 {
 public:
  static constexpr std::size_t lanes = 8;
  static constexpr std::int16_t max = INT16_MAX;

  static Int16x8 load(const std::int16_t* numbers) {
    Int16x8 made;
    std::memcpy(&made.lanes_, numbers, sizeof made.lanes_);
    return made;
  }
  static Int16x8 broadcast(std::int16_t number) {
    std::int16_t numbers[lanes];
    std::fill_n(numbers, lanes, number);
    return load(numbers);
  }
  void store(std::int16_t* numbers) const { std::memcpy(numbers, &lanes_, sizeof lanes_); }

#ifdef __SSE2__
  friend Int16x8 operator+(Int16x8 one, Int16x8 other) { return {_mm_add_epi16(one.lanes_, other.lanes_)}; }
  friend Int16x8 lesser(Int16x8 one, Int16x8 other) { return {_mm_min_epi16(one.lanes_, other.lanes_)}; }
  friend Int16x8 greater(Int16x8 one, Int16x8 other) { return {_mm_max_epi16(one.lanes_, other.lanes_)}; }
  /// The numbers that are greater than the other's, and zero in all other lanes.
  friend Int16x8 where_above(Int16x8 one, Int16x8 other) {
    return {_mm_and_si128(one.lanes_, _mm_cmpgt_epi16(one.lanes_, other.lanes_))};
  }
  bool all_zero() const { return _mm_movemask_epi8(_mm_cmpgt_epi16(lanes_, _mm_setzero_si128())) == 0; }

  std::int32_t sum() const {
    __m128i pairs = _mm_madd_epi16(lanes_, _mm_set1_epi16(1));
    pairs = _mm_add_epi32(pairs, _mm_shuffle_epi32(pairs, _MM_SHUFFLE(1, 0, 3, 2)));
    return _mm_cvtsi128_si32(_mm_add_epi32(pairs, _mm_shuffle_epi32(pairs, _MM_SHUFFLE(2, 3, 0, 1))));
  }

 private:
  Int16x8(__m128i of) : lanes_(of) {}
  __m128i lanes_;

 public:
  Int16x8() : lanes_(_mm_setzero_si128()) {}
#else
  friend Int16x8 operator+(Int16x8 one, Int16x8 other) {
    return each_lane(one, other, [](int x, int y) { return x + y; });
  }
  friend Int16x8 lesser(Int16x8 one, Int16x8 other) {
    return each_lane(one, other, [](int x, int y) { return std::min(x, y); });
  }
  friend Int16x8 greater(Int16x8 one, Int16x8 other) {
    return each_lane(one, other, [](int x, int y) { return std::max(x, y); });
  }
  /// The numbers that are greater than the other's, and zero in all other lanes.
  friend Int16x8 where_above(Int16x8 one, Int16x8 other) {
    return each_lane(one, other, [](int x, int y) { return x > y ? x : 0; });
  }
  bool all_zero() const { return sum() == 0; }

  std::int32_t sum() const {
    std::int32_t sum = 0;
    for (const std::int16_t number : lanes_) sum += number;
    return sum;
  }

  Int16x8() = default;

 private:
  template <class Operation>
  static Int16x8 each_lane(Int16x8 one, Int16x8 other, Operation operation) {
    for (std::size_t i = 0; i < lanes; ++i)
      one.lanes_[i] = static_cast<std::int16_t>(operation(one.lanes_[i], other.lanes_[i]));
    return one;
  }
  std::int16_t lanes_[lanes] = {};
#endif
};

}  // namespace sfumato::cuts

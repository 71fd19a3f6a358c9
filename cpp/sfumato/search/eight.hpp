// Eight small numbers at a time, none of them negative: one instruction each where the machine is known to have it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace sfumato {

class Eight {
 public:
  static constexpr std::size_t count = 8;
  static constexpr std::int16_t most = INT16_MAX;

  static Eight at(const std::int16_t* numbers) {
    Eight made;
    std::memcpy(&made.of_, numbers, sizeof made.of_);
    return made;
  }
  static Eight all(std::int16_t number) {
    std::int16_t numbers[count];
    std::fill_n(numbers, count, number);
    return at(numbers);
  }
  void put(std::int16_t* numbers) const { std::memcpy(numbers, &of_, sizeof of_); }

#ifdef __SSE2__
  friend Eight operator+(Eight one, Eight other) { return {_mm_add_epi16(one.of_, other.of_)}; }
  friend Eight least(Eight one, Eight other) { return {_mm_min_epi16(one.of_, other.of_)}; }
  friend Eight greatest(Eight one, Eight other) { return {_mm_max_epi16(one.of_, other.of_)}; }
  /// Those that are greater than the other's; zero for all else.
  friend Eight above(Eight one, Eight other) { return {_mm_and_si128(one.of_, _mm_cmpgt_epi16(one.of_, other.of_))}; }
  bool none() const { return _mm_movemask_epi8(_mm_cmpgt_epi16(of_, _mm_setzero_si128())) == 0; }

  std::int32_t sum() const {
    __m128i pairs = _mm_madd_epi16(of_, _mm_set1_epi16(1));
    pairs = _mm_add_epi32(pairs, _mm_shuffle_epi32(pairs, _MM_SHUFFLE(1, 0, 3, 2)));
    return _mm_cvtsi128_si32(_mm_add_epi32(pairs, _mm_shuffle_epi32(pairs, _MM_SHUFFLE(2, 3, 0, 1))));
  }

 private:
  Eight(__m128i of) : of_(of) {}
  __m128i of_;

 public:
  Eight() : of_(_mm_setzero_si128()) {}
#else
  friend Eight operator+(Eight one, Eight other) {
    return by(one, other, [](int x, int y) { return x + y; });
  }
  friend Eight least(Eight one, Eight other) {
    return by(one, other, [](int x, int y) { return std::min(x, y); });
  }
  friend Eight greatest(Eight one, Eight other) {
    return by(one, other, [](int x, int y) { return std::max(x, y); });
  }
  /// Those that are greater than the other's; zero for all else.
  friend Eight above(Eight one, Eight other) {
    return by(one, other, [](int x, int y) { return x > y ? x : 0; });
  }
  bool none() const { return sum() == 0; }

  std::int32_t sum() const {
    std::int32_t sum = 0;
    for (const std::int16_t number : of_) sum += number;
    return sum;
  }

  Eight() = default;

 private:
  template <class Operation>
  static Eight by(Eight one, Eight other, Operation operation) {
    for (std::size_t i = 0; i < count; ++i) one.of_[i] = static_cast<std::int16_t>(operation(one.of_[i], other.of_[i]));
    return one;
  }
  std::int16_t of_[count] = {};
#endif
};

}  // namespace sfumato

// What fuzzers have in common: an input is read as numbers, which make a small problem, and what does not hold ends the
// process.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>

#include "check.hpp"
#include "random_problem.hpp"
#include "sfumato/search/control.hpp"

namespace sfumato::testing {

/// A number where types or ranges end, or next to it.
inline std::int64_t edge(Random& random) {
  constexpr std::array<int, 18> bits{0, 1, 2, 3, 4, 7, 8, 15, 16, 24, 31, 32, 33, 35, 36, 53, 61, 62};
  return (std::int64_t{1} << bits[random.below(bits.size())]) + random.between(-2, 2);
}

/// Mostly 1; else how many times as many records there can be, as far as all of them can be counted.
inline std::int64_t some_times(Random& random, std::int64_t records) {
  if (random.below(4) > 0) return 1;
  const std::int64_t most = ((most_records >> 1) - 1) / std::max<std::int64_t>(records, 1);
  return std::clamp<std::int64_t>(edge(random), 1, most);
}

/// Limits of a search: mostly none, so that its answer is proved.
inline Limits some_limits(Random& random) {
  Limits limits;
  switch (random.below(8)) {
    case 0: limits.examined = random.below(12); break;
    case 1: limits.memory = random.one_of<std::size_t>({0, 100, 5'000}); break;
    default: break;
  }
  return limits;
}

/// What a call returns, or nothing if it refuses what it is given.
template <class Call>
auto unless_refused(Call call) -> std::optional<decltype(call())> {
  try {
    return call();
  } catch (const std::invalid_argument&) {
  } catch (const std::length_error&) {
  } catch (const std::out_of_range&) {
  }
  return std::nullopt;
}

/// Changes a number of a column, or how many there are.
template <class T>
void spoil(Random& random, std::vector<T>& column) {
  const auto number = static_cast<T>(random.below(2) == 0 ? edge(random) : random.between<std::int64_t>(-1, 20));
  switch (random.below(6)) {
    case 0: column.push_back(number); break;
    case 1: column.clear(); break;
    default:
      if (column.empty() || random.below(8) == 0)
        column.push_back(number);
      else if (random.below(6) == 0)
        column.pop_back();
      else
        column[random.below(column.size())] = number;
  }
}
/// In one of several columns; or there is one less.
template <class T>
void spoil(Random& random, std::vector<std::vector<T>>& columns) {
  if (columns.empty()) return;
  if (random.below(8) == 0)
    columns.pop_back();
  else
    spoil(random, columns[random.below(columns.size())]);
}

}  // namespace sfumato::testing

/// The body of a fuzzer. What it throws ends the process, with the message.
#define FUZZ(random)                                                                  \
  static void fuzz_one(sfumato::testing::Random& random);                             \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);  \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    sfumato::testing::Random numbers(std::span<const std::uint8_t>(data, size));      \
    fuzz_one(numbers);                                                                \
    return 0;                                                                         \
  }                                                                                   \
  static void fuzz_one(sfumato::testing::Random& random)

// What a class costs by itself, and what its tuples cost at least under discernibility when some of their records are
// suppressed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sfumato::cuts {

/// A class at its own nodes costs kept * W + fixed, W the price of its published values (if the loss adds those up;
/// else 0).
template <class Sum>
struct ClassCost {
  std::int64_t records = 0;
  std::int64_t kept = 0;        // records that are published
  std::int64_t suppressed = 0;  // records (or values) that are suppressed
  Sum fixed = 0;
  std::int64_t least = 0;   // records (or values) that are suppressed at least, however the class is divided
  bool impossible = false;  // it may not exist, nor be divided into classes that all may
};

// Below, `sizes` are those of tuples, in falling order; `total` is what a suppressed record costs: the number of all
// records.

/// DM when `least` records are suppressed, with all of their class: each other record costs the size of its tuple, and
/// the dearest may be the suppressed ones.
template <class Sum>
Sum discernibility_without_dearest(std::int64_t least, std::span<const std::int64_t> sizes, std::int64_t total) {
  Sum sum = static_cast<Sum>(least) * total;
  for (const std::int64_t size : sizes) {
    const std::int64_t suppressed = std::min(least, size);
    least -= suppressed;
    sum += static_cast<Sum>(size - suppressed) * size;
  }
  return sum;
}

/// DM when `least` records or more are suppressed, each of any tuple: the squares are least if the largest tuples are
/// levelled. Beyond `least`, suppressing a record pays its price N only while its tuple has more than (N + 1)/2.
template <class Sum>
Sum discernibility_levelled(std::int64_t least, std::span<const std::int64_t> sizes, std::int64_t total) {
  const std::int64_t half = (total + 1) / 2;
  if (!sizes.empty() && sizes.front() - half > least) least = sizes.front() - half;
  Sum sum = static_cast<Sum>(least) * total;
  std::size_t level = 0;  // tuples 0 … level - 1 are lowered to the size of tuple level
  std::int64_t spent = 0;
  while (level < sizes.size()) {
    const std::int64_t next = level + 1 < sizes.size() ? sizes[level + 1] : 0;
    const auto many = static_cast<std::int64_t>(level + 1);
    const std::int64_t step = (sizes[level] - next) * many;
    if (spent + step >= least) {
      const std::int64_t rest = least - spent, each = rest / many, more = rest % many;
      const std::int64_t high = sizes[level] - each;
      sum += static_cast<Sum>(many - more) * high * high + static_cast<Sum>(more) * (high - 1) * (high - 1);
      break;
    }
    spent += step;
    ++level;
  }
  for (std::size_t i = level + 1; i < sizes.size(); ++i) sum += static_cast<Sum>(sizes[i]) * sizes[i];
  return sum;
}

}  // namespace sfumato::cuts

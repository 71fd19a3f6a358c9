// What tuples cost at least under discernibility when some of their records go. `sizes`: of the tuples, in falling
// order; `total`: what a record costs that goes, which is the number of all records.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sfumato {

/// DM when `least` records go with all their class: the rest costs its tuples' sizes, and the dearest may be the ones
/// that go.
template <class Sum>
Sum without_dearest(std::int64_t least, std::span<const std::int64_t> sizes, std::int64_t total) {
  Sum sum = static_cast<Sum>(least) * total;
  for (const std::int64_t size : sizes) {
    const std::int64_t gone = std::min(least, size);
    least -= gone;
    sum += static_cast<Sum>(size - gone) * size;
  }
  return sum;
}

/// DM when `least` records or more go, each from any tuple: the squares are least if the largest tuples are levelled.
/// Beyond `least`, a record is worth its price N only while its tuple has more than (N + 1)/2.
template <class Sum>
Sum lowered(std::int64_t least, std::span<const std::int64_t> sizes, std::int64_t total) {
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

}  // namespace sfumato

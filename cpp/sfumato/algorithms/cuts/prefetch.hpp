// Memory that is read soon is requested before: mostly it is clear what comes next, but that lies anywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sfumato::cuts {

inline void prefetch_line([[maybe_unused]] const void* at) {
#ifdef __GNUC__
  __builtin_prefetch(at);
#endif
}

/// Calls `take` with each place and tuple of a class, and `prefetch` with tuples that come a little later: what is
/// stored of a tuple lies anywhere in memory, and is requested before it is needed.
template <class Fetch, class Take>
void each_prefetched(std::span<const std::uint32_t> members, const Fetch& prefetch, const Take& take) {
  constexpr std::size_t later = 16;
  std::size_t i = 0;
  for (; i + later < members.size(); ++i) {
    prefetch(members[i + later]);
    take(i, members[i]);
  }
  for (; i < members.size(); ++i) take(i, members[i]);
}

}  // namespace sfumato::cuts

// splitmix64: hashes and random numbers that are the same on every machine.
#pragma once

#include <cstdint>

namespace sfumato {

inline constexpr std::uint64_t splitmix64_step = 0x9e3779b97f4a7c15u;

inline constexpr std::uint64_t splitmix64(std::uint64_t x) {
  x += splitmix64_step;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace sfumato

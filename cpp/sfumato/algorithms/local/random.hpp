// Random numbers that are the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sfumato/search/splitmix64.hpp"

namespace sfumato::local {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * splitmix64_step + 1) {}

  std::uint64_t next() {
    const std::uint64_t number = splitmix64(state_);
    state_ += splitmix64_step;
    return number;
  }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }
  double share() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace sfumato::local

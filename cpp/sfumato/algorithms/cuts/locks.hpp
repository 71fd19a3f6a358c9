// Sets of attributes that are locked: a mask of 64 bits while there are no more attributes, else the number of a kept
// set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sfumato/algorithms/cuts/key_table.hpp"

namespace sfumato::cuts {

using Locks = std::uint64_t;

class LockSets {
 public:
  explicit LockSets(std::size_t attributes)
      : wide_(attributes > 64), sets_(wide_ ? (attributes + 31) / 32 : 0), words_((attributes + 31) / 32) {
    if (wide_) sets_.place(words_);  // the empty set is number 0
  }

  bool has(Locks locks, std::size_t a) const {
    if (!wide_) return (locks >> a & 1) != 0;
    return (sets_[static_cast<std::uint32_t>(locks)][a / 32] >> a % 32 & 1) != 0;
  }

  Locks with(Locks locks, std::size_t a) {
    if (!wide_) return locks | Locks{1} << a;
    const auto set = sets_[static_cast<std::uint32_t>(locks)];
    words_.assign(set.begin(), set.end());
    words_[a / 32] |= 1u << a % 32;
    return sets_.place(words_).first;
  }

  /// Those that are in both.
  Locks both(Locks one, Locks other) {
    if (!wide_) return one & other;
    const auto set = sets_[static_cast<std::uint32_t>(one)], mask = sets_[static_cast<std::uint32_t>(other)];
    words_.assign(set.begin(), set.end());
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= mask[i];
    return sets_.place(words_).first;
  }

 private:
  bool wide_;
  KeyTable sets_;
  std::vector<std::uint32_t> words_;
};

}  // namespace sfumato::cuts

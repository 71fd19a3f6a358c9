// Numbers for keys of any width, in order of first appearance.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sfumato/algorithms/cuts/growing.hpp"
#include "sfumato/algorithms/cuts/prefetch.hpp"
#include "sfumato/narrow.hpp"

namespace sfumato::cuts {

class KeyTable {
 public:
  explicit KeyTable(std::size_t width) : width_(width), slots_(1024) {}

  std::span<const std::uint32_t> operator[](std::uint32_t id) const { return {keys_.data() + id * width_, width_}; }
  /// A key that is read soon.
  void prefetch(std::uint32_t id) const { prefetch_line(keys_.data() + id * width_); }
  /// What is read to find one.
  void prefetch_slot(std::span<const std::uint32_t> key) const {
    prefetch_line(slots_.data() + ((hash_of(key) >> 32) & (slots_.size() - 1)));
  }
  std::size_t bytes() const {
    const bool full = 2 * (count_ + count_ / 16 + 1) > slots_.size();
    return growing_bytes(keys_) + slots_.capacity() * sizeof(Slot) * (full ? 3 : 1);
  }

  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// The number of a key, and whether it is new.
  std::pair<std::uint32_t, bool> place(std::span<const std::uint32_t> key) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    const std::uint64_t hash = hash_of(key);
    const auto tag = static_cast<std::uint32_t>(hash);
    std::size_t at = (hash >> 32) & (slots_.size() - 1);
    for (; slots_[at].number != 0; at = (at + 1) & (slots_.size() - 1))
      if (slots_[at].tag == tag && std::ranges::equal((*this)[slots_[at].number - 1], key))
        return {slots_[at].number - 1, false};
    if (count_ + 2 >= none)
      throw OutOfRange("The search has more than four billion classes; use coarser starting levels.");
    keys_.insert(keys_.end(), key.begin(), key.end());
    slots_[at] = {tag, static_cast<std::uint32_t>(++count_)};
    return {static_cast<std::uint32_t>(count_ - 1), true};
  }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t number = 0;  // of the key, plus one; 0 is free
  };

  static std::uint64_t hash_of(std::span<const std::uint32_t> key) {
    std::uint64_t hash = 0x9E3779B97F4A7C15ull;
    for (std::size_t i = 0; i < key.size(); i += 2) {  // two at a time
      const std::uint64_t parts = i + 1 < key.size() ? key[i] | std::uint64_t{key[i + 1]} << 32 : key[i];
      hash = (hash ^ parts) * 0xD6E8FEB86659FD93ull;
      hash ^= hash >> 32;
    }
    return hash * 0x9E3779B97F4A7C15ull;
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (std::uint32_t id = 0; id < count_; ++id) {
      const std::uint64_t hash = hash_of((*this)[id]);
      std::size_t at = (hash >> 32) & (slots_.size() - 1);
      while (slots_[at].number != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = {static_cast<std::uint32_t>(hash), id + 1};
    }
  }

  std::size_t width_, count_ = 0;
  std::vector<std::uint32_t> keys_;
  std::vector<Slot> slots_;
};

}  // namespace sfumato::cuts

// What is known of boxes: a lower and an upper bound on the least cost of each, in memory that does not grow for ever.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace sfumato {

/// A key of `width` bytes, a multiple of 8. A key has a few places only; when all are taken the table grows, and when it
/// may not, one of the old entries goes. Whatever is missing is worked out again.
template <class Int>
class BoxTable {
 public:
  struct Entry {
    Int lower, upper;
  };

  BoxTable(std::size_t width, std::size_t memory) : width_(width), memory_(memory) { resize(1 << 12); }

  const Entry* find(const void* key) const {
    const std::size_t home = hash(key) & mask_;
    for (std::size_t i = 0; i < places; ++i) {
      const std::size_t at = (home + i) & mask_;
      if (!taken_[at]) return nullptr;
      if (std::memcmp(keys_.data() + at * width_, key, width_) == 0) return &entries_[at];
    }
    return nullptr;
  }

  void put(const void* key, Entry entry) {
    const std::uint64_t h = hash(key);
    for (;;) {
      const std::size_t home = h & mask_;
      for (std::size_t i = 0; i < places; ++i) {
        const std::size_t at = (home + i) & mask_;
        if (!taken_[at] || std::memcmp(keys_.data() + at * width_, key, width_) == 0) return set(at, key, entry);
      }
      if (3 * bytes(mask_ + 1) > memory_) return set((home + (++turn_ % places)) & mask_, key, entry);
      grow();
    }
  }

 private:
  static constexpr std::size_t places = 16;

  std::size_t bytes(std::size_t capacity) const { return capacity * (width_ + sizeof(Entry) + 1); }

  std::uint64_t hash(const void* key) const {
    std::uint64_t h = 0x9E3779B97F4A7C15ull;
    for (std::size_t i = 0; i < width_; i += 8) {
      std::uint64_t part;
      std::memcpy(&part, static_cast<const char*>(key) + i, 8);
      h = (h ^ part) * 0xD6E8FEB86659FD93ull;
      h ^= h >> 32;
    }
    return (h * 0x9E3779B97F4A7C15ull) >> 20;
  }

  void set(std::size_t at, const void* key, Entry entry) {
    std::memcpy(keys_.data() + at * width_, key, width_);
    entries_[at] = entry;
    taken_[at] = 1;
  }

  void resize(std::size_t capacity) {
    mask_ = capacity - 1;
    keys_.assign(capacity * width_, 0);
    entries_.assign(capacity, {});
    taken_.assign(capacity, 0);
  }

  void grow() {
    const auto keys = std::move(keys_);
    const auto entries = std::move(entries_);
    const auto taken = std::move(taken_);
    resize(2 * taken.size());
    for (std::size_t at = 0; at < taken.size(); ++at)
      if (taken[at]) put(keys.data() + at * width_, entries[at]);
  }

  std::size_t width_, memory_, mask_ = 0, turn_ = 0;
  std::vector<char> keys_;
  std::vector<Entry> entries_;
  std::vector<std::uint8_t> taken_;
};

}  // namespace sfumato

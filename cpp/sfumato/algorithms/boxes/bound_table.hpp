// Bounds on the least cost of boxes, a lower and an upper one of each, in limited memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace sfumato::boxes {

/// A key of `width` bytes, a multiple of 8. A key has a few places only; when all are taken the table grows, and when
/// it may not, one of the old entries goes. Whatever is missing is computed again.
template <class Int>
class BoundTable {
 public:
  struct Entry {
    Int lower, upper;  // 0 or more; a place with less is free
  };

  BoundTable(std::size_t width, std::size_t memory) : width_(width), stride_(width + sizeof(Entry)), memory_(memory) {
    resize(1 << 12);
  }

  /// Where a key is looked for first; prefetched, so that the memory answers while others are being looked at.
  std::size_t home(const void* key) const {
    const std::size_t at = hash(key) & mask_;
    __builtin_prefetch(slots_.data() + at * stride_);
    return at;
  }

  const Entry* find(const void* key) const { return find(key, hash(key) & mask_); }

  const Entry* find(const void* key, std::size_t home) const {
    for (std::size_t i = 0; i < places; ++i) {
      const std::byte* slot = slots_.data() + ((home + i) & mask_) * stride_;
      const Entry* entry = entry_of(slot);
      if (entry->lower < 0) return nullptr;
      if (same(slot, key)) return entry;
    }
    return nullptr;
  }

  void put(const void* key, Entry entry) {
    const std::uint64_t h = hash(key);
    for (;;) {
      const std::size_t home = h & mask_;
      for (std::size_t i = 0; i < places; ++i) {
        std::byte* slot = slots_.data() + ((home + i) & mask_) * stride_;
        if (entry_of(slot)->lower < 0 || same(slot, key)) return set(slot, key, entry);
      }
      if (3 * slots_.size() > memory_)
        return set(slots_.data() + ((home + (++turn_ % places)) & mask_) * stride_, key, entry);
      grow();
    }
  }

 private:
  static constexpr std::size_t places = 16;

  const Entry* entry_of(const std::byte* slot) const { return reinterpret_cast<const Entry*>(slot + width_); }

  bool same(const std::byte* slot, const void* key) const {
    std::uint64_t differ = 0;
    for (std::size_t i = 0; i < width_; i += 8) {
      std::uint64_t one, other;
      std::memcpy(&one, slot + i, 8);
      std::memcpy(&other, static_cast<const char*>(key) + i, 8);
      differ |= one ^ other;
    }
    return differ == 0;
  }

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

  void set(std::byte* slot, const void* key, Entry entry) {
    std::memcpy(slot, key, width_);
    std::memcpy(slot + width_, &entry, sizeof entry);
  }

  void resize(std::size_t capacity) {
    mask_ = capacity - 1;
    slots_.assign(capacity * stride_, std::byte{0xFF});  // all of them free: every number is -1
  }

  void grow() {
    const auto old = std::move(slots_);
    resize(2 * (mask_ + 1));
    for (std::size_t at = 0; at < old.size(); at += stride_)
      if (const Entry* entry = entry_of(old.data() + at); entry->lower >= 0) put(old.data() + at, *entry);
  }

  std::size_t width_, stride_, memory_, mask_ = 0, turn_ = 0;
  std::vector<std::byte> slots_;
};

}  // namespace sfumato::boxes

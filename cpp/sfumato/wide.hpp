// Loops over vectors: the loader picks the widest that the machine has.
#pragma once

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define SFUMATO_WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define SFUMATO_WIDE
#endif

namespace sfumato {

/// Memory from the start of a cache line on: what is as long as a line, or a part of one, lies in one line. A vector
/// that is given its size alone does not write to it: pages are touched when there is something to store.
template <class T>
struct FromLineStart {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  FromLineStart() = default;
  template <class Other>
  FromLineStart(const FromLineStart<Other>&) {}  // NOLINT: as allocators are

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), line)); }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory, line); }
  template <class Made>
  void construct(Made* place) {
    ::new (static_cast<void*>(place)) Made;
  }
  template <class Made, class... From>
  void construct(Made* place, From&&... from) {
    ::new (static_cast<void*>(place)) Made(std::forward<From>(from)...);
  }
  bool operator==(const FromLineStart&) const = default;
};

template <class T>
using LineVector = std::vector<T, FromLineStart<T>>;

}  // namespace sfumato

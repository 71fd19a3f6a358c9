// A limit on a share, in 64 bits where they suffice.
#pragma once

#include <cstdint>

#include "sfumato/ratio.hpp"

namespace sfumato {

class Threshold {
 public:
  /// For counts up to `most`. A limit of 1 or more limits nothing: it counts as 1.
  Threshold(const Ratio& share, std::int64_t most) : share_(share.whole() > 0 ? Ratio(1, 0, 1) : share) {
    const Cost room = (Cost{1} << 62) / (most + 1);
    if (share_.denominator() > room) return;
    p_ = static_cast<std::int64_t>(numerator());
    q_ = static_cast<std::int64_t>(share_.denominator());
  }

  bool operator==(const Threshold& other) const {
    return numerator() == other.numerator() && share_.denominator() == other.share_.denominator();
  }

  /// count <= share * n
  bool admits(std::int64_t count, std::int64_t n) const {
    return q_ > 0 ? count * q_ <= p_ * n : share_.admits(count, n);
  }

  /// The largest count that is at most share * n.
  std::int64_t floor(std::int64_t n) const { return q_ > 0 ? p_ * n / q_ : static_cast<std::int64_t>(share_.floor(n)); }

  /// The least x with count - x <= share * (n - x), where count exceeds share * n, so that the share is below 1.
  std::int64_t least_removed(std::int64_t count, std::int64_t n) const {
    if (q_ > 0) return (count * q_ - p_ * n + (q_ - p_) - 1) / (q_ - p_);
    const Cost p = numerator(), q = share_.denominator();
    return static_cast<std::int64_t>((count * q - p * n + (q - p) - 1) / (q - p));
  }

 private:
  Cost numerator() const { return share_.whole() * share_.denominator() + share_.rest(); }

  Ratio share_;
  std::int64_t p_ = 0, q_ = 0;  // q_ = 0: too wide
};

}  // namespace sfumato

// Thresholds are fractions, and counts are compared with them exactly.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "sfumato/cost.hpp"
#include "sfumato/narrow.hpp"

namespace sfumato {

/// whole + rest/denominator, not negative. With counts below 2^36, denominators to 2^90 and whole parts to 2^60, no
/// product leaves 128 bits.
class Ratio {
  /// Calls with integers as wide as products with n and with counts up to 2^36 need. Most thresholds are short, and 128
  /// bits several times slower.
  template <class Call>
  auto in(std::int64_t n, Call call) const {
    constexpr Cost few = Cost{1} << 26;
    if (whole_ < few && denominator_ < few && n <= most_records)
      return call(static_cast<std::int64_t>(whole_), static_cast<std::int64_t>(rest_),
                  static_cast<std::int64_t>(denominator_));
    return call(whole_, rest_, denominator_);
  }

 public:
  Ratio(Cost whole, Cost rest, Cost denominator) : whole_(whole), rest_(rest), denominator_(denominator) {
    if (whole < 0 || whole > Cost{1} << 60 || rest < 0 || rest >= denominator || denominator > Cost{1} << 90)
      throw std::invalid_argument("no threshold: not negative, to 2^60, in parts no finer than 2^-90");
  }

  /// count <= ratio * n
  bool admits(std::int64_t count, std::int64_t n) const {
    return in(n, [=]<class Int>(Int whole, Int rest, Int denominator) {
      const Int excess = count - whole * n;
      return excess <= 0 || excess * denominator <= rest * n;
    });
  }

  /// ratio * n <= count
  bool reached(std::int64_t count, std::int64_t n) const {
    return in(n, [=]<class Int>(Int whole, Int rest, Int denominator) {
      const Int excess = count - whole * n;
      return excess >= 0 && (excess >= n || excess * denominator >= rest * n);
    });
  }

  /// count < ratio * n
  bool exceeds(std::int64_t count, std::int64_t n) const {
    return in(n, [=]<class Int>(Int whole, Int rest, Int denominator) {
      const Int excess = count - whole * n;
      return excess < 0 || (excess < n && excess * denominator < rest * n);
    });
  }

  /// The largest integer that is at most ratio * n.
  Cost floor(std::int64_t n) const {
    return in(
        n, [=]<class Int>(Int whole, Int rest, Int denominator) -> Cost { return whole * n + rest * n / denominator; });
  }

  Cost whole() const { return whole_; }
  Cost rest() const { return rest_; }
  Cost denominator() const { return denominator_; }

  /// About the ratio, within a few units of the last place.
  double about() const {
    return static_cast<double>(whole_) + static_cast<double>(rest_) / static_cast<double>(denominator_);
  }

 private:
  Cost whole_, rest_, denominator_;
};

}  // namespace sfumato

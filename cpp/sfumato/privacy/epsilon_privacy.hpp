// epsilon-privacy against class II: a class is large enough, and no value has too much of it, for a realistic adversary.
// Machanavajjhala, Gehrke, Götz, "Data publishing against realistic adversaries", PVLDB 2009.
#pragma once

#include "sfumato/privacy/share_limits.hpp"

namespace sfumato {

class EpsilonPrivacy final : public ClassModel {
 public:
  /// With D a common denominator: grown = (epsilon - 1) D, fixed = epsilon (sigma + b - 1) D, stubborn = (sigma + b) D;
  /// `fewest` records satisfy R1. Products with counts must fit into 128 bits.
  EpsilonPrivacy(std::size_t sensitive, std::int64_t b, Cost grown, Cost fixed, Cost stubborn, std::int64_t fewest)
      : sensitive_(sensitive), b_(b), grown_(grown), fixed_(fixed), stubborn_(stubborn), fewest_(fewest) {}

  std::optional<std::size_t> sensitive() const override { return sensitive_; }

  void mark(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> violated) const override {
    for (std::size_t c = 0; c < classes.count(); ++c) {
      const std::int64_t unknown = classes.sizes[c] - b_;
      const Cost scaled = fixed_ + grown_ * unknown;
      violated[c] |= classes.sizes[c] < fewest_ ||
                     largest_count(*histogram, c) * scaled > unknown * (scaled - stubborn_);
    }
  }

 private:
  std::size_t sensitive_;
  std::int64_t b_;
  Cost grown_, fixed_, stubborn_;
  std::int64_t fewest_;
};

}  // namespace sfumato

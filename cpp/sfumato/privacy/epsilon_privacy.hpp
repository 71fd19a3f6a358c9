// epsilon-privacy against class II: a class is large enough, and no value has too much of it, for a realistic
// adversary. Machanavajjhala, Gehrke, Götz, "Data publishing against realistic adversaries", PVLDB 2009.
#pragma once

#include <stdexcept>

#include "sfumato/privacy/share_limits.hpp"

namespace sfumato {

class EpsilonPrivacy final : public ClassModel {
 public:
  /// With D a common denominator: grown = (epsilon - 1) D, fixed = epsilon (sigma + b - 1) D, stubborn = (sigma + b) D;
  /// `fewest` records satisfy R1. Products with counts must fit into 128 bits.
  EpsilonPrivacy(std::size_t sensitive, std::int64_t b, Cost grown, Cost fixed, Cost stubborn, std::int64_t fewest)
      : sensitive_(sensitive), b_(b), grown_(grown), fixed_(fixed), stubborn_(stubborn), fewest_(fewest) {
    if (b < 0 || grown < 0 || fixed < 0 || stubborn < 0) throw std::invalid_argument("nothing is negative");
  }

  std::optional<std::size_t> sensitive() const override { return sensitive_; }

  void mark(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> violated) const override {
    for (std::size_t c = 0; c < classes.count(); ++c) {
      const std::int64_t unknown = classes.sizes[c] - b_;
      const Cost scaled = fixed_ + grown_ * unknown;
      violated[c] |= classes.sizes[c] < fewest_ || histogram->largest(c) * scaled > unknown * (scaled - stubborn_);
    }
  }

  /// A part of N records has at most as many of a value as R2 allows for N, which grows with N.
  void limit(const Classes& classes, const Histogram* histogram, std::span<const std::uint8_t> violated,
             std::span<std::int64_t> publishable) const override {
    limit_each(violated, publishable, [&](std::size_t c) -> std::int64_t {
      const auto floors = [&](std::int64_t most) {
        const std::int64_t unknown = std::max<std::int64_t>(most - b_, 0);
        const Cost scaled = fixed_ + grown_ * unknown,
                   within = scaled > stubborn_ ? unknown * (scaled - stubborn_) / scaled : 0;
        return [within](std::uint32_t) { return within; };
      };
      const std::int64_t most = most_within(classes.sizes[c], *histogram, c, floors);
      return most < fewest_ ? 0 : most;
    });
  }

 private:
  std::size_t sensitive_;
  std::int64_t b_;
  Cost grown_, fixed_, stubborn_;
  std::int64_t fewest_;
};

}  // namespace sfumato

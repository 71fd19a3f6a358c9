// beta-likeness: no sensitive value's share of a class exceeds its share of the input by more than a factor.
// Cao and Karras, "Publishing microdata with a robust privacy guarantee", PVLDB 5(11), 2012.
#pragma once

#include "sfumato/privacy/model.hpp"
#include "sfumato/privacy/share_limits.hpp"

namespace sfumato {

class BetaLikeness final : public ClassModel {
 public:
  /// By value, the largest share it may have: (1 + min(beta, …)) times its share of the input.
  BetaLikeness(std::size_t sensitive, std::vector<Ratio> largest_shares)
      : sensitive_(sensitive), largest_shares_(std::move(largest_shares)) {}

  std::optional<std::size_t> sensitive() const override { return sensitive_; }

  void mark(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> violated) const override {
    largest_shares_.mark(classes, *histogram, violated);
  }

  void mark_hopeless(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> hopeless) const override {
    largest_shares_.mark_hopeless(classes, *histogram, hopeless);
  }

 private:
  std::size_t sensitive_;
  ShareLimits largest_shares_;
};

}  // namespace sfumato

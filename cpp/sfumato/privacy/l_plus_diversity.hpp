// l+-diversity: in every class, value s has a share of at most theta_s.
// Liu and Wang, "On optimal anonymization for l+-diversity", ICDE 2010.
#pragma once

#include "sfumato/privacy/model.hpp"
#include "sfumato/privacy/share_limits.hpp"

namespace sfumato {

class LPlusDiversity final : public ClassModel {
 public:
  LPlusDiversity(std::size_t sensitive, std::vector<Ratio> theta) : sensitive_(sensitive), theta_(std::move(theta)) {}

  std::optional<std::size_t> sensitive() const override { return sensitive_; }

  void mark(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> violated) const override {
    theta_.mark(classes, *histogram, violated);
  }

  void mark_hopeless(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> hopeless) const override {
    theta_.mark_hopeless(classes, *histogram, hopeless);
  }

 private:
  std::size_t sensitive_;
  ShareLimits theta_;
};

}  // namespace sfumato

// l-diversity, simple: no sensitive value has more than 1/l of a class.
// Machanavajjhala et al., "l-diversity: privacy beyond k-anonymity", TKDD 1(1), 2007; Xiao and Tao, VLDB 2006.
#pragma once

#include "sfumato/privacy/model.hpp"
#include "sfumato/privacy/share_limits.hpp"

namespace sfumato {

class LDiversity final : public ClassModel {
 public:
  LDiversity(std::size_t sensitive, Ratio largest_share) : sensitive_(sensitive), largest_share_(largest_share) {}

  std::optional<std::size_t> sensitive() const override { return sensitive_; }

  void mark(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> violated) const override {
    for (std::size_t c = 0; c < classes.count(); ++c)
      violated[c] |= !largest_share_.admits(histogram->largest(c), classes.sizes[c]);
  }

  /// One record of each value is the evenest part there is.
  void limit(const Classes& classes, const Histogram* histogram, std::span<const std::uint8_t> violated,
             std::span<std::int64_t> publishable) const override {
    limit_each(violated, publishable, [&](std::size_t c) -> std::int64_t {
      if (!largest_share_.admits(1, classes.sizes[c])) return 0;  // nor has it enough values
      if (!largest_share_.admits(1, static_cast<std::int64_t>(histogram->values(c)))) return 0;
      return most_within(classes.sizes[c], *histogram, c, largest_share_);
    });
  }

 private:
  std::size_t sensitive_;
  Ratio largest_share_;
};

}  // namespace sfumato

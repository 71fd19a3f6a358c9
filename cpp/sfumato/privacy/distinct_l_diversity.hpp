// Distinct l-diversity: every class has at least l different values of the sensitive attribute.
// Machanavajjhala et al., "l-diversity: privacy beyond k-anonymity", TKDD 1(1), 2007.
#pragma once

#include "sfumato/privacy/model.hpp"

namespace sfumato {

class DistinctLDiversity final : public ClassModel {
 public:
  DistinctLDiversity(std::size_t sensitive, std::int64_t l) : sensitive_(sensitive), l_(l) {}

  std::optional<std::size_t> sensitive() const override { return sensitive_; }

  Monotonicity monotonicity() const override { return Monotonicity::strongly_up; }

  void mark(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> violated) const override {
    for (std::size_t c = 0; c < classes.count(); ++c)
      violated[c] |= static_cast<std::int64_t>(histogram->values(c)) < l_;
  }

 private:
  std::size_t sensitive_;
  std::int64_t l_;
};

}  // namespace sfumato

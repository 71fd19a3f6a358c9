// (alpha, k)-anonymity: a class has at least k records, and no sensitive value more than a share alpha of them.
// Wong et al., "(alpha, k)-anonymity: an enhanced k-anonymity model", KDD 2006.
#pragma once

#include "sfumato/privacy/model.hpp"
#include "sfumato/privacy/share_limits.hpp"

namespace sfumato {

class AlphaKAnonymity final : public ClassModel {
 public:
  AlphaKAnonymity(std::size_t sensitive, Ratio alpha, std::int64_t k) : sensitive_(sensitive), alpha_(alpha), k_(k) {}

  std::optional<std::size_t> sensitive() const override { return sensitive_; }

  void mark(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> violated) const override {
    const auto persons = classes.persons();
    for (std::size_t c = 0; c < classes.count(); ++c)
      violated[c] |= persons[c] < k_ || !alpha_.admits(histogram->largest(c), classes.sizes[c]);
  }

  void limit(const Classes& classes, const Histogram* histogram, std::span<const std::uint8_t> violated,
             std::span<std::int64_t> publishable) const override {
    const auto persons = classes.persons();
    limit_each(violated, publishable, [&](std::size_t c) -> std::int64_t {
      const auto values = static_cast<std::int64_t>(histogram->values(c));
      if (persons[c] < k_ || !alpha_.admits(1, values)) return 0;
      const std::int64_t most = most_within(classes.sizes[c], *histogram, c, alpha_);
      return most < k_ ? 0 : most;  // no fewer records than persons
    });
  }

 private:
  std::size_t sensitive_;
  Ratio alpha_;
  std::int64_t k_;
};

}  // namespace sfumato

// k-anonymity: every class has at least k records.
// Samarati, "Protecting respondents' identities in microdata release", TKDE 13(6), 2001.
#pragma once

#include "sfumato/privacy/model.hpp"

namespace sfumato {

class KAnonymity final : public ClassModel {
 public:
  explicit KAnonymity(std::int64_t k) : k_(k) {}

  void mark(const Classes& classes, const Histogram*, std::span<std::uint8_t> violated) const override {
    for (std::size_t c = 0; c < classes.count(); ++c) violated[c] |= classes.sizes[c] < k_;
  }

 private:
  std::int64_t k_;
};

}  // namespace sfumato

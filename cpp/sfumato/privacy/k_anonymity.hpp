// k-anonymity: every class has at least k records, of at least k persons where units say whose they are.
// Samarati, "Protecting respondents' identities in microdata release", TKDE 13(6), 2001.
#pragma once

#include "sfumato/privacy/model.hpp"

namespace sfumato {

class KAnonymity final : public ClassModel {
 public:
  explicit KAnonymity(std::int64_t k) : k_(k) {}

  Monotonicity monotonicity() const override { return Monotonicity::strongly_up; }

  void mark(const Classes& classes, const Histogram*, std::span<std::uint8_t> violated) const override {
    const auto persons = classes.persons();
    for (std::size_t c = 0; c < classes.count(); ++c) violated[c] |= persons[c] < k_;
  }

 private:
  std::int64_t k_;
};

}  // namespace sfumato

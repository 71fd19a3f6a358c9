// k-map: at least k of the population would be published like the records of a class.
// Sweeney, "Computational disclosure control", MIT 2001, Section 4; El Emam and Dankar, JAMIA 15(5), 2008.
#pragma once

#include "sfumato/privacy/model.hpp"

namespace sfumato {

class KMap final : public ClassModel {
 public:
  explicit KMap(std::int64_t k) : k_(k) {}

  bool populated() const override { return true; }

  Monotonicity monotonicity() const override { return Monotonicity::strongly_up; }

  void mark(const Classes& classes, const Histogram*, std::span<std::uint8_t> violated) const override {
    for (std::size_t c = 0; c < classes.count(); ++c) violated[c] |= classes.population[c] < k_;
  }

 private:
  std::int64_t k_;
};

}  // namespace sfumato

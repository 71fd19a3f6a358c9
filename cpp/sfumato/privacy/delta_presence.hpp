// delta-presence: the records of a class are between delta_min and delta_max of the population that is published alike.
// Nergiz, Atzori, Clifton, "Hiding the presence of individuals from shared databases", SIGMOD 2007.
#pragma once

#include "sfumato/privacy/model.hpp"
#include "sfumato/ratio.hpp"

namespace sfumato {

class DeltaPresence final : public ClassModel {
 public:
  DeltaPresence(Ratio least, Ratio most) : least_(least), most_(most) {}

  bool populated() const override { return true; }

  /// Shares of a union lie between those of its parts. But a union may also take in people of whom no record is
  /// published, so that a share from below is lost.
  Monotonicity monotonicity() const override { return least_.reached(0, 1) ? Monotonicity::up : Monotonicity::none; }

  void mark(const Classes& classes, const Histogram*, std::span<std::uint8_t> violated) const override {
    for (std::size_t c = 0; c < classes.count(); ++c)
      violated[c] |= !least_.reached(classes.sizes[c], classes.population[c]) ||
                     !most_.admits(classes.sizes[c], classes.population[c]);
  }

  /// Parts have no more of the population, taken together, than the whole.
  void limit(const Classes& classes, const Histogram*, std::span<const std::uint8_t> violated,
             std::span<std::int64_t> publishable) const override {
    limit_each(violated, publishable, [&](std::size_t c) {
      return static_cast<std::int64_t>(std::min<Cost>(publishable[c], most_.floor(classes.population[c])));
    });
  }

 private:
  Ratio least_, most_;
};

}  // namespace sfumato

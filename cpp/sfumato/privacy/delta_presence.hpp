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
  Monotonicity monotonicity() const override {
    return least_.reached(0, 1) ? Monotonicity::up : Monotonicity::none;
  }

  void mark(const Classes& classes, const Histogram*, std::span<std::uint8_t> violated) const override {
    for (std::size_t c = 0; c < classes.count(); ++c)
      violated[c] |= !least_.reached(classes.sizes[c], classes.population[c]) ||
                     !most_.admits(classes.sizes[c], classes.population[c]);
  }

  /// A part has a record at least, and no more of the population than the whole.
  void mark_hopeless(const Classes& classes, const Histogram*, std::span<std::uint8_t> hopeless) const override {
    for (std::size_t c = 0; c < classes.count(); ++c) hopeless[c] |= !most_.admits(1, classes.population[c]);
  }

 private:
  Ratio least_, most_;
};

}  // namespace sfumato

// Classification: a record costs 1 unless it has the majority label of its class; a suppressed one costs 1.
// Iyengar, "Transforming data to satisfy privacy constraints", KDD 2002.
#pragma once

#include "sfumato/loss/class_loss.hpp"

namespace sfumato {

class Classification final : public ClassLoss {
 public:
  explicit Classification(std::size_t target) : target_(target) {}

  std::optional<std::size_t> reads() const override { return target_; }

  Cost of(const Classes& classes, const Histogram* histogram, std::size_t c) const override {
    return classes.sizes[c] - histogram->largest(c);
  }
  std::optional<ClassForm> form() const override { return ClassForm{.minority = 1}; }
  Cost suppressed() const override { return 1; }

 private:
  std::size_t target_;
};

}  // namespace sfumato

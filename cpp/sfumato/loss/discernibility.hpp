// Discernibility: a record costs the size of its class, a suppressed one the size of the table.
// Bayardo, Agrawal, "Data privacy through optimal k-anonymization", ICDE 2005.
#pragma once

#include "sfumato/loss/class_loss.hpp"

namespace sfumato {

class Discernibility final : public ClassLoss {
 public:
  explicit Discernibility(std::int64_t records) : records_(records) {}

  Cost of(const Classes& classes, const Histogram*, std::size_t c) const override {
    return Cost{classes.sizes[c]} * classes.sizes[c];
  }
  std::optional<ClassForm> form() const override { return ClassForm{.square = 1}; }
  Cost suppressed() const override { return records_; }

 private:
  std::int64_t records_;
};

}  // namespace sfumato

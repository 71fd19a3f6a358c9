// Average class size: the fewer classes, the worse. As a sum: a published class costs its records but one, a suppressed
// record costs 1, so that the total is the number of records less the number of classes.
// LeFevre, DeWitt, Ramakrishnan, "Mondrian multidimensional k-anonymity", ICDE 2006.
#pragma once

#include "sfumato/loss/class_loss.hpp"

namespace sfumato {

class AverageClassSize final : public ClassLoss {
 public:
  Cost of(const Classes& classes, const Histogram*, std::size_t c) const override { return classes.sizes[c] - 1; }
  std::optional<ClassForm> form() const override { return ClassForm{.records = 1, .classes = -1}; }
  Cost suppressed() const override { return 1; }
};

}  // namespace sfumato

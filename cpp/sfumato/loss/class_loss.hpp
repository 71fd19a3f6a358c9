// A loss of classes: what a published class costs as a whole, and a price for every suppressed record.
#pragma once

#include <cstdint>
#include <optional>

#include "sfumato/cost.hpp"
#include "sfumato/summary.hpp"

namespace sfumato {

/// Splitting a class never costs more than leaving it whole, and no record of a class costs more than its price when it
/// is suppressed: so the classes at a node bound those at every node above it.
class ClassLoss {
 public:
  virtual ~ClassLoss() = default;

  /// The column of the tuples' sensitive ones whose histogram the loss reads, if it reads one.
  virtual std::optional<std::size_t> reads() const { return std::nullopt; }

  /// What class c costs if it is published.
  virtual Cost of(const Classes& classes, const Histogram* histogram, std::size_t c) const = 0;

  /// What one suppressed record costs.
  virtual Cost suppressed() const = 0;
};

}  // namespace sfumato

// A loss of classes: what a published class costs as a whole, and a price for every suppressed record.
#pragma once

#include <cstdint>
#include <optional>

#include "sfumato/cost.hpp"
#include "sfumato/summary.hpp"

namespace sfumato {

/// What a class of n records costs, where that is all there is to it: a sum of these, so many times each.
struct ClassForm {
  Cost square = 0;    // n²
  Cost records = 0;   // n
  Cost classes = 0;   // 1
  Cost minority = 0;  // n less the records of the most frequent value of what the loss reads

  ClassForm& operator+=(const ClassForm& other) {
    square += other.square, records += other.records, classes += other.classes, minority += other.minority;
    return *this;
  }
  ClassForm operator*(Cost factor) const {
    return {square * factor, records * factor, classes * factor, minority * factor};
  }
};

/// Splitting a class never costs more than leaving it whole, and no record of a class costs more than its price when it
/// is suppressed: so the classes at a node bound those at every node above it.
class ClassLoss {
 public:
  virtual ~ClassLoss() = default;

  /// The column of the tuples' sensitive ones whose histogram the loss reads, if it reads one.
  virtual std::optional<std::size_t> reads() const { return std::nullopt; }

  /// What class c costs if it is published.
  virtual Cost of(const Classes& classes, const Histogram* histogram, std::size_t c) const = 0;

  /// The same as a sum, if it is one: then searches need not ask class by class.
  virtual std::optional<ClassForm> form() const { return std::nullopt; }

  /// What one suppressed record costs.
  virtual Cost suppressed() const = 0;
};

}  // namespace sfumato

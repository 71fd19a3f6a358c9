// Ratings of (tau, l)-diversity: the least tau for a given l, and the largest l for a given tau, of each class.
// H. Tian, W. Zhang, "Extending l-diversity for better data anonymization", ITNG 2009, Definition 4, with the linear
// psi.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sfumato/privacy/induced.hpp"
#include "sfumato/privacy/rating.hpp"

namespace sfumato {

/// What both have in common: S(k), the induced counts of the k most frequent base values of a class, in units of 1/D.
class InducedRating : public Rating {
 public:
  /// node: what each value of the table stands for. A suppressed value may be any, like the root.
  InducedRating(std::size_t sensitive, InducedLimits values, std::vector<std::uint32_t> node)
      : sensitive_(sensitive),
        values_(std::make_shared<const InducedLimits>(std::move(values))),
        node_(std::make_shared<const std::vector<std::uint32_t>>(std::move(node))) {
    if (std::ranges::any_of(*node_, [&](std::uint32_t v) { return v >= values_->nodes(); }))
      throw std::invalid_argument("a value without a node");
  }

  std::optional<std::size_t> sensitive() const override { return sensitive_; }
  std::size_t values() const override { return node_->size(); }

  void rate(const Classes& classes, const Histogram* histogram, std::span<Rate> rate) const override {
    InducedClass state(*values_);
    std::vector<std::int64_t> counts;
    for (std::size_t c = 0; c < classes.count(); ++c) {
      state.clear();
      histogram->each(c, [&](std::uint32_t value, std::int64_t records) { state.add((*node_)[value], records); });
      if (const std::int64_t unknown = classes.sizes[c] - state.size(); unknown > 0) state.add(0, unknown);
      state.falling(counts);
      rate[c] = of(counts, classes.sizes[c]);
    }
  }

 protected:
  virtual Rate of(std::span<const std::int64_t> falling, std::int64_t size) const = 0;

  std::int64_t common() const { return values_->common(); }

 private:
  std::size_t sensitive_;
  std::shared_ptr<const InducedLimits> values_;
  std::shared_ptr<const std::vector<std::uint32_t>> node_;  // by value
};

/// The least tau for l: the largest (F(k) - r)/(1 - r), r = (k - 1)/(l - 1), of all k below l. In units of 1/(D scale)
/// per record, where scale is a multiple of 1, …, l - 1: S(k)(l - 1) - (k - 1) n D of l - k.
class LeastTauRating final : public InducedRating {
 public:
  LeastTauRating(std::size_t sensitive, InducedLimits values, std::vector<std::uint32_t> node, std::int64_t l,
                 std::int64_t scale)
      : InducedRating(sensitive, std::move(values), std::move(node)), l_(l), scale_(scale) {
    if (l < 2 || scale < 1 || scale > (std::int64_t{1} << 62) / common()) throw std::invalid_argument("l of 2 or more");
    for (std::int64_t k = 1; k < l; ++k)
      if (scale % (l - k) != 0) throw std::invalid_argument("a scale that all numbers below l divide");
  }

 private:
  Rate of(std::span<const std::int64_t> falling, std::int64_t size) const override {
    Cost sum = 0, least = 0;
    const Cost whole = static_cast<Cost>(common()) * size;
    for (std::int64_t k = 1; k < l_; ++k) {
      if (static_cast<std::size_t>(k) <= falling.size()) sum += falling[k - 1];
      least = std::max(least, (sum * (l_ - 1) - (k - 1) * whole) * (scale_ / (l_ - k)));
    }
    return {-least, size};
  }

  std::int64_t l_, scale_;
};

/// The largest l for tau = numerator/denominator: the least 1 + (k - 1)(1 - tau)/(F(k) - tau) of all k with F(k) > tau,
/// rounded down. None where the most frequent value has more than tau.
class LargestLRating final : public InducedRating {
 public:
  LargestLRating(std::size_t sensitive, InducedLimits values, std::vector<std::uint32_t> node, std::int64_t numerator,
                 std::int64_t denominator, std::int64_t most)
      : InducedRating(sensitive, std::move(values), std::move(node)),
        numerator_(numerator),
        denominator_(denominator),
        most_(most) {
    if (numerator < 1 || numerator > denominator || most < 2) throw std::invalid_argument("a share above 0");
  }

 private:
  Rate of(std::span<const std::int64_t> falling, std::int64_t size) const override {
    Cost sum = 0, largest = most_;
    const Cost whole = static_cast<Cost>(common()) * size;
    for (std::size_t k = 1; k <= falling.size(); ++k) {
      sum += falling[k - 1];
      const Cost above = denominator_ * sum - numerator_ * whole;
      if (above <= 0) continue;
      if (k == 1) return {0, 0};
      largest = std::min(largest, 1 + static_cast<Cost>(k - 1) * (denominator_ - numerator_) * whole / above);
    }
    return {largest, 1};
  }

  std::int64_t numerator_, denominator_, most_;
};

}  // namespace sfumato

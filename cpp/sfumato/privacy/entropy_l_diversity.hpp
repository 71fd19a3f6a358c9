// Entropy l-diversity: the entropy of a class's sensitive values is at least ln l.
// Machanavajjhala et al., "l-diversity: privacy beyond k-anonymity", TKDD 1(1), 2007.
#pragma once

#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "sfumato/natural.hpp"
#include "sfumato/privacy/model.hpp"

namespace sfumato {

class EntropyLDiversity final : public ClassModel {
 public:
  /// l = numerator/denominator.
  EntropyLDiversity(std::size_t sensitive, Cost numerator, Cost denominator)
      : sensitive_(sensitive),
        numerator_(numerator),
        denominator_(denominator),
        log_l_(std::log(
            static_cast<double>(static_cast<long double>(numerator) / static_cast<long double>(denominator)))) {
    if (denominator < 1 || numerator < denominator) throw std::invalid_argument("l is at least 1");
  }

  std::optional<std::size_t> sensitive() const override { return sensitive_; }

  void mark(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> violated) const override {
    std::vector<std::int64_t> counts;
    for (std::size_t c = 0; c < classes.count(); ++c) {
      if (violated[c]) continue;
      histogram->counts(c, counts);
      violated[c] |= !holds(classes.sizes[c], counts, error(counts.size()));
    }
  }

  /// A part with m values has an entropy of ln m at most.
  void limit(const Classes&, const Histogram* histogram, std::span<const std::uint8_t> violated,
             std::span<std::int64_t> publishable) const override {
    limit_each(violated, publishable, [&](std::size_t c) {
      const auto values = static_cast<Cost>(histogram->values(c));
      return values * denominator_ < numerator_ ? 0 : publishable[c];
    });
  }

  /// What logarithms may be wrong by. Every term and every partial sum is within 2^-50 of the truth, relative to n ln
  /// n.
  static double error(std::size_t counts) { return 0x1p-48 * static_cast<double>(counts + 4); }

  /// Σ n_s ln(n/n_s) >= n ln l. Logarithms decide unless both sides are within `error` of each other; then integers do.
  bool holds(std::int64_t size, std::span<const std::int64_t> counts, double error) const {
    if (size <= 0) return true;  // where nobody is, nothing is learnt
    const double n = static_cast<double>(size), log_n = std::log(n);
    double margin = -n * log_l_;
    for (const std::int64_t count : counts) {
      const double x = static_cast<double>(count);
      margin += x * (log_n - std::log(x));
    }
    if (std::abs(margin) > error * n * (log_n + log_l_)) return margin > 0;
    return holds_exactly(size, counts);
  }

 private:
  /// n^Σn_s · denominator^n >= numerator^n · Π n_s^n_s, all exponents divided by what they have in common. Beyond 4096
  /// the powers get too long, and the doubt counts as a violation (as in the definition).
  bool holds_exactly(std::int64_t size, std::span<const std::int64_t> counts) const {
    std::int64_t unit = size, total = 0;
    for (const std::int64_t count : counts) unit = std::gcd(unit, count), total += count;
    if (size / unit > 4096) return false;
    Natural ways, least;
    ways.multiply(static_cast<std::uint64_t>(size), total / unit);
    ways.multiply(denominator_, size / unit);
    least.multiply(numerator_, size / unit);
    for (const std::int64_t count : counts) least.multiply(static_cast<std::uint64_t>(count), count / unit);
    return least <= ways;
  }

  std::size_t sensitive_;
  Cost numerator_, denominator_;
  double log_l_;
};

}  // namespace sfumato

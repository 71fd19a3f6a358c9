// Recursive (c, l)-diversity: f_1 < c (f_l + … + f_m), the counts of a class sorted downwards.
// Machanavajjhala et al., "l-diversity: privacy beyond k-anonymity", TKDD 1(1), 2007.
#pragma once

#include <algorithm>
#include <functional>
#include <numeric>

#include "sfumato/privacy/model.hpp"
#include "sfumato/ratio.hpp"

namespace sfumato {

class RecursiveLDiversity final : public ClassModel {
 public:
  RecursiveLDiversity(std::size_t sensitive, Ratio c, std::size_t l) : sensitive_(sensitive), c_(c), l_(l) {}

  std::optional<std::size_t> sensitive() const override { return sensitive_; }

  void mark(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> violated) const override {
    std::vector<std::int64_t> counts;
    for (std::size_t c = 0; c < classes.count(); ++c) {
      counts.assign(histogram->count.begin() + static_cast<std::ptrdiff_t>(histogram->begin[c]),
                    histogram->count.begin() + static_cast<std::ptrdiff_t>(histogram->begin[c + 1]));
      violated[c] |= counts.size() < l_ || !holds(counts);
    }
  }

  /// One record of each of m values is the evenest part there is: 1 < c (m - l + 1).
  void mark_hopeless(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> hopeless) const override {
    for (std::size_t c = 0; c < classes.count(); ++c) {
      const std::size_t values = histogram->begin[c + 1] - histogram->begin[c];
      hopeless[c] |= values < l_ || !c_.exceeds(1, static_cast<std::int64_t>(values - l_ + 1));
    }
  }

 private:
  bool holds(std::vector<std::int64_t>& counts) const {
    const std::int64_t first = *std::max_element(counts.begin(), counts.end());
    const auto rest = counts.begin() + static_cast<std::ptrdiff_t>(l_ - 1);
    std::nth_element(counts.begin(), rest, counts.end(), std::greater<>());
    return c_.exceeds(first, std::accumulate(rest, counts.end(), std::int64_t{0}));
  }

  std::size_t sensitive_;
  Ratio c_;
  std::size_t l_;
};

}  // namespace sfumato

// What models of shares have in common: the largest count of a class, and a limit on the share of each value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sfumato/ratio.hpp"
#include "sfumato/summary.hpp"

namespace sfumato {

inline std::int64_t largest_count(const Histogram& histogram, std::size_t c) {
  std::int64_t largest = 0;
  for (std::size_t j = histogram.begin[c]; j < histogram.begin[c + 1]; ++j)
    largest = std::max(largest, histogram.count[j]);
  return largest;
}

/// Limits on the share of each value, by value.
class ShareLimits {
 public:
  explicit ShareLimits(std::vector<Ratio> limits) : limits_(std::move(limits)) {}

  /// Sets violated[c] for every class in which some value has more than its share.
  void mark(const Classes& classes, const Histogram& histogram, std::span<std::uint8_t> violated) const {
    for (std::size_t c = 0; c < classes.count(); ++c) {
      bool within = true;
      for (std::size_t j = histogram.begin[c]; within && j < histogram.begin[c + 1]; ++j)
        within = limits_[histogram.value[j]].admits(histogram.count[j], classes.sizes[c]);
      violated[c] |= !within;
    }
  }

  /// The shares of a part add up to 1, so the limits of the values that there are must reach it; and some value must be
  /// allowed to occur once in as many records as there are.
  void mark_hopeless(const Classes& classes, const Histogram& histogram, std::span<std::uint8_t> hopeless) const {
    for (std::size_t c = 0; c < classes.count(); ++c) {
      double together = 0;
      bool once = false;
      for (std::size_t j = histogram.begin[c]; j < histogram.begin[c + 1]; ++j) {
        together += limits_[histogram.value[j]].about();
        once |= limits_[histogram.value[j]].admits(1, classes.sizes[c]);
      }
      hopeless[c] |= !once || together < 1 - 1e-9;
    }
  }

 private:
  std::vector<Ratio> limits_;
};

}  // namespace sfumato

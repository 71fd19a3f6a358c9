// What models of shares have in common: the largest count of a class, and a limit on the share of each value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sfumato/ratio.hpp"
#include "sfumato/privacy/model.hpp"

namespace sfumato {

inline std::int64_t largest_count(const Histogram& histogram, std::size_t c) {
  std::int64_t largest = 0;
  for (std::size_t j = histogram.begin[c]; j < histogram.begin[c + 1]; ++j)
    largest = std::max(largest, histogram.count[j]);
  return largest;
}

/// A limit on the share of each value, by value.
class ShareLimits : public ClassModel {
 public:
  ShareLimits(std::size_t sensitive, std::vector<Ratio> limits) : sensitive_(sensitive), limits_(std::move(limits)) {}

  std::optional<std::size_t> sensitive() const override { return sensitive_; }
  const std::vector<Ratio>* share_limits() const override { return &limits_; }

  void mark(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> violated) const override {
    for (std::size_t c = 0; c < classes.count(); ++c) {
      bool within = true;
      for (std::size_t j = histogram->begin[c]; within && j < histogram->begin[c + 1]; ++j)
        within = limits_[histogram->value[j]].admits(histogram->count[j], classes.sizes[c]);
      violated[c] |= !within;
    }
  }

  /// A value that may not occur once in as many records as the class has occurs in no part of it; the shares of the
  /// others add up to 1, so their limits must reach it.
  void mark_hopeless(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> hopeless) const override {
    for (std::size_t c = 0; c < classes.count(); ++c) {
      double together = 0;
      for (std::size_t j = histogram->begin[c]; j < histogram->begin[c + 1]; ++j) {
        const Ratio& limit = limits_[histogram->value[j]];
        if (limit.admits(1, classes.sizes[c])) together += limit.about();
      }
      hopeless[c] |= together < 1 - 1e-9;
    }
  }

 private:
  std::size_t sensitive_;
  std::vector<Ratio> limits_;
};

}  // namespace sfumato

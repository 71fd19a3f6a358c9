// What models of shares have in common: how much of a class keeps to its shares, and a limit on the share of each
// value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sfumato/privacy/model.hpp"
#include "sfumato/ratio.hpp"

namespace sfumato {

/// The most records of a class in which every value keeps to its share. A part of N records has at most
/// within(N) = Σ min(n_s, ⌊limit_s N⌋) of them: as long as that is less than N, N is too large. Stopping early leaves
/// it so.
template <class Within>
std::int64_t shrunk(std::int64_t size, Within within) {
  std::int64_t most = size;
  for (int round = 0; round < 32 && most > 0; ++round) {
    const std::int64_t fewer = within(most);
    if (fewer >= most) break;
    most = fewer;
  }
  return most;
}

/// The same with a function of N that gives one of values: ⌊limit_s N⌋.
template <class FloorOf>
std::int64_t most_within(std::int64_t size, const Histogram& histogram, std::size_t c, FloorOf floors_at) {
  return shrunk(size, [&](std::int64_t most) {
    const auto floor_of = floors_at(most);
    std::int64_t within = 0;
    histogram.each(c, [&](std::uint32_t value, std::int64_t records) {
      within += static_cast<std::int64_t>(std::min<Cost>(records, floor_of(value)));
    });
    return within;
  });
}

/// The same with one limit for all values.
inline std::int64_t most_within(std::int64_t size, const Histogram& histogram, std::size_t c, const Ratio& limit) {
  return shrunk(size, [&](std::int64_t most) {
    return histogram.capped(c, static_cast<std::int64_t>(std::min<Cost>(limit.floor(most), most)));
  });
}

/// The same with a limit by value.
inline std::int64_t most_within(std::int64_t size, const Histogram& histogram, std::size_t c,
                                const std::vector<Ratio>& limits) {
  return most_within(size, histogram, c, [&](std::int64_t most) {
    return [&limits, most](std::uint32_t value) { return limits[value].floor(most); };
  });
}

/// A limit on the share of each value, by value.
class ShareLimits : public ClassModel {
 public:
  ShareLimits(std::size_t sensitive, std::vector<Ratio> limits) : sensitive_(sensitive), limits_(std::move(limits)) {}

  std::optional<std::size_t> sensitive() const override { return sensitive_; }
  std::size_t values() const override { return limits_.size(); }
  const std::vector<Ratio>* share_limits() const override { return &limits_; }

  void mark(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> violated) const override {
    for (std::size_t c = 0; c < classes.count(); ++c) {
      bool within = true;
      histogram->each(c, [&](std::uint32_t value, std::int64_t records) {
        within = within && limits_[value].admits(records, classes.sizes[c]);
      });
      violated[c] |= !within;
    }
  }

  /// A value that may not occur once in as many records as the class has occurs in no part of it; the shares of the
  /// others add up to 1, so their limits must reach it.
  void limit(const Classes& classes, const Histogram* histogram, std::span<const std::uint8_t> violated,
             std::span<std::int64_t> publishable) const override {
    limit_each(violated, publishable, [&](std::size_t c) -> std::int64_t {
      double together = 0;
      histogram->each(c, [&](std::uint32_t value, std::int64_t) {
        const Ratio& limit = limits_[value];
        if (limit.admits(1, classes.sizes[c])) together += limit.about();
      });
      if (together < 1 - 1e-9) return 0;
      return most_within(classes.sizes[c], *histogram, c, limits_);
    });
  }

 private:
  std::size_t sensitive_;
  std::vector<Ratio> limits_;
};

}  // namespace sfumato

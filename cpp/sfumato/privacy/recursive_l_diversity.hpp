// Recursive (c, l)-diversity: f_1 < c (f_l + … + f_m), the counts of a class sorted downwards.
// Machanavajjhala et al., "l-diversity: privacy beyond k-anonymity", TKDD 1(1), 2007.
#pragma once

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>

#include "sfumato/privacy/model.hpp"
#include "sfumato/ratio.hpp"

namespace sfumato {

class RecursiveLDiversity final : public ClassModel {
 public:
  RecursiveLDiversity(std::size_t sensitive, Ratio c, std::size_t l) : sensitive_(sensitive), c_(c), l_(l) {
    if (l < 1) throw std::invalid_argument("l is at least 1");
  }

  std::optional<std::size_t> sensitive() const override { return sensitive_; }

  void mark(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> violated) const override {
    std::vector<std::int64_t> counts;
    for (std::size_t c = 0; c < classes.count(); ++c) {
      const std::int64_t last = rare(*histogram, c, counts);
      violated[c] |= counts.size() < l_ || !c_.exceeds(*std::max_element(counts.begin(), counts.end()), last);
    }
  }

  /// One record of each of m values is the evenest part there is: 1 < c (m - l + 1). And no value of a part has more
  /// records than c times what the rarest m - l + 1 of the whole class have.
  void limit(const Classes&, const Histogram* histogram, std::span<const std::uint8_t> violated,
             std::span<std::int64_t> publishable) const override {
    std::vector<std::int64_t> counts;
    limit_each(violated, publishable, [&](std::size_t c) -> std::int64_t {
      const std::size_t values = histogram->values(c);
      if (values < l_ || !c_.exceeds(1, static_cast<std::int64_t>(values - l_ + 1))) return 0;
      const Cost most = c_.floor(rare(*histogram, c, counts));
      Cost together = 0;
      for (const std::int64_t count : counts) together += std::min<Cost>(count, most);
      return static_cast<std::int64_t>(together);
    });
  }

 private:
  /// Lists the counts of a class, and adds up f_l + … + f_m.
  std::int64_t rare(const Histogram& histogram, std::size_t c, std::vector<std::int64_t>& counts) const {
    histogram.counts(c, counts);
    if (counts.size() < l_) return 0;
    const auto rest = counts.begin() + static_cast<std::ptrdiff_t>(l_ - 1);
    std::nth_element(counts.begin(), rest, counts.end(), std::greater<>());
    return std::accumulate(rest, counts.end(), std::int64_t{0});
  }

  std::size_t sensitive_;
  Ratio c_;
  std::size_t l_;
};

}  // namespace sfumato

// What partitions of boxes cost in multiples of their bounds, as observed on the way: guesses, and no bounds.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "sfumato/algorithms/boxes/records.hpp"

namespace sfumato::boxes {

/// By the number of classes there may be, and by the records that are over, in sixteenths of a class: n² shared by q
/// classes looks cheap where hardly a record is over, and just there no split wastes as little.
template <class Int, class Lane>
class CostRatios {
 public:
  explicit CostRatios(const Records<Int, Lane>& records) : records_(records) {}

  /// What a partition costs, and whether a search has proved it to be the cheapest.
  void learn(const RecordSums<Int>& sums, Int cost, bool searched) {
    const Int bound = records_.bound(sums);
    if (records_.most_classes(sums) < 2 || bound <= 0 || bound >= impossible<Int>) return;
    for (auto* means : {&seen_, &searched_}) {
      if (means == &searched_ && !searched) continue;
      Mean& mean = (*means)[place(sums)];
      mean.sum += static_cast<double>(cost) / static_cast<double>(bound);
      if (++mean.count > 100)
        mean.sum /= 2, mean.count /= 2;  // what was observed with less effort counts less and less
    }
  }

  /// What a partition may be expected to cost.
  double expected(const RecordSums<Int>& sums, Int lower) const {
    if (records_.most_classes(sums) < 2) return static_cast<double>(lower);
    const Mean& mean = seen_[place(sums)];
    return std::max(static_cast<double>(lower),
                    static_cast<double>(records_.bound(sums)) * (mean.sum + 1.1) / (mean.count + 1));
  }

  /// From now on guesses lie at this share of the way from the bound to what was observed: at 0 they are bounds.
  void fix(double share) {
    for (std::size_t at = 0; at < guesses_.size(); ++at) {
      const Mean& mean = searched_[at];
      const double classes = static_cast<double>(
          at / parts < exact ? at / parts : (exact + at / parts % 4 * exact / 4) << (at / parts - exact) / 4);
      // Where little was observed: partitions have about one class less than the bound has.
      const double ratio = mean.count >= 3 ? mean.sum / mean.count : 1 + 1.1 / std::max(classes, 1.0);
      guesses_[at] = 1 + share * (ratio - 1);
    }
  }

  Int guess(const RecordSums<Int>& sums, Int bound) const {
    const double guessed = static_cast<double>(bound) * std::max(1.0, guesses_[place(sums)]);
    return static_cast<Int>(std::min(guessed, static_cast<double>(impossible<Int>)));  // ratios have no limit
  }

 private:
  struct Mean {
    double sum = 0, count = 0;
  };
  static constexpr std::size_t parts = 16, exact = 8, rows = 64;

  /// Up to `exact` classes each for itself; then four rows for every doubling.
  std::size_t place(const RecordSums<Int>& sums) const {
    const auto classes = static_cast<std::size_t>(records_.most_classes(sums));
    std::size_t row = classes;
    if (classes >= exact) {
      const auto doublings = static_cast<std::size_t>(std::bit_width(classes / exact)) - 1;
      row = std::min(rows - 1, exact + 4 * doublings + (classes >> doublings) % exact / 2);
    }
    const auto least = static_cast<std::int64_t>(Records<Int, Lane>::least_of(records_.problem()));
    return row * parts + static_cast<std::size_t>(sums.small % least * static_cast<std::int64_t>(parts) / least);
  }

  const Records<Int, Lane>& records_;
  std::array<Mean, rows * parts> seen_{}, searched_{};
  std::array<double, rows * parts> guesses_{};
};

}  // namespace sfumato::boxes

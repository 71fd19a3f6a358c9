// The points of a node where only class sizes are rated: k-anonymity, with losses that are sums over classes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "sfumato/groups.hpp"
#include "sfumato/loss/loss.hpp"

namespace sfumato::fronts {

SFUMATO_WIDE inline std::uint64_t sum_of_squares(const std::uint32_t* __restrict size, std::size_t n) {
  std::uint64_t sum = 0;
  for (std::size_t c = 0; c < n; ++c) sum += std::uint64_t{size[c]} * size[c];
  return sum;
}

SFUMATO_WIDE inline std::uint64_t sum_of_minorities(const std::uint32_t* __restrict size,
                                                    const std::uint32_t* __restrict label, std::size_t n) {
  std::uint64_t sum = 0;
  for (std::size_t c = 0; c < n; ++c) sum += std::min(label[c], size[c] - label[c]);
  return sum;
}

/// Sums of counts that stand 1, 2 or 4 places apart, in blocks of twice that.
SFUMATO_WIDE inline void add_neighbours(const std::uint32_t* __restrict counts, std::uint32_t* __restrict sums,
                                        std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) sums[i] = counts[2 * i] + counts[2 * i + 1];
}

SFUMATO_WIDE inline void add_second_neighbours(const std::uint32_t* __restrict counts, std::uint32_t* __restrict sums,
                                               std::size_t blocks) {
  for (std::size_t i = 0; i < blocks; ++i)
    for (std::size_t j = 0; j < 2; ++j) sums[2 * i + j] = counts[4 * i + j] + counts[4 * i + 2 + j];
}

SFUMATO_WIDE inline void add_fourth_neighbours(const std::uint32_t* __restrict counts, std::uint32_t* __restrict sums,
                                               std::size_t blocks) {
  for (std::size_t i = 0; i < blocks; ++i)
    for (std::size_t j = 0; j < 4; ++j) sums[4 * i + j] = counts[8 * i + j] + counts[8 * i + 4 + j];
}

SFUMATO_WIDE inline std::size_t count_of_zeros(const std::uint32_t* __restrict size, std::size_t n) {
  std::size_t zeros = 0;
  for (std::size_t c = 0; c < n; ++c) zeros += size[c] == 0;
  return zeros;
}

/// How many classes have the sizes t, t + 1, t + 2 and t + 3.
SFUMATO_WIDE inline void count_four(const std::uint32_t* __restrict size, std::size_t n, std::uint32_t t,
                                    std::uint32_t* __restrict counts) {
  std::uint32_t one = 0, two = 0, three = 0, four = 0;
  for (std::size_t c = 0; c < n; ++c) {
    one += size[c] == t;
    two += size[c] == t + 1;
    three += size[c] == t + 2;
    four += size[c] == t + 3;
  }
  counts[0] = one, counts[1] = two, counts[2] = three, counts[3] = four;
}

/// The loss of classes as one sum, and the column of two labels that it reads; none if it is no such sum.
struct SizeLoss {
  ClassForm form;
  std::optional<std::size_t> labels;

  static std::optional<SizeLoss> of(const Loss& loss, const Frequencies& frequencies) {
    SizeLoss sum;
    for (const auto& [part, factor] : loss.of_classes()) {
      const auto form = part->form();
      if (!form) return std::nullopt;
      sum.form += *form * factor;
      if (!part->reads()) continue;
      if (sum.labels.value_or(*part->reads()) != *part->reads() || frequencies.sensitive()[*part->reads()].values > 2)
        return std::nullopt;
      sum.labels = part->reads();
    }
    return sum;
  }
};

/// Sizes that occur, in increasing order and without empty classes, as long as all smaller classes can be suppressed
/// within the limit.
class SizeSteps {
 public:
  struct Step {
    std::int64_t size;
    std::int64_t classes;  // of this size; right for all steps but the last
    std::int64_t below;    // records in smaller classes
  };

  explicit SizeSteps(std::int64_t limit)
      : limit_(limit), bins_(static_cast<std::size_t>(std::min<std::int64_t>(limit, most_bins)) + 2) {}

  /// Where classes are small there are many, and the limit is reached at once: the first sizes are counted without a
  /// table.
  const std::vector<Step>& of(std::span<const std::uint32_t> sizes) {
    steps_.clear();
    below_ = 0;
    std::uint32_t t = 1;
    for (; t <= 8; t += 4) {
      std::array<std::uint32_t, 4> counts;
      count_four(sizes.data(), sizes.size(), t, counts.data());
      for (std::uint32_t j = 0; j < 4; ++j)
        if (!add(t + j, counts[j])) return steps_;
    }
    std::ranges::fill(bins_, 0u);
    const auto last = static_cast<std::uint32_t>(bins_.size() - 1);
    for (const std::uint32_t size : sizes) ++bins_[std::min(size, last)];
    for (; t < last; ++t)
      if (!add(t, bins_[t])) return steps_;
    large_.clear();
    for (const std::uint32_t size : sizes)
      if (size >= std::max(last, t)) large_.push_back(size);
    std::ranges::make_heap(large_, std::greater<>());
    while (!large_.empty()) {
      const std::uint32_t size = large_.front();
      std::int64_t classes = 0;
      for (; !large_.empty() && large_.front() == size; ++classes) {
        std::ranges::pop_heap(large_, std::greater<>());
        large_.pop_back();
      }
      if (!add(size, classes)) break;
    }
    return steps_;
  }

 private:
  static constexpr std::int64_t most_bins = 1024;

  /// False when no larger size can be attained.
  bool add(std::int64_t size, std::int64_t classes) {
    if (classes == 0) return true;
    steps_.push_back({size, classes, below_});
    below_ += size * classes;
    return below_ <= limit_;
  }

  std::int64_t limit_, below_ = 0;
  std::vector<std::uint32_t> bins_, large_;
  std::vector<Step> steps_;
};

}  // namespace sfumato::fronts

// The order of level vectors: those that retain more information first, then the deeper in the more important
// attribute. H. Tian, W. Zhang, "Extending l-diversity for better data anonymization", ITNG 2009, Definition 6.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "sfumato/narrow.hpp"

namespace sfumato::sweep {

/// Information is a sum of numbers of any length, written in digits of 32 bits, so that ties are ties.
class LevelOrder {
 public:
  /// digits[attribute][depth]: what a value at that depth retains, all with the same number of digits, highest first.
  explicit LevelOrder(const std::vector<std::vector<std::vector<std::uint32_t>>>& digits) : attributes_(digits.size()) {
    std::size_t count = 1;
    for (const auto& depths : digits) {
      require_at_most(depths.size(), std::uint64_t{1} << 16, too_many_levels);
      require_at_most(count, most_combinations / std::max<std::size_t>(depths.size(), 1),
                      "There are more than 2,147,483,647 combinations of levels to go through; drop levels.");
      count *= depths.size();
    }
    const std::size_t length = digits.empty() ? 0 : digits[0][0].size() + 1;  // and one for the carry
    std::vector<std::uint16_t> depth(count * attributes_);
    std::vector<std::uint64_t> sum(count * length, 0);
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t rest = i;  // counted downwards, so that equal sums are in the right order already
      for (std::size_t a = attributes_; a-- > 0; rest /= digits[a].size()) {
        const std::size_t at = digits[a].size() - 1 - rest % digits[a].size();
        depth[i * attributes_ + a] = static_cast<std::uint16_t>(at);  // less than 2^16: see above
        for (std::size_t j = 1; j < length; ++j) sum[i * length + j] += digits[a][at][j - 1];
      }
      for (std::size_t j = length; j-- > 1;) {
        sum[i * length + j - 1] += sum[i * length + j] >> 32;
        sum[i * length + j] &= 0xffffffffu;
      }
    }
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    const auto digits_of = [&](std::uint32_t i) { return std::span(sum).subspan(i * length, length); };
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
      return std::ranges::lexicographical_compare(digits_of(j), digits_of(i));
    });
    depths_.reserve(depth.size());
    for (const std::uint32_t i : order)
      for (std::size_t a = 0; a < attributes_; ++a) depths_.push_back(depth[i * attributes_ + a]);
    size_ = count;
  }

  std::size_t size() const { return size_; }
  std::span<const std::uint16_t> operator[](std::size_t item) const {
    return std::span(depths_).subspan(item * attributes_, attributes_);
  }
  const std::vector<std::uint16_t>& depths() const { return depths_; }

 private:
  std::size_t attributes_, size_ = 0;
  std::vector<std::uint16_t> depths_;
};

}  // namespace sfumato::sweep

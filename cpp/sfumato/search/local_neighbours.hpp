// The items nearest to an item: those with which it can be published at the least cost.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sfumato/search/local_space.hpp"

namespace sfumato {

/// Found when first asked for, among at most `window` items around it in the order of items.
class LocalNeighbours {
 public:
  static constexpr std::size_t most = 32, window = std::size_t{1} << 15;

  explicit LocalNeighbours(const LocalSpace& space) : space_(space), known_(space.items()), distance_(std::min(space.items(), window)) {}

  /// The nearest first, without the item itself.
  std::span<const std::uint32_t> of(std::uint32_t item) {
    auto& known = known_[item];
    if (known.empty() && space_.items() > 1) find(item, known);
    return known;
  }

 private:
  void find(std::uint32_t item, std::vector<std::uint32_t>& known) {
    const std::size_t n = space_.items(), size = distance_.size();
    const std::size_t begin = std::min(item > size / 2 ? item - size / 2 : 0, n - size);
    std::ranges::fill(distance_, 0.0f);
    for (std::size_t a = 0; a < space_.attributes(); ++a) {
      const std::uint32_t leaf = space_.leaf(a, item);
      row_.resize(space_.nodes(a));
      std::uint32_t v = leaf;  // the nodes of a tree are in depth-first order, so this goes up at most once along the path
      std::fill(row_.begin(), row_.end(), static_cast<float>(space_.cost(a, 0)));
      std::vector<std::uint32_t> path{v};
      while (v != 0) path.push_back(v = space_.parent(a, v));
      for (auto w = path.rbegin(); w != path.rend(); ++w)
        std::fill(row_.begin() + *w, row_.begin() + space_.end(a, *w), static_cast<float>(space_.cost(a, *w)));
      const std::uint32_t* code = space_.problem().leaf[a].data() + begin;
      for (std::size_t j = 0; j < size; ++j) distance_[j] += row_[code[j]];
    }
    order_.clear();
    float limit = 0;
    // The nearest `most`, by a threshold from a sample and a selection among those below it.
    sample_.clear();
    const std::size_t stride = std::max<std::size_t>(1, size / 256);
    for (std::size_t j = 0; j < size; j += stride) sample_.push_back(distance_[j]);
    std::ranges::sort(sample_);
    std::size_t rank = std::min(sample_.size() - 1, 2 * (most + 1) * sample_.size() / size + 2);
    do {
      limit = sample_[rank];
      order_.clear();
      for (std::size_t j = 0; j < size; ++j)
        if (distance_[j] <= limit && begin + j != item) order_.push_back(static_cast<std::uint32_t>(begin + j));
      if (rank + 1 == sample_.size()) break;
      rank = std::min(sample_.size() - 1, 2 * rank + 1);
    } while (order_.size() < most);
    const auto nearer = [&](std::uint32_t one, std::uint32_t two) {
      return std::pair(distance_[one - begin], one) < std::pair(distance_[two - begin], two);
    };
    const std::size_t taken = std::min(most, order_.size());
    std::partial_sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(taken), order_.end(), nearer);
    known.assign(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(taken));
  }

  const LocalSpace& space_;
  std::vector<std::vector<std::uint32_t>> known_;
  std::vector<float> distance_, row_, sample_;
  std::vector<std::uint32_t> order_;
};

}  // namespace sfumato

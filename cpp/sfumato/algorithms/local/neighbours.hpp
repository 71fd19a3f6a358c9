// The items nearest to an item: those with which it can be published at the least cost.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sfumato/algorithms/local/space.hpp"

namespace sfumato::local {

/// Searched when they are first needed, among at most `window` items around it in the order of items.
class Neighbours {
 public:
  static constexpr std::size_t most = 32, window = std::size_t{1} << 15;

  explicit Neighbours(const Space& space)
      : space_(space), nearest_(space.items()), distance_(std::min(space.items(), window)) {
    for (std::size_t a = 0; a < space.attributes(); ++a) {
      if (packs_.empty() || packs_.back().room * space.places(a) > widest_)
        packs_.push_back({1, {}, std::vector<std::uint32_t>(space.items(), 0)});
      Pack& pack = packs_.back();
      for (std::uint32_t i = 0; i < space.items(); ++i)
        pack.code[i] += static_cast<std::uint32_t>(pack.room) * space.place(a, space.leaf(a, i));
      pack.attributes.push_back(a);
      pack.room *= space.places(a);
    }
  }

  /// The nearest first, without the item itself.
  std::span<const std::uint32_t> of(std::uint32_t item) {
    auto& nearest = nearest_[item];
    if (nearest.empty() && space_.items() > 1) find(item, nearest);
    return nearest;
  }

 private:
  /// Some attributes whose values are looked up together.
  struct Pack {
    std::size_t room;
    std::vector<std::size_t> attributes;
    std::vector<std::uint32_t> code;  // by item
  };

  /// Adds what each place of one more attribute costs together with a leaf.
  void extend(std::size_t a, std::uint32_t leaf) {
    row_.assign(space_.places(a), static_cast<float>(space_.cost(a, space_.top(a))));
    space_.ordered(a) ? fill_order(a, leaf) : fill_tree(a, leaf);
    const std::size_t before = table_.size();
    table_.resize(before * row_.size());
    for (std::size_t v = row_.size(); v-- > 0;)
      for (std::size_t i = 0; i < before; ++i) table_[v * before + i] = table_[i] + row_[v];
  }

  void fill_tree(std::size_t a, std::uint32_t leaf) {
    path_.assign(1, leaf);
    while (path_.back() != 0) path_.push_back(space_.parent(a, path_.back()));
    for (auto v = path_.rbegin(); v != path_.rend(); ++v)
      std::fill(row_.begin() + *v, row_.begin() + space_.end(a, *v), static_cast<float>(space_.cost(a, *v)));
  }

  void fill_order(std::size_t a, std::uint32_t leaf) {
    for (std::uint32_t cell = 0; cell < row_.size(); ++cell)
      row_[cell] = static_cast<float>(space_.cost(a, space_.join(a, leaf, cell << 16 | cell)));
  }

  void find(std::uint32_t item, std::vector<std::uint32_t>& nearest) {
    const std::size_t n = space_.items(), size = distance_.size();
    const std::size_t begin = std::min(item > size / 2 ? item - size / 2 : 0, n - size);
    std::ranges::fill(distance_, 0.0f);
    for (const Pack& pack : packs_) {
      table_.assign(1, 0.0f);
      for (const std::size_t a : pack.attributes) extend(a, space_.leaf(a, item));
      const std::uint32_t* code = pack.code.data() + begin;
      for (std::size_t j = 0; j < size; ++j) distance_[j] += table_[code[j]];
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
    nearest.assign(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(taken));
  }

  const Space& space_;
  std::vector<std::vector<std::uint32_t>> nearest_;
  static constexpr std::size_t widest_ = 4096;
  std::vector<Pack> packs_;
  std::vector<float> distance_, row_, table_, sample_;
  std::vector<std::uint32_t> order_, path_;
};

}  // namespace sfumato::local

// The open values of a cut under construction, in the order in which they are decided.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "sfumato/algorithms/cuts/problem.hpp"
#include "sfumato/algorithms/cuts/tree.hpp"

namespace sfumato::cuts {

/// Values of many records that carry much information come first: whatever is decided, bounds rise. (The paper takes
/// those of most records. By both together, a quarter fewer cuts are looked at than by one of them alone.)
class OpenValues {
 public:
  OpenValues(const Problem& problem, const Tree& tree)
      : open_((tree.size() + 63) / 64), rank_(tree.size()), by_rank_(tree.size()) {
    std::vector<double> worth(tree.size());
    for (std::uint32_t v = 0; v < worth.size(); ++v)
      worth[v] = static_cast<double>(tree[v].records) * (problem.bounds == Bounds::strong ? tree.information(v) : 1);
    std::iota(by_rank_.begin(), by_rank_.end(), 0u);
    std::ranges::stable_sort(by_rank_, [&](std::uint32_t v, std::uint32_t w) { return worth[v] > worth[w]; });
    if (problem.order == Order::ascending) std::ranges::reverse(by_rank_);
    for (std::uint32_t r = 0; r < by_rank_.size(); ++r) rank_[by_rank_[r]] = r;
  }

  bool has(std::uint32_t v) const { return (open_[rank_[v] / 64] >> rank_[v] % 64 & 1) != 0; }
  void add(std::uint32_t v) { open_[rank_[v] / 64] |= std::uint64_t{1} << rank_[v] % 64; }
  void remove(std::uint32_t v) { open_[rank_[v] / 64] &= ~(std::uint64_t{1} << rank_[v] % 64); }

  /// The value to be decided next, or none.
  std::uint32_t next() const {
    for (std::size_t word = 0; word < open_.size(); ++word)
      if (open_[word] != 0) return by_rank_[word * 64 + static_cast<std::size_t>(std::countr_zero(open_[word]))];
    return Tree::none;
  }

 private:
  std::vector<std::uint64_t> open_;  // a bit for each value, by rank
  std::vector<std::uint32_t> rank_, by_rank_;
};

}  // namespace sfumato::cuts

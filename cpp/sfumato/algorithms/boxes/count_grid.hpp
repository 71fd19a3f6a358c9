// What lies in the boxes of a space, counted on the way, so that it is never kept for all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sfumato/algorithms/boxes/space.hpp"

namespace sfumato::boxes {

/// For each of the outer axes, what lies in its block and those before it, by step of the axes that follow; `width`
/// numbers for each of them.
template <class Int, class Number>
class CountGrid {
 public:
  using Space = boxes::Space<Int>;
  using Numbers = std::vector<Number>;

  CountGrid(const Space& space, std::size_t width)
      : space_(&space), width_(width), levels_(space.outer() + 1), row_(space.row() * width) {}

  /// Numbers up to each step of an axis: a block is the difference of two.
  void add_up(Numbers& numbers, std::size_t a) const {
    const std::size_t inner = space_->cells(a + 1) * width_;
    for (std::size_t i = inner; i < numbers.size(); ++i) numbers[i] += numbers[i - inner];
  }
  void add_up(std::size_t a) { add_up(levels_[a], a); }

  /// A block of an axis, within those that were entered on the axes before.
  void enter(std::size_t a, std::uint32_t digit) { enter(levels_[a], a, digit); }
  void enter(const Numbers& numbers, std::size_t a, std::uint32_t digit) {
    const auto& block = space_->blocks(a)[digit];
    const std::size_t inner = space_->cells(a + 1) * width_;
    const auto at = [&](std::uint32_t step) { return numbers.begin() + static_cast<std::ptrdiff_t>(step * inner); };
    Numbers& below = levels_[a + 1];
    below.assign(at(block.last), at(block.last) + static_cast<std::ptrdiff_t>(inner));
    if (block.first > 0)
      for (std::size_t i = 0; i < inner; ++i) below[i] -= numbers[(block.first - 1) * inner + i];
  }
  /// Everything, where all axes are of the row.
  void enter(const Numbers& numbers) { levels_[0] = numbers; }

  /// The boxes of the row within the blocks that were entered.
  void count_row() {
    row_.assign(row_.size(), 0);
    place(space_->outer(), 0, 0);
    count_along(space_->outer(), 0);
  }
  const Number* of(std::size_t box) const { return row_.data() + box * width_; }
  std::size_t width() const { return width_; }

 private:
  /// What lies in single steps.
  void place(std::size_t a, std::size_t cell, std::size_t at) {
    if (a >= space_->divided()) {
      const Number* from = levels_[space_->outer()].data() + cell * width_;
      for (std::size_t i = 0; i < width_; ++i) row_[at * width_ + i] = from[i];
      return;
    }
    const auto& digit = space_->digits_of_steps(a);
    for (std::size_t s = 0; s < digit.size(); ++s)
      place(a + 1, cell + s * space_->cells(a + 1), at + digit[s] * space_->stride(a));
  }

  /// Blocks along an axis of the row, by their parts; along the axes that follow first.
  void count_along(std::size_t a, std::size_t at) {
    if (a >= space_->divided()) return;
    const std::size_t stride = space_->stride(a);
    for (std::uint32_t d = 0; d < space_->blocks(a).size(); ++d) {
      bool whole = true;
      space_->blocks(a).first_split(d, [&](const auto& parts) {
        Number* const here = row_.data() + (at + d * stride) * width_;
        for (const std::uint32_t part : parts) {
          const Number* from = row_.data() + (at + part * stride) * width_;
          for (std::size_t i = 0; i < stride * width_; ++i) here[i] += from[i];
        }
        whole = false;
      });
      if (whole) count_along(a + 1, at + d * stride);
    }
  }

  const Space* space_;
  std::size_t width_;
  std::vector<Numbers> levels_;
  Numbers row_;
};

}  // namespace sfumato::boxes

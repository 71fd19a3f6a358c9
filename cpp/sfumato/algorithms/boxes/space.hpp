// All boxes of a space, or those between some of its cuts, numbered so that parts come before what they are parts of.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "sfumato/algorithms/boxes/blocks.hpp"
#include "sfumato/algorithms/boxes/problem.hpp"

namespace sfumato::boxes {

/// Part of a space: the cells of a box, and some cuts. The cells between two cuts are a step.
struct Cuts {
  std::vector<std::uint32_t> low, high;  // by axis; all cells where empty
  std::vector<std::vector<std::uint8_t>>
      at;  // by cell, whether a cut may follow it; by node, whether it may be split; else all

  std::uint32_t from(std::size_t a) const { return low.empty() ? 0 : low[a]; }
  std::uint32_t to(const Problem& problem, std::size_t a) const {
    return high.empty() ? problem.axes[a].cells - 1 : high[a];
  }
  bool may(std::size_t a, std::uint32_t place) const { return at.empty() || at[a][place] != 0; }
};

/// A box's number has its blocks as digits, the last axis the fastest, so parts have lower numbers. Axes of many blocks
/// come first. Boxes that differ in the last few axes alone are a row.
template <class Int>
class Space {
 public:
  using Block = boxes::Block<Int>;
  using Blocks = boxes::Blocks<Int>;

  /// Rows are to have so many boxes at least, if there are as many.
  Space(const Problem& problem, const Cuts& cuts, std::size_t enough) : problem_(problem) {
    std::vector<std::pair<std::size_t, std::size_t>> sizes;
    for (std::size_t a = 0; a < problem.axes.size(); ++a) sizes.emplace_back(blocks(problem, a, cuts), a);
    std::ranges::sort(sizes, std::greater{});
    for (const auto& [size, a] : sizes) {
      axis_.push_back(a);
      blocks_.push_back(problem.axes[a].tree ? blocks_of_tree(a, cuts) : blocks_of_order(a, cuts));
      step_.push_back(to_steps(blocks_.back(), problem.axes[a].cells));
      divided_ += blocks_.back().size() > 1;
    }
    strides_.assign(axes(), 1), cells_.assign(axes() + 1, 1);
    for (std::size_t a = axes(); a-- > 0;) {
      if (a + 1 < axes()) strides_[a] = strides_[a + 1] * blocks_[a + 1].size();
      cells_[a] = cells_[a + 1] * steps(a);
    }
    for (outer_ = axes(); outer_ > 0 && row_ < enough;) row_ *= blocks_[--outer_].size();
    for (std::size_t a = outer_; a < axes(); ++a) {
      // Blocks of an axis are fewer than 2^32: see DenseSize::fits.
      auto& digit = digit_of_step_.emplace_back(steps(a));
      for (std::uint32_t d = 0; d < blocks_[a].size(); ++d)
        if (blocks_[a][d].first == blocks_[a][d].last) digit[blocks_[a][d].first] = d;
    }
  }

  /// How many there are, or 2^62 if there are more.
  static std::uint64_t boxes(const Problem& problem, const Cuts& cuts = {}) {
    return boxes(block_counts(problem, cuts));
  }
  /// How many steps of all axes meet, or 2^62 if more.
  static std::uint64_t cells(const Problem& problem) {
    std::uint64_t total = 1;
    for (const Axis& axis : problem.axes) total = times(total, axis.cells);
    return total;
  }

  /// By axis, how many blocks there are.
  static std::vector<std::uint64_t> block_counts(const Problem& problem, const Cuts& cuts = {}) {
    std::vector<std::uint64_t> counts;
    for (std::size_t a = 0; a < problem.axes.size(); ++a) counts.push_back(blocks(problem, a, cuts));
    return counts;
  }
  /// Whether blocks can be numbered by 32 bits.
  static bool numbered(const std::vector<std::uint64_t>& counts) {
    return std::ranges::all_of(counts, [](std::uint64_t n) { return n <= std::numeric_limits<std::uint32_t>::max(); });
  }
  /// How many boxes so many blocks make, or 2^62 if there are more; how many a row of at least `enough` has.
  static std::uint64_t boxes(const std::vector<std::uint64_t>& counts) {
    std::uint64_t total = 1;
    for (const std::uint64_t count : counts) total = times(total, count);
    return total;
  }
  static std::uint64_t row(std::vector<std::uint64_t> counts, std::size_t enough) {
    std::ranges::sort(counts);
    std::uint64_t total = 1;
    for (std::size_t a = 0; a < counts.size() && total < enough; ++a) total = times(total, counts[a]);
    return total;
  }

  std::size_t axes() const { return problem_.axes.size(); }
  std::size_t axis(std::size_t place) const { return axis_[place]; }
  const Blocks& blocks(std::size_t place) const { return blocks_[place]; }
  std::size_t size() const { return strides_[0] * blocks_[0].size(); }
  std::size_t outer() const { return outer_; }  // axes before those of a row
  std::size_t row() const { return row_; }
  std::size_t divided() const { return divided_; }  // axes of more blocks than one; the others come after them
  /// Boxes of the axes that follow a place; steps of it and those that follow.
  std::size_t stride(std::size_t place) const { return strides_[place]; }
  std::size_t cells(std::size_t place) const { return cells_[place]; }
  std::uint32_t step(std::size_t place, std::uint32_t cell) const { return step_[place][cell]; }
  /// The blocks of the single steps of an axis of a row.
  const std::vector<std::uint32_t>& digits_of_steps(std::size_t place) const { return digit_of_step_[place - outer_]; }

  std::size_t number(const std::vector<std::uint32_t>& digits) const {
    std::size_t at = 0;
    for (std::size_t a = 0; a < digits.size(); ++a) at += digits[a] * strides_[a];
    return at;
  }

 private:
  static constexpr std::uint64_t most = std::uint64_t{1} << 62;
  static std::uint64_t times(std::uint64_t one, std::uint64_t other) {
    return other > 0 && one > most / other ? most : one * other;
  }

  static std::uint64_t blocks(const Problem& problem, std::size_t a, const Cuts& cuts) {
    if (problem.axes[a].tree) return nodes(problem, a, cuts).size();
    const std::uint64_t steps = starts(problem, a, cuts).size() - 1;
    return steps * (steps + 1) / 2 + (missing(problem, a, cuts) ? 2 : 0);
  }

  /// Whether the missing value is cut off first: there are others.
  static bool missing(const Problem& problem, std::size_t a, const Cuts& cuts) {
    return problem.axes[a].missing && cuts.to(problem, a) + 1 == problem.axes[a].cells &&
           cuts.from(a) < cuts.to(problem, a);
  }

  /// Where the steps of an order begin, and where the last one ends; but for the missing value.
  static std::vector<std::uint32_t> starts(const Problem& problem, std::size_t a, const Cuts& cuts) {
    const std::uint32_t end = cuts.to(problem, a) + !missing(problem, a, cuts);
    std::vector<std::uint32_t> made{cuts.from(a)};
    for (std::uint32_t c = cuts.from(a) + 1; c < end; ++c)
      if (cuts.may(a, c - 1)) made.push_back(c);
    made.push_back(end);
    return made;
  }

  /// The nodes of a tree that are reached by splits; parents come first.
  static std::vector<std::uint32_t> nodes(const Problem& problem, std::size_t a, const Cuts& cuts) {
    const Axis& axis = problem.axes[a];
    std::vector<std::uint32_t> made{axis.node(cuts.from(a), cuts.to(problem, a))};
    for (std::size_t i = 0; i < made.size(); ++i)
      if (cuts.may(a, made[i])) made.insert(made.end(), axis.children[made[i]].begin(), axis.children[made[i]].end());
    return made;
  }

  /// The attribute of an axis: attributes and axes go together here.
  Int price_of(std::size_t a, std::uint32_t place) const {
    const auto& price = problem_.attributes[a].price;
    return price.empty() ? 0 : static_cast<Int>(price[place]);
  }

  /// The step of each cell; sets those of blocks.
  static std::vector<std::uint32_t> to_steps(Blocks& blocks, std::uint32_t cells) {
    std::vector<std::uint32_t> step(cells, 0);
    for (const Block& block : blocks.all()) step[block.low] = 1;
    const Block& all = blocks.back();
    for (std::uint32_t c = all.low, begun = 0; c <= all.high; ++c) step[c] = (begun += step[c]) - 1;
    for (Block& block : blocks.all()) block.first = step[block.low], block.last = step[block.high];
    return step;
  }
  std::size_t steps(std::size_t place) const { return blocks_[place].back().last + 1; }

  Blocks blocks_of_tree(std::size_t a, const Cuts& cuts) const {
    const Axis& axis = problem_.axes[a];
    const auto& wide = problem_.attributes[a].wide;
    const auto reached = nodes(problem_, a, cuts);
    const auto last = static_cast<std::uint32_t>(reached.size() - 1);  // nodes have numbers of 32 bits
    std::vector<std::uint32_t> number(axis.first.size(), 0);
    for (std::uint32_t i = 0; i <= last; ++i) number[reached[i]] = last - i;  // parents come first there, and last here
    std::vector<Block> made;
    std::vector<std::vector<std::uint32_t>> parts(reached.size());
    for (std::uint32_t i = 0; i <= last; ++i) {
      const std::uint32_t node = reached[last - i];
      made.push_back({axis.first[node], axis.last[node], 0, 0, price_of(a, node), wide.empty() || wide[node]});
      if (cuts.may(a, node))
        for (const std::uint32_t child : axis.children[node]) parts[i].push_back(number[child]);
    }
    return Blocks::of_tree(std::move(made), std::move(parts));
  }

  Blocks blocks_of_order(std::size_t a, const Cuts& cuts) const {
    const Axis& axis = problem_.axes[a];
    const auto& reach = problem_.attributes[a].reach;
    const auto begin = starts(problem_, a, cuts);
    const auto steps = static_cast<std::uint32_t>(begin.size() - 1);  // at most the cells, which are 32 bits
    const auto add = [&](std::vector<Block>& to, std::uint32_t low, std::uint32_t high) {
      to.push_back({low, high, 0, 0, price_of(a, length_of(axis, low, high)), reach.empty() || high >= reach[low]});
    };
    std::vector<Block> made;
    made.reserve(blocks(problem_, a, cuts));
    for (std::uint32_t length = 1; length <= steps; ++length)
      for (std::uint32_t from = 0; from + length <= steps; ++from) add(made, begin[from], begin[from + length] - 1);
    if (missing(problem_, a, cuts)) add(made, begin.back(), begin.back()), add(made, begin.front(), begin.back());
    return Blocks::of_order(std::move(made), steps);
  }

  const Problem& problem_;
  std::vector<Blocks> blocks_;
  std::vector<std::size_t> axis_;
  std::vector<std::vector<std::uint32_t>> step_, digit_of_step_;
  std::size_t outer_ = 0, row_ = 1, divided_ = 0;
  std::vector<std::size_t> strides_, cells_;
};

}  // namespace sfumato::boxes

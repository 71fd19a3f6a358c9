// opt(B) for all boxes of a small space at once: every box once, after all its parts, row by row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sfumato/search/box_records.hpp"
#include "sfumato/search/control.hpp"

namespace sfumato {

/// For problems in which the records of a box are only counted. Blocks of an axis are numbered so that parts come before
/// what they are parts of; a box's number has its blocks as digits, the last axis the fastest, so parts have lower numbers.
/// Boxes that differ in the last axis alone are a row, and a split along another axis adds two rows up.
template <class Int, class Lane>
class BoxDense {
  using Records = BoxRecords<Int, Lane>;

 public:
  /// A split of a block: its parts, by number.
  using Parts = std::vector<std::uint32_t>;
  struct Block {
    std::uint32_t low, high;
    std::vector<Parts> splits;
    Int price;
    bool wide;
  };

  /// Whether a problem can be worked out so at all: records are counted, and every attribute is one axis.
  static bool possible(const BoxProblem& problem) {
    return problem.counts_only && problem.metric != BoxMetric::minority &&
           std::ranges::all_of(problem.attributes, [](const BoxAttribute& attribute) { return attribute.axes == 1; });
  }

  /// The number of boxes, or 2^62 if there are more.
  static std::uint64_t boxes(const BoxProblem& problem) {
    std::uint64_t total = 1;
    for (const BoxAxis& axis : problem.axes) {
      const std::uint64_t cells = axis.missing ? axis.cells - 1 : axis.cells;
      const std::uint64_t here = axis.tree ? axis.first.size() : cells * (cells + 1) / 2 + (axis.missing ? 2 : 0);
      if (here > 0 && total > (std::uint64_t{1} << 62) / here) return std::uint64_t{1} << 62;
      total *= here;
    }
    return total;
  }
  static constexpr std::size_t bytes_of_box = sizeof(Int) + sizeof(std::uint32_t);

  BoxDense(const Records& records, Control& control) : records_(records), problem_(records.problem()), control_(control) {
    std::vector<std::pair<std::size_t, std::size_t>> sizes;  // the axis with the most blocks last: rows are long
    for (std::size_t a = 0; a < records.axes(); ++a) sizes.emplace_back(blocks_of(a).size(), a);
    std::ranges::sort(sizes);
    for (const auto& [size, a] : sizes) axes_.push_back(blocks_of(a)), axis_.push_back(a);
    row_ = axes_.back().size();
    strides_.assign(axes_.size(), 1);
    for (std::size_t a = axes_.size() - 1; a-- > 0;) strides_[a] = strides_[a + 1] * axes_[a + 1].size();
    count_.assign(strides_[0] * axes_[0].size(), 0);
    opt_.assign(count_.size(), impossible<Int>);
  }

  /// False if it was stopped.
  bool run() {
    place_records();
    std::vector<std::uint32_t> digits(axes_.size(), 0);
    const std::size_t rows = count_.size() / row_;
    for (std::size_t r = 0; r < rows; ++r) {
      if (!control_.examine()) return false;
      work_out(r * row_, digits);
      for (std::size_t a = axes_.size() - 1; a-- > 0;) {
        if (++digits[a] < axes_[a].size()) break;
        digits[a] = 0;
      }
    }
    return true;
  }

  Int least() const { return opt_.back(); }  // the last box is everything

  /// Calls with the digits of every box of a cheapest partition that has records.
  template <class Emit>
  void partition(Emit emit) const {
    std::vector<std::uint32_t> digits;
    for (const auto& blocks : axes_) digits.push_back(static_cast<std::uint32_t>(blocks.size() - 1));
    walk(digits, emit);
  }
  /// The block of the place-th axis, and which axis that is.
  const Block& block(std::size_t place, std::uint32_t digit) const { return axes_[place][digit]; }
  std::size_t axis(std::size_t place) const { return axis_[place]; }

 private:
  std::size_t number(const std::vector<std::uint32_t>& digits) const {
    std::size_t at = 0;
    for (std::size_t a = 0; a < digits.size(); ++a) at += digits[a] * strides_[a];
    return at;
  }

  /// The attribute of an axis: attributes and axes go together here.
  Int price_of(std::size_t a, std::uint32_t place) const {
    const auto& price = problem_.attributes[a].price;
    return price.empty() ? 0 : static_cast<Int>(price[place]);
  }

  std::vector<Block> blocks_of(std::size_t a) const {
    const BoxAxis& axis = problem_.axes[a];
    const auto& wide = problem_.attributes[a].wide;
    std::vector<Block> found;
    if (axis.tree) {
      const auto nodes = static_cast<std::uint32_t>(axis.first.size());  // parents come first there, and last here
      for (std::uint32_t i = 0; i < nodes; ++i) {
        const std::uint32_t node = nodes - 1 - i;
        Block block{axis.first[node], axis.last[node], {}, price_of(a, node), wide.empty() || wide[node]};
        Parts parts;
        for (const std::uint32_t child : axis.children[node]) parts.push_back(nodes - 1 - child);
        if (!parts.empty()) block.splits.push_back(std::move(parts));
        found.push_back(std::move(block));
      }
      return found;
    }
    const std::uint32_t cells = axis.missing ? axis.cells - 1 : axis.cells;
    const auto broad = [&](std::uint32_t low, std::uint32_t high) { return wide.empty() || wide[low * axis.cells + high]; };
    const auto at = [&](std::uint32_t low, std::uint32_t length) {  // shorter ones first
      return (length - 1) * cells - (length - 1) * (length - 2) / 2 + low;
    };
    for (std::uint32_t length = 1; length <= cells; ++length)
      for (std::uint32_t low = 0; low + length <= cells; ++low) {
        Block block{low, low + length - 1, {}, price_of(a, length), broad(low, low + length - 1)};
        for (std::uint32_t left = 1; left < length; ++left) block.splits.push_back({at(low, left), at(low + left, length - left)});
        found.push_back(std::move(block));
      }
    if (axis.missing) {
      found.push_back({cells, cells, {}, price_of(a, 1), broad(cells, cells)});
      const auto last = static_cast<std::uint32_t>(found.size() - 1);
      found.push_back({0, cells, {{last - 1, last}}, price_of(a, axis.cells), broad(0, cells)});
    }
    return found;
  }

  void place_records() {
    std::vector<std::vector<std::uint32_t>> digit_of(axes_.size());
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      digit_of[a].resize(problem_.axes[axis_[a]].cells);
      for (std::uint32_t d = 0; d < axes_[a].size(); ++d)
        if (axes_[a][d].low == axes_[a][d].high) digit_of[a][axes_[a][d].low] = d;
    }
    std::vector<std::uint32_t> digits(axes_.size());
    for (std::size_t t = 0; t < records_.size(); ++t) {
      for (std::size_t a = 0; a < axes_.size(); ++a) digits[a] = digit_of[a][records_.low(records_.lanes(t), axis_[a])];
      count_[number(digits)] += static_cast<std::uint32_t>(records_.sums(t).records);
    }
  }

  /// One row: counts, what each box costs as it is, then the splits along the other axes, then those along the last.
  void work_out(std::size_t base, const std::vector<std::uint32_t>& digits) {
    const std::size_t last = axes_.size() - 1;
    bool wide = true, split = false;
    Int price = problem_.metric == BoxMetric::product ? 1 : 0;
    for (std::size_t a = 0; a < last; ++a) {
      const Block& block = axes_[a][digits[a]];
      wide = wide && block.wide;
      price = problem_.metric == BoxMetric::product ? price * block.price : price + block.price;
      if (!split && !block.splits.empty()) {
        split = true;
        for (const std::uint32_t part : block.splits.front()) {
          const std::uint32_t* from = count_.data() + base - (digits[a] - part) * strides_[a];
          for (std::size_t i = 0; i < row_; ++i) count_[base + i] += from[i];
        }
      }
    }
    if (!split)
      for (std::size_t i = 0; i < row_; ++i)
        if (!axes_[last][i].splits.empty())
          for (const std::uint32_t part : axes_[last][i].splits.front()) count_[base + i] += count_[base + part];
    for (std::size_t i = 0; i < row_; ++i) opt_[base + i] = own(count_[base + i], price, axes_[last][i], wide);
    for (std::size_t a = 0; a < last; ++a)
      for (const Parts& parts : axes_[a][digits[a]].splits) along(a, base, digits[a], parts);
    for (std::size_t i = 0; i < row_; ++i)
      for (const Parts& parts : axes_[last][i].splits) {
        Int sum = 0;
        for (const std::uint32_t part : parts) sum = std::min(impossible<Int>, sum + opt_[base + part]);
        opt_[base + i] = std::min(opt_[base + i], sum);
      }
  }

  /// A split along an axis, for the whole row. Sums of two that are impossible still fit.
  void along(std::size_t a, std::size_t base, std::uint32_t digit, const Parts& parts) {
    Int* out = opt_.data() + base;
    const auto row = [&](std::uint32_t part) { return opt_.data() + base - (digit - part) * strides_[a]; };
    if (parts.size() == 2) {
      const Int* left = row(parts[0]);
      const Int* right = row(parts[1]);
      for (std::size_t i = 0; i < row_; ++i) out[i] = std::min(out[i], left[i] + right[i]);
      return;
    }
    sum_.assign(row_, 0);
    for (const std::uint32_t part : parts) {
      const Int* from = row(part);
      for (std::size_t i = 0; i < row_; ++i) sum_[i] = std::min(impossible<Int>, sum_[i] + from[i]);
    }
    for (std::size_t i = 0; i < row_; ++i) out[i] = std::min(out[i], sum_[i]);
  }

  Int own(std::int64_t n, Int price, const Block& last, bool wide) const {
    if (n == 0) return 0;
    if (n < Records::least_of(problem_) || !wide || !last.wide)
      return problem_.suppress ? n * static_cast<Int>(problem_.suppressed) : impossible<Int>;
    if (problem_.metric == BoxMetric::square) return static_cast<Int>(n) * n;
    return n * (problem_.metric == BoxMetric::product ? price * last.price : price + last.price);
  }

  Int own(const std::vector<std::uint32_t>& digits) const {
    bool wide = true;
    Int price = problem_.metric == BoxMetric::product ? 1 : 0;
    for (std::size_t a = 0; a + 1 < digits.size(); ++a) {
      wide = wide && axes_[a][digits[a]].wide;
      price = problem_.metric == BoxMetric::product ? price * axes_[a][digits[a]].price : price + axes_[a][digits[a]].price;
    }
    return own(count_[number(digits)], price, axes_.back()[digits.back()], wide);
  }

  template <class Emit>
  void walk(const std::vector<std::uint32_t>& digits, Emit& emit) const {
    const std::size_t at = number(digits);
    if (count_[at] == 0) return;
    if (own(digits) == opt_[at]) return emit(digits);
    for (std::size_t a = 0; a < digits.size(); ++a)
      for (const Parts& parts : axes_[a][digits[a]].splits) {
        Int sum = 0;
        for (const std::uint32_t part : parts) sum = std::min(impossible<Int>, sum + opt_[at - (digits[a] - part) * strides_[a]]);
        if (sum != opt_[at]) continue;
        for (const std::uint32_t part : parts) {
          auto below = digits;
          below[a] = part;
          walk(below, emit);
        }
        return;
      }
  }

  const Records& records_;
  const BoxProblem& problem_;
  Control& control_;
  std::vector<std::vector<Block>> axes_;
  std::vector<std::size_t> axis_;
  std::size_t row_ = 0;
  std::vector<std::size_t> strides_;
  std::vector<std::uint32_t> count_;
  std::vector<Int> opt_, sum_;
};

}  // namespace sfumato

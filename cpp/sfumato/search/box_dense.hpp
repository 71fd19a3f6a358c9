// opt(B) for all boxes of a small space at once: every box once, after all its parts, row by row.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "sfumato/search/box_records.hpp"
#include "sfumato/search/control.hpp"
#include "sfumato/search/threads.hpp"
#include "sfumato/wide.hpp"

namespace sfumato {

/// Sums of two rows where they are less. Two that are impossible still fit.
SFUMATO_WIDE inline void least_sums(std::int32_t* __restrict out, const std::int32_t* __restrict one, const std::int32_t* __restrict other,
                                    std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = std::min(out[i], one[i] + other[i]);
}
SFUMATO_WIDE inline void least_sums(std::int64_t* __restrict out, const std::int64_t* __restrict one, const std::int64_t* __restrict other,
                                    std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = std::min(out[i], one[i] + other[i]);
}
inline void least_sums(Cost* out, const Cost* one, const Cost* other, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = std::min(out[i], one[i] + other[i]);
}

/// For problems in which the records of a box are only counted. Blocks of an axis are numbered so that parts come before
/// what they are parts of; a box's number has its blocks as digits, the last axis the fastest, so parts have lower numbers.
/// Axes of many blocks come first. Boxes that differ in the last few axes alone are a row: long enough for the processor
/// to take many at once, and short enough to stay near it while the splits along the other axes add rows up. Records are
/// counted on the way, so that nothing but the costs is kept: for each of the outer axes, those in its block, by cell of the
/// axes that follow. Threads share the blocks of the first axis: those that are no parts of each other do not wait.
template <class Int, class Lane>
class BoxDense {
  using Records = BoxRecords<Int, Lane>;
  using Count = typename Records::Count;

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
  /// What it takes to keep all boxes, and to count their records.
  static std::uint64_t bytes(const BoxProblem& problem) {
    const std::uint64_t all = boxes(problem);
    std::uint64_t cells = 1;
    for (const BoxAxis& axis : problem.axes) cells *= cells < all ? axis.cells + 1 : 1;
    return std::min(all, std::uint64_t{1} << 58) * sizeof(Int) + 2 * std::min(cells, std::uint64_t{1} << 58) * sizeof(Count);
  }

  BoxDense(const Records& records, Control& control) : records_(records), problem_(records.problem()), control_(control) {
    std::vector<std::pair<std::size_t, std::size_t>> sizes;
    for (std::size_t a = 0; a < records.axes(); ++a) sizes.emplace_back(blocks_of(a).size(), a);
    std::ranges::sort(sizes, std::greater{});
    for (const auto& [size, a] : sizes) axes_.push_back(blocks_of(a)), axis_.push_back(a);
    const std::size_t last = axes_.size();
    strides_.assign(last, 1), cells_.assign(last + 1, 1);
    for (std::size_t a = last; a-- > 0;) {
      if (a + 1 < last) strides_[a] = strides_[a + 1] * axes_[a + 1].size();
      cells_[a] = cells_[a + 1] * problem_.axes[axis_[a]].cells;
    }
    const std::size_t enough = problem_.way == BoxWay::dense ? enough_for_tests : long_enough;
    for (outer_ = last; outer_ > 0 && row_ < enough;) row_ *= axes_[--outer_].size();
    size_ = strides_[0] * axes_[0].size();
    opt_.resize(size_);
    price_.assign(row_, at_first());
    wide_.assign(row_, 1);
    for (std::size_t i = 0; i < row_; ++i)
      for (std::size_t a = outer_; a < last; ++a) {
        const Block& block = axes_[a][i / strides_[a] % axes_[a].size()];
        wide_[i] = wide_[i] && block.wide;
        price_[i] = paid(price_[i], block);
      }
  }

  /// False if it was stopped.
  bool run() {
    std::vector<Count> counts(cells_[0], 0);
    for (std::size_t t = 0; t < records_.size(); ++t) {
      std::size_t at = 0;
      for (std::size_t a = 0; a < axes_.size(); ++a) at += records_.low(records_.lanes(t), axis_[a]) * cells_[a + 1];
      counts[at] += records_.sums(t).records;
    }
    for (std::size_t a = outer_; a < axes_.size(); ++a) {
      auto& digit = digit_of_cell_.emplace_back(problem_.axes[axis_[a]].cells);
      for (std::uint32_t d = 0; d < axes_[a].size(); ++d)
        if (axes_[a][d].low == axes_[a][d].high) digit[axes_[a][d].low] = d;
    }
    if (outer_ == 0) {
      Room room = new_room();
      room.levels[0].swap(counts);
      return blocks_along(room, 0, 0, at_first(), true);
    }
    add_up(counts, 0);
    std::vector<Room> rooms(static_cast<std::size_t>(std::max(control_.limits().threads, 1)), new_room());
    std::atomic<bool> stopped = false;
    for (const auto& blocks : waves()) {
      std::atomic<std::size_t> next = 0;
      const auto work = [&](std::size_t number) {
        for (std::size_t i = next++; i < blocks.size() && !stopped; i = next++)
          if (!block_along(rooms[number], counts, 0, blocks[i], 0, at_first(), true)) stopped = true;
      };
      run_at_once(std::min(rooms.size(), blocks.size()), work, [&] { stopped = true; });
      if (stopped) return false;
    }
    return true;
  }

  Int least() const { return opt_[size_ - 1]; }  // the last box is everything

  /// Calls with the digits of every box of a cheapest partition that has records.
  template <class Emit>
  void partition(Emit emit) const {
    std::vector<std::uint32_t> digits, all(records_.size());
    for (const auto& blocks : axes_) digits.push_back(static_cast<std::uint32_t>(blocks.size() - 1));
    std::iota(all.begin(), all.end(), 0u);
    walk(digits, all, emit);
  }
  /// The block of the place-th axis, and which axis that is.
  const Block& block(std::size_t place, std::uint32_t digit) const { return axes_[place][digit]; }
  std::size_t axis(std::size_t place) const { return axis_[place]; }

 private:
  static constexpr std::size_t long_enough = 1024, enough_for_tests = 4;  // boxes of a row; small spaces have several then

  /// What a thread works with.
  struct Room {
    std::vector<std::vector<Count>> levels;  // by outer axis: records of the blocks before it, by cell
    std::vector<std::uint32_t> digits;
    std::vector<Count> count;  // of the boxes in a row
    std::vector<Int> sum;
  };
  Room new_room() const {
    return {std::vector<std::vector<Count>>(outer_ + 1), std::vector<std::uint32_t>(axes_.size(), 0), std::vector<Count>(row_, 0), {}};
  }

  /// The blocks of the first axis, those without parts first, then those whose parts came before, and so on.
  std::vector<std::vector<std::uint32_t>> waves() const {
    std::vector<std::vector<std::uint32_t>> found;
    std::vector<std::size_t> wave(axes_[0].size(), 0);
    for (std::uint32_t d = 0; d < wave.size(); ++d) {
      for (const Parts& parts : axes_[0][d].splits)
        for (const std::uint32_t part : parts) wave[d] = std::max(wave[d], wave[part] + 1);
      if (found.size() <= wave[d]) found.resize(wave[d] + 1);
      found[wave[d]].push_back(d);
    }
    return found;
  }

  Int at_first() const { return problem_.metric == BoxMetric::product ? 1 : 0; }

  std::size_t number(const std::vector<std::uint32_t>& digits) const {
    std::size_t at = 0;
    for (std::size_t a = 0; a < digits.size(); ++a) at += digits[a] * strides_[a];
    return at;
  }

  Int paid(Int before, const Block& block) const {
    return problem_.metric == BoxMetric::product ? before * block.price : before + block.price;
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

  /// All blocks of an outer axis, one after the other, within those that were chosen on the axes before; then the rows.
  bool blocks_along(Room& room, std::size_t a, std::size_t base, Int price, bool wide) {
    if (a == outer_) {
      if (!control_.examine()) return false;
      work_out(room, base, price, wide);
      return true;
    }
    add_up(room.levels[a], a);
    for (std::uint32_t d = 0; d < axes_[a].size(); ++d)
      if (!block_along(room, room.levels[a], a, d, base, price, wide)) return false;
    return true;
  }

  /// Counts up to each cell of an axis: a block is the difference of two.
  void add_up(std::vector<Count>& counts, std::size_t a) const {
    for (std::size_t i = cells_[a + 1]; i < cells_[a]; ++i) counts[i] += counts[i - cells_[a + 1]];
  }

  bool block_along(Room& room, const std::vector<Count>& counts, std::size_t a, std::uint32_t d, std::size_t base, Int price, bool wide) {
    const Block& block = axes_[a][d];
    const std::size_t inner = cells_[a + 1];
    auto& below = room.levels[a + 1];
    const auto at = [&](std::uint32_t cell) { return counts.begin() + static_cast<std::ptrdiff_t>(cell * inner); };
    below.assign(at(block.high), at(block.high) + static_cast<std::ptrdiff_t>(inner));
    if (block.low > 0)
      for (std::size_t i = 0; i < inner; ++i) below[i] -= counts[(block.low - 1) * inner + i];
    room.digits[a] = d;
    return blocks_along(room, a + 1, base + d * strides_[a], paid(price, block), wide && block.wide);
  }

  /// One row: counts, what each box costs as it is, then the splits along the outer axes, then those within the row.
  void work_out(Room& room, std::size_t base, Int price, bool wide) {
    Int* const row = opt_.data() + base;
    std::fill(room.count.begin(), room.count.end(), 0);
    place(room, outer_, 0, 0);
    count_along(room, outer_, 0);
    for (std::size_t i = 0; i < row_; ++i) row[i] = own(room.count[i], price, price_[i], wide && wide_[i]);
    for (std::size_t a = 0; a < outer_; ++a)
      for (const Parts& parts : axes_[a][room.digits[a]].splits) along(room, a, row, room.digits[a], parts, row_);
    splits_within(room, outer_, row);
  }

  /// Records to the boxes of one cell.
  void place(Room& room, std::size_t a, std::size_t cell, std::size_t at) {
    if (a == axes_.size()) {
      room.count[at] = room.levels[outer_][cell];
      return;
    }
    const auto& digit = digit_of_cell_[a - outer_];
    for (std::size_t c = 0; c < digit.size(); ++c) place(room, a + 1, cell + c * cells_[a + 1], at + digit[c] * strides_[a]);
  }

  /// Counts of blocks along an axis of the row, by those of their parts; along the axes that follow first.
  void count_along(Room& room, std::size_t a, std::size_t at) {
    if (a == axes_.size()) return;
    for (std::uint32_t d = 0; d < axes_[a].size(); ++d) {
      Count* const here = room.count.data() + at + d * strides_[a];
      if (axes_[a][d].splits.empty()) {
        count_along(room, a + 1, at + d * strides_[a]);
        continue;
      }
      for (const std::uint32_t part : axes_[a][d].splits.front()) {
        const Count* from = room.count.data() + at + part * strides_[a];
        for (std::size_t i = 0; i < strides_[a]; ++i) here[i] += from[i];
      }
    }
  }

  /// Splits along an axis of the row: boxes that differ in the axes that follow alone go together.
  void splits_within(Room& room, std::size_t a, Int* at) {
    if (a == axes_.size()) return;
    for (std::uint32_t d = 0; d < axes_[a].size(); ++d) {
      Int* const here = at + d * strides_[a];
      for (const Parts& parts : axes_[a][d].splits) along(room, a, here, d, parts, strides_[a]);
      splits_within(room, a + 1, here);
    }
  }

  /// A split along an axis, for n boxes in a row.
  void along(Room& room, std::size_t a, Int* out, std::uint32_t digit, const Parts& parts, std::size_t n) {
    const auto row = [&](std::uint32_t part) { return out - (digit - part) * strides_[a]; };
    if (parts.size() == 2) {
      const Int* left = row(parts[0]);
      const Int* right = row(parts[1]);
      if (n >= few_at_once) return least_sums(out, left, right, n);
      for (std::size_t i = 0; i < n; ++i) out[i] = std::min(out[i], left[i] + right[i]);
      return;
    }
    room.sum.assign(n, 0);
    for (const std::uint32_t part : parts) {
      const Int* from = row(part);
      for (std::size_t i = 0; i < n; ++i) room.sum[i] = std::min(impossible<Int>, room.sum[i] + from[i]);
    }
    for (std::size_t i = 0; i < n; ++i) out[i] = std::min(out[i], room.sum[i]);
  }

  Int own(Count n, Int outer, Int inner, bool wide) const {
    if (n == 0) return 0;
    const Int records = static_cast<Int>(n);
    if (n < Records::least_of(problem_) || !wide) return problem_.suppress ? records * static_cast<Int>(problem_.suppressed) : impossible<Int>;
    if (problem_.metric == BoxMetric::square) return records * records;
    return records * (problem_.metric == BoxMetric::product ? outer * inner : outer + inner);
  }

  Int own(const std::vector<std::uint32_t>& digits, Count n) const {
    bool wide = true;
    Int price = at_first();
    for (std::size_t a = 0; a < digits.size(); ++a) {
      wide = wide && axes_[a][digits[a]].wide;
      price = paid(price, axes_[a][digits[a]]);
    }
    return own(n, price, at_first(), wide);
  }

  template <class Emit>
  void walk(const std::vector<std::uint32_t>& digits, const std::vector<std::uint32_t>& tuples, Emit& emit) const {
    if (tuples.empty()) return;
    Count n = 0;
    for (const std::uint32_t t : tuples) n += records_.sums(t).records;
    const std::size_t at = number(digits);
    if (own(digits, n) == opt_[at]) return emit(digits);
    for (std::size_t a = 0; a < digits.size(); ++a)
      for (const Parts& parts : axes_[a][digits[a]].splits) {
        Int sum = 0;
        for (const std::uint32_t part : parts) sum = std::min(impossible<Int>, sum + opt_[at - (digits[a] - part) * strides_[a]]);
        if (sum != opt_[at]) continue;
        for (const std::uint32_t part : parts) {
          auto below = digits;
          below[a] = part;
          std::vector<std::uint32_t> inside;
          for (const std::uint32_t t : tuples) {
            const std::uint32_t cell = records_.low(records_.lanes(t), axis_[a]);
            if (axes_[a][part].low <= cell && cell <= axes_[a][part].high) inside.push_back(t);
          }
          walk(below, inside, emit);
        }
        return;
      }
  }

  static constexpr std::size_t few_at_once = 16;

  const Records& records_;
  const BoxProblem& problem_;
  Control& control_;
  std::vector<std::vector<Block>> axes_;
  std::vector<std::size_t> axis_;
  std::size_t outer_ = 0, row_ = 1, size_ = 0;  // axes before those of a row; boxes of a row, and all
  std::vector<std::size_t> strides_, cells_;    // boxes, and cells, of the axes that follow
  std::vector<std::vector<std::uint32_t>> digit_of_cell_;
  std::vector<Int> price_;
  std::vector<std::uint8_t> wide_;
  LineVector<Int> opt_;
};

}  // namespace sfumato

// opt(B) for all boxes of a small space at once: every box once, after all its parts, row by row.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "sfumato/algorithms/boxes/count_grid.hpp"
#include "sfumato/algorithms/boxes/dense_partition.hpp"
#include "sfumato/algorithms/boxes/dense_size.hpp"
#include "sfumato/algorithms/boxes/judge.hpp"
#include "sfumato/algorithms/boxes/partitions.hpp"
#include "sfumato/algorithms/boxes/records.hpp"
#include "sfumato/algorithms/boxes/walk.hpp"
#include "sfumato/search/control.hpp"
#include "sfumato/search/threads.hpp"
#include "sfumato/wide.hpp"

namespace sfumato::boxes {

/// Sums of two rows where they are less. Two that are impossible still fit.
SFUMATO_WIDE inline void least_sums(std::int32_t* __restrict out, const std::int32_t* __restrict one,
                                    const std::int32_t* __restrict other, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = std::min(out[i], one[i] + other[i]);
}
SFUMATO_WIDE inline void least_sums(std::int64_t* __restrict out, const std::int64_t* __restrict one,
                                    const std::int64_t* __restrict other, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = std::min(out[i], one[i] + other[i]);
}
inline void least_sums(Cost* out, const Cost* one, const Cost* other, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = std::min(out[i], one[i] + other[i]);
}

/// What boxes of so many records cost by their squares, if they have enough.
SFUMATO_WIDE inline void squares(std::int32_t* __restrict out, const std::int32_t* __restrict records, std::size_t n,
                                 std::int32_t enough) {
  for (std::size_t i = 0; i < n; ++i)
    out[i] = records[i] > 0 && records[i] < enough ? impossible<std::int32_t> : records[i] * records[i];
}
template <class Int, class Count>
void squares(Int* out, const Count* records, std::size_t n, Count enough) {
  for (std::size_t i = 0; i < n; ++i)
    out[i] = records[i] > 0 && records[i] < enough ? impossible<Int>
                                                   : static_cast<Int>(records[i]) * static_cast<Int>(records[i]);
}

/// For problems in which models read counts of a box alone: of its records, and of those with each value. Rows are long
/// enough for the processor to take many boxes at once, and short enough to stay near it while the splits along the
/// other axes add rows up. Records are counted on the way, so that nothing but the costs is kept, and boxes of too few
/// records are not split. Threads share the blocks of the first axis: those that are no parts of each other do not
/// wait.
///
/// With some of the cuts alone it is the cheapest of the partitions that have no others.
template <class Int, class Lane>
class DenseSearch {
  using Records = boxes::Records<Int, Lane>;
  using Count = typename Records::Count;
  using Size = DenseSize<Int>;
  using Space = boxes::Space<Int>;
  using Box = std::vector<Lane>;
  using Ids = typename Partitions<Int, Lane>::Ids;

 public:
  DenseSearch(const Records& records, Control& control, std::vector<std::uint32_t> tuples, const Cuts& cuts = {})
      : records_(records),
        problem_(records.problem()),
        control_(control),
        tuples_(std::move(tuples)),
        space_(problem_, cuts, Size::enough(problem_)),
        columns_(columns_read(problem_)),
        judged_(!problem_.counts_only || !columns_.empty()),
        least_(static_cast<Count>(Records::least_of(problem_))),
        divisible_((shapeless() && !problem_.suppress ? 2 : 1) * least_),
        plain_(records_.plain() && problem_.metric == Metric::square) {
    opt_.resize(space_.size());
    price_.assign(space_.row(), at_first());
    wide_.assign(space_.row(), 1);
    for (std::size_t i = 0; i < space_.row(); ++i)
      for (std::size_t a = space_.outer(); a < space_.axes(); ++a) {
        const auto& block = space_.blocks(a)[i / space_.stride(a) % space_.blocks(a).size()];
        wide_[i] = wide_[i] && block.wide;
        price_[i] = paid(price_[i], block.price);
      }
  }

  /// False if it was stopped.
  bool run() {
    std::vector<Count> counts(space_.cells(0), 0);
    std::vector<std::vector<std::uint32_t>> values;
    for (const std::size_t position : columns_)
      values.emplace_back(space_.cells(0) * Size::width(problem_, position), 0);
    for (const std::uint32_t t : tuples_) {
      std::size_t at = 0;
      for (std::size_t a = 0; a < space_.axes(); ++a)
        at += space_.step(a, records_.low(records_.lanes(t), space_.axis(a))) * space_.cells(a + 1);
      counts[at] += records_.sums(t).records;
      for (std::size_t j = 0; j < columns_.size(); ++j)
        for (const std::uint32_t i : records_.combinations(t))
          values[j][at * Size::width(problem_, columns_[j]) + problem_.frequencies.sensitive()[columns_[j]].codes[i]] +=
              static_cast<std::uint32_t>(
                  problem_.frequencies.counts()[i]);  // all records together fit: see DenseSize::possible
    }
    if (space_.outer() == 0) {
      Room room = new_room();
      room.count.enter(counts);
      for (std::size_t j = 0; j < values.size(); ++j) room.values[j].enter(values[j]);
      return blocks_along(room, 0, 0, at_first(), true);
    }
    std::vector<Room> rooms(threads(), new_room());
    rooms[0].count.add_up(counts, 0);
    for (std::size_t j = 0; j < values.size(); ++j) rooms[0].values[j].add_up(values[j], 0);
    std::atomic<bool> stopped = false;
    for (const auto& blocks : waves()) {
      std::atomic<std::size_t> next = 0;
      const auto work = [&](std::size_t number) {
        Room& room = rooms[number];
        for (std::size_t i = next++; i < blocks.size() && !stopped; i = next++) {
          room.count.enter(counts, 0, blocks[i]);
          for (std::size_t j = 0; j < values.size(); ++j) room.values[j].enter(values[j], 0, blocks[i]);
          if (!within(room, 0, blocks[i], 0, at_first(), true)) stopped = true;
        }
      };
      run_at_once(std::min(rooms.size(), blocks.size()), work, [&] { stopped = true; });
      if (stopped) return false;
    }
    return true;
  }

  Int least() const { return opt_[space_.size() - 1]; }  // the last box is everything

  /// A cheapest partition; where widths do not count, its boxes shrink to their records.
  Ids partition(Judge<Int, Lane>& judge, const Walk<Int, Lane>& walk, Partitions<Int, Lane>& partitions) const {
    return costs().partition(judge, walk, partitions);
  }

  /// The parts of a split that it may begin with, if it has several boxes, and their tuples.
  std::vector<std::pair<Box, std::vector<std::uint32_t>>> first_parts() const { return costs().first_parts(); }

 private:
  static constexpr std::size_t worth_threads = std::size_t{1} << 18;  // boxes of a space

  /// What a thread works with.
  struct Room {
    CountGrid<Int, Count> count;
    std::vector<CountGrid<Int, std::uint32_t>> values;  // by column
    std::vector<std::uint32_t> digits;
    std::vector<Int> sum;
    std::vector<std::pair<std::size_t, std::size_t>> divisible;  // boxes of a row, from and to
    // Boxes of a row that are judged, and what they cost if they are classes.
    std::vector<std::size_t> box;
    std::vector<Int> cost;
    std::vector<std::int64_t> sizes;
    std::vector<std::uint8_t> violated;
    std::vector<Histogram> histograms;
    std::size_t sums = 0;  // since the control was last tested
  };
  Room new_room() const {
    Room room{{space_, 1}, {}, std::vector<std::uint32_t>(space_.axes(), 0), {}, {}, {}, {}, {}, {}, {}, 0};
    for (const std::size_t position : columns_) room.values.emplace_back(space_, Size::width(problem_, position));
    room.histograms.resize(problem_.frequencies.sensitive().size());
    return room;
  }

  /// Then small spaces are treated as large ones are: in several rows, by several threads.
  bool asked_for() const { return problem_.way == Method::dense; }
  /// Whether to go on after so many sums more; the control is not tested each time.
  bool go_on(Room& room, std::size_t sums) {
    if ((room.sums += sums) < sums_between) return true;
    room.sums = 0;
    return !control_.stopped();
  }

  std::size_t threads() const {
    return space_.size() < worth_threads && !asked_for()
               ? 1
               : static_cast<std::size_t>(std::max(control_.limits().threads, 1));
  }

  /// The blocks of the first axis, those without parts first, then those whose parts came before, and so on.
  std::vector<std::vector<std::uint32_t>> waves() const {
    const auto& blocks = space_.blocks(0);
    std::vector<std::vector<std::uint32_t>> by_wave;
    std::vector<std::size_t> wave(blocks.size(), 0);
    for (std::uint32_t d = 0; d < wave.size(); ++d) {
      blocks.first_split(d, [&](const auto& parts) {
        for (const std::uint32_t part : parts) wave[d] = std::max(wave[d], wave[part] + 1);
      });
      if (by_wave.size() <= wave[d]) by_wave.resize(wave[d] + 1);
      by_wave[wave[d]].push_back(d);
    }
    return by_wave;
  }

  Int at_first() const { return problem_.metric == Metric::product ? 1 : 0; }
  Int paid(Int before, Int price) const { return problem_.metric == Metric::product ? before * price : before + price; }

  /// All blocks of an outer axis, one after the other, within those that were chosen on the axes before; then the rows.
  bool blocks_along(Room& room, std::size_t a, std::size_t base, Int price, bool wide) {
    if (a == space_.outer()) {
      return control_.examine() && compute_row(room, base, price, wide);
    }
    room.count.add_up(a);
    for (auto& values : room.values) values.add_up(a);
    for (std::uint32_t d = 0; d < space_.blocks(a).size(); ++d) {
      room.count.enter(a, d);
      for (auto& values : room.values) values.enter(a, d);
      if (!within(room, a, d, base, price, wide)) return false;
    }
    return true;
  }

  bool within(Room& room, std::size_t a, std::uint32_t digit, std::size_t base, Int price, bool wide) {
    const auto& block = space_.blocks(a)[digit];
    room.digits[a] = digit;
    return blocks_along(room, a + 1, base + digit * space_.stride(a), paid(price, block.price), wide && block.wide);
  }

  /// One row: counts, what each box costs as it is, and the splits along the outer axes; then those within the row.
  /// False if it was stopped.
  bool compute_row(Room& room, std::size_t base, Int price, bool wide) {
    Int* const row = opt_.data() + base;
    room.count.count_row();
    if (plain_)
      squares(row, room.count.of(0), space_.row(), least_);
    else
      for (std::size_t i = 0; i < space_.row(); ++i) {
        const bool may = wide && wide_[i];
        row[i] = judged_ && may && *room.count.of(i) >= least_ ? impossible<Int>
                                                               : own(*room.count.of(i), price, price_[i], may);
      }
    find_divisible(room);
    for (std::size_t a = 0; a < space_.outer(); ++a) {
      const bool all = space_.blocks(a).each_split(room.digits[a], [&](const auto& parts) {
        for (const auto& [from, to] : room.divisible) along(room, a, row + from, room.digits[a], parts, to - from);
        return go_on(room, space_.row());
      });
      if (!all) return false;
    }
    if (judged_ && wide) judge(room, row, price);
    return splits_within(room, space_.outer(), 0, row);
  }

  /// What a class costs does not depend on its box but on its records. So a box that has only one class is best as it
  /// is, even if parts without records can be cut off.
  bool shapeless() const { return problem_.metric == Metric::square || problem_.metric == Metric::minority; }

  /// Whether there are enough records for several classes, or for one where that may cost less in a smaller box, in the
  /// last of the boxes that differ from one on in the axes alone that follow a place: it holds the others.
  bool divisible(const Room& room, std::size_t from, std::size_t stride) const {
    return *room.count.of(from + stride - 1) >= divisible_;
  }

  /// The boxes of a row that may be divided, some at a time.
  void find_divisible(Room& room) const {
    const std::size_t enough = asked_for() ? 1 : enough_at_once;
    std::size_t stride = space_.row();
    for (std::size_t a = space_.outer(); a < space_.divided() && space_.stride(a) >= enough; ++a)
      stride = space_.stride(a);
    room.divisible.clear();
    for (std::size_t from = 0; from < space_.row(); from += stride) {
      if (!divisible(room, from, stride)) continue;
      if (!room.divisible.empty() && room.divisible.back().second == from)
        room.divisible.back().second += stride;
      else
        room.divisible.emplace_back(from, from + stride);
    }
  }

  /// What boxes cost as classes, or suppressed if they are none, and only where the splits so far do not cost as
  /// little: models see all of them at once.
  void judge(Room& room, Int* row, Int price) const {
    for (auto& values : room.values) values.count_row();
    room.box.clear(), room.cost.clear(), room.sizes.clear();
    for (std::size_t i = 0; i < space_.row(); ++i) {
      const Count n = *room.count.of(i);
      if (n < least_ || n == 0 || !wide_[i]) continue;
      const Int cost = problem_.metric == Metric::minority ? minority(room, i, n) : own(n, price, price_[i], true);
      if (std::min(cost, withheld(n)) < row[i])
        room.box.push_back(i), room.cost.push_back(cost), room.sizes.push_back(n);
    }
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      Histogram& histogram = room.histograms[columns_[j]];
      histogram.width = Size::width(problem_, columns_[j]);
      histogram.lanes.resize(room.box.size() * histogram.width);
      for (std::size_t c = 0; c < room.box.size(); ++c)
        std::copy_n(room.values[j].of(room.box[c]), histogram.width, histogram.lanes.data() + c * histogram.width);
    }
    room.violated.assign(room.box.size(), 0);
    const Classes classes{room.sizes, room.histograms};
    if (!problem_.counts_only && !room.box.empty())
      for (const auto& model : problem_.models)
        model->mark(classes, model->sensitive() ? &room.histograms[*model->sensitive()] : nullptr, room.violated);
    for (std::size_t c = 0; c < room.box.size(); ++c) {
      Int& least = row[room.box[c]];
      least = std::min(least, room.violated[c] ? withheld(static_cast<Count>(room.sizes[c])) : room.cost[c]);
    }
  }

  Int minority(const Room& room, std::size_t box, Count n) const {
    const auto j = static_cast<std::size_t>(std::ranges::find(columns_, problem_.target) - columns_.begin());
    const std::span labels(room.values[j].of(box), room.values[j].width());
    return static_cast<Int>(n) - static_cast<Int>(std::ranges::max(labels));
  }

  /// Splits along an axis of the row: boxes that differ in the axes that follow alone go together. False if it was
  /// stopped.
  bool splits_within(Room& room, std::size_t a, std::size_t at, Int* row) {
    if (a >= space_.divided()) return true;
    const std::size_t stride = space_.stride(a);
    for (std::uint32_t d = 0; d < space_.blocks(a).size(); ++d) {
      const std::size_t here = at + d * stride;
      if (!divisible(room, here, stride)) continue;
      std::size_t sums = 0;
      space_.blocks(a).each_split(d, [&](const auto& parts) {
        along(room, a, row + here, d, parts, stride);
        sums += stride;
        return true;
      });
      if (!go_on(room, sums) || !splits_within(room, a + 1, here, row)) return false;
    }
    return true;
  }

  /// A split along an axis, for n boxes in a row.
  template <class Parts>
  void along(Room& room, std::size_t a, Int* out, std::uint32_t digit, const Parts& parts, std::size_t n) {
    const auto row = [&](std::uint32_t part) { return out - (digit - part) * space_.stride(a); };
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

  /// What a box costs: as a class if it may be one, else suppressed.
  Int own(Count n, Int outer, Int inner, bool may) const {
    if (n == 0) return 0;
    const Int records = static_cast<Int>(n);
    if (n < least_ || !may) return withheld(n);
    if (problem_.metric == Metric::square) return records * records;
    return records * (problem_.metric == Metric::product ? outer * inner : outer + inner);
  }

  Int withheld(Count n) const {
    return problem_.suppress ? static_cast<Int>(n) * static_cast<Int>(problem_.suppressed) : impossible<Int>;
  }

  DensePartition<Int, Lane> costs() const { return {records_, space_, {opt_.data(), opt_.size()}, tuples_}; }

  static constexpr std::size_t sums_between = std::size_t{1} << 20;
  static constexpr std::size_t few_at_once = 16, enough_at_once = 32;

  const Records& records_;
  const Problem& problem_;
  Control& control_;
  std::vector<std::uint32_t> tuples_;
  Space space_;
  std::vector<std::size_t> columns_;
  bool judged_;
  Count least_, divisible_;  // records of a class, and of a box that may be divided
  bool plain_;               // what a box costs depends on the number of its records alone
  std::vector<Int> price_;
  std::vector<std::uint8_t> wide_;
  LineVector<Int> opt_;
};

}  // namespace sfumato::boxes

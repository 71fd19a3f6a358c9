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

#include "sfumato/search/box_grid.hpp"
#include "sfumato/search/box_judge.hpp"
#include "sfumato/search/box_partition.hpp"
#include "sfumato/search/box_rows.hpp"
#include "sfumato/search/box_walk.hpp"
#include "sfumato/search/control.hpp"
#include "sfumato/search/threads.hpp"
#include "sfumato/wide.hpp"

namespace sfumato {

/// For problems in which what a model asks of a box is counted: its records, and those of each value. Rows are long enough
/// for the processor to take many boxes at once, and short enough to stay near it while the splits along the other axes add
/// rows up. Records are counted on the way, so that nothing but the costs is kept, and no split is looked at of boxes that
/// have too few of them. Threads share the blocks of the first axis: those that are no parts of each other do not wait.
///
/// With some of the cuts alone it is the cheapest of the partitions that have no others.
template <class Int, class Lane>
class BoxDense {
  using Records = BoxRecords<Int, Lane>;
  using Count = typename Records::Count;
  using Space = BoxSpace<Int>;
  using Box = std::vector<Lane>;
  using Ids = typename BoxPartitions<Int, Lane>::Ids;

 public:
  /// Whether a problem can be worked out so at all: every attribute is one axis, and models count records by their values.
  /// Persons with several records are no sum over parts.
  static bool possible(const BoxProblem& problem) {
    const auto few = [&](std::size_t position) { return width(problem, position) > 0; };
    return (problem.counts_only || !problem.frequencies.units()) && std::ranges::all_of(columns_read(problem), few) &&
           problem.frequencies.records() <= std::numeric_limits<std::uint32_t>::max() &&
           std::ranges::all_of(problem.attributes, [](const BoxAttribute& attribute) { return attribute.axes == 1; });
  }

  /// How much there is to count: records, and those of each value, of all boxes.
  static std::uint64_t effort(const BoxProblem& problem) { return effort(problem, Space::block_counts(problem)); }
  static std::uint64_t effort(const BoxProblem& problem, const std::vector<std::uint64_t>& blocks) {
    return std::min(Space::boxes(blocks), most) * numbers(problem);
  }

  /// Whether what it takes fits into so many bytes, and numbers of 32 bits are enough for the blocks of each axis.
  static bool fits(const BoxProblem& problem, std::uint64_t memory, int threads) {
    return fits(problem, memory, threads, Space::block_counts(problem));
  }
  static bool fits(const BoxProblem& problem, std::uint64_t memory, int threads, const std::vector<std::uint64_t>& blocks) {
    return Space::numbered(blocks) && Space::boxes(blocks) < too_many && bytes(problem, threads, blocks) <= memory;
  }

  BoxDense(const Records& records, Control& control, std::vector<std::uint32_t> tuples, const BoxCuts& cuts = {})
      : records_(records), problem_(records.problem()), control_(control), tuples_(std::move(tuples)),
        space_(problem_, cuts, enough(problem_)), columns_(columns_read(problem_)),
        judged_(!problem_.counts_only || !columns_.empty()), least_(static_cast<Count>(Records::least_of(problem_))),
        divisible_((shapeless() && !problem_.suppress ? 2 : 1) * least_),
        plain_(records_.plain() && problem_.metric == BoxMetric::square) {
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
    for (const std::size_t position : columns_) values.emplace_back(space_.cells(0) * width(problem_, position), 0);
    for (const std::uint32_t t : tuples_) {
      std::size_t at = 0;
      for (std::size_t a = 0; a < space_.axes(); ++a) at += space_.step(a, records_.low(records_.lanes(t), space_.axis(a))) * space_.cells(a + 1);
      counts[at] += records_.sums(t).records;
      for (std::size_t j = 0; j < columns_.size(); ++j)
        for (const std::uint32_t i : records_.combinations(t))
          values[j][at * width(problem_, columns_[j]) + problem_.frequencies.sensitive()[columns_[j]].codes[i]] +=
              static_cast<std::uint32_t>(problem_.frequencies.counts()[i]);  // all records together fit: see `possible`
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
  Ids partition(BoxJudge<Int, Lane>& judge, const BoxWalk<Int, Lane>& walk, BoxPartitions<Int, Lane>& partitions) const {
    Ids found;
    emit(judge, everything(), [&](const Box& whole, const Part& part, std::int64_t n) {
      const Box box = walk.around(part.tuples, whole.data());
      const auto verdict = judge(part.tuples, box.data(), n);
      found.push_back(partitions.id(box.data(), part.tuples, verdict.cost, verdict.withheld));
    });
    std::ranges::sort(found);
    return found;
  }

  /// The parts of a split that it may begin with, if it has several boxes, and their tuples.
  std::vector<std::pair<Box, std::vector<std::uint32_t>>> first_parts() const {
    std::vector<std::pair<Box, std::vector<std::uint32_t>>> found;
    for (Part& part : parts_of(everything())) found.emplace_back(box_of(part), std::move(part.tuples));
    return found;
  }

 private:
  /// What it takes to keep all boxes and the blocks they are made of, to count their records, and to work a row out.
  static std::uint64_t bytes(const BoxProblem& problem, int threads, const std::vector<std::uint64_t>& blocks) {
    const std::uint64_t boxes = Space::boxes(blocks), row = Space::row(blocks, enough(problem));
    const std::uint64_t cells = std::min(Space::cells(problem), boxes), counted = numbers(problem);
    const std::uint64_t rooms = row < boxes ? static_cast<std::uint64_t>(std::max(threads, 1)) : 1;
    const std::uint64_t judged = counted == 1 && problem.counts_only ? 0 : sizeof(Int) + 17 + counted * sizeof(std::uint32_t);
    std::uint64_t total = boxes * sizeof(Int) + 2 * cells * counted * sizeof(Count);
    total += row * (sizeof(Int) + 1) + rooms * row * (counted * sizeof(Count) + judged);
    for (const std::uint64_t n : blocks) total += BoxBlocks<Int>::bytes(n);
    return total;
  }

  static constexpr std::size_t long_enough = 1024, worth_threads = std::size_t{1} << 18;  // boxes of a row, and of a space
  static constexpr std::uint64_t most = std::uint64_t{1} << 48;
  static constexpr std::uint64_t too_many = std::uint64_t{1} << 40;  // boxes for any memory; what fewer take is below 2^64

  /// What a thread works with.
  struct Room {
    BoxGrid<Int, Count> count;
    std::vector<BoxGrid<Int, std::uint32_t>> values;  // by column
    std::vector<std::uint32_t> digits;
    std::vector<Int> sum;
    std::vector<std::pair<std::size_t, std::size_t>> divisible;  // boxes of a row, from and to
    // Boxes of a row that are judged, and what they cost if they are classes.
    std::vector<std::size_t> box;
    std::vector<Int> cost;
    std::vector<std::int64_t> sizes;
    std::vector<std::uint8_t> violated;
    std::vector<Histogram> histograms;
    std::size_t sums = 0;  // since it was last asked whether to go on
  };
  Room new_room() const {
    Room room{{space_, 1}, {}, std::vector<std::uint32_t>(space_.axes(), 0), {}, {}, {}, {}, {}, {}, {}, 0};
    for (const std::size_t position : columns_) room.values.emplace_back(space_, width(problem_, position));
    room.histograms.resize(problem_.frequencies.sensitive().size());
    return room;
  }

  /// Numbers by value of a column; 0 if there are too many.
  static std::size_t width(const BoxProblem& problem, std::size_t position) {
    return lanes_for(problem.frequencies.sensitive()[position].values);
  }

  /// What is counted of a box.
  static std::uint64_t numbers(const BoxProblem& problem) {
    std::uint64_t found = 1;
    for (const std::size_t position : columns_read(problem)) found += width(problem, position);
    return found;
  }

  /// Then small spaces are treated as large ones are: in several rows, by several threads.
  bool asked_for() const { return problem_.way == BoxWay::dense; }
  /// Boxes of a row at least, if there are as many.
  static std::size_t enough(const BoxProblem& problem) { return problem.way == BoxWay::dense ? 4 : long_enough; }

  /// Whether to go on after so many sums more; it is not asked of the control each time.
  bool go_on(Room& room, std::size_t sums) {
    if ((room.sums += sums) < sums_between) return true;
    room.sums = 0;
    return !control_.stopped();
  }

  std::size_t threads() const {
    return space_.size() < worth_threads && !asked_for() ? 1 : static_cast<std::size_t>(std::max(control_.limits().threads, 1));
  }

  /// The blocks of the first axis, those without parts first, then those whose parts came before, and so on.
  std::vector<std::vector<std::uint32_t>> waves() const {
    const auto& blocks = space_.blocks(0);
    std::vector<std::vector<std::uint32_t>> found;
    std::vector<std::size_t> wave(blocks.size(), 0);
    for (std::uint32_t d = 0; d < wave.size(); ++d) {
      blocks.first_split(d, [&](const auto& parts) {
        for (const std::uint32_t part : parts) wave[d] = std::max(wave[d], wave[part] + 1);
      });
      if (found.size() <= wave[d]) found.resize(wave[d] + 1);
      found[wave[d]].push_back(d);
    }
    return found;
  }

  Int at_first() const { return problem_.metric == BoxMetric::product ? 1 : 0; }
  Int paid(Int before, Int price) const { return problem_.metric == BoxMetric::product ? before * price : before + price; }

  /// All blocks of an outer axis, one after the other, within those that were chosen on the axes before; then the rows.
  bool blocks_along(Room& room, std::size_t a, std::size_t base, Int price, bool wide) {
    if (a == space_.outer()) {
      return control_.examine() && work_out(room, base, price, wide);
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

  /// One row: counts, what each box costs as it is, and the splits along the outer axes; then those within the row. False if
  /// it was stopped.
  bool work_out(Room& room, std::size_t base, Int price, bool wide) {
    Int* const row = opt_.data() + base;
    room.count.count_row();
    if (plain_)
      squares(row, room.count.of(0), space_.row(), least_);
    else
      for (std::size_t i = 0; i < space_.row(); ++i) row[i] = own(*room.count.of(i), price, price_[i], !judged_ && wide && wide_[i]);
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

  /// What a class costs does not depend on its box but on its records. So a box that has only one class is best as it is, even
  /// if parts without records can be cut off.
  bool shapeless() const { return problem_.metric == BoxMetric::square || problem_.metric == BoxMetric::minority; }

  /// Whether there are enough records for several classes, or for one where that may cost less in a smaller box, in the last of
  /// the boxes that differ from one on in the axes alone that follow a place: it holds the others.
  bool divisible(const Room& room, std::size_t from, std::size_t stride) const { return *room.count.of(from + stride - 1) >= divisible_; }

  /// The boxes of a row that may be divided, some at a time.
  void find_divisible(Room& room) const {
    const std::size_t enough = asked_for() ? 1 : enough_at_once;
    std::size_t stride = space_.row();
    for (std::size_t a = space_.outer(); a < space_.divided() && space_.stride(a) >= enough; ++a) stride = space_.stride(a);
    room.divisible.clear();
    for (std::size_t from = 0; from < space_.row(); from += stride) {
      if (!divisible(room, from, stride)) continue;
      if (!room.divisible.empty() && room.divisible.back().second == from)
        room.divisible.back().second += stride;
      else
        room.divisible.emplace_back(from, from + stride);
    }
  }

  /// What boxes cost as classes, if they are, and only where the splits so far do not cost as little: models see all of them
  /// at once.
  void judge(Room& room, Int* row, Int price) const {
    for (auto& values : room.values) values.count_row();
    room.box.clear(), room.cost.clear(), room.sizes.clear();
    for (std::size_t i = 0; i < space_.row(); ++i) {
      const Count n = *room.count.of(i);
      if (n < least_ || n == 0 || !wide_[i]) continue;
      const Int cost = problem_.metric == BoxMetric::minority ? minority(room, i, n) : own(n, price, price_[i], true);
      if (cost < row[i]) room.box.push_back(i), room.cost.push_back(cost), room.sizes.push_back(n);
    }
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      Histogram& histogram = room.histograms[columns_[j]];
      histogram.width = width(problem_, columns_[j]);
      histogram.lanes.resize(room.box.size() * histogram.width);
      for (std::size_t c = 0; c < room.box.size(); ++c)
        std::copy_n(room.values[j].of(room.box[c]), histogram.width, histogram.lanes.data() + c * histogram.width);
    }
    room.violated.assign(room.box.size(), 0);
    const Classes classes{room.sizes, room.histograms};
    if (!problem_.counts_only && !room.box.empty())
      for (const auto& model : problem_.models)
        model->mark(classes, model->sensitive() ? &room.histograms[*model->sensitive()] : nullptr, room.violated);
    for (std::size_t c = 0; c < room.box.size(); ++c)
      if (!room.violated[c]) row[room.box[c]] = room.cost[c];
  }

  Int minority(const Room& room, std::size_t box, Count n) const {
    const auto j = static_cast<std::size_t>(std::ranges::find(columns_, problem_.target) - columns_.begin());
    const std::span labels(room.values[j].of(box), room.values[j].width());
    return static_cast<Int>(n) - static_cast<Int>(std::ranges::max(labels));
  }

  /// Splits along an axis of the row: boxes that differ in the axes that follow alone go together. False if it was stopped.
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
    if (n < least_ || !may) return problem_.suppress ? records * static_cast<Int>(problem_.suppressed) : impossible<Int>;
    if (problem_.metric == BoxMetric::square) return records * records;
    return records * (problem_.metric == BoxMetric::product ? outer * inner : outer + inner);
  }

  /// Part of the space, by the blocks of its axes, and what lies in it.
  struct Part {
    std::vector<std::uint32_t> digits, tuples;
  };

  Part everything() const {
    Part all{{}, tuples_};
    for (std::size_t a = 0; a < space_.axes(); ++a)
      all.digits.push_back(static_cast<std::uint32_t>(space_.blocks(a).size() - 1));  // fewer than 2^32, see `fits`
    return all;
  }

  Box box_of(const Part& part) const {
    Box lanes(records_.width(), Records::most);
    for (std::size_t a = 0; a < part.digits.size(); ++a)
      records_.set(lanes.data(), space_.axis(a), space_.blocks(a)[part.digits[a]].low, space_.blocks(a)[part.digits[a]].high);
    return lanes;
  }

  /// The parts of a split that costs the least; none if no split does.
  std::vector<Part> parts_of(const Part& whole) const {
    const std::size_t at = space_.number(whole.digits);
    std::vector<Part> found;
    for (std::size_t a = 0; a < whole.digits.size() && found.empty(); ++a)
      space_.blocks(a).each_split(whole.digits[a], [&](const auto& parts) {
        Int sum = 0;
        for (const std::uint32_t part : parts)
          sum = std::min(impossible<Int>, sum + opt_[at - (whole.digits[a] - part) * space_.stride(a)]);
        if (sum == opt_[at])
          for (const std::uint32_t part : parts) found.push_back(part_of(whole, a, part));
        return found.empty();
      });
    return found;
  }

  /// What lies in a block of an axis, of a part.
  Part part_of(const Part& whole, std::size_t a, std::uint32_t digit) const {
    const auto& block = space_.blocks(a)[digit];
    Part below{whole.digits, {}};
    below.digits[a] = digit;
    for (const std::uint32_t t : whole.tuples) {
      const std::uint32_t cell = records_.low(records_.lanes(t), space_.axis(a));
      if (block.low <= cell && cell <= block.high) below.tuples.push_back(t);
    }
    return below;
  }

  /// Calls with every box that has records of a cheapest partition of a part. Splits may be as deep as an order is long.
  template <class Call>
  void emit(BoxJudge<Int, Lane>& judge, Part whole, const Call& call) const {
    std::vector<Part> waiting{std::move(whole)};
    while (!waiting.empty()) {
      const Part part = std::move(waiting.back());
      waiting.pop_back();
      if (part.tuples.empty()) continue;
      std::int64_t n = 0;
      for (const std::uint32_t t : part.tuples) n += records_.sums(t).records;
      const Box box = box_of(part);
      if (judge(part.tuples, box.data(), n).cost == opt_[space_.number(part.digits)]) {
        call(box, part, n);
        continue;
      }
      auto below = parts_of(part);
      std::ranges::move(below.rbegin(), below.rend(), std::back_inserter(waiting));  // the first one on top
    }
  }

  static constexpr std::size_t sums_between = std::size_t{1} << 20;
  static constexpr std::size_t few_at_once = 16, enough_at_once = 32;

  const Records& records_;
  const BoxProblem& problem_;
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

}  // namespace sfumato

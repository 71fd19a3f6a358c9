// The splits of a box: one pass over its records yields the parts of all of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "sfumato/algorithms/boxes/records.hpp"
#include "sfumato/search/planted.hpp"

namespace sfumato::boxes {

template <class Int, class Lane>
class Walk {
 public:
  using Records = boxes::Records<Int, Lane>;
  using Tuples = std::span<const std::uint32_t>;

  /// A part that has records; its lanes are `lanes(part)`.
  struct Part {
    RecordSums<Int> sums;
    Int lower, upper;  // bounds so far
    std::uint32_t side;
  };
  struct Split {
    std::uint32_t axis, cut;  // the last cell of the left side; or the node of a tree
    std::uint32_t first, parts;
    Int lower;
    double order;
  };
  /// Where splits, parts and tuples of a box begin on the stacks; what lies above them is released with it.
  struct Mark {
    std::size_t splits, parts, tuples;
  };

  explicit Walk(const Records& records) : records_(records), problem_(records.problem()), whole_(records.axes(), 0) {
    for (const Attribute& attribute : problem_.attributes)
      if (attribute.limited())
        for (std::size_t a = attribute.axis; a < attribute.axis + attribute.axes; ++a) whole_[a] = 1, any_whole_ = true;
    offset_.push_back(0);
    for (const Axis& axis : problem_.axes) offset_.push_back(offset_.back() + axis.cells);
    buckets_.resize(offset_.back() * records.stride());
    side_.resize(offset_.back());
    running_.resize(records.width());
    blank_.assign(records.width(), Records::most);
  }

  /// Whether boxes are more than their records: their width is limited.
  bool any_whole() const { return any_whole_; }

  Mark mark() const { return {splits_.size(), parts_.size(), tuples_.size()}; }
  void release(const Mark& mark) {
    splits_.resize(mark.splits);
    parts_.resize(mark.parts);
    part_lanes_.resize(mark.parts * records_.width());
    tuples_.resize(mark.tuples);
  }

  /// What the stacks take, but for what they have in store.
  std::size_t bytes() const {
    const std::size_t part = sizeof(Part) + records_.width() * sizeof(Lane);
    return splits_.size() * sizeof(Split) + parts_.size() * part + tuples_.size() * sizeof(std::uint32_t);
  }

  /// Whether a box has so many splits that those that are not needed are released before deeper boxes are looked at.
  bool many(const Mark& mark) const { return parts_.size() - mark.parts >= many_parts; }

  /// Where a box has many splits, releases all but these; returns where they are then.
  std::vector<std::size_t> keep(const Mark& mark, const std::vector<std::size_t>& chosen) {
    if (!many(mark)) return chosen;
    std::vector<Split> splits;
    std::vector<Part> parts;
    std::vector<Lane> part_lanes;
    std::vector<std::size_t> places;
    for (const std::size_t s : chosen) {
      Split split = splits_[s];
      const auto first = static_cast<std::ptrdiff_t>(split.first),
                 last = first + static_cast<std::ptrdiff_t>(split.parts);
      const auto width = static_cast<std::ptrdiff_t>(records_.width());
      split.first = static_cast<std::uint32_t>(mark.parts + parts.size());  // it was numbered so before
      parts.insert(parts.end(), parts_.begin() + first, parts_.begin() + last);
      part_lanes.insert(part_lanes.end(), part_lanes_.begin() + first * width, part_lanes_.begin() + last * width);
      places.push_back(mark.splits + splits.size());
      splits.push_back(split);
    }
    splits_.resize(mark.splits), parts_.resize(mark.parts), part_lanes_.resize(mark.parts * records_.width());
    splits_.insert(splits_.end(), splits.begin(), splits.end());
    parts_.insert(parts_.end(), parts.begin(), parts.end());
    part_lanes_.insert(part_lanes_.end(), part_lanes.begin(), part_lanes.end());
    return places;
  }

  Split& split(std::size_t s) { return splits_[s]; }
  Part& part(std::size_t p) { return parts_[p]; }
  const Lane* lanes(std::size_t p) const { return part_lanes_.data() + p * records_.width(); }
  std::size_t splits() const { return splits_.size(); }
  auto begin_of(std::size_t s) { return splits_.begin() + static_cast<std::ptrdiff_t>(s); }
  void drop_splits(std::size_t from) { splits_.resize(from); }
  void drop_tuples(std::size_t from) { tuples_.resize(from); }

  /// The box of all records, and on axes whose width counts, of all cells.
  std::vector<Lane> root(RecordSums<Int>& sums) const {
    std::vector<Lane> lanes(records_.width(), Records::most);
    for (std::size_t t = 0; t < records_.size(); ++t) {
      records_.widen(lanes.data(), records_.lanes(t));
      sums += records_.sums(t);
    }
    for (std::size_t a = 0; a < whole_.size(); ++a)
      if (whole_[a]) records_.set(lanes.data(), a, 0, problem_.axes[a].cells - 1);
    return lanes;
  }

  /// Where the width of an axis counts, a box keeps its bounds, whatever its records are.
  void keep_whole(Lane* lanes, const Lane* box) const {
    for (std::size_t a = 0; a < whole_.size(); ++a)
      if (whole_[a]) records_.set(lanes, a, records_.low(box, a), records_.high(box, a));
  }

  /// The box of some tuples of another one.
  std::vector<Lane> around(Tuples tuples, const Lane* whole) const {
    std::vector<Lane> box(records_.width(), Records::most);
    for (const std::uint32_t t : tuples) records_.widen(box.data(), records_.lanes(t));
    keep_whole(box.data(), whole);
    return box;
  }

  /// Puts all splits of a box on the stack, with their parts; but those of which a part has too few records.
  /// Parts are numbered by 32 bits: see `Search::deepest`.
  void expand(Tuples tuples, const Lane* box) {
    gather(tuples, box);
    for (std::size_t a = 0; a < records_.axes(); ++a) {
      const std::uint32_t low = records_.low(box, a), high = records_.high(box, a);
      if (low == high) continue;
      const Axis& axis = problem_.axes[a];
      if (axis.tree)
        split_tree(a, box, low, high);
      else if (axis.missing && high + 1 == axis.cells)
        split_at(a, box, low, high, high - 1, high);
      else
        split_at(a, box, low, high, low, high);
    }
    if (is_planted(Fault::split_skipped) && splits_.size() % 3 == 2) splits_.pop_back();
  }

  /// Distributes the tuples of a box over the parts of a split; `begin[i]` is where part i begins on the stack of
  /// tuples.
  void distribute(Tuples tuples, const Split& split, std::vector<std::size_t>& begin) {
    const Lane* cell = records_.column(split.axis);
    begin.assign(split.parts + 1, 0);
    const std::size_t base = tuples_.size(), count = tuples.size();
    const std::size_t start = static_cast<std::size_t>(tuples.data() - tuples_.data());
    const bool own = tuples.data() >= tuples_.data() && start < tuples_.size();
    tuples_.resize(base + count);
    const std::uint32_t* from = own ? tuples_.data() + start : tuples.data();
    std::uint32_t* out = tuples_.data() + base;
    if (!problem_.axes[split.axis].tree && split.parts == 2) {
      // The left side from the front, the right one from the back: each tuple goes to both, and one of them stays.
      std::size_t left = 0, right = count;
      for (std::size_t j = 0; j < count; ++j) {
        const bool later = cell[from[j]] > split.cut;
        out[left] = out[right - 1] = from[j];
        left += !later;
        right -= later;
      }
      begin = {base, base + left, base + count};
      return;
    }
    sides_of(split);
    place_.assign(side_count_, 0);
    for (std::uint32_t i = 0; i < split.parts; ++i) place_[parts_[split.first + i].side] = i;
    for (std::size_t j = 0; j < count; ++j) ++begin[place_[side_[cell[from[j]]]] + 1];
    for (std::uint32_t i = 0; i < split.parts; ++i) begin[i + 1] += begin[i];
    next_.assign(begin.begin(), begin.end());
    for (std::size_t j = 0; j < count; ++j) out[next_[place_[side_[cell[from[j]]]]]++] = from[j];
    for (std::size_t& at : begin) at += base;
  }

  /// Tuples from one place of the stack to another. Deeper boxes may move the stack: take them when they are needed.
  Tuples tuples(std::size_t from, std::size_t to) const { return {tuples_.data() + from, to - from}; }
  std::size_t push_all() {
    const std::size_t base = tuples_.size();
    for (std::uint32_t t = 0; t < records_.size(); ++t) tuples_.push_back(t);
    return base;
  }
  /// Tuples that are on the stack already, once more.
  std::size_t push_again(std::size_t from, std::size_t to) {
    const std::size_t base = tuples_.size();
    tuples_.resize(base + to - from);
    std::copy_n(tuples_.begin() + static_cast<std::ptrdiff_t>(from), to - from,
                tuples_.begin() + static_cast<std::ptrdiff_t>(base));
    return base;
  }
  /// Writes what was distributed above a place over the tuples that it came from.
  void put_back(std::size_t from, std::size_t distributed) {
    std::copy(tuples_.begin() + static_cast<std::ptrdiff_t>(distributed), tuples_.end(),
              tuples_.begin() + static_cast<std::ptrdiff_t>(from));
    drop_tuples(distributed);
  }

 private:
  auto* bucket(std::size_t a, std::uint32_t cell) { return buckets_.data() + (offset_[a] + cell) * records_.stride(); }

  /// Sums and lanes by axis and cell.
  void gather(Tuples tuples, const Lane* box) {
    const std::size_t axes = records_.axes();
    bases_.clear();
    for (std::size_t a = 0; a < axes; ++a) {
      const std::uint32_t low = records_.low(box, a), high = records_.high(box, a);
      if (low < high) bases_.push_back({bucket(a, 0), a, low, high});
    }
    switch (records_.width() / Records::block) {
      case 1: return add<1>(tuples);
      case 2: return add<2>(tuples);
      default: return add<0>(tuples);
    }
  }

  /// Every tuple to its cells. The width of a row is known when this is compiled, if it is a usual one: it is the one
  /// loop in which the time goes.
  template <std::size_t Blocks>
  void add(Tuples tuples) {
    using Unit = typename Records::Unit;
    const std::size_t stride = Blocks > 0 ? sizeof(RecordSums<Int>) / sizeof(Unit) + Blocks : records_.stride();
    for (const Base& axis : bases_)
      for (std::size_t c = axis.low; c <= axis.high; ++c) {
        Unit* at = axis.cells + c * stride;
        Records::sums_of(at) = {};
        if constexpr (Blocks == 0)
          records_.copy(Records::lanes_of(at), blank_.data());
        else
          std::memcpy(Records::lanes_of(at), blank_.data(), 16 * Blocks);
      }
    const Unit* rows = records_.row(0);
    const auto* const first = bases_.data();
    const auto* const last = first + bases_.size();
    for (const std::uint32_t t : tuples) {
      const Unit* row = rows + t * stride;
      const Lane* lanes = Records::lanes_of(row);
      const RecordSums<Int> sums = Records::sums_of(row);
      for (const auto* axis = first; axis != last; ++axis) {
        Unit* at = axis->cells + lanes[axis->number] * stride;
        Records::sums_of(at) += sums;
        if constexpr (Blocks == 0)
          records_.widen(Records::lanes_of(at), lanes);
        else
          Records::template widen_by<Blocks>(Records::lanes_of(at), lanes);
      }
    }
  }

  void split_at(std::size_t a, const Lane* box, std::uint32_t low, std::uint32_t high, std::uint32_t from,
                std::uint32_t to) {
    // Left sides by going up, right sides by going down; `first` is where the left side of cut c begins.
    const std::size_t width = records_.width();
    const auto counts = [&](std::uint32_t c) { return whole_[a] || Records::sums_of(bucket(a, c)).records > 0; };
    RecordSums<Int> sums;
    typename Records::Count all = 0;
    for (std::uint32_t c = low; c <= high; ++c) all += Records::sums_of(bucket(a, c)).records;
    std::fill(running_.begin(), running_.end(), Records::most);
    const std::size_t first = splits_.size();
    for (std::uint32_t c = low; c < to; ++c) {
      sums += Records::sums_of(bucket(a, c));
      records_.widen(running_.data(), Records::lanes_of(bucket(a, c)));
      if (c < from || (from == low && !counts(c))) continue;  // a cut in a gap is that before the gap
      if (too_few(sums.records) || too_few(all - sums.records)) continue;
      splits_.push_back({static_cast<std::uint32_t>(a), c, static_cast<std::uint32_t>(parts_.size()), 0, 0, 0});
      parts_.emplace_back(), parts_.emplace_back();
      part_lanes_.resize(parts_.size() * width);
      fill(parts_.size() - 2, sums, running_.data(), box, a, low, c, 0);
    }
    sums = {};
    std::fill(running_.begin(), running_.end(), Records::most);
    std::size_t s = splits_.size();
    for (std::uint32_t c = high; c > low && s > first; --c) {
      sums += Records::sums_of(bucket(a, c));
      records_.widen(running_.data(), Records::lanes_of(bucket(a, c)));
      if (splits_[s - 1].cut != c - 1) continue;
      fill(splits_[--s].first + 1, sums, running_.data(), box, a, c, high, 1);
    }
    for (s = first; s < splits_.size(); ++s) settle(splits_[s]);
  }

  /// Whether a part can be no class, nor be suppressed, so that the split is of no use.
  bool too_few(typename Records::Count n) const {
    return !problem_.suppress && n > 0 && n < Records::least_of(problem_);
  }

  /// A split of two sides with records in one only is a narrower box of the same records.
  void settle(Split& split) {
    split.parts = 2;
    if (parts_[split.first].sums.records == 0)
      ++split.first, split.parts = 1;
    else if (parts_[split.first + 1].sums.records == 0)
      split.parts = 1;
  }

  void split_tree(std::size_t a, const Lane* box, std::uint32_t low, std::uint32_t high) {
    const Axis& axis = problem_.axes[a];
    const std::uint32_t node = axis.node(low, high);
    const std::size_t width = records_.width();
    Split split{static_cast<std::uint32_t>(a), node, static_cast<std::uint32_t>(parts_.size()), 0, 0, 0};
    std::uint32_t side = 0;
    for (const std::uint32_t child : axis.children[node]) {
      const std::uint32_t from = std::max(axis.first[child], low), to = std::min(axis.last[child], high);
      RecordSums<Int> sums;
      std::fill(running_.begin(), running_.end(), Records::most);
      for (std::uint32_t c = from; c <= to && c >= from; ++c) {
        sums += Records::sums_of(bucket(a, c));
        records_.widen(running_.data(), Records::lanes_of(bucket(a, c)));
      }
      if (too_few(sums.records)) {
        parts_.resize(split.first);
        part_lanes_.resize(split.first * width);
        return;
      }
      if (sums.records > 0) {
        parts_.emplace_back();
        part_lanes_.resize(parts_.size() * width);
        fill(parts_.size() - 1, sums, running_.data(), box, a, axis.first[child], axis.last[child], side);
        ++split.parts;
      }
      ++side;
    }
    splits_.push_back(split);
  }

  void fill(std::size_t p, const RecordSums<Int>& sums, const Lane* lanes, const Lane* box, std::size_t a,
            std::uint32_t low, std::uint32_t high, std::uint32_t side) {
    parts_[p] = {sums, 0, impossible<Int>, side};
    Lane* own = part_lanes_.data() + p * records_.width();
    records_.copy(own, lanes);
    if (!any_whole_) return;
    keep_whole(own, box);
    if (whole_[a]) records_.set(own, a, low, high);
  }

  /// The side of each cell of a split's axis.
  void sides_of(const Split& split) {
    const Axis& axis = problem_.axes[split.axis];
    if (!axis.tree) {
      side_count_ = 2;
      for (std::uint32_t c = 0; c < axis.cells; ++c) side_[c] = c > split.cut;
      return;
    }
    side_count_ = 0;
    for (const std::uint32_t child : axis.children[split.cut]) {
      for (std::uint32_t c = axis.first[child]; c <= axis.last[child]; ++c) side_[c] = side_count_;
      ++side_count_;
    }
  }

  static constexpr std::size_t many_parts = 4'096;

  const Records& records_;
  const Problem& problem_;
  std::vector<std::uint8_t> whole_;
  bool any_whole_ = false;
  std::vector<std::size_t> offset_;              // of an axis's cells
  std::vector<typename Records::Unit> buckets_;  // sums and lanes of the records in each cell of each axis
  struct Base {
    typename Records::Unit* cells;
    std::size_t number, low, high;
  };
  std::vector<Base> bases_;  // of the axes that can be split
  std::vector<Lane> running_, blank_;
  std::vector<std::uint32_t> side_, place_, tuples_;
  std::vector<std::size_t> next_;
  std::uint32_t side_count_ = 0;
  std::vector<Split> splits_;
  std::vector<Part> parts_;
  std::vector<Lane> part_lanes_;
};

}  // namespace sfumato::boxes

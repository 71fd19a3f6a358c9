// Classes counted all at once: the records of each node in some axes, for all combinations of these, and what they
// cost.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "sfumato/algorithms/cuts/axis.hpp"
#include "sfumato/algorithms/cuts/int16x8.hpp"
#include "sfumato/algorithms/cuts/prices.hpp"
#include "sfumato/algorithms/cuts/tuples.hpp"
#include "sfumato/algorithms/cuts/weights.hpp"
#include "sfumato/search/control.hpp"
#include "sfumato/search/planted.hpp"

namespace sfumato::cuts {

/// Tuples in the order of their leaves in an axis: those below a node are neighbours.
class TuplesByNode {
 public:
  TuplesByNode(const Tuples& tuples, const Axis& axis, std::span<const std::uint32_t> members)
      : axis_(&axis), begin_(axis.nodes() + 1, 0), sorted_(members.size()) {
    const auto leaf = [&](std::uint32_t t) { return tuples.leaf(t, axis.attribute()) - axis.first(); };
    for (const std::uint32_t t : members) ++begin_[leaf(t) + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::vector<std::uint32_t> at(begin_);
    for (const std::uint32_t t : members) sorted_[at[leaf(t)]++] = t;
  }

  std::span<const std::uint32_t> below(std::uint32_t v) const {
    return {sorted_.data() + begin_[v], begin_[axis_->end(v)] - begin_[v]};
  }

 private:
  const Axis* axis_;
  std::vector<std::uint32_t> begin_, sorted_;
};

/// Tuples are sorted out axis by axis. Those of the innermost axes are counted in cells, one for each combination of
/// their leaves, and cells are added up to those of the nodes above.
class ClassCells {
 public:
  using Sum = std::int64_t;

  static constexpr std::size_t most_cells = 1 << 16;  // unless the last axis alone has more
  static constexpr double most_bytes =
      most_cells * KindLanes::most_registers * Int16x8::lanes * (sizeof(std::int16_t) + sizeof(std::int32_t));

  /// Whether counts of few kinds are all that costs depend on.
  static bool countable(const Problem& problem, const Tuples& tuples) {
    return Prices<Sum>(problem, tuples).in_lanes();
  }

  /// `apart`: how many axes are never among the innermost.
  ClassCells(const Problem& problem, const Tree& tree, const Tuples& tuples, std::span<const Axis> axes,
             std::size_t apart)
      : tuples_(&tuples),
        axes_(axes),
        prices_(problem, tuples),
        inner_(axes.size() - 1),
        stride_(axes.size(), 1),
        cell_of_(tuples.size(), 0),
        planted_(is_planted(Fault::bound_one_too_high) ? 1 : 0) {
    for (std::size_t i = axes.size() - 1; i-- > 0;) stride_[i] = stride_[i + 1] * size(i + 1);
    while (inner_ > apart && size(inner_ - 1) * stride_[inner_ - 1] <= most_cells) --inner_;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      weight_.emplace_back(size(i), 0);
      if (problem.loss.metric == Metric::values)
        for (std::uint32_t v = 0; v < size(i); ++v)
          weight_[i][v] = static_cast<Sum>(weight_of(problem, tree[axes[i].first() + v]));
    }
    price_.assign(size(inner_) * stride_[inner_], 0);
    for (std::size_t i = inner_; i < axes.size(); ++i) {
      for (std::size_t cell = 0; cell < price_.size(); ++cell) price_[cell] += weight_[i][cell / stride_[i] % size(i)];
      for (std::uint32_t t = 0; t < tuples.size(); ++t)
        cell_of_[t] += static_cast<std::uint32_t>(leaf(t, i) * stride_[i]);
    }
  }

  /// Adds what classes cost of some tuples; they have nodes in common in the first axes, so many of them, of this
  /// `price`. `costs`: by the nodes of all other axes.
  void add(std::span<const std::uint32_t> members, std::size_t axes, Sum price, std::span<double> costs,
           Control& control) {
    costs_ = costs;
    control_ = &control;
    if (!members.empty()) sort_out(axes, members, 0, price);
  }

  /// What a value costs that is published at a node of an axis.
  Sum weight(std::size_t axis, std::uint32_t node) const { return weight_[axis][node]; }

 private:
  std::size_t size(std::size_t axis) const { return axes_[axis].nodes(); }
  std::uint32_t leaf(std::uint32_t t, std::size_t axis) const {
    return tuples_->leaf(t, axes_[axis].attribute()) - axes_[axis].first();
  }

  /// Of each node of an axis those that are below it. `place` in the table, and `price` of the nodes so far.
  void sort_out(std::size_t axis, std::span<const std::uint32_t> members, std::size_t place, Sum price) {
    if (control_->stopped()) return;
    if (axis == inner_) return count(members, place, price);
    const TuplesByNode sorted(*tuples_, axes_[axis], members);
    for (std::uint32_t v = 0; v < size(axis); ++v)
      if (const auto below = sorted.below(v); !below.empty())
        sort_out(axis + 1, below, place + v * stride_[axis], price + weight_[axis][v]);
  }

  void count(std::span<const std::uint32_t> members, std::size_t place, Sum price) {
    if (!control_->examine()) return;
    std::int64_t records = 0;
    for (const std::uint32_t t : members) records += tuples_->records(t);
    if (records <= Int16x8::max)
      count_in(small_, members, place, price);
    else
      count_in(large_, members, place, price);
  }

  template <class Number>
  void count_in(std::vector<Number>& counts, std::span<const std::uint32_t> members, std::size_t place, Sum price) {
    const std::size_t lanes = prices_.lanes().size();
    counts.assign(price_.size() * lanes, 0);
    for (const std::uint32_t t : members)
      for (const KindCount& cell : tuples_->kind_counts(t))
        counts[cell_of_[t] * lanes + prices_.lanes().of(cell.kind)] += static_cast<Number>(cell.count);
    for (std::size_t axis = axes_.size(); axis-- > inner_;) add_up(counts, axis);
    for (std::size_t cell = 0; cell < price_.size(); ++cell) {
      const ClassCost<Sum> of = measured(counts.data() + cell * lanes);
      if (of.records == 0) continue;
      costs_[place + cell] += static_cast<double>(of.kept * (price + price_[cell]) + of.fixed + planted_);
    }
  }

  /// Adds up the cells of an axis, where those before it are at their leaves; all after it are added up.
  template <class Number>
  void add_up(std::vector<Number>& counts, std::size_t axis) {
    const std::size_t row = stride_[axis] * prices_.lanes().size();
    for (std::size_t before = 0; before < price_.size() / (stride_[axis] * size(axis)); ++before) {
      if (!at_leaves(before, axis)) continue;
      Number* const rows = counts.data() + before * size(axis) * row;
      for (auto v = static_cast<std::uint32_t>(size(axis)); v-- > 0;)
        for (const std::uint32_t child : axes_[axis].children(v)) {
          Number* const to = rows + v * row;
          const Number* const from = rows + child * row;
          for (std::size_t i = 0; i < row; ++i) to[i] = static_cast<Number>(to[i] + from[i]);
        }
    }
  }

  /// Whether a combination of nodes of the inner axes before this one is one of leaves.
  bool at_leaves(std::size_t combination, std::size_t axis) const {
    for (std::size_t i = axis; i-- > inner_; combination /= size(i))
      if (!axes_[i].children(static_cast<std::uint32_t>(combination % size(i))).empty()) return false;
    return true;
  }

  ClassCost<Sum> measured(const std::int16_t* counts) {
    const std::size_t registers = prices_.lanes().size() / Int16x8::lanes;
    Int16x8 all;  // of a class, which is small
    for (std::size_t j = 0; j < registers; ++j)
      all = all + (registers_[j] = Int16x8::load(counts + j * Int16x8::lanes));
    const std::int64_t records = all.sum();
    return records == 0 ? ClassCost<Sum>{} : prices_.measure_whole({registers_.data(), registers}, records);
  }

  ClassCost<Sum> measured(const std::int32_t* counts) {
    std::int64_t records = 0;
    for (std::size_t i = 0; i < prices_.lanes().size(); ++i) records += counts[i];
    if (records == 0) return {};
    if (records <= Int16x8::max) {
      std::array<std::int16_t, KindLanes::most_registers * Int16x8::lanes> small;
      for (std::size_t i = 0; i < prices_.lanes().size(); ++i) small[i] = static_cast<std::int16_t>(counts[i]);
      return measured(small.data());
    }
    by_kind_.clear();
    for (std::uint32_t kind = 0; kind < tuples_->kinds(); ++kind) by_kind_.push_back(counts[prices_.lanes().of(kind)]);
    return prices_.measure({}, by_kind_, records, {});
  }

  const Tuples* tuples_;
  std::span<const Axis> axes_;
  Prices<Sum> prices_;
  std::size_t inner_;                     // the first of the axes that are counted in cells
  std::vector<std::size_t> stride_;       // of costs, and of cells
  std::vector<std::vector<Sum>> weight_;  // by axis and node
  std::vector<Sum> price_;                // by cell
  std::vector<std::uint32_t> cell_of_;    // by tuple
  std::vector<std::int16_t> small_;       // records by cell and lane
  std::vector<std::int32_t> large_;
  std::vector<std::int64_t> by_kind_;
  std::array<Int16x8, KindLanes::most_registers> registers_;
  std::span<double> costs_;
  Sum planted_;  // a fault: each class costs one unit too much
  Control* control_ = nullptr;
};

}  // namespace sfumato::cuts

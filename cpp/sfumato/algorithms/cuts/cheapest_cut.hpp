// The cheapest cut of a table of costs that has a row for each node of each axis, by branch and bound.
//
// A cut of an axis is a choice of rows, which are added up and leave a table of the axes after it. In the last one the
// parts of a cut do not depend on each other, and the cheapest is found from the leaves up. The same in an axis before
// it it gives each entry of what is left the cut that is best for it alone: together they cost at least as little as
// any cut of all. So nodes of an axis are decided one by one, and what is not decided counts as little as that.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "sfumato/algorithms/cuts/axis.hpp"
#include "sfumato/search/control.hpp"
#include "sfumato/search/planted.hpp"

namespace sfumato::cuts {

class CheapestCut {
 public:
  /// Costs are whole numbers that a double holds.
  struct Solution {
    double cost;
    std::vector<std::vector<std::uint32_t>> nodes;  // by axis; none if no cut is cheap enough
    bool complete;                                  // no cut costs less
  };

  explicit CheapestCut(std::span<const Axis> axes) : axes_(axes), levels_(axes.size()) {
    std::size_t stride = 1;
    for (std::size_t i = axes.size(); i-- > 0; stride *= size(i)) {
      levels_[i].stride = stride;
      levels_[i].least.resize(axes[i].parting() * stride);
      if (i > 0) levels_[i].ahead.resize(axes[i].parting() * stride);
      if (i < last()) levels_[i].left.resize(stride);
    }
  }

  /// Bytes that it takes at most to choose from tables of these axes.
  static double bytes(std::span<const Axis> axes) {
    double all = 0, stride = sizeof(double);
    for (std::size_t i = axes.size(); i-- > 0; stride *= static_cast<double>(axes[i].nodes()))
      all += stride * ((i > 0 ? 4.0 : 3.0) * axes[i].parting() + 2);
    return all;
  }

  /// The first of the cheapest cuts of a table, if it costs less than `enough`. `effort`: entries of tables that may be
  /// looked at, of which it leaves the rest; not complete if that is too little, or if stopped.
  Solution solve(std::span<const double> table, double enough, double& effort, Control& control) {
    effort_ = &effort;
    control_ = &control;
    best_ = {enough, {}, true};
    choose(0, table.data());
    return std::move(best_);
  }

 private:
  struct Level {
    std::size_t stride;  // of its table, between rows
    std::vector<double> least,
        ahead;  // what the cuts below a node cost at least: of its table, and of one that is looked ahead to
    std::vector<double> left;              // of one of these, for the axes after it
    std::deque<std::vector<double>> sums;  // tables that are left, by how many nodes were decided, two each
    std::vector<std::uint32_t> open, cut;  // nodes that are to be decided, and those that were chosen
  };

  std::size_t last() const { return axes_.size() - 1; }
  std::size_t size(std::size_t axis) const { return axes_[axis].nodes(); }
  bool leaf(std::size_t axis, std::uint32_t v) const { return axes_[axis].children(v).empty(); }

  /// Of a node: its row in the table if it is a leaf, else what the cuts below it cost at least.
  static const double* row(const Axis& axis, const double* table, const std::vector<double>& least, std::size_t stride,
                           std::uint32_t v) {
    return axis.children(v).empty() ? table + v * stride : least.data() + axis.place(v) * stride;
  }

  /// What the cuts below each node cost at least, each entry by itself.
  void look_up(std::size_t level, const double* table, std::vector<double>& least) const {
    const Axis& axis = axes_[level];
    const std::size_t stride = levels_[level].stride;
    for (auto v = static_cast<std::uint32_t>(size(level)); v-- > 0;) {
      if (leaf(level, v)) continue;
      double* const to = least.data() + axis.place(v) * stride;
      add(axis, axis.children(v), table, least, stride, to);
      const double* const whole = table + v * stride;
      for (std::size_t i = 0; i < stride; ++i) to[i] = std::min(to[i], whole[i]);
    }
  }

  static void add(const Axis& axis, std::span<const std::uint32_t> nodes, const double* table,
                  const std::vector<double>& least, std::size_t stride, double* to) {
    const double* const first = row(axis, table, least, stride, nodes[0]);
    std::copy(first, first + stride, to);
    for (const std::uint32_t v : nodes.subspan(1)) {
      const double* const from = row(axis, table, least, stride, v);
      for (std::size_t i = 0; i < stride; ++i) to[i] += from[i];
    }
  }

  /// What all cuts of a table cost at least; exactly that if it is of the last axis.
  double bound(std::size_t level, const double* table) {
    for (;; ++level) {
      Level& of = levels_[level];
      look_up(level, table, of.ahead);
      if (level == last()) break;
      table = added_up(level, table, of.ahead);
    }
    return sum_of(axes_[last()].roots(), table, levels_[last()].ahead);
  }

  /// What is left of a table if each entry has the cut that is best for it alone.
  const double* added_up(std::size_t level, const double* table, const std::vector<double>& least) {
    const Axis& axis = axes_[level];
    Level& of = levels_[level];
    if (axis.roots().size() == 1) return row(axis, table, least, of.stride, axis.roots()[0]);
    add(axis, axis.roots(), table, least, of.stride, of.left.data());
    return of.left.data();
  }

  /// What the cuts below nodes of the last axis cost at least.
  double sum_of(std::span<const std::uint32_t> nodes, const double* costs, const std::vector<double>& least) const {
    double sum = 0;
    for (const std::uint32_t v : nodes) sum += *row(axes_[last()], costs, least, 1, v);
    return sum;
  }

  /// All cuts of an axis, and of those after it.
  void choose(std::size_t level, const double* table) {
    Level& of = levels_[level];
    look_up(level, table, of.least);
    if (level == last()) return close(table);
    of.cut.clear();
    of.open.clear();
    enter(level, axes_[level].roots());
    const double* const sum = added_up(level, table, of.least);
    std::vector<double>& first = sums(level, 0);
    std::copy(sum, sum + of.stride, first.begin());
    if (bound(level + 1, first.data()) < best_.cost) decide(level, table, first, 1);
  }

  std::vector<double>& sums(std::size_t level, std::size_t number) {
    Level& of = levels_[level];
    while (of.sums.size() <= number) of.sums.emplace_back(of.stride);
    return of.sums[number];
  }

  void enter(std::size_t level, std::span<const std::uint32_t> nodes) {
    for (const std::uint32_t v : nodes) (leaf(level, v) ? levels_[level].cut : levels_[level].open).push_back(v);
  }

  /// Decides what is open in an axis. `sum`: of the rows that were chosen, and of the least that open nodes can come
  /// to.
  void decide(std::size_t level, const double* table, const std::vector<double>& sum, std::size_t depth) {
    Level& of = levels_[level];
    if (!goes_on(of.stride)) return;
    if (of.open.empty()) return choose(level + 1, sum.data());
    const std::uint32_t v = of.open.back();
    of.open.pop_back();
    const std::size_t open = of.open.size(), chosen = of.cut.size();
    const double *const whole = table + v * of.stride, *const least =
                                                           of.least.data() + axes_[level].place(v) * of.stride;
    std::vector<double>& locked = sums(level, 2 * depth - 1);
    for (std::size_t i = 0; i < of.stride; ++i) locked[i] = sum[i] - least[i] + whole[i];
    std::vector<double>& finer = sums(level, 2 * depth);
    add(axes_[level], axes_[level].children(v), table, of.least, of.stride, finer.data());
    for (std::size_t i = 0; i < of.stride; ++i) finer[i] += sum[i] - least[i];
    const double if_locked = bound(level + 1, locked.data()), if_finer = bound(level + 1, finer.data());
    const bool locks_first = if_locked < if_finer;
    for (const bool locks : {locks_first, !locks_first}) {
      if ((locks ? if_locked : if_finer) >= best_.cost || is_skipped(depth, locks == locks_first)) continue;
      if (locks)
        of.cut.push_back(v);
      else
        enter(level, axes_[level].children(v));
      decide(level, table, locks ? locked : finer, depth + 1);
      of.open.resize(open);
      of.cut.resize(chosen);
    }
    of.open.push_back(v);
  }

  /// Whether a planted fault hides the better half of the cuts of an axis.
  static bool is_skipped(std::size_t depth, bool better) {
    return depth == 1 && better && is_planted(Fault::cut_skipped);
  }

  bool goes_on(std::size_t entries) {
    *effort_ -= static_cast<double>(entries);
    best_.complete = best_.complete && *effort_ >= 0 && control_->examine();
    return best_.complete;
  }

  /// The cheapest cut of the last axis; the finer one, if it is as cheap.
  void close(const double* costs) {
    const Axis& axis = axes_[last()];
    Level& of = levels_[last()];
    const double cost = sum_of(axis.roots(), costs, of.least);
    if (cost >= best_.cost) return;
    of.cut.clear();
    for (std::vector<std::uint32_t> waiting(axis.roots().begin(), axis.roots().end()); !waiting.empty();) {
      const std::uint32_t v = waiting.back();
      waiting.pop_back();
      if (axis.children(v).empty() || costs[v] < sum_of(axis.children(v), costs, of.least))
        of.cut.push_back(v);
      else
        waiting.insert(waiting.end(), axis.children(v).begin(), axis.children(v).end());
    }
    best_ = {cost, {}, true};
    for (const Level& level : levels_) best_.nodes.push_back(level.cut);
  }

  std::span<const Axis> axes_;
  std::vector<Level> levels_;
  double* effort_ = nullptr;
  Control* control_ = nullptr;
  Solution best_;
};

}  // namespace sfumato::cuts

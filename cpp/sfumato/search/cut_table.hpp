// All classes that cuts can have in one table, and the cheapest cut of it, where that takes less than to search them.
//
// A class costs the same in every cut that has it, and a cut costs the sum of its classes. So there is a table of costs with a row
// for each node of each attribute, and each cut is a choice of rows. Attribute after attribute, the rows of each of its cuts are
// added up, which leaves a table of one attribute less. In the last one the parts of a cut do not depend on each other, and the
// cheapest is found from the leaves up. It takes no bounds, and no time that grows with the records.
//
// The first attribute is looked at one cut after the other, so that the table has one attribute less. Costs are whole numbers
// that a double holds, and infinite where a class may not exist.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "sfumato/search/control.hpp"
#include "sfumato/search/cut_axis.hpp"
#include "sfumato/search/cut_cells.hpp"

namespace sfumato {

class CutTable {
 public:
  struct Found {
    double cost;  // infinite if no cut is valid
    std::vector<std::uint32_t> cut;
  };

  CutTable(const CutProblem& problem, const CutTree& tree, const CutTuples& tuples, Control& control)
      : problem_(&problem), tree_(&tree), tuples_(&tuples), control_(&control) {
    for (std::size_t a = 0; a < tree.attributes(); ++a) axes_.emplace_back(tree, a);
    std::ranges::stable_sort(axes_, {}, &CutAxis::cuts);
  }

  /// Whether the table has few classes for so many tuples, which a search would read many times, and fits in memory. It has
  /// nothing to say until it is whole: so it is none of minutes, or of more than the time that there is. (Numbers of cuts may be
  /// infinite, or their sums no numbers: such tables do not pay.) `dearest`: more than any cut costs.
  bool pays(Cost dearest) const {
    if (axes_.size() < 3 || dearest >= Cost{1} << 53 || tuples_->has_units() || !CutCells::countable(*problem_, *tuples_)) return false;
    double classes = axes_[0].chosen(), sums = 0, tables = 1, bytes = 16 * size_after(0);
    for (std::size_t i = 1; i < axes_.size(); ++i) classes *= axes_[i].nodes();
    for (std::size_t i = 1; i < axes_.size(); ++i) {
      tables *= axes_[i - 1].cuts();
      bytes += 8 * axes_[i - 1].chosen();
      sums += tables * (i + 1 < axes_.size() ? axes_[i].chosen() : axes_[i].nodes()) * size_after(i);
    }
    const double work = classes + sums / 16, enough = each_tuple * static_cast<double>(std::max<std::size_t>(tuples_->size(), 1 << 15));
    return bytes <= static_cast<double>(control_->limits().memory) && work <= std::min(enough, most_classes) &&
           work * each_class / threads() <= control_->limits().seconds;
  }

  /// The cheapest cut, the first of them if there are several; none if stopped.
  std::optional<Found> solve() {
    make_room();
    Best best;
    for (std::uint32_t cut = 0; cut < axes_[0].list().size(); ++cut) {
      if (!fill(axes_[0].list()[cut])) return std::nullopt;
      if (!choose(cut, best)) return std::nullopt;
    }
    return Found{best.cost, nodes_of(best)};
  }

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();
  static constexpr double each_tuple = 512;      // classes: what a search takes for each tuple is as much or more
  static constexpr double most_classes = 1 << 29;
  static constexpr double each_class = 4e-8;     // seconds that it takes at most, on most machines

  /// The cheapest so far: a cut of each axis but the last, and the nodes of that one.
  struct Best {
    double cost = infinite;
    std::vector<std::uint32_t> cuts, last;
  };

  /// What a thread works with.
  struct Desk {
    CutCells cells;
    std::vector<std::vector<double>> sums;  // tables that are left, by level
    std::vector<double> least;              // of the cuts below a node of the last axis
    std::vector<std::uint32_t> chosen;      // cuts, by axis
    Best best;
  };

  std::size_t last() const { return axes_.size() - 1; }

  /// Entries of a table without the first axes up to this one.
  double size_after(std::size_t axis) const {
    double size = 1;
    for (std::size_t i = axis + 1; i < axes_.size(); ++i) size *= axes_[i].nodes();
    return size;
  }

  void make_room() {
    for (CutAxis& axis : std::span(axes_).first(last())) axis.list_cuts();
    stride_.assign(axes_.size(), 1);
    for (std::size_t i = last(); i-- > 0;) stride_[i] = stride_[i + 1] * static_cast<std::size_t>(axes_[i + 1].nodes());
    table_.resize(stride_[0]);
    part_.resize(stride_[1]);
    for (int number = threads(); number > 0; --number) {
      Desk& desk = desks_.emplace_back(Desk{CutCells(*problem_, *tree_, *tuples_, axes_), {}, {}, std::vector<std::uint32_t>(axes_.size(), 0), {}});
      for (const std::size_t stride : stride_) desk.sums.emplace_back(desk.sums.size() < 2 ? 0 : stride);
      desk.least.resize(stride_[last() - 1]);
    }
  }

  /// As many as asked for, if there is memory for what they work with.
  int threads() const {
    const double room = static_cast<double>(control_->limits().memory) - 8 * size_after(0);
    const double each = 16 * size_after(2) + 4 * static_cast<double>(tuples_->size()) + CutCells::most_bytes;
    return static_cast<int>(std::clamp<double>(room / each, 1, std::max(1, control_->limits().threads)));
  }

  /// Has the threads do all of so many tasks; false if stopped.
  template <class Task>
  bool each(std::size_t tasks, const Task& task) {
    std::atomic<std::size_t> next = 0;
    std::vector<std::exception_ptr> failures(desks_.size());
    const auto work = [&](std::size_t number) {
      try {
        for (std::size_t i; (i = next++) < tasks && !control_->stopped();) task(desks_[number], i);
      } catch (...) {
        failures[number] = std::current_exception();
        next = tasks;
      }
    };
    std::vector<std::thread> threads;
    try {
      for (std::size_t number = 1; number < desks_.size(); ++number) threads.emplace_back(work, number);
    } catch (const std::system_error&) {  // no more threads to be had
    }
    work(0);
    for (std::thread& thread : threads) thread.join();
    for (const std::exception_ptr& failure : failures)
      if (failure) std::rethrow_exception(failure);
    return !control_->stopped();
  }

  /// Sets the table to what all classes cost that have a node of a cut of the first axis.
  bool fill(std::span<const std::uint32_t> cut) {
    std::ranges::fill(table_, 0);
    const auto nodes = static_cast<std::size_t>(axes_[1].nodes());
    for (const std::uint32_t node : cut) {
      std::vector<std::uint32_t> members;
      for (std::uint32_t t = 0; t < tuples_->size(); ++t)
        if (axes_[0].below(tuples_->leaf(t, axes_[0].attribute()), node)) members.push_back(t);
      const bool done = each(nodes, [&](Desk& desk, std::size_t second) {
        desk.cells.add(members, node, static_cast<std::uint32_t>(second), {table_.data() + second * stride_[1], stride_[1]}, *control_);
      });
      if (!done) return false;
    }
    return true;
  }

  /// The cheapest cut of the table, if it is the cheapest of all.
  bool choose(std::uint32_t first, Best& best) {
    const auto& cuts = axes_[1].list();
    const bool skipped = problem_->fault == CutFault::cut_skipped && cuts.size() > 1;
    for (std::uint32_t second = skipped ? 1 : 0; second < cuts.size(); ++second) {
      constexpr std::size_t block = 1 << 14;
      const auto blocks = (stride_[1] + block - 1) / block;
      if (!each(blocks, [&](Desk&, std::size_t i) { add_rows(table_, cuts[second], stride_[1], i * block, std::min(stride_[1], (i + 1) * block), part_); })) return false;
      const std::size_t tasks = last() == 2 ? 1 : axes_[2].list().size();
      std::vector<Best> found(tasks);
      const bool done = each(tasks, [&](Desk& desk, std::size_t i) {
        desk.chosen[0] = first;
        desk.chosen[1] = second;
        desk.best = {};
        if (last() == 2)
          close(desk, part_);
        else
          take(desk, 2, static_cast<std::uint32_t>(i), part_);
        found[i] = std::move(desk.best);
        control_->examine();
      });
      if (!done) return false;
      for (Best& of : found)
        if (of.cost < best.cost) best = std::move(of);
    }
    return true;
  }

  static void add_rows(std::span<const double> table, std::span<const std::uint32_t> rows, std::size_t stride, std::size_t begin, std::size_t end, std::span<double> sum) {
    const double* const first = table.data() + rows[0] * stride;
    std::copy(first + begin, first + end, sum.begin() + static_cast<std::ptrdiff_t>(begin));
    for (const std::uint32_t row : rows.subspan(1)) {
      const double* const from = table.data() + row * stride;
      double* const to = sum.data();
      for (std::size_t i = begin; i < end; ++i) to[i] += from[i];
    }
  }

  /// Of the table that the first axes leave, one cut of the next one, and all of those that follow.
  void take(Desk& desk, std::size_t level, std::uint32_t cut, std::span<const double> table) {
    std::vector<double>& left = desk.sums[level];
    desk.chosen[level] = cut;
    add_rows(table, axes_[level].list()[cut], stride_[level], 0, stride_[level], left);
    if (level + 1 == last()) return close(desk, left);
    for (std::uint32_t next = 0; next < axes_[level + 1].list().size(); ++next) take(desk, level + 1, next, left);
  }

  /// The cheapest cut of the last axis; the finer one, if it is as cheap.
  void close(Desk& desk, std::span<const double> costs) {
    const CutAxis& axis = axes_[last()];
    double sum = 0;
    for (std::uint32_t v = static_cast<std::uint32_t>(costs.size()); v-- > 0;) {
      double finer = 0;
      for (const std::uint32_t child : axis.children(v)) finer += desk.least[child];
      desk.least[v] = axis.children(v).empty() ? costs[v] : std::min(costs[v], finer);
    }
    for (const std::uint32_t root : axis.roots()) sum += desk.least[root];
    if (sum >= desk.best.cost) return;
    desk.best = {sum, desk.chosen, {}};
    for (std::vector<std::uint32_t> waiting(axis.roots().begin(), axis.roots().end()); !waiting.empty();) {
      const std::uint32_t v = waiting.back();
      waiting.pop_back();
      double finer = 0;
      for (const std::uint32_t child : axis.children(v)) finer += desk.least[child];
      if (axis.children(v).empty() || costs[v] < finer)
        desk.best.last.push_back(v);
      else
        waiting.insert(waiting.end(), axis.children(v).begin(), axis.children(v).end());
    }
  }

  std::vector<std::uint32_t> nodes_of(const Best& best) const {
    std::vector<std::uint32_t> cut;
    if (best.cost == infinite) return cut;
    for (std::size_t i = 0; i < axes_.size(); ++i)
      for (const std::uint32_t node : i == last() ? best.last : axes_[i].list()[best.cuts[i]]) cut.push_back(axes_[i].first() + node);
    std::ranges::sort(cut);
    return cut;
  }

  const CutProblem* problem_;
  const CutTree* tree_;
  const CutTuples* tuples_;
  Control* control_;
  std::vector<CutAxis> axes_;       // attributes of few cuts first
  std::vector<std::size_t> stride_;  // of a table, between rows of an axis
  std::vector<double> table_, part_;  // without the first axis, and without the second
  std::vector<Desk> desks_;
};

}  // namespace sfumato

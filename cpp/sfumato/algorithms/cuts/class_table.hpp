// All classes that cuts can have in one table, and the cheapest cut of it, where that takes less than to search them.
//
// A class costs the same in every cut that has it, and a cut costs the sum of its classes. So there is a table of costs
// with a row for each node of each attribute, and each cut is a choice of rows (cheapest_cut.hpp). Making it takes no
// time that grows with the records; choosing takes little, since bounds are close where all classes are tabulated.
//
// If it takes too much memory, the first attributes are looked at one cut after the other, and the table has only the
// others.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "sfumato/algorithms/cuts/axis.hpp"
#include "sfumato/algorithms/cuts/cheapest_cut.hpp"
#include "sfumato/algorithms/cuts/class_cells.hpp"
#include "sfumato/search/control.hpp"
#include "sfumato/search/threads.hpp"

namespace sfumato::cuts {

class ClassTable {
 public:
  struct Solution {
    double cost;
    std::vector<std::uint32_t> cut;  // empty if there is none
    bool complete;                   // none costs less
  };

  ClassTable(const Problem& problem, const Tree& tree, const Tuples& tuples, Control& control)
      : problem_(&problem), tree_(&tree), tuples_(&tuples), control_(&control) {
    for (std::size_t a = 0; a < tree.attributes(); ++a) axes_.emplace_back(tree, a);
    std::ranges::stable_sort(axes_, {}, &Axis::cuts);
    while (outer_ + 2 < axes_.size() && 2 * room_to_choose() > memory()) ++outer_;
  }

  /// Whether the table has few classes for so many tuples, which a search would read many times, and fits in memory. It
  /// has nothing to say until it is whole: so it is none of minutes, or of more than the time that there is. (Numbers
  /// of cuts may be infinite: such tables do not pay.) `dearest`: more than any cut costs.
  bool pays(Cost dearest) const {
    if (axes_.size() < 2 || dearest >= Cost{1} << 53 || problem_->scheme == Scheme::none || tuples_->has_units())
      return false;
    std::size_t decided = 0;
    for (const Axis& axis : std::span(axes_).first(axes_.size() - 1)) decided += axis.parting();
    return decided <= most_decided && classes() <= std::min(enough_classes(), most_classes) &&
           room_to_choose() + each_thread() <= memory() &&
           classes() * each_class / threads() <= control_->limits().seconds &&
           ClassCells::countable(*problem_, *tuples_);
  }

  /// The cheapest cut, the first of them if there are several, of those that cost less than `enough`. Not complete if
  /// stopped, or if there is far more to choose from than to make.
  Solution solve(double enough) {
    make_room();
    Solution best{enough, {}, true};
    double effort = problem_->choosing * enough_classes();
    std::vector<std::size_t> cuts(outer_, 0);
    do {
      if (!fill(cuts)) return {best.cost, best.cut, false};
      const CheapestCut::Solution solution = choice_->solve(table_, best.cost, effort, *control_);
      if (!solution.nodes.empty()) best = {solution.cost, nodes_of(cuts, solution.nodes), true};
      if (!solution.complete) return {best.cost, best.cut, false};
    } while (next(cuts));
    return best;
  }

 private:
  static constexpr double each_tuple = 768;  // classes: what a search takes for each of many tuples is as much or more
  static constexpr double most_classes = 1 << 29;
  static constexpr double each_class = 4e-8;         // seconds that it takes at most, on most machines
  static constexpr std::size_t most_decided = 4096;  // nodes: one call in another

  /// As many as are counted in the time of a search. Where tuples are few, that has less to do for each of them.
  double enough_classes() const {
    const auto tuples = static_cast<double>(tuples_->size()), many = static_cast<double>(problem_->tabulating_from);
    return each_tuple * tuples * std::min(1.0, tuples / std::max(many, 1.0));
  }

  double memory() const { return static_cast<double>(control_->limits().memory); }

  /// Classes of all tables.
  double classes() const {
    double all = 1;
    for (std::size_t i = 0; i < axes_.size(); ++i)
      all *= i < outer_ ? axes_[i].chosen() : static_cast<double>(axes_[i].nodes());
    return all;
  }

  /// Bytes of a table and of what it takes to choose from it.
  double room_to_choose() const {
    const std::span inner = std::span(axes_).subspan(outer_);
    double entries = 1;
    for (const Axis& axis : inner) entries *= static_cast<double>(axis.nodes());
    return static_cast<double>(sizeof(double)) * entries + CheapestCut::bytes(inner);
  }

  /// Bytes that a thread works with.
  double each_thread() const { return 4 * static_cast<double>(tuples_->size()) + ClassCells::most_bytes; }

  /// As many as the limits allow, if there is memory for what they work with.
  int threads() const {
    return static_cast<int>(
        std::clamp<double>((memory() - room_to_choose()) / each_thread(), 1, std::max(1, control_->limits().threads)));
  }

  void make_room() {
    for (Axis& axis : std::span(axes_).first(outer_)) axis.list_cuts();
    std::size_t entries = 1;
    for (std::size_t i = axes_.size(); i-- > outer_;) {
      row_ = entries;
      entries *= axes_[i].nodes();
    }
    table_.resize(entries);
    choice_.emplace(std::span(axes_).subspan(outer_));
    for (int number = threads(); number > 0; --number)
      cells_.emplace_back(*problem_, *tree_, *tuples_, axes_, outer_ + 1);
  }

  /// Has the threads do all of so many tasks; false if stopped.
  template <class Task>
  bool each(std::size_t tasks, const Task& task) {
    std::atomic<std::size_t> next = 0;
    const auto work = [&](std::size_t number) {
      for (std::size_t i; (i = next++) < tasks && !control_->stopped();) task(cells_[number], i);
    };
    run_at_once(cells_.size(), work, [&] { next = tasks; });
    return !control_->stopped();
  }

  /// Sets the table to what all classes cost that have nodes of these cuts of the first axes.
  bool fill(std::span<const std::size_t> cuts) {
    std::ranges::fill(table_, 0);
    std::vector<std::uint32_t> all(tuples_->size());
    std::iota(all.begin(), all.end(), 0u);
    return fill(cuts, 0, all, 0);
  }

  /// The same of those tuples, which are below nodes of the first axes up to this one; `price` of these nodes.
  bool fill(std::span<const std::size_t> cuts, std::size_t axis, std::span<const std::uint32_t> members,
            ClassCells::Sum price) {
    const TuplesByNode sorted(*tuples_, axes_[axis], members);
    const auto price_at = [&](std::uint32_t v) { return price + cells_.front().weight(axis, v); };
    if (axis == outer_)
      return each(axes_[axis].nodes(), [&](ClassCells& cells, std::size_t i) {
        const auto v = static_cast<std::uint32_t>(i);
        cells.add(sorted.below(v), axis + 1, price_at(v), {table_.data() + i * row_, row_}, *control_);
      });
    return std::ranges::all_of(axes_[axis].list()[cuts[axis]],
                               [&](std::uint32_t v) { return fill(cuts, axis + 1, sorted.below(v), price_at(v)); });
  }

  /// The next combination of cuts of the first axes; false if that was the last one.
  bool next(std::span<std::size_t> cuts) const {
    for (std::size_t axis = cuts.size(); axis-- > 0;) {
      if (++cuts[axis] < axes_[axis].list().size()) return true;
      cuts[axis] = 0;
    }
    return false;
  }

  /// The nodes of cuts of the first axes and of the others, as nodes of the tree.
  std::vector<std::uint32_t> nodes_of(std::span<const std::size_t> cuts,
                                      std::span<const std::vector<std::uint32_t>> others) const {
    std::vector<std::uint32_t> cut;
    for (std::size_t i = 0; i < axes_.size(); ++i)
      for (const std::uint32_t node : i < outer_ ? axes_[i].list()[cuts[i]] : others[i - outer_])
        cut.push_back(axes_[i].first() + node);
    std::ranges::sort(cut);
    return cut;
  }

  const Problem* problem_;
  const Tree* tree_;
  const Tuples* tuples_;
  Control* control_;
  std::vector<Axis> axes_;  // attributes of few cuts first
  std::size_t outer_ = 0;   // how many are looked at one cut after the other
  std::size_t row_ = 0;     // entries of a node of the next one
  std::vector<double> table_;
  std::optional<CheapestCut> choice_;
  std::vector<ClassCells> cells_;  // by thread
};

}  // namespace sfumato::cuts

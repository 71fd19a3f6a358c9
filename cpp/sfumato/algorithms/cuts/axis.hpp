// An attribute as an axis of a table of classes: its nodes numbered from 0, and its cuts, all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "sfumato/algorithms/cuts/tree.hpp"

namespace sfumato::cuts {

class Axis {
 public:
  Axis(const Tree& tree, std::size_t attribute)
      : attribute_(attribute),
        first_(tree.first(attribute)),
        children_(tree.first(attribute + 1) - first_),
        end_(children_.size()),
        place_(children_.size(), 0) {
    std::vector<double> cuts(end_.size(), 1), chosen(end_.size(), 1);
    for (auto v = static_cast<std::uint32_t>(end_.size()); v-- > 0;) {
      end_[v] = tree[first_ + v].end - first_;
      for (const std::uint32_t child : tree.children(first_ + v)) children_[v].push_back(child - first_);
      if (tree[first_ + v].parent == Tree::none) roots_.push_back(v);
      if (children_[v].empty()) continue;
      place_[v] = parting_++;
      std::tie(cuts[v], chosen[v]) = together(children_[v], cuts, chosen);
      cuts[v] += 1;
      chosen[v] += 1;
    }
    std::tie(cuts_, chosen_) = together(roots_, cuts, chosen);
  }

  std::size_t attribute() const { return attribute_; }
  /// The node of the tree that is number 0 here.
  std::uint32_t first() const { return first_; }
  std::size_t nodes() const { return end_.size(); }
  /// How many nodes have children, and the number that such a node has among these.
  std::uint32_t parting() const { return parting_; }
  std::uint32_t place(std::uint32_t v) const { return place_[v]; }
  std::span<const std::uint32_t> children(std::uint32_t v) const { return children_[v]; }
  std::span<const std::uint32_t> roots() const { return roots_; }
  std::uint32_t end(std::uint32_t v) const { return end_[v]; }

  /// How many cuts there are, and how many nodes they have in all; there may be more than anybody could list.
  double cuts() const { return cuts_; }
  double chosen() const { return chosen_; }

  /// Lists them, finer ones first.
  void list_cuts() { list_ = product(roots_); }
  const std::vector<std::vector<std::uint32_t>>& list() const { return list_; }

 private:
  using Cuts = std::vector<std::vector<std::uint32_t>>;

  /// Cuts of several nodes side by side, and the nodes of all these.
  static std::pair<double, double> together(std::span<const std::uint32_t> nodes, std::span<const double> cuts,
                                            std::span<const double> chosen) {
    double number = 1, all = 0;
    for (const std::uint32_t v : nodes) {
      all = all * cuts[v] + chosen[v] * number;
      number *= cuts[v];
    }
    return {number, all};
  }

  Cuts product(std::span<const std::uint32_t> nodes) const {
    Cuts made(1);
    for (const std::uint32_t v : nodes) {
      const Cuts below = of(v), before = std::exchange(made, {});
      for (const auto& one : before)
        for (const auto& other : below) {
          made.push_back(one);
          made.back().insert(made.back().end(), other.begin(), other.end());
        }
    }
    return made;
  }

  Cuts of(std::uint32_t v) const {
    Cuts made;
    if (!children_[v].empty()) made = product(children_[v]);
    made.push_back({v});
    return made;
  }

  std::size_t attribute_;
  std::uint32_t first_;
  std::vector<std::vector<std::uint32_t>> children_;
  std::vector<std::uint32_t> end_, place_, roots_;
  std::uint32_t parting_ = 0;
  double cuts_ = 0, chosen_ = 0;
  Cuts list_;
};

}  // namespace sfumato::cuts

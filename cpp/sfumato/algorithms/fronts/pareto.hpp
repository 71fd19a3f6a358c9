// Pareto fronts: what is as strict and as cheap as nothing else. Nodes with equal strength and cost are one point.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sfumato/packing.hpp"
#include "sfumato/privacy/rating.hpp"

namespace sfumato::fronts {

/// What a release attains: a value per parameter, larger ones stricter.
using Strength = std::vector<Rate>;

inline bool as_strict(const Strength& one, const Strength& other) {
  for (std::size_t i = 0; i < one.size(); ++i)
    if (one[i] < other[i]) return false;
  return true;
}

struct ParetoPoint {
  Strength strength;
  Cost cost = 0;
  std::vector<Node> nodes;               // all that attain it at this cost
  std::vector<std::int64_t> suppressed;  // records, by node
};

/// One parameter, such as k: points in increasing order of it and of cost, so that few are looked at.
template <class Size>
class LineFront {
 public:
  struct Point {
    Size size;
    Cost cost;
    std::vector<Node> nodes;
    std::vector<std::int64_t> suppressed;
  };

  /// Whether some point beats everything that attains at most `size` and costs at least `cost`.
  bool beats(Size size, Cost cost) const {
    const auto at = first(size);
    return at != points_.end() && (at->cost < cost || (at->cost == cost && size < at->size));
  }

  void add(Size size, Cost cost, NodeView node, std::int64_t suppressed) {
    if (beats(size, cost)) return;
    auto at = first(size);
    if (at == points_.end() || !(at->size == size) || at->cost != cost) {
      // Those it beats stand right before its place, and at it if they have its size.
      auto begin = at, end = at;
      if (end != points_.end() && end->size == size) ++end;
      while (begin != points_.begin() && std::prev(begin)->cost >= cost) --begin;
      at = points_.insert(points_.erase(begin, end), Point{size, cost, {}, {}});
    }
    at->nodes.emplace_back(node.begin(), node.end());
    at->suppressed.push_back(suppressed);
  }

  const std::vector<Point>& points() const { return points_; }

 private:
  using Points = std::vector<Point>;

  /// The point of least size that is at least this.
  typename Points::const_iterator first(Size size) const {
    return std::partition_point(points_.begin(), points_.end(), [=](const Point& point) { return point.size < size; });
  }
  typename Points::iterator first(Size size) {
    return std::partition_point(points_.begin(), points_.end(), [=](const Point& point) { return point.size < size; });
  }

  Points points_;
};

using SizeFront = LineFront<std::int64_t>;

/// Any parameters.
class RateFront {
 public:
  bool beats(const Strength& strength, Cost cost) const {
    return std::ranges::any_of(points_, [&](const ParetoPoint& point) {
      return point.cost <= cost && as_strict(point.strength, strength) &&
             (point.cost < cost || !as_strict(strength, point.strength));
    });
  }

  void add(const Strength& strength, Cost cost, NodeView node, std::int64_t suppressed) {
    if (beats(strength, cost)) return;
    auto at =
        std::ranges::find_if(points_, [&](const ParetoPoint& p) { return p.cost == cost && p.strength == strength; });
    if (at == points_.end()) {
      std::erase_if(points_, [&](const ParetoPoint& p) { return cost <= p.cost && as_strict(strength, p.strength); });
      at = points_.insert(points_.end(), ParetoPoint{strength, cost, {}, {}});
    }
    at->nodes.emplace_back(node.begin(), node.end());
    at->suppressed.push_back(suppressed);
  }

  std::vector<ParetoPoint>& points() { return points_; }

 private:
  std::vector<ParetoPoint> points_;
};

}  // namespace sfumato::fronts

// What the walks of a lattice for its front share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "sfumato/algorithms/fronts/front.hpp"
#include "sfumato/search/evaluation.hpp"
#include "sfumato/search/planted.hpp"

namespace sfumato::fronts {

inline bool varies(const Problem& problem, std::size_t a) { return problem.bottom[a] < problem.top[a]; }

/// How many classes are left when one attribute alone is raised to its top, for those with a choice of levels.
inline std::vector<std::pair<std::size_t, std::size_t>> raised_alone(const Problem& problem, const Packing& packing,
                                                                     const Base& whole) {
  std::vector<std::pair<std::size_t, std::size_t>> left;
  Groups groups(packing);
  for (std::size_t a = 0; a < problem.bottom.size(); ++a) {
    if (!varies(problem, a)) continue;
    Node raised = problem.bottom;
    raised[a] = problem.top[a];
    groups.assign(whole.tuples, raised);
    left.emplace_back(groups.count(), a);
  }
  return left;
}

/// The attributes with a choice of levels, from the outermost to the innermost. An attribute multiplies the work of all
/// that is inside of it by the sum, over its levels, of the shares of the data that remain: the least of these comes
/// first.
inline std::vector<std::size_t> outermost_first(const Problem& problem, const Packing& packing, const Base& whole) {
  std::vector<std::pair<double, std::size_t>> order;
  Groups groups(packing);
  groups.assign(whole.tuples, problem.bottom);
  const auto classes = static_cast<double>(std::max<std::size_t>(groups.count(), 1));
  for (const auto& [left, a] : raised_alone(problem, packing, whole)) {
    const int steps = problem.top[a] - problem.bottom[a];
    double work = 0;
    for (int step = 0; step <= steps; ++step)
      work += std::pow(static_cast<double>(left) / classes, static_cast<double>(step) / steps);
    order.emplace_back(work, a);
  }
  std::ranges::sort(order);
  std::vector<std::size_t> attributes;
  for (const auto& [work, a] : order) attributes.push_back(a);
  return attributes;
}

inline std::int64_t nodes_of(const Problem& problem) {
  std::int64_t nodes = 1;
  for (std::size_t a = 0; a < problem.bottom.size(); ++a) {
    const std::int64_t levels = problem.top[a] - problem.bottom[a] + 1;
    if (nodes > std::numeric_limits<std::int64_t>::max() / levels) return std::numeric_limits<std::int64_t>::max();
    nodes *= levels;
  }
  return nodes;
}

/// What nodes attain at most is kept for so many of them.
constexpr std::int64_t most_bounded_nodes = std::int64_t{1} << 26;

/// Whether a planted fault leaves out the node that is now to be evaluated: one in the middle.
class Skipping {
 public:
  explicit Skipping(const Problem& problem) : at_(is_planted(Fault::node_skipped) ? nodes_of(problem) / 2 : -1) {}
  bool now() { return number_++ == at_; }

 private:
  std::int64_t at_, number_ = 0;
};

/// The front where sizes are all that is rated; none if more than sizes matter, or a key has no room.
std::optional<Result> front_by_sizes(const Problem& problem, Control& control);

/// The front of one parameter, whatever is rated: leaves out boxes of nodes that have nothing to add.
Result front_by_boxes(const Problem& problem, Control& control);

/// Whether it can leave branches out: sizes are all that is rated, and the loss only rises with generalization and with
/// suppression.
bool bounded(const Problem& problem);

}  // namespace sfumato::fronts

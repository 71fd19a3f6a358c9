// What is known of a class by itself, and what its values cost where they are published.
#pragma once

#include <cstdint>

#include "sfumato/cost.hpp"
#include "sfumato/search/cut_problem.hpp"
#include "sfumato/search/cut_tree.hpp"

namespace sfumato {

/// A class at its own nodes costs kept * W + fixed, W the price of its published values (if the loss adds those up;
/// else 0).
template <class Sum>
struct Measured {
  std::int64_t records = 0;
  std::int64_t kept = 0;  // records that are published
  std::int64_t gone = 0;  // records (or values) that are suppressed
  Sum fixed = 0;
  std::int64_t least = 0;   // records (or values) that are suppressed at least, however the class is divided
  bool impossible = false;  // it may not exist, nor be divided into classes that all may
};

/// What a value costs that is published at a node, if the loss is one of values.
inline Cost weight_of(const CutProblem& problem, const CutTree::Node& node) {
  const Level& level = problem.frequencies.hierarchy(node.attribute).level(node.level);
  return problem.loss.weight[node.attribute][node.level][level.node[node.value]];
}

}  // namespace sfumato

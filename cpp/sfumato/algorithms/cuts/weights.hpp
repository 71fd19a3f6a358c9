// What values cost where they are published, if the loss adds up over values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sfumato/algorithms/cuts/problem.hpp"
#include "sfumato/algorithms/cuts/tree.hpp"

namespace sfumato::cuts {

/// What a value costs that is published at a node, if the loss is one of values.
inline Cost weight_of(const Problem& problem, const Tree::Node& node) {
  const Level& level = problem.frequencies.hierarchy(node.attribute).level(node.level);
  return problem.loss.weight[node.attribute][node.level][level.node[node.value]];
}

/// The weights of all nodes; zero if the loss is another.
template <class Sum>
class Weights {
 public:
  Weights(const Problem& problem, const Tree& tree) : weight_(tree.size(), 0) {
    if (problem.loss.metric == Metric::values)
      for (std::uint32_t v = 0; v < tree.size(); ++v) weight_[v] = static_cast<Sum>(weight_of(problem, tree[v]));
    lightest_ = weight_;
    for (std::uint32_t v = tree.size(); v-- > 0;)
      if (!tree.leaf(v))
        lightest_[v] =
            lightest_[*std::ranges::min_element(tree.children(v), {}, [&](std::uint32_t w) { return lightest_[w]; })];
    for (std::size_t a = 0; a < tree.attributes(); ++a)
      for (std::uint32_t v = tree.first(a); v < tree.first(a + 1); ++v)
        even_ &= !tree.leaf(v) || weight_[v] == lightest_[tree.root(v)];
  }

  Sum operator[](std::uint32_t v) const { return weight_[v]; }
  /// Of the lightest leaf below a node.
  Sum lightest(std::uint32_t v) const { return lightest_[v]; }
  /// Whether all leaves below a root weigh the same: then it does not matter which tuples are published, but how many
  /// records.
  bool even() const { return even_; }

 private:
  std::vector<Sum> weight_, lightest_;
  bool even_ = true;
};

}  // namespace sfumato::cuts

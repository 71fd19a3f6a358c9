// LPlusOptimize: the cheapest cuts of full-subtree generalization, by depth-first branch and bound.
// Liu and Wang, "On optimal anonymization for l+-diversity", ICDE 2010.
//
// The paper's cut enumeration tree, decided value by value: specialise it, or lock it. Classes and their bounds come
// from a graph that is built once (class_graph.hpp), so that to go back costs nothing; small classes are bounded
// by the best way to divide them alone. All cuts up to a limit are searched, and the limit grows until there are enough
// below it.
#pragma once

#include <cstdint>
#include <vector>

#include "sfumato/algorithms/cuts/problem.hpp"
#include "sfumato/search/control.hpp"

namespace sfumato::cuts {

/// A cut: by attribute and value, the lowest level that names the value's node.
using Cut = std::vector<std::vector<std::uint32_t>>;

struct Result {
  bool complete = false;  // proved: nothing costs less, or nothing is valid
  std::vector<Cut> cuts;  // cheapest first
  std::vector<Cost> costs;
  Cost bound = 0;
};

Result l_plus_optimize(const Problem& problem, Control& control);

}  // namespace sfumato::cuts

#include "sfumato/algorithms/datafly.hpp"

#include <cstddef>
#include <optional>

namespace sfumato {
namespace {

/// The attribute with the most distinct values, the first of equals, among those that can be generalised further.
std::optional<std::size_t> widest(const DataflyProblem& problem, const Node& node) {
  std::optional<std::size_t> best;
  std::size_t most = 0;
  for (std::size_t a = 0; a < node.size(); ++a) {
    const std::size_t distinct = problem.frequencies.hierarchy(a).level(node[a]).nodes();
    if (node[a] < problem.top[a] && (!best || distinct > most)) best = a, most = distinct;
  }
  return best;
}

}  // namespace

DataflyResult datafly(const DataflyProblem& problem, Control& control) {
  require_lattice(problem.frequencies, problem.models, problem.bottom, problem.top);
  const Packing packing(problem.frequencies);
  FrequencySets sets(packing, problem.models, control.limits().memory);
  DataflyResult result{false, false, problem.bottom};
  FrequencySet set = sets.whole();
  while (control.examine()) {
    if (sets.check(*set, result.node).violating <= problem.limit) {
      result.complete = result.found = true;
      control.improved(result.cost = problem.cost(result.node));
      return result;
    }
    const auto attribute = widest(problem, result.node);
    if (!attribute) {
      result.complete = true;
      return result;
    }
    ++result.node[*attribute];
    if (!sets.full()) set = sets.roll_up(*set, result.node);
  }
  return result;
}

}  // namespace sfumato

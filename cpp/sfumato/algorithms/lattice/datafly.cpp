#include "sfumato/algorithms/lattice/datafly.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sfumato/search/lattice_checks.hpp"

namespace sfumato::lattice {
namespace {

/// Values that records have at a level; a hierarchy may have more of them, in a population alone.
std::size_t distinct_values(const Frequencies& frequencies, std::size_t a, std::size_t level) {
  const Level& values = frequencies.hierarchy(a).level(level);
  if (frequencies.population().empty()) return values.nodes();
  std::vector<std::uint8_t> seen(values.nodes(), 0);
  for (std::size_t i = 0; i < frequencies.size(); ++i)
    seen[values.node[frequencies.codes(a)[i]]] |= frequencies.counts()[i] > 0;
  return static_cast<std::size_t>(std::count(seen.begin(), seen.end(), 1));
}

/// The attribute with the most distinct values, the first of equals, among those that can be generalised further.
std::optional<std::size_t> widest(const DataflyProblem& problem, const Node& node) {
  std::optional<std::size_t> best;
  std::size_t most = 0;
  for (std::size_t a = 0; a < node.size(); ++a) {
    if (node[a] >= problem.top[a]) continue;
    const std::size_t distinct = distinct_values(problem.frequencies, a, node[a]);
    if (!best || distinct > most) best = a, most = distinct;
  }
  return best;
}

}  // namespace

DataflyResult datafly(const DataflyProblem& problem, Control& control) {
  require_lattice(problem.frequencies, problem.bottom, problem.top);
  require_columns(problem.frequencies, problem.models);
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

}  // namespace sfumato::lattice

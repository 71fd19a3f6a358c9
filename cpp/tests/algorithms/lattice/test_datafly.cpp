#include "sfumato/algorithms/lattice/datafly.hpp"

#include <set>

#include "check.hpp"
#include "naive.hpp"

using namespace sfumato;
using namespace sfumato::testing;

static lattice::DataflyResult searched(const RandomProblem& problem, Control& control) {
  const SeparableLoss loss = problem.loss();
  const Models models = problem.models();
  return lattice::datafly(
      {problem.frequencies, models, lattice::node_cost(problem.frequencies, models, loss, problem.limit), problem.limit,
       problem.bottom, problem.top},
      control);
}

/// Different published values of an attribute, counted in the rows.
static std::size_t distinct(const RandomProblem& problem, const Node& node, std::size_t a) {
  std::set<std::uint32_t> values;
  for (const std::uint32_t code : problem.frequencies.codes(a))
    values.insert(problem.frequencies.hierarchy(a).level(node[a]).node[code]);
  return values.size();
}

/// All values occur, as in every table that comes from data.
static bool dense(const RandomProblem& problem) {
  for (std::size_t a = 0; a < problem.frequencies.attributes(); ++a)
    if (distinct(problem, bottom_of(problem.frequencies), a) < problem.frequencies.hierarchy(a).values()) return false;
  return true;
}

TEST(datafly_takes_the_greedy_way_up) {
  std::uint64_t compared = 0;
  for_seeds(400, [&](Random& random) {
    const RandomProblem problem(random);
    if (!dense(problem)) return;
    Node node = problem.bottom;
    bool raised = true;
    std::int64_t steps = 1;
    while (!outcome(problem, node).valid && raised) {
      raised = false;
      std::size_t best = 0;
      for (std::size_t a = 0; a < node.size(); ++a)
        if (node[a] < problem.top[a] && (!raised || distinct(problem, node, a) > distinct(problem, node, best)))
          best = a, raised = true;
      if (raised) ++node[best], ++steps;
    }
    for (const std::size_t memory : {std::size_t{0}, std::size_t{1} << 30}) {
      Control control({.memory = memory});
      const lattice::DataflyResult result = searched(problem, control);
      CHECK(result.complete);
      CHECK_EQUAL(result.node, node);
      CHECK_EQUAL(result.found, outcome(problem, node).valid);
      CHECK_EQUAL(control.progress().examined, steps);
      if (result.found) CHECK_EQUAL(result.cost, outcome(problem, node).cost);
    }
    Control stopped({.examined = steps - 1});
    const lattice::DataflyResult result = searched(problem, stopped);
    CHECK(!result.complete && !result.found);
    ++compared;
  });
  CHECK(compared > suite(100));
}

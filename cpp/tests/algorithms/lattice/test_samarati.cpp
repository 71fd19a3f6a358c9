#include "sfumato/algorithms/lattice/samarati.hpp"

#include <algorithm>
#include <numeric>

#include "check.hpp"
#include "naive.hpp"

using namespace sfumato;
using namespace sfumato::testing;

static const Size wide{.attributes = {5, 6}, .values = {3, 6}, .height = {1, 2}, .combinations = {50, 150}};

static int height(const Node& node) { return std::accumulate(node.begin(), node.end(), 0); }

/// The valid nodes of the least height, cheapest first, from all nodes.
static std::vector<Node> lowest(const RandomProblem& problem) {
  std::vector<std::pair<Cost, Node>> lowest_valid;
  for (const Node& node : nodes(problem.bottom, problem.top)) {
    const Outcome here = outcome(problem, node);
    if (!here.valid || (!lowest_valid.empty() && height(node) > height(lowest_valid.front().second))) continue;
    if (!lowest_valid.empty() && height(node) < height(lowest_valid.front().second)) lowest_valid.clear();
    lowest_valid.emplace_back(here.cost, node);
  }
  std::ranges::sort(lowest_valid);
  std::vector<Node> ordered;
  for (const auto& [cost, node] : lowest_valid) ordered.push_back(node);
  return ordered;
}

static lattice::SamaratiResult searched(const RandomProblem& problem, Control& control) {
  const SeparableLoss loss = problem.loss();
  const Models models = problem.models();
  return lattice::samarati(
      {problem.frequencies, models, lattice::node_cost(problem.frequencies, models, loss, problem.limit), problem.limit,
       problem.bottom, problem.top},
      control);
}

static void check_against_enumeration(std::uint64_t seeds, const Size& size) {
  for_seeds(seeds, [&](Random& random) {
    const RandomProblem problem(random, size);
    for (const std::size_t memory : {std::size_t{0}, std::size_t{1} << 30}) {
      Control control({.memory = memory});
      const lattice::SamaratiResult result = searched(problem, control);
      const std::vector<Node> expected = lowest(problem);
      CHECK(result.complete);
      CHECK_EQUAL(result.nodes, expected);
      for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK_EQUAL(result.costs[i], outcome(problem, expected[i]).cost);
    }
  });
}

TEST(samarati_finds_all_valid_nodes_of_the_least_height) {
  check_against_enumeration(300, {});
  check_against_enumeration(20, wide);
}

TEST(samarati_stops_anywhere_with_valid_nodes) {
  for_seeds(60, [](Random& random) {
    const RandomProblem problem(random);
    Control whole({});
    const lattice::SamaratiResult all = searched(problem, whole);
    const std::int64_t needed = whole.progress().examined;
    for (std::int64_t limit = 0; limit < needed; ++limit) {
      Control control({.examined = limit});
      const lattice::SamaratiResult result = searched(problem, control);
      CHECK(!result.complete);
      CHECK_EQUAL(control.progress().examined, limit);
      CHECK_EQUAL(result.nodes.empty(), limit == 0);  // if the top is valid, it comes first
      for (const Node& node : result.nodes)
        CHECK(outcome(problem, node).valid && height(node) >= height(all.nodes.front()));
    }
  });
}

#include "sfumato/algorithms/lattice/incognito.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "check.hpp"
#include "naive.hpp"
#include "planting.hpp"

using namespace sfumato;
using namespace sfumato::testing;

static const Size merging{.attributes = {3, 4}, .values = {6, 12}, .height = {2, 3}, .combinations = {100, 300}};

/// The valid nodes with no valid node one level below, cheapest first, from all nodes.
static std::vector<Node> minimal_nodes(const RandomProblem& problem) {
  std::vector<std::pair<Cost, Node>> minimal_by_cost;
  for (const Node& node : nodes(problem.bottom, problem.top)) {
    const Outcome here = outcome(problem, node);
    if (here.suppressed > 0) continue;
    bool minimal = true;
    for (std::size_t a = 0; a < node.size() && minimal; ++a) {
      Node below = node;
      if (below[a]-- > problem.bottom[a]) minimal = outcome(problem, below).suppressed > 0;
    }
    if (minimal) minimal_by_cost.emplace_back(here.cost, node);
  }
  std::ranges::sort(minimal_by_cost);
  std::vector<Node> ordered;
  for (const auto& [cost, node] : minimal_by_cost) ordered.push_back(node);
  return ordered;
}

static lattice::IncognitoResult searched(const RandomProblem& problem, Control& control) {
  const SeparableLoss loss = problem.loss();
  const Models none;
  return lattice::incognito({problem.frequencies, problem.models(),
                             lattice::node_cost(problem.frequencies, none, loss, 0), problem.bottom, problem.top},
                            control);
}

static bool is_right(const RandomProblem& problem, const lattice::IncognitoResult& result) {
  const std::vector<Node> expected = minimal_nodes(problem);
  if (!result.complete || result.overflow || result.minimal != expected || result.costs.size() != expected.size())
    return false;
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (result.costs[i] != outcome(problem, expected[i]).cost) return false;
  return result.bound == (expected.empty() ? no_cost : result.costs.front());
}

TEST(incognito_finds_all_minimal_nodes) {
  for_seeds(300, [](Random& random) {
    const RandomProblem problem(random);
    for (const std::size_t memory : {std::size_t{0}, std::size_t{1} << 30}) {
      Control control({.memory = memory});
      CHECK(is_right(problem, searched(problem, control)));
    }
  });
}

TEST(incognito_finds_all_minimal_nodes_where_sets_are_rolled_up) {
  for_seeds(30, [](Random& random) {
    const RandomProblem problem(random, merging);
    Control control({});
    CHECK(is_right(problem, searched(problem, control)));
  });
}

TEST(incognito_stops_anywhere_with_a_valid_bound) {
  for_seeds(60, [](Random& random) {
    const RandomProblem problem(random);
    Control whole({});
    const lattice::IncognitoResult all = searched(problem, whole);
    for (std::int64_t limit = 0; limit <= whole.progress().examined; ++limit) {
      Control control({.examined = limit});
      const lattice::IncognitoResult result = searched(problem, control);
      CHECK(control.progress().examined <= limit);
      CHECK_EQUAL(result.complete, limit == whole.progress().examined);
      CHECK(result.bound <= all.bound);
      CHECK(result.costs.empty() || result.bound <= result.costs.front());
      CHECK_EQUAL(control.trace().back().bound, result.bound);
      for (const Node& node : result.minimal) CHECK(std::ranges::count(all.minimal, node) == 1);
    }
  });
}

TEST(incognito_says_when_there_are_too_many_candidates) {
  for_seeds(30, [](Random& random) {
    const RandomProblem problem(random, {.attributes = {3, 3}, .values = {4, 6}, .height = {2, 3}});
    const SeparableLoss loss = problem.loss();
    const Models none;
    Control control({});
    const lattice::IncognitoResult result =
        lattice::incognito({problem.frequencies, Models{}, lattice::node_cost(problem.frequencies, none, loss, 0),
                            bottom_of(problem.frequencies), top_of(problem.frequencies), 5},
                           control);
    CHECK(result.overflow && !result.complete && result.minimal.empty());
  });
}

TEST(incognito_of_an_empty_table_is_its_bottom) {
  for (const Level& level : {Level{{}, {}}, Level{{0, 1, 1}, {1, 2}}}) {
    const Hierarchy hierarchy({level, level, level});
    const Frequencies frequencies({hierarchy, hierarchy}, {{}, {}}, {{2, {}}}, {});
    Control control({});
    const lattice::IncognitoResult result = lattice::incognito(
        {frequencies, {std::make_shared<KAnonymity>(5)}, [](const Node&) { return Cost{3}; }, {0, 1}, {2, 2}}, control);
    CHECK(result.complete);
    CHECK_EQUAL(result.minimal.size(), 1);
    CHECK_EQUAL(result.minimal.front(), Node({0, 1}));
  }
}

TEST(incognito_without_attributes_has_one_node) {
  const Frequencies frequencies({}, {}, {}, {3, 4});
  for (const std::int64_t k : {7, 8}) {
    Control control({});
    const lattice::IncognitoResult result = lattice::incognito(
        {frequencies, {std::make_shared<KAnonymity>(k)}, [](const Node&) { return Cost{0}; }, {}, {}}, control);
    CHECK(result.complete);
    CHECK_EQUAL(result.minimal.size(), k == 7 ? 1 : 0);
  }
}

TEST(incognito_rejects_lattices_that_do_not_fit) {
  Random random(1);
  const RandomProblem problem(random);
  const auto cost = [](const Node&) { return Cost{0}; };
  Node high = top_of(problem.frequencies);
  ++high[0];
  Control control({});
  CHECK_THROWS(std::invalid_argument,
               lattice::incognito({problem.frequencies, {}, cost, problem.bottom, high}, control));
  CHECK_THROWS(std::invalid_argument, lattice::incognito({problem.frequencies, {}, cost, {}, {}}, control));
  const Models reading{std::make_shared<DistinctLDiversity>(9, 2)};
  CHECK_THROWS(std::invalid_argument,
               lattice::incognito({problem.frequencies, reading, cost, problem.bottom, problem.top}, control));
}

static int noticed(Fault fault) {
  const Planting planting(fault);
  int count = 0;
  for_all_seeds(200, [&](Random& random) {
    const RandomProblem problem(random);
    Control whole({}), some({.examined = 3});
    const lattice::IncognitoResult stopped = searched(problem, some);
    const std::vector<Node> expected = minimal_nodes(problem);
    const Cost least = expected.empty() ? no_cost : outcome(problem, expected.front()).cost;
    count += !is_right(problem, searched(problem, whole)) || stopped.bound > least;
  });
  return count;
}

TEST(faults_planted_in_incognito_are_noticed) {
  CHECK_EQUAL(noticed(Fault::none), 0);
  CHECK(noticed(Fault::bound_one_too_high) >= 3);
  CHECK(noticed(Fault::node_skipped) >= 3);
  CHECK(noticed(Fault::marked_too_far) >= 3);
}

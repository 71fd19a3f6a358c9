// Searches for the best node of a lattice: LatticeSearch, Incognito, Samarati, Datafly and POkA.
#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "any_problem.hpp"
#include "fuzz.hpp"
#include "naive.hpp"
#include "sfumato/algorithms/lattice/datafly.hpp"
#include "sfumato/algorithms/lattice/incognito.hpp"
#include "sfumato/algorithms/lattice/poka.hpp"
#include "sfumato/algorithms/lattice/samarati.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

constexpr Size few{.attributes = {1, 3}, .values = {1, 5}, .height = {0, 2}, .combinations = {1, 10}};

/// A small problem, or one of a few combinations with very many records.
RandomProblem drawn(Random& random) {
  RandomProblem problem(random, few);
  const std::int64_t times = some_times(random, problem.frequencies.records());
  if (times > 1) {
    problem.frequencies = scaled(problem.frequencies, times);
    problem.limit *= times;
    problem.k = random.below(4) == 0 ? edge(random) : problem.k * times + random.between(-1, 1);
  }
  if (random.below(8) == 0) {  // as logarithms are counted
    const int bits = random.between(20, 37);
    for (auto& levels : problem.weight)
      for (auto& level : levels)
        for (std::int64_t& weight : level) weight <<= bits;
    std::ranges::fill(problem.unit, 1);
    problem.price = Cost{random.between(0, 20)} << bits;
  }
  if (random.below(2) == 0) add_any_parts(random, problem, Cost{1} << (times > 1 ? 30 : 70));
  return problem;
}

bool between(const Node& lo, const Node& node, const Node& hi) {
  return below_or_equal(lo, node) && below_or_equal(node, hi);
}

Outcome check_node(const RandomProblem& problem, const Node& node, Cost cost) {
  CHECK(between(problem.bottom, node, problem.top));
  const Outcome here = outcome(problem, node);
  CHECK(here.valid);
  CHECK_EQUAL(cost, here.cost);
  return here;
}

void lattice_search(Random& random, const RandomProblem& problem) {
  Control control(some_limits(random));
  const bool exhaustive = random.below(8) == 0;
  const lattice::Result result = problem.solve(control);
  if (result.found) {
    const Outcome here = check_node(problem, result.node, result.cost);
    CHECK_EQUAL(result.suppressed, here.suppressed);
    CHECK_EQUAL(result.classes, here.classes);
    CHECK(result.bound <= result.cost);
    CHECK(!result.complete || result.bound == result.cost);
  }
  if (!exhaustive) return;
  const std::optional<Optimum> best = optimum(problem);
  CHECK(result.complete ? result.found == best.has_value() : !result.found || best);
  if (!best) return;
  CHECK(result.bound <= best->outcome.cost);
  if (result.complete) CHECK_EQUAL(result.cost, best->outcome.cost);
}

void incognito(Random& random, const RandomProblem& problem) {
  const Models none, models = problem.models();
  Control control(some_limits(random));
  const auto cost = lattice::node_cost(problem.frequencies, none, problem.loss(), 0);
  const lattice::IncognitoResult result =
      lattice::incognito({problem.frequencies, models, cost, problem.bottom, problem.top}, control);
  for (std::size_t i = 0; i < result.minimal.size(); ++i) {
    const Outcome here = outcome(problem, result.minimal[i]);
    CHECK(between(problem.bottom, result.minimal[i], problem.top));
    CHECK_EQUAL(here.suppressed, 0);
    CHECK(result.bound <= result.costs[i]);
  }
}

void samarati(Random& random, const RandomProblem& problem) {
  const Models models = problem.models();
  Control control(some_limits(random));
  const auto cost = lattice::node_cost(problem.frequencies, models, problem.whole_loss(), problem.limit);
  const lattice::SamaratiResult result =
      lattice::samarati({problem.frequencies, models, cost, problem.limit, problem.bottom, problem.top}, control);
  for (std::size_t i = 0; i < result.nodes.size(); ++i) check_node(problem, result.nodes[i], result.costs[i]);
}

void datafly(Random& random, const RandomProblem& problem) {
  const Models models = problem.models();
  Control control(some_limits(random));
  const auto cost = lattice::node_cost(problem.frequencies, models, problem.whole_loss(), problem.limit);
  const lattice::DataflyResult result =
      lattice::datafly({problem.frequencies, models, cost, problem.limit, problem.bottom, problem.top}, control);
  if (result.found) check_node(problem, result.node, result.cost);
}

void poka(Random& random, RandomProblem& problem) {
  problem.l.clear(), problem.more.clear();
  problem.limit = std::min(problem.limit, problem.frequencies.records() - 1);
  const Node start = random_node(random, problem.bottom, problem.top);
  Control control(some_limits(random));
  const lattice::PokaResult result =
      lattice::poka({problem.frequencies, problem.whole_loss(), problem.limit, problem.bottom, problem.top, start,
                     random.between(1u, 3u), random.below(2) == 0},
                    control);
  for (const lattice::PokaPoint& point : result.points) {
    problem.k = point.k;
    check_node(problem, point.node, point.cost);
  }
}

/// A table of numbers that may not go together.
void tables(Random& random) {
  const Frequencies valid = random_frequencies(random, few);
  std::vector<Hierarchy> hierarchies;
  std::vector<std::vector<std::uint32_t>> codes;
  std::vector<SensitiveColumn> sensitive = valid.sensitive();
  std::vector<std::int64_t> counts = valid.counts(), population, own(counts.size(), 0);
  std::vector<std::size_t> begin{0};
  std::vector<std::uint32_t> combination;
  const std::size_t spoiled = random.below<std::size_t>(10);
  if (random.below(4) == 0) population = counts;
  for (std::size_t i = random.below(4u); i > 0; --i) {
    combination.push_back(random.below(static_cast<std::uint32_t>(counts.size())));
    if (random.below(2) == 0) begin.push_back(combination.size());
  }
  begin.back() = combination.size();
  const auto made = unless_refused([&] {
    for (std::size_t a = 0; a < valid.attributes(); ++a) {
      std::vector<Level> levels;
      for (std::size_t j = 0; j <= valid.hierarchy(a).height(); ++j) levels.push_back(valid.hierarchy(a).level(j));
      Level& level = levels[random.below(levels.size())];
      if (spoiled == 0) spoil(random, level.node);
      if (spoiled == 1) spoil(random, level.leaves);
      hierarchies.emplace_back(std::move(levels));
      codes.push_back(valid.codes(a));
    }
    if (spoiled == 2) spoil(random, codes);
    if (spoiled == 3) spoil(random, counts);
    if (spoiled == 4 && !sensitive.empty()) spoil(random, sensitive[0].codes);
    if (spoiled == 5) spoil(random, population);
    if (spoiled == 6) spoil(random, own);
    if (spoiled == 7) spoil(random, begin);
    if (spoiled == 8) spoil(random, combination);
    std::optional<Units> units;
    if (random.below(2) == 0) units.emplace(own, begin, combination);
    return Frequencies(hierarchies, codes, sensitive, counts, units, population);
  });
  if (!made) return;
  Node bottom = bottom_of(*made), top = top_of(*made);
  if (spoiled == 9) spoil(random, random.below(2) == 0 ? bottom : top);
  Models models{std::make_shared<KAnonymity>(random.between(1, 4))};
  if (random.below(2) == 0)
    models.push_back(std::make_shared<LPlusDiversity>(random.below(2u), random_shares(random, 3)));
  std::vector<Loss::OfClasses> losses{{std::make_shared<Classification>(random.below(3u)), 1}};
  if (random.below(2) == 0) losses = {{std::make_shared<Discernibility>(made->records()), 1}};
  Control control({.examined = 30});
  unless_refused([&] {
    return lattice::lattice_search({*made, models, {{}, losses}, made->records() / 4, bottom, top}, control);
  });
}

}  // namespace

FUZZ(random) {
  const int search = random.below(9);
  if (search == 8) return tables(random);
  RandomProblem problem = drawn(random);
  switch (search) {
    case 0: return samarati(random, problem);
    case 1: return datafly(random, problem);
    case 2: return poka(random, problem);
    case 3:  // it takes models that hold for classes around those that they hold for, and a loss of values alone
      problem.more.clear(), problem.of_classes.clear();
      return incognito(random, problem);
    default: return lattice_search(random, problem);
  }
}

// LPlusOptimize: the cheapest cuts.
#include <algorithm>
#include <vector>

#include "any_problem.hpp"
#include "fuzz.hpp"
#include "random_cuts.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

constexpr Size few{.attributes = {1, 3}, .values = {1, 5}, .height = {0, 2}, .combinations = {1, 10}};

Posed drawn(Random& random) {
  Posed p = posed(random, few);
  const std::int64_t times = some_times(random, p.frequencies.records());
  if (times > 1) {
    p.frequencies = scaled(p.frequencies, times);
    p.limit = random.below(3) == 0 ? p.frequencies.records() / 4 : std::int64_t{1} << 40;
  }
  if (p.loss.metric == cuts::Metric::values && random.below(4) == 0) {  // dear ones: sums of more than 64 bits
    const Cost dear = Cost{1} << random.between(20, 70);
    for (auto& levels : p.loss.weight)
      for (auto& level : levels)
        for (Cost& weight : level) weight *= dear;
  }
  return p;
}

/// The most cuts that all are gone through for.
constexpr std::size_t few_cuts = 60;

std::size_t cuts_of(const Posed& p) {
  const cuts::Tree tree(p.frequencies, p.lowest, p.highest);
  std::size_t all = 1;
  for (std::size_t a = 0; a < p.frequencies.attributes() && all <= few_cuts; ++a) {
    std::vector<std::uint32_t> roots;
    for (std::uint32_t v = tree.first(a); v < tree.first(a + 1); v = tree[v].end) roots.push_back(v);
    all *= cuts_below(tree, roots, p.frequencies.hierarchy(a).values()).size();
  }
  return all;
}

}  // namespace

FUZZ(random) {
  const bool exhaustive = random.below(6) == 0;
  const Posed p = drawn(random);
  cuts::Problem problem = p.problem(random.one_of<std::size_t>({1, 1, 2, 4}));
  problem.bounds = random.below(2) == 0 ? cuts::Bounds::paper : cuts::Bounds::strong;
  problem.order = random.below(2) == 0 ? cuts::Order::ascending : cuts::Order::descending;
  problem.update_bounds = random.below(2) == 0;
  problem.tabulating_from = random.one_of<std::size_t>({0, 1, std::size_t{1} << 40});
  problem.merging_from = random.one_of<std::size_t>({0, 2, 2048});
  if (random.below(3) == 0) problem.choosing = random.one_of<double>({0, 0.2});
  Control control(some_limits(random));
  if (random.below(16) == 0) {
    switch (random.below(5)) {
      case 0: spoil(random, problem.lowest); break;
      case 1: spoil(random, problem.highest); break;
      case 2: problem.loss.target = random.below<std::size_t>(4); break;
      case 3: problem.scheme = static_cast<cuts::Scheme>(random.below(5)); break;
      default: problem.loss.weight.clear();
    }
    unless_refused([&] { return cuts::l_plus_optimize(problem, control); });
    return;
  }
  const cuts::Result result = cuts::l_plus_optimize(problem, control);
  CHECK(result.cuts.size() <= problem.top && result.cuts.size() == result.costs.size());
  CHECK(std::ranges::is_sorted(result.costs));
  for (std::size_t i = 0; i < result.cuts.size(); ++i) {
    const Evaluated actual = evaluated(p, result.cuts[i]);
    CHECK(actual.valid);
    CHECK_EQUAL(actual.cost, result.costs[i]);
  }
  if (!result.costs.empty()) CHECK(result.bound <= result.costs[0]);
  if (!exhaustive || cuts_of(p) > few_cuts) return;
  const std::vector<Cost> costs = all_costs(p);
  if (!costs.empty()) CHECK(result.bound <= costs[0]);
  if (!result.complete) return;
  CHECK_EQUAL(result.costs, std::vector<Cost>(costs.begin(), costs.begin() + static_cast<std::ptrdiff_t>(
                                                                                 std::min(problem.top, costs.size()))));
}

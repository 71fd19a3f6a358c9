#include "sfumato/algorithms/cuts/l_plus_optimize.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "any_problem.hpp"
#include "check.hpp"
#include "random_cuts.hpp"
#include "random_problem.hpp"
#include "sfumato/algorithms/cuts/class_table.hpp"
#include "sfumato/algorithms/cuts/tree.hpp"
#include "sfumato/privacy/l_plus_diversity.hpp"

using namespace sfumato;
using namespace sfumato::testing;

TEST(l_plus_optimize_equals_enumeration_with_all_settings) {
  for_seeds(400, [](Random& random) {
    const Posed p = posed(random);
    const std::vector<Cost> costs = all_costs(p);
    for (const std::size_t top : {1u, 4u})
      for (const bool paper : {false, true})
        for (const int threads : {1, 3}) {
          cuts::Problem problem = p.problem(top);
          problem.bounds = paper ? cuts::Bounds::paper : cuts::Bounds::strong;
          problem.order = random.below(2) == 0 ? cuts::Order::ascending : cuts::Order::descending;
          problem.update_bounds = random.below(2) == 0;
          problem.tabulating_from = random.one_of<std::size_t>({0, std::size_t{1} << 40});
          if (random.below(3) == 0) problem.choosing = random.one_of<double>({0, 0.2});
          Control control({.memory = random.below(2) == 0 ? std::size_t{0} : std::size_t{1} << 30, .threads = threads});
          const cuts::Result result = cuts::l_plus_optimize(problem, control);
          CHECK(result.complete);
          CHECK_EQUAL(result.costs, std::vector<Cost>(costs.begin(), costs.begin() + static_cast<std::ptrdiff_t>(
                                                                                         std::min(top, costs.size()))));
          if (!costs.empty()) CHECK_EQUAL(result.bound, costs.front());
          for (std::size_t i = 0; i < result.cuts.size(); ++i)
            CHECK_EQUAL(evaluated(p, result.cuts[i]).cost, result.costs[i]);
        }
  });
}

TEST(l_plus_optimize_equals_enumeration_by_a_table_of_all_classes) {
  int tabulated = 0, all = 0;
  for_seeds(300, [&](Random& random) {
    Posed p = posed(random, {.attributes = {2, 4}, .values = {1, 5}, .height = {0, 2}, .combinations = {1, 40}});
    p.frequencies = scaled(p.frequencies, random.one_of<std::int64_t>({1, 1, 20'000}));  // also more than eights hold
    p.limit = std::int64_t{1} << 40;
    p.loss.record = std::min<Cost>(p.loss.record, 20);
    cuts::Problem problem = p.problem();
    problem.tabulating_from = 0;
    const cuts::Tree tree(p.frequencies, p.lowest, p.highest);
    const cuts::Tuples tuples(p.frequencies, tree, cuts::columns_read(problem));
    Control control({.threads = random.one_of<int>({1, 3})});
    cuts::ClassTable table(problem, tree, tuples, control);
    ++all;
    if (!table.pays(Cost{1} << 52)) return;
    ++tabulated;
    const std::vector<Cost> costs = all_costs(p);
    const auto enough = random.one_of<Cost>({costs.front(), costs.front() + 1, Cost{1} << 52});
    const auto actual = table.solve(static_cast<double>(enough));
    CHECK(actual.complete);
    CHECK_EQUAL(static_cast<Cost>(actual.cost), costs.front());
    CHECK_EQUAL(actual.cut.empty(), enough == costs.front());
  });
  CHECK(5 * tabulated > all);  // others have too many values, or may not suppress
}

TEST(l_plus_optimize_gives_the_same_cuts_with_any_number_of_threads) {
  for_seeds(200, [](Random& random) {
    const Posed p = posed(random);
    cuts::Problem problem = p.problem(random.one_of<std::size_t>({1, 3}));
    if (random.below(2) == 0) problem.merging_from = 1;
    problem.tabulating_from = random.one_of<std::size_t>({0, std::size_t{1} << 40});
    if (random.below(3) == 0) problem.choosing = random.one_of<double>({0, 0.2});
    Control one({});
    const cuts::Result alone = cuts::l_plus_optimize(problem, one);
    for (const int threads : {2, 4}) {
      Control many({.memory = random.below(2) == 0 ? std::size_t{0} : std::size_t{1} << 30, .threads = threads});
      CHECK(alone.cuts == cuts::l_plus_optimize(problem, many).cuts);
    }
  });
}

TEST(l_plus_optimize_bounds_wherever_it_stops) {
  for_seeds(60, [](Random& random) {
    const Posed p = posed(random);
    const std::vector<Cost> costs = all_costs(p);
    cuts::Problem problem = p.problem();
    problem.tabulating_from = random.one_of<std::size_t>({0, std::size_t{1} << 40});
    Control whole({});
    cuts::l_plus_optimize(problem, whole);
    for (std::int64_t stop = 0; stop <= whole.progress().examined; ++stop) {
      Control control({.examined = stop, .threads = random.one_of<int>({1, 1, 3})});
      const cuts::Result result = cuts::l_plus_optimize(problem, control);
      if (costs.empty()) {
        CHECK(result.costs.empty());
        continue;
      }
      CHECK(0 <= result.bound && result.bound <= costs.front());
      if (!result.costs.empty()) CHECK(costs.front() <= result.costs.front());
      if (result.complete) CHECK_EQUAL(result.costs.at(0), costs.front());
    }
  });
}

TEST(l_plus_optimize_asks_models_that_are_no_limits_on_shares) {
  for_seeds(150, [](Random& random) {
    const Posed p = posed(random);
    cuts::Problem problem = p.problem();
    if (problem.scheme != cuts::Scheme::none && problem.scheme != cuts::Scheme::all_records) return;
    std::vector<std::int64_t> records = records_of(p.frequencies, 0);
    const auto model = random_model(random, random.below(model_kinds), 0, records);
    if (problem.scheme == cuts::Scheme::none && model->monotonicity() == Monotonicity::none) return;
    problem.models.push_back(model);
    Control strong({}), plain({});
    const cuts::Result actual = cuts::l_plus_optimize(problem, strong);
    problem.bounds = cuts::Bounds::paper;
    const cuts::Result again = cuts::l_plus_optimize(problem, plain);
    CHECK_EQUAL(actual.costs, again.costs);
  });
}

/// Classes of more tuples than are divided in the best way by themselves: the bounds that look ahead have something to
/// add.
TEST(l_plus_optimize_finds_the_same_with_and_without_looking_ahead) {
  for_seeds(300, [](Random& random) {
    const Size wide{.attributes = {3, 4}, .values = {4, 7}, .height = {2, 3}, .combinations = {60, 160}};
    const Size tall{.attributes = {2, 3}, .values = {8, 16}, .height = {4, 5}, .combinations = {40, 120}};
    const Posed p = posed(random, random.below(2) == 0 ? wide : tall);
    cuts::Problem problem = p.problem(random.one_of<std::size_t>({1, 3}));
    Control strong({}), plain({});
    const cuts::Result actual = cuts::l_plus_optimize(problem, strong);
    problem.bounds = cuts::Bounds::paper;
    const cuts::Result again = cuts::l_plus_optimize(problem, plain);
    CHECK_EQUAL(actual.costs, again.costs);
  });
}

TEST(l_plus_optimize_refuses_what_it_cannot_do) {
  Random random(1);
  Posed p = posed(random);
  Control control({});
  CHECK_THROWS(std::invalid_argument, cuts::l_plus_optimize(p.problem(0), control));
  p.highest.pop_back();
  CHECK_THROWS(std::invalid_argument, cuts::l_plus_optimize(p.problem(), control));
}

/// The least that is suppressed costs least where the largest tuples go: the bound of a class must not depend on how
/// one was divided before that lends it its tuples.
TEST(bounds_do_not_depend_on_what_was_divided_before) {
  const Hierarchy flat({{{0, 1, 2}, {1, 1, 1}}}), rooted({{{0, 1, 2}, {1, 1, 1}}, {{0, 0, 0}, {3}}});
  const Hierarchy high({{{0, 1, 2}, {1, 1, 1}}, {{0, 0, 0}, {4}}, {{0, 0, 0}, {5}}});
  const std::vector<Ratio> limits{{0, 2, 3}, {0, 1, 4}, {1, 0, 1}};
  const Posed p{{{flat, high, rooted},
                 {{2, 0, 0, 0, 2}, {0, 0, 0, 1, 2}, {0, 2, 1, 1, 2}},
                 {{3, {0, 1, 2, 0, 1}}},
                 {2, 2, 1, 3, 1}},
                limits,
                {std::make_shared<LPlusDiversity>(0, limits)},
                cuts::Scheme::all_records,
                {cuts::Metric::discernibility, {}},
                {0, 0, 0},
                {0, 2, 1},
                std::int64_t{1} << 40};
  const Cost least = all_costs(p).front();
  for (const cuts::Order order : {cuts::Order::ascending, cuts::Order::descending})
    for (const bool update_bounds : {false, true}) {
      cuts::Problem problem = p.problem();
      problem.order = order;
      problem.update_bounds = update_bounds;
      problem.tabulating_from = std::size_t{1} << 40;
      Control control(Limits{});
      const cuts::Result result = cuts::l_plus_optimize(problem, control);
      CHECK_EQUAL(result.bound, least);
      CHECK_EQUAL(result.costs.at(0), least);
    }
}

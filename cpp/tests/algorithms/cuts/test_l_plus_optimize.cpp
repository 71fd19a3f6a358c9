#include "sfumato/algorithms/cuts/l_plus_optimize.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "any_problem.hpp"
#include "check.hpp"
#include "random_problem.hpp"
#include "sfumato/algorithms/cuts/class_table.hpp"
#include "sfumato/algorithms/cuts/tree.hpp"
#include "sfumato/privacy/l_plus_diversity.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

/// A problem whose classes are judged by limits on the shares of one column.
struct Posed {
  Frequencies frequencies;
  std::vector<Ratio> limits;
  Models models;
  cuts::Scheme scheme;
  cuts::Loss loss;
  Node lowest, highest;
  std::int64_t limit;

  cuts::Problem problem(std::size_t top = 1) const {
    return {frequencies, models, scheme, loss, lowest, highest, limit, top};
  }
};

Posed posed(Random& random,
            const Size& size = {.attributes = {1, 3}, .values = {1, 5}, .height = {0, 3}, .combinations = {1, 40}}) {
  Frequencies frequencies = random_frequencies(random, size);
  while (frequencies.sensitive().empty()) frequencies = random_frequencies(random, size);
  std::vector<Ratio> limits;
  for (std::uint32_t v = 0; v < frequencies.sensitive()[0].values; ++v)
    limits.push_back(random.one_of<Ratio>(
        {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {0, 1, 4}, {1, 0, 1}, {0, 0, 1}, {0, (Cost{1} << 70) + 1, Cost{1} << 72}}));
  const auto metric = static_cast<cuts::Metric>(random.below(3));
  const auto scheme = metric == cuts::Metric::values
                          ? static_cast<cuts::Scheme>(random.below(5))
                          : random.one_of<cuts::Scheme>(
                                {cuts::Scheme::none, cuts::Scheme::violating_records, cuts::Scheme::all_records});
  cuts::Loss loss{metric,
                  {},
                  random.one_of<Cost>({2, 20, Cost{1} << 70}),
                  random.one_of<Cost>({0, 1, 7}),
                  random.below(frequencies.sensitive().size())};
  for (std::size_t a = 0; metric == cuts::Metric::values && a < frequencies.attributes(); ++a) {
    std::vector<std::vector<Cost>> weight;
    for (std::size_t j = 0; j <= frequencies.hierarchy(a).height(); ++j) {
      weight.emplace_back();
      for (const std::int64_t leaves : frequencies.hierarchy(a).level(j).leaves)
        weight.back().push_back(Cost{leaves - 1} * (1 + Cost(a)));
    }
    loss.weight.push_back(std::move(weight));
  }
  Node lowest = bottom_of(frequencies), highest = top_of(frequencies);
  if (random.below(4) == 0) lowest = random_node(random, lowest, highest);
  if (random.below(4) == 0) highest = random_node(random, lowest, highest);
  const std::int64_t limit = random.below(3) == 0 ? frequencies.records() / 4 : std::int64_t{1} << 40;
  Models models{std::make_shared<LPlusDiversity>(0, limits)};
  return {std::move(frequencies), limits, std::move(models), scheme, std::move(loss), lowest, highest, limit};
}

/// The same records, each so many times, and none of them of one unit with others.
Frequencies scaled(const Frequencies& f, std::int64_t times) {
  std::vector<Hierarchy> hierarchies;
  std::vector<std::vector<std::uint32_t>> codes;
  for (std::size_t a = 0; a < f.attributes(); ++a) {
    hierarchies.push_back(f.hierarchy(a));
    codes.emplace_back(f.codes(a).begin(), f.codes(a).end());
  }
  std::vector<std::int64_t> counts;
  for (const std::int64_t count : f.counts()) counts.push_back(count * times);
  return Frequencies(std::move(hierarchies), std::move(codes), f.sensitive(), std::move(counts));
}

/// All cuts of an attribute below a node, as the level of each value.
std::vector<std::vector<std::uint32_t>> cuts_below(const cuts::Tree& tree, std::vector<std::uint32_t> nodes,
                                                   std::size_t values) {
  if (nodes.empty()) return {std::vector<std::uint32_t>(values, 0)};
  const std::uint32_t v = nodes.back();
  nodes.pop_back();
  std::vector<std::vector<std::uint32_t>> own{{}}, actual;
  if (!tree.leaf(v)) own = cuts_below(tree, tree.children(v), values);
  if (!tree.leaf(v)) own.emplace_back();
  for (const auto& rest : cuts_below(tree, nodes, values))
    for (const auto& part : own) {
      auto cut = rest;
      for (std::uint32_t i = tree[v].value; i < tree[v].value + tree[v].values; ++i)
        cut[i] = part.empty() ? tree[v].level : part[i];
      actual.push_back(std::move(cut));
    }
  return actual;
}

struct Evaluated {
  bool valid = true;
  Cost cost = 0;
};

/// A cut by the definitions, class by class.
Evaluated evaluated(const Posed& p, const cuts::Cut& cut) {
  const Frequencies& f = p.frequencies;
  std::map<std::vector<std::uint32_t>, std::vector<std::size_t>> classes;
  for (std::size_t i = 0; i < f.size(); ++i) {
    std::vector<std::uint32_t> key;
    for (std::size_t a = 0; a < f.attributes(); ++a) {
      const std::uint32_t level = cut[a][f.codes(a)[i]];
      key.push_back(level);
      key.push_back(f.hierarchy(a).level(level).node[f.codes(a)[i]]);
    }
    classes[key].push_back(i);
  }
  Evaluated actual;
  std::int64_t touched = 0;
  for (const auto& [key, rows] : classes) {
    std::map<std::uint32_t, std::int64_t> of_value;
    std::int64_t n = 0;
    for (const std::size_t i : rows) n += f.counts()[i], of_value[f.sensitive()[0].codes[i]] += f.counts()[i];
    bool violated = false;
    std::int64_t hidden = 0;
    for (const auto& [value, count] : of_value)
      if (!p.limits[value].admits(count, n)) violated = true, hidden += count;
    if (p.scheme == cuts::Scheme::none && violated) actual.valid = false;
    std::int64_t kept = n, size = n;
    if (p.scheme == cuts::Scheme::all_records && violated) kept = 0;
    if (p.scheme == cuts::Scheme::violating_records)
      for (;; --size) {
        kept = 0;
        for (const auto& [value, count] : of_value)
          kept += std::min(count, static_cast<std::int64_t>(p.limits[value].floor(size)));
        if (kept >= size) break;
      }
    if (p.scheme != cuts::Scheme::violating_values) hidden = p.scheme == cuts::Scheme::all_values && violated ? n : 0;
    touched += n - kept + hidden;
    if (p.loss.metric == cuts::Metric::discernibility) actual.cost += Cost{kept} * kept + Cost{n - kept} * f.records();
    if (p.loss.metric == cuts::Metric::classification) {
      std::map<std::uint32_t, std::map<std::uint32_t, std::int64_t>> by_label;
      for (const std::size_t i : rows)
        by_label[f.sensitive()[p.loss.target].codes[i]][f.sensitive()[0].codes[i]] += f.counts()[i];
      std::int64_t most = 0;
      for (const auto& [label, counts] : by_label) {
        std::int64_t votes = 0;
        for (const auto& [value, count] : counts)
          votes += p.scheme == cuts::Scheme::violating_records
                       ? std::min(count, static_cast<std::int64_t>(p.limits[value].floor(size)))
                       : count;
        most = std::max(most, votes);
      }
      actual.cost += kept > 0 ? n - most : n;
    }
    if (p.loss.metric == cuts::Metric::values) {
      Cost price = 0;
      for (std::size_t a = 0; a < f.attributes(); ++a) price += p.loss.weight[a][key[2 * a]][key[2 * a + 1]];
      actual.cost += kept * price + (n - kept) * p.loss.record + hidden * p.loss.value;
    }
  }
  actual.valid &= p.scheme == cuts::Scheme::none || touched <= p.limit;
  return actual;
}

/// The costs of all valid cuts, in order.
std::vector<Cost> all_costs(const Posed& p) {
  const cuts::Tree tree(p.frequencies, p.lowest, p.highest);
  std::vector<cuts::Cut> cuts{{}};
  for (std::size_t a = 0; a < p.frequencies.attributes(); ++a) {
    std::vector<std::uint32_t> roots;
    for (std::uint32_t v = tree.first(a); v < tree.first(a + 1); v = tree[v].end) roots.push_back(v);
    std::vector<cuts::Cut> longer;
    for (const auto& part : cuts_below(tree, roots, p.frequencies.hierarchy(a).values()))
      for (cuts::Cut cut : cuts) cut.push_back(part), longer.push_back(std::move(cut));
    cuts = std::move(longer);
  }
  std::vector<Cost> costs;
  for (const cuts::Cut& cut : cuts)
    if (const Evaluated actual = evaluated(p, cut); actual.valid) costs.push_back(actual.cost);
  std::ranges::sort(costs);
  return costs;
}

}  // namespace

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

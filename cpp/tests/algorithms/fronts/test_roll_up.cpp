#include "sfumato/algorithms/fronts/roll_up.hpp"

#include <algorithm>
#include <map>

#include "check.hpp"
#include "naive.hpp"
#include "sfumato/algorithms/fronts/size_points.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

using ClassCounts = std::map<std::vector<std::uint32_t>, std::vector<std::int64_t>>;  // by values, by lane

/// What the classes without lanes are, from all combinations.
ClassCounts plainly(const Frequencies& frequencies, const fronts::RollUpPlan& plan, const Node& node) {
  ClassCounts actual;
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    auto values = published(frequencies, node, i);
    std::size_t lane = 0;
    for (std::size_t l = plan.lanes.size(); l-- > 0;)
      lane = 2 * lane + values[plan.lanes[l]], values[plan.lanes[l]] = 0;
    if (plan.labels != nullptr) lane = 2 * lane + (*plan.labels)[i];
    auto& counts = actual[values];
    counts.resize(std::size_t{1} << plan.bits());
    counts[lane] += frequencies.counts()[i];
  }
  return actual;
}

void check_walk(const RandomProblem& problem, const fronts::RollUpPlan& plan, fronts::RollUp& roll_up) {
  const Frequencies& frequencies = problem.frequencies;
  const std::size_t width = std::size_t{1} << plan.bits();
  std::vector<Node> visited;
  const auto visit = [&](const Node& node) {
    visited.push_back(node);
    ClassCounts actual;
    const auto counts = roll_up.counts();
    for (std::size_t entry = 0; entry * width < counts.size(); ++entry) {
      std::vector<std::uint32_t> values;
      for (std::size_t a = 0; a < frequencies.attributes(); ++a)
        values.push_back(static_cast<std::uint32_t>(roll_up.value(entry, a)));
      CHECK(!actual.contains(values));
      const auto first = counts.begin() + static_cast<std::ptrdiff_t>(entry * width);
      actual[values] = {first, first + static_cast<std::ptrdiff_t>(width)};
    }
    CHECK(actual == plainly(frequencies, plan, node));
    return true;
  };
  CHECK(roll_up.walk(visit, [](const Node&, std::size_t) { return true; }));
  Node top = problem.top;
  for (const std::size_t a : plan.lanes) top[a] = problem.bottom[a];
  auto expected = nodes(problem.bottom, top);
  std::ranges::sort(visited);
  std::ranges::sort(expected);
  CHECK_EQUAL(visited, expected);
}

template <class Key, std::size_t width>
void check_walk(const RandomProblem& problem, const fronts::RollUpPlan& plan) {
  fronts::NestedRollUp<Key, width> roll_up(problem.frequencies, problem.bottom, problem.top, plan);
  check_walk(problem, plan, roll_up);
}

}  // namespace

TEST(rolling_visits_all_nodes_with_their_classes) {
  for_seeds(200, [](Random& random) {
    const RandomProblem problem(random);
    fronts::RollUpPlan plan;
    for (std::size_t a = 0; a < problem.frequencies.attributes(); ++a)
      if (problem.bottom[a] < problem.top[a])
        plan.order.insert(plan.order.begin() + static_cast<std::ptrdiff_t>(random.below(plan.order.size() + 1)), a);
    check_walk<std::uint32_t, 1>(problem, plan);
    check_walk<std::uint64_t, 1>(problem, plan);
    // An attribute of two values as a lane, if there is one.
    for (std::size_t i = 0; i < plan.order.size(); ++i) {
      const std::size_t a = plan.order[i];
      const Hierarchy& hierarchy = problem.frequencies.hierarchy(a);
      if (problem.top[a] != problem.bottom[a] + 1 || hierarchy.level(problem.bottom[a]).nodes() != 2 ||
          hierarchy.level(problem.top[a]).nodes() != 1)
        continue;
      fronts::RollUpPlan with_lane = plan;
      with_lane.order.erase(with_lane.order.begin() + static_cast<std::ptrdiff_t>(i));
      with_lane.lanes.push_back(a);
      check_walk<std::uint32_t, 2>(problem, with_lane);
    }
    for (const SensitiveColumn& column : problem.frequencies.sensitive()) {
      if (column.values > 2) continue;
      fronts::RollUpPlan labelled = plan;
      labelled.labels = &column.codes;
      check_walk<std::uint32_t, 2>(problem, labelled);
    }
  });
}

TEST(rolling_leaves_out_what_it_is_not_to_enter) {
  for_seeds(200, [](Random& random) {
    const RandomProblem problem(random);
    fronts::RollUpPlan plan;
    for (std::size_t a = 0; a < problem.frequencies.attributes(); ++a)
      if (problem.bottom[a] < problem.top[a]) plan.order.push_back(a);
    // A branch is identified by the levels that are fixed in it.
    std::map<std::vector<std::uint16_t>, bool> entered;
    const auto levels = [&](const Node& node, std::size_t fixed) {
      std::vector<std::uint16_t> actual;
      for (std::size_t depth = 0; depth < fixed; ++depth) actual.push_back(node[plan.order[depth]]);
      return actual;
    };
    std::vector<Node> visited, expected;
    fronts::NestedRollUp<std::uint64_t, 1> roll_up(problem.frequencies, problem.bottom, problem.top, plan);
    const auto enter = [&](const Node& node, std::size_t fixed) {
      for (std::size_t depth = fixed; depth < plan.order.size(); ++depth)
        CHECK_EQUAL(node[plan.order[depth]], problem.bottom[plan.order[depth]]);
      CHECK(!entered.contains(levels(node, fixed)));
      std::int64_t persons = 0;
      for (const std::uint32_t count : roll_up.counts()) persons += count;
      CHECK_EQUAL(persons, problem.frequencies.records());
      return entered[levels(node, fixed)] = random.below(4) > 0;
    };
    const auto visit = [&](const Node& node) {
      visited.push_back(node);
      return true;
    };
    CHECK(roll_up.walk(visit, enter));
    for (const Node& node : nodes(problem.bottom, problem.top)) {
      bool all = true;
      for (std::size_t fixed = 1; fixed <= plan.order.size(); ++fixed) all = all && entered[levels(node, fixed)];
      if (plan.order.empty()) all = entered[{}];
      if (all) expected.push_back(node);
    }
    std::ranges::sort(visited);
    std::ranges::sort(expected);
    CHECK_EQUAL(visited, expected);
  });
}

TEST(size_steps_are_the_sizes_that_the_limit_allows) {
  for_seeds(500, [](Random& random) {
    std::vector<std::uint32_t> sizes;
    const auto largest = random.one_of<std::uint32_t>({2, 10, 40, 3000});
    for (int i = random.between(0, 60); i > 0; --i) sizes.push_back(random.between(0u, largest));
    const auto limit = random.one_of<std::int64_t>({0, 1, 7, 30, 1025, 100'000});
    fronts::SizeSteps steps(limit);
    for (int again = 0; again < 2; ++again) {
      std::map<std::int64_t, std::int64_t> classes;
      for (const std::uint32_t size : sizes)
        if (size > 0) ++classes[size];
      std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t>> expected, actual;
      std::int64_t below = 0;
      for (const auto& [size, count] : classes) {
        if (below > limit) break;
        expected.emplace_back(size, count, below);
        below += size * count;
      }
      for (const auto& step : steps.of(sizes)) actual.emplace_back(step.size, step.classes, step.below);
      CHECK(actual == expected);
    }
  });
}

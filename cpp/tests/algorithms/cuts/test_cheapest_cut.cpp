#include "sfumato/algorithms/cuts/cheapest_cut.hpp"

#include <algorithm>
#include <vector>

#include "check.hpp"
#include "random_problem.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

/// Adds what each cut of a table costs, from an axis on. `places`: of the nodes of those before.
void add_costs(const std::vector<cuts::Axis>& axes, const std::vector<double>& table, std::size_t axis,
               const std::vector<std::size_t>& places, std::vector<double>& costs) {
  if (axis == axes.size()) {
    double sum = 0;
    for (const std::size_t place : places) sum += table[place];
    costs.push_back(sum);
    return;
  }
  for (const auto& cut : axes[axis].list()) {
    std::vector<std::size_t> next;
    for (const std::size_t place : places)
      for (const std::uint32_t node : cut) next.push_back(place * axes[axis].nodes() + node);
    add_costs(axes, table, axis + 1, next, costs);
  }
}

struct RandomTable {
  std::vector<cuts::Axis> axes;
  std::vector<double> entries;

  explicit RandomTable(Random& random) {
    const Frequencies frequencies =
        random_frequencies(random, {.attributes = {1, 3}, .values = {1, 6}, .height = {0, 3}, .combinations = {1, 30}});
    Node lowest = bottom_of(frequencies), highest = top_of(frequencies);
    if (random.below(2) == 0) highest = random_node(random, lowest, highest);  // several roots
    const cuts::Tree tree(frequencies, lowest, highest);
    std::size_t size = 1;
    for (std::size_t a = 0; a < tree.attributes(); ++a) {
      axes.emplace_back(tree, a).list_cuts();
      size *= axes.back().nodes();
    }
    const int most = random.one_of<int>({2, 30, 1000});
    for (std::size_t i = 0; i < size; ++i) entries.push_back(static_cast<double>(random.below(most)));
  }

  double cost_of(const std::vector<std::vector<std::uint32_t>>& nodes) const {
    std::vector<std::size_t> places{0};
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      std::vector<std::size_t> next;
      for (const std::size_t place : places)
        for (const std::uint32_t node : nodes[axis]) next.push_back(place * axes[axis].nodes() + node);
      places = next;
    }
    double sum = 0;
    for (const std::size_t place : places) sum += entries[place];
    return sum;
  }

  bool has(const std::vector<std::vector<std::uint32_t>>& nodes) const {
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      std::vector<std::uint32_t> sorted = nodes[axis];
      std::ranges::sort(sorted);
      if (!std::ranges::any_of(axes[axis].list(),
                               [&](std::vector<std::uint32_t> cut) { return std::ranges::sort(cut), cut == sorted; }))
        return false;
    }
    return true;
  }
};

}  // namespace

TEST(cut_choice_equals_enumeration) {
  for_seeds(1000, [](Random& random) {
    const RandomTable table(random);
    std::vector<double> costs;
    add_costs(table.axes, table.entries, 0, {0}, costs);
    const double least = *std::ranges::min_element(costs);
    cuts::CheapestCut choice(table.axes);
    for (const double enough : {1e15, least + 1, least}) {  // one after the other, in the same place
      Control control({});
      double effort = 1e15;
      const auto solution = choice.solve(table.entries, enough, effort, control);
      CHECK(solution.complete);
      CHECK_EQUAL(solution.cost, least);
      CHECK_EQUAL(solution.nodes.empty(), enough == least);
      if (solution.nodes.empty()) continue;
      CHECK(table.has(solution.nodes));
      CHECK_EQUAL(table.cost_of(solution.nodes), least);
    }
  });
}

TEST(cut_choice_that_is_given_up_keeps_its_best) {
  int given_up = 0, solved_some = 0;
  for_seeds(300, [&](Random& random) {
    const RandomTable table(random);
    std::vector<double> costs;
    add_costs(table.axes, table.entries, 0, {0}, costs);
    cuts::CheapestCut choice(table.axes);
    for (double entries = 1; entries < 1000; entries *= 1.5) {
      double effort = entries;
      Control control({.examined = random.one_of<std::int64_t>({3, 1 << 20})});
      const auto solution = choice.solve(table.entries, 1e15, effort, control);
      if (!solution.nodes.empty()) CHECK_EQUAL(table.cost_of(solution.nodes), solution.cost);
      if (solution.complete) CHECK_EQUAL(solution.cost, *std::ranges::min_element(costs));
      given_up += solution.complete ? 0 : 1;
      solved_some += solution.complete || solution.nodes.empty() ? 0 : 1;
    }
  });
  CHECK(given_up > 0);
  CHECK(solved_some > 0);
}

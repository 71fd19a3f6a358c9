#include "sfumato/algorithms/fronts/front.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "any_problem.hpp"
#include "check.hpp"
#include "naive.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

using Points = std::set<std::tuple<std::int64_t, Cost, Node>>;  // persons, cost, node

/// The points of a node for every number of persons that occurs: the problem's own outcome with that k.
Points points_of(const RandomProblem& problem, const Node& node, bool spend_limit) {
  std::set<std::int64_t> sizes;
  for (const auto& members : classes_at(problem.frequencies, node))
    sizes.insert(persons_of(problem.frequencies, members));
  Points attained_points;
  for (const std::int64_t k : sizes) {
    RandomProblem asking = problem;
    asking.k = k;
    const Outcome here = outcome(asking, node);
    if (!here.valid || here.classes == 0) continue;
    std::int64_t attained = 0;  // classes of k persons may violate another model
    for (const std::int64_t other : sizes) {
      asking.k = other;
      if (other >= k && outcome(asking, node).suppressed == here.suppressed) attained = other;
    }
    if (spend_limit) attained_points.clear();
    attained_points.insert({attained, here.cost, node});
  }
  return attained_points;
}

Points front_of(const RandomProblem& problem, bool spend_limit) {
  Points all;
  for (const Node& node : nodes(problem.bottom, problem.top)) all.merge(points_of(problem, node, spend_limit));
  Points front;
  for (const auto& [k, cost, node] : all)
    if (std::ranges::none_of(all, [&, k = k, cost = cost](const auto& other) {
          return std::get<0>(other) >= k && std::get<1>(other) <= cost &&
                 (std::get<0>(other) > k || std::get<1>(other) < cost);
        }))
      front.insert({k, cost, node});
  return front;
}

Points points_of(const fronts::Result& result) {
  Points points;
  for (const fronts::ParetoPoint& point : result.points)
    for (const Node& node : point.nodes) {
      CHECK_EQUAL(point.strength[0].denominator, 1);
      points.insert({static_cast<std::int64_t>(point.strength[0].numerator), point.cost, node});
    }
  return points;
}

/// The models of a problem but for its k, which varies.
fronts::Problem posed_of(const RandomProblem& problem, bool spend_limit) {
  Models models = problem.models();
  models.erase(models.begin());
  return {problem.frequencies,  models,        {std::make_shared<PersonsRating>()},
          problem.whole_loss(), problem.limit, problem.bottom,
          problem.top,          spend_limit};
}

void check_against_enumeration(const RandomProblem& problem) {
  if (problem.limit >= problem.frequencies.records()) return;  // a release may be empty there, and has no k
  for (const bool spend_limit : {false, true}) {
    const Points expected = front_of(problem, spend_limit);
    fronts::Problem posed = posed_of(problem, spend_limit);
    Control control({});
    const fronts::Result result = fronts::front(posed, control);
    CHECK(result.complete);
    CHECK_EQUAL(control.progress().examined, static_cast<std::int64_t>(nodes(problem.bottom, problem.top).size()));
    CHECK(points_of(result) == expected);
    for (const fronts::Search search : {fronts::Search::bounded, fronts::Search::pruned}) {
      if (!fronts::serves(search, posed)) continue;
      posed.search = search;
      Control fewer({});
      CHECK(points_of(fronts::front(posed, fewer)) == expected);
      CHECK(fewer.progress().examined <= control.progress().examined);
    }
  }
}

}  // namespace

TEST(fronts_of_k_equal_enumeration) {
  for_seeds(300, [](Random& random) {
    RandomProblem problem(random);
    check_against_enumeration(problem);
    problem.l.assign(problem.l.size(), 1);
    check_against_enumeration(problem);
  });
}

TEST(fronts_with_any_model_and_loss_equal_enumeration) {
  for_seeds(300, [](Random& random) { check_against_enumeration(any_problem(random)); });
}

TEST(fronts_of_sizes_alone_equal_enumeration) {
  const Size binary{.attributes = {2, 5}, .values = {2, 3}, .height = {1, 1}, .combinations = {10, 40}};
  for_seeds(300, [&](Random& random) {
    RandomProblem problem = any_problem(random, random.below(2) == 0 ? binary : Size{});
    problem.l.clear();  // distinct l-diversity of 1 is none
    problem.more.clear();
    check_against_enumeration(problem);
  });
}

TEST(front_nodes_tell_the_points_of_one_node) {
  for_seeds(100, [](Random& random) {
    const RandomProblem problem = any_problem(random);
    if (problem.limit >= problem.frequencies.records()) return;
    fronts::SingleNodes single(posed_of(problem, false));
    const Node node = random_node(random, problem.bottom, problem.top);
    Points attained_points;
    for (const fronts::NodePoint& point : single.at(node))
      attained_points.insert({static_cast<std::int64_t>(point.strength[0].numerator), point.cost, point.node});
    CHECK(attained_points == points_of(problem, node, false));
  });
}

TEST(fronts_stop_and_say_so) {
  for_seeds(50, [](Random& random) {
    const RandomProblem problem = any_problem(random);
    const auto space = static_cast<std::int64_t>(nodes(problem.bottom, problem.top).size());
    Control control({.examined = space - 1});
    CHECK(!fronts::front(posed_of(problem, false), control).complete);
    CHECK_EQUAL(control.progress().examined, space - 1);
  });
}

// Fronts between what classes attain and what a release costs: every search finds the same.
#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <typeinfo>
#include <vector>

#include "any_problem.hpp"
#include "fuzz.hpp"
#include "naive.hpp"
#include "sfumato/algorithms/fronts/front.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

constexpr Size few{.attributes = {1, 3}, .values = {1, 5}, .height = {0, 2}, .combinations = {1, 10}};

std::shared_ptr<const Rating> some_rating(Random& random, const Frequencies& frequencies) {
  const std::size_t columns = frequencies.sensitive().size();
  if (columns == 0) return std::make_shared<PersonsRating>();
  const std::size_t s = random.below(columns);
  const std::vector<std::int64_t> records = records_of(frequencies, s);
  switch (random.below(8)) {
    case 0: return std::make_shared<DistinctRating>(s);
    case 1: return std::make_shared<LargestShareRating>(s);
    case 2: return std::make_shared<EntropyRating>(s, random.between(1, 100));
    case 3: return std::make_shared<DistanceRating>(s, TreeDistance(records));
    case 4: return std::make_shared<DistanceRating>(s, OrderedDistance(records, random_ranks(random, records.size())));
    case 5: return std::make_shared<DistanceRating>(s, random_tree(random, records));
    default: return std::make_shared<PersonsRating>();
  }
}

/// The same points, in whatever order.
bool same(const fronts::Result& one, const fronts::Result& other) {
  return one.points.size() == other.points.size() && std::ranges::all_of(one.points, [&](const auto& p) {
           return std::ranges::any_of(other.points, [&](const auto& q) {
             return p.strength == q.strength && p.cost == q.cost &&
                    std::set<Node>(p.nodes.begin(), p.nodes.end()) == std::set<Node>(q.nodes.begin(), q.nodes.end());
           });
         });
}

/// Points are of nodes that cost so much with that k, all others being as they are.
void check_persons(const RandomProblem& problem, const fronts::Result& result) {
  for (const fronts::ParetoPoint& point : result.points) {
    RandomProblem asking = problem;
    CHECK_EQUAL(point.strength[0].denominator, 1);
    asking.k = static_cast<std::int64_t>(point.strength[0].numerator);
    for (const Node& node : point.nodes) {
      const Outcome here = outcome(asking, node);
      CHECK(here.valid);
      CHECK_EQUAL(here.cost, point.cost);
    }
  }
}

std::string shown_all(const fronts::Problem& problem) {
  std::string text = shown(problem.bottom) + " to " + shown(problem.top) + ", limit " + shown(problem.limit) +
                     (problem.spend_limit ? ", spent" : "") + ", " + shown(problem.frequencies.counts());
  for (const auto& model : problem.models) text += std::string(", ") + typeid(*model).name();
  for (const auto& rating : problem.ratings) text += std::string(", ") + typeid(*rating).name();
  return text;
}

std::string shown_all(const fronts::Result& result) {
  std::string text;
  for (const fronts::ParetoPoint& point : result.points) {
    for (const Rate& rate : point.strength) text += shown(rate.numerator) + "/" + shown(rate.denominator) + " ";
    text += "at " + shown(point.cost) + " by";
    for (const Node& node : point.nodes) text += " " + shown(node);
    text += "; ";
  }
  return text;
}

}  // namespace

FUZZ(random) {
  RandomProblem problem(random, few);
  const std::int64_t times = some_times(random, problem.frequencies.records());
  if (times > 1) problem.frequencies = scaled(problem.frequencies, times), problem.limit *= times;
  if (random.below(2) == 0) problem.l.assign(problem.l.size(), 1);
  if (random.below(2) == 0) add_any_parts(random, problem, Cost{1} << (times > 1 ? 30 : 70));
  if (problem.limit >= problem.frequencies.records()) problem.limit = problem.frequencies.records() - 1;
  Models models = problem.models();
  models.erase(models.begin());
  Ratings ratings{some_rating(random, problem.frequencies)};
  if (random.below(4) == 0) ratings.push_back(some_rating(random, problem.frequencies));
  const bool persons = ratings.size() == 1 && ratings[0]->counts_persons();
  fronts::Problem posed{problem.frequencies, models,         ratings,     problem.whole_loss(),
                        problem.limit,       problem.bottom, problem.top, random.below(2) == 0};
  posed.keep = random.below(8) == 0;
  const Limits limits = some_limits(random);
  Control control(limits);
  const fronts::Result all = fronts::front(posed, control);
  if (persons) check_persons(problem, all);
  posed.keep = false;
  for (const fronts::Search search : {fronts::Search::bounded, fronts::Search::pruned}) {
    if (!fronts::serves(search, posed)) continue;
    posed.search = search;
    Control fewer(limits);
    const fronts::Result result = fronts::front(posed, fewer);
    if (persons) check_persons(problem, result);
    if (all.complete && result.complete && !same(all, result))
      throw Failure("search " + std::to_string(static_cast<int>(search)) + " of " + shown_all(posed) + ": " +
                    shown_all(all) + " and " + shown_all(result));
  }
}

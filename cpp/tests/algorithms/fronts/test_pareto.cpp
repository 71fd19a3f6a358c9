#include "sfumato/algorithms/fronts/pareto.hpp"

#include <algorithm>
#include <tuple>

#include "check.hpp"
#include "random_problem.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

struct Given {
  std::int64_t size;
  Cost cost;
  std::uint16_t node;
};

std::vector<Given> random_points(Random& random) {
  std::vector<Given> points;
  for (std::uint16_t i = 0; i < random.between(1, 40); ++i)
    points.push_back({random.between<std::int64_t>(1, 8), Cost{random.between(0, 8)}, i});
  return points;
}

bool beaten(const std::vector<Given>& points, std::int64_t size, Cost cost) {
  return std::ranges::any_of(
      points, [&](const Given& p) { return p.size >= size && p.cost <= cost && (p.size > size || p.cost < cost); });
}

}  // namespace

TEST(fronts_keep_what_nothing_beats_with_all_ties) {
  for_seeds(500, [](Random& random) {
    const auto points = random_points(random);
    fronts::SizeFront sizes;
    fronts::RateFront rates;
    for (const Given& p : points) {
      const Node node{p.node};
      sizes.add(p.size, p.cost, node, p.node);
      rates.add({Rate{-6, p.size}}, p.cost, node, p.node);  // -6/size grows with size
    }
    std::vector<std::tuple<std::int64_t, Cost, Node>> expected, by_size, by_rate;
    for (const Given& p : points)
      if (!beaten(points, p.size, p.cost)) expected.emplace_back(p.size, p.cost, Node{p.node});
    for (const auto& point : sizes.points())
      for (std::size_t i = 0; i < point.nodes.size(); ++i) {
        by_size.emplace_back(point.size, point.cost, point.nodes[i]);
        CHECK_EQUAL(point.suppressed[i], point.nodes[i][0]);
      }
    for (const auto& point : rates.points())
      for (const Node& node : point.nodes) by_rate.emplace_back(point.strength[0].denominator, point.cost, node);
    std::ranges::sort(expected);
    std::ranges::sort(by_size);
    std::ranges::sort(by_rate);
    CHECK(by_size == expected);
    CHECK(by_rate == expected);
    for (std::int64_t size = 0; size < 10; ++size)
      for (Cost cost = 0; cost < 10; ++cost) CHECK_EQUAL(sizes.beats(size, cost), beaten(points, size, cost));
  });
}

TEST(rates_are_compared_without_rounding) {
  const Rate third{1, 3}, more{333'333'333'333'334, 1'000'000'000'000'000}, none{0, 0};
  CHECK(third < more);
  CHECK(!(more < third));
  CHECK((third == Rate{2, 6}));
  CHECK((Rate{-1, 2} < Rate{-1, 3}));
  CHECK(!none.some());
}

#include "sfumato/loss/separable.hpp"

#include "check.hpp"
#include "random_problem.hpp"

using namespace sfumato;
using namespace sfumato::testing;

TEST(level_costs_equal_summing_over_records) {
  for_seeds(200, [](Random& random) {
    const RandomProblem problem(random);
    const Frequencies& frequencies = problem.frequencies;
    std::vector<std::vector<std::int64_t>> value_counts;
    std::vector<Cost> expected(frequencies.levels(), 0), costs;
    for (std::size_t a = 0; a < frequencies.attributes(); ++a) {
      value_counts.emplace_back(frequencies.hierarchy(a).values());
      for (std::size_t i = 0; i < frequencies.size(); ++i) {
        value_counts[a][frequencies.codes(a)[i]] += frequencies.counts()[i];
        for (std::size_t j = 0; j <= frequencies.hierarchy(a).height(); ++j) {
          const std::uint32_t node = frequencies.hierarchy(a).level(j).node[frequencies.codes(a)[i]];
          const Cost each = problem.unit[a] * problem.weight[a][j][node];
          expected[frequencies.level_begin(a) + j] += each * frequencies.counts()[i];
        }
      }
    }
    problem.loss().level_costs(frequencies, value_counts, costs);
    CHECK_EQUAL(costs, expected);
  });
}

TEST(the_dearest_value_of_a_level) {
  const Frequencies frequencies({Hierarchy({{{0, 1}, {1, 1}}, {{0, 0}, {2}}}), Hierarchy({{{0, 1, 2}, {1, 1, 1}}})},
                                {{0}, {0}}, {}, {1});
  const SeparableLoss loss({{{0, 1}, {3}}, {{0, 5, 0}}}, {2, 10}, 7);
  CHECK_EQUAL(loss.suppressed(), 7);
  std::vector<Cost> dearest(frequencies.levels(), 1);
  loss.add_dearest(frequencies, dearest);
  CHECK_EQUAL(dearest, std::vector<Cost>({1 + 2 * 1, 1 + 2 * 3, 1 + 10 * 5}));
}

TEST(costs_may_exceed_64_bits) {
  const Frequencies frequencies({Hierarchy({{{0}, {1}}})}, {{0}}, {}, {1});
  std::vector<Cost> costs;
  SeparableLoss({{{3}}}, {Cost{1} << 90}, 0).level_costs(frequencies, {{1'000'000'007}}, costs);
  CHECK_EQUAL(costs, std::vector<Cost>({(Cost{1} << 90) * 3'000'000'021}));
}

TEST(sums_of_weights_may_exceed_64_bits) {
  constexpr std::int64_t records = (std::int64_t{1} << 36) - 1, logarithm = std::int64_t{25} << 32;
  const Frequencies frequencies({Hierarchy({{{0, 1}, {1, 1}}})}, {{0, 1}}, {}, {records - 1, 1});
  std::vector<Cost> costs;
  for (const std::int64_t weight : {logarithm, -logarithm}) {
    SeparableLoss({{{weight, weight}}}, {1}, 0).level_costs(frequencies, {{records - 1, 1}}, costs);
    CHECK_EQUAL(costs, std::vector<Cost>({Cost{records} * weight}));
  }
}

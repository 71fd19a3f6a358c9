#include "sfumato/loss/lm.hpp"

#include "check.hpp"
#include "random_problem.hpp"

using namespace sfumato;
using namespace sfumato::testing;

TEST(lm_counts_the_other_leaves) {
  // Five leaves, the last of which does not occur.
  const Hierarchy hierarchy({{{0, 1, 2, 3}, {1, 1, 1, 1}}, {{0, 0, 1, 1}, {2, 3}}, {{0, 0, 0, 0}, {5}}});
  const Frequencies frequencies({hierarchy}, {{0, 2}}, {}, {10, 1});
  const SeparableLoss loss = lm(frequencies, {7}, 28);
  std::vector<Cost> costs;
  loss.level_costs(frequencies, {{10, 0, 1, 0}}, costs);
  CHECK_EQUAL(costs, std::vector<Cost>({0, 7 * (10 * 1 + 1 * 2), 7 * 11 * 4}));
  CHECK_EQUAL(loss.suppressed(), 28);
}

TEST(lm_never_falls_from_level_to_level) {
  for_seeds(100, [](Random& random) {
    const Frequencies frequencies = random_frequencies(random, {});
    std::vector<std::vector<std::int64_t>> value_counts;
    for (std::size_t a = 0; a < frequencies.attributes(); ++a)
      value_counts.emplace_back(frequencies.hierarchy(a).values(), random.between(1, 9));
    std::vector<Cost> costs;
    lm(frequencies, std::vector<Cost>(frequencies.attributes(), 1), 0).level_costs(frequencies, value_counts, costs);
    for (std::size_t a = 0; a < frequencies.attributes(); ++a)
      for (std::size_t j = frequencies.level_begin(a) + 1; j < frequencies.level_begin(a + 1); ++j)
        CHECK(costs[j - 1] <= costs[j]);
  });
}

#include "sfumato/privacy/tau_l_diversity.hpp"

#include "check.hpp"

using namespace sfumato;

/// Base values a, b below node 1 and c, d below node 4, all of weight 1: nodes *, ab, a, b, cd, c, d.
static InducedLimits limits(std::vector<Cost> psi, Cost scale) {
  return {{0, 0, 1, 1, 0, 4, 4},     {2, 3, 5, 6},   {1, 1, 1, 1}, {0, 1, 2, 3},
          {3, 6, 12, 12, 6, 12, 12}, std::move(psi), scale,        4};
}

using Marks = std::vector<std::uint8_t>;

TEST(tau_l_diversity_counts_unknown_values_as_any) {
  // (1/2, 3)-diversity of (2, 1, 1), (2, 2), (1, 1, 1, 1), (3, 1), and of two a with two suppressed values.
  const std::vector<std::int64_t> sizes{4, 4, 4, 4, 4};
  const std::vector<Histogram> histograms{
      {{0, 3, 5, 9, 11, 12}, {0, 1, 2, 0, 1, 0, 1, 2, 3, 0, 1, 0}, {2, 1, 1, 2, 2, 1, 1, 1, 1, 3, 1, 2}}};
  Marks violated(5, 0);
  const TauLDiversity model(0, limits({2, 3}, 4), {2, 3, 5, 6});
  model.mark({sizes, histograms}, histograms.data(), violated);
  CHECK_EQUAL(violated, Marks({0, 1, 0, 1, 1}));
  std::vector<std::int64_t> publishable(sizes);
  model.limit({sizes, histograms}, histograms.data(), violated, publishable);
  CHECK_EQUAL(publishable, std::vector<std::int64_t>({4, 0, 4, 0, 4}));
}

TEST(an_induced_class_sweeps_the_dominant_value_first) {
  const InducedLimits half = limits({2, 3}, 4);
  InducedClass state(half);
  state.add(2, 5), state.add(3, 1), state.add(5, 2);
  std::vector<std::int64_t> swept(half.nodes(), 0);
  CHECK(state.sweep(1, [&](std::uint32_t v, std::int64_t records) { swept[v] += records; }));
  // a falls to 2, draws level with c, and is still the first of the two.
  CHECK_EQUAL(swept, std::vector<std::int64_t>({0, 0, 4, 0, 0, 0, 0}));
  CHECK_EQUAL(state.size(), std::int64_t{4});
  state.clear();
  state.add(2, 5), state.add(3, 9);
  CHECK(!state.sweep(1, [](std::uint32_t, std::int64_t) {}));
}

TEST(an_induced_class_generalises_the_deepest_value_of_the_dominant_one) {
  const InducedLimits half = limits({2, 3}, 4);
  InducedClass state(half);
  state.add(2, 4);
  std::vector<std::uint32_t> moves;
  CHECK(state.generalise([&](std::uint32_t v) { moves.push_back(v); }));
  // a, a, a, a to ab; these then to the root until F(2) <= 3/4.
  CHECK_EQUAL(moves, std::vector<std::uint32_t>({2, 2, 2, 2, 1, 1}));
  CHECK(state.diverse());
}

TEST(nodes_with_the_same_base_values_are_alike) {
  const InducedLimits chain({0, 0, 1, 0}, {2, 3}, {1, 3}, {1, 0}, {1, 1, 1, 1}, {3}, 4, 12);
  CHECK_EQUAL(chain.alike_node(2), 1u);
  CHECK_EQUAL(chain.alike_node(3), 3u);
  CHECK_EQUAL(chain.share(0, 1), std::int64_t{9});
  CHECK_EQUAL(chain.fewest(), std::size_t{2});
  CHECK_THROWS(std::invalid_argument, InducedLimits({0, 0}, {1}, {2}, {0}, {1, 1}, {}, 1, 3));
}

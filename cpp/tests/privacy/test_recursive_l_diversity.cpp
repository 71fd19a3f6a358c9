#include "sfumato/privacy/recursive_l_diversity.hpp"

#include "check.hpp"

using namespace sfumato;

/// Classes with counts (1, 4, 1), (3) and (2, 2).
static std::vector<std::uint8_t> marked(Ratio c, std::size_t l, std::vector<std::uint8_t> violated = {0, 0, 0}) {
  const std::vector<std::int64_t> sizes{6, 3, 4};
  const std::vector<Histogram> histograms{{{0, 3, 4, 6}, {0, 1, 2, 0, 0, 1}, {1, 4, 1, 3, 2, 2}}};
  RecursiveLDiversity(0, c, l).mark({sizes, histograms}, histograms.data(), violated);
  return violated;
}

using Marks = std::vector<std::uint8_t>;

TEST(recursive_diversity_sorts_downwards_and_is_strict) {
  CHECK_EQUAL(marked(Ratio(2, 0, 1), 2), Marks({1, 1, 0}));
  CHECK_EQUAL(marked(Ratio(2, 1, 100), 2), Marks({0, 1, 0}));
  CHECK_EQUAL(marked(Ratio(1, 0, 1), 2), Marks({1, 1, 1}));
  CHECK_EQUAL(marked(Ratio(5, 0, 1), 3), Marks({0, 1, 1}));
  CHECK_EQUAL(marked(Ratio(4, 0, 1), 3), Marks({1, 1, 1}));
  CHECK_EQUAL(marked(Ratio(2, 0, 1), 1, {0, 0, 1}), Marks({0, 0, 1}));
}

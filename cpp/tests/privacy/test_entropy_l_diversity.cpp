#include "sfumato/privacy/entropy_l_diversity.hpp"

#include <numeric>

#include "check.hpp"

using namespace sfumato;

static bool holds(std::vector<std::int64_t> counts, Cost numerator, Cost denominator = 1) {
  const std::vector<std::int64_t> sizes{std::accumulate(counts.begin(), counts.end(), std::int64_t{0})};
  Histogram histogram{{0, counts.size()}, {}, counts};
  for (std::uint32_t v = 0; v < counts.size(); ++v) histogram.value.push_back(v);
  std::vector<std::uint8_t> violated{0};
  EntropyLDiversity(0, numerator, denominator).mark({sizes, {&histogram, 1}}, &histogram, violated);
  return violated[0] == 0;
}

TEST(entropy_decides_far_from_the_limit) {
  CHECK(holds({2, 1}, 188, 100) && !holds({2, 1}, 189, 100));
  CHECK(holds({5, 4, 1}, 2) && !holds({9, 1}, 2));
  CHECK(holds({7}, 1) && !holds({7}, 2));
}

TEST(entropy_ties_are_exact) {
  for (const std::int64_t scale : {1, 3, 1000, 100'000'000}) {
    CHECK(holds({scale, scale}, 2));
    CHECK(holds({scale, scale, scale}, 3));
    CHECK(holds({4 * scale, scale, scale, scale, scale}, 4));
    CHECK(!holds({scale, scale}, (Cost{2} << 80) + 1, Cost{1} << 80));
    CHECK(holds({scale, scale}, (Cost{2} << 80) - 1, Cost{1} << 80));
  }
}

TEST(doubt_beyond_powers_is_a_violation) { CHECK(!holds({500'000'001, 500'000'000}, 2)); }

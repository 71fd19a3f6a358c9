#include "sfumato/privacy/induced_rating.hpp"

#include <stdexcept>

#include "check.hpp"

using namespace sfumato;

/// Base values a, b below node 1 and c, d below node 4, all of weight 1: nodes *, ab, a, b, cd, c, d; D is 4.
static InducedLimits values() {
  return {{0, 0, 1, 1, 0, 4, 4}, {2, 3, 5, 6}, {1, 1, 1, 1}, {0, 1, 2, 3}, {3, 6, 12, 12, 6, 12, 12}, {}, 1, 4};
}

/// Classes of a, b, c, d: (2, 1, 1), (2, 2), (1, 1, 1, 1), (3, 1), and two a with two suppressed values.
static std::vector<Rate> rated(const Rating& rating) {
  const std::vector<std::int64_t> sizes{4, 4, 4, 4, 4};
  const std::vector<Histogram> histograms{
      {{0, 3, 5, 9, 11, 12}, {0, 1, 2, 0, 1, 0, 1, 2, 3, 0, 1, 0}, {2, 1, 1, 2, 2, 1, 1, 1, 1, 3, 1, 2}}};
  std::vector<Rate> rates(5);
  rating.rate({sizes, histograms}, histograms.data(), rates);
  return rates;
}

TEST(the_least_tau_for_l_is_the_steepest_of_its_lines) {
  const std::vector<Rate> rates = rated(LeastTauRating(0, values(), {2, 3, 5, 6}, 3, 2));
  const std::vector<Rate> expected{{-1, 2}, {-1, 1}, {-1, 4}, {-1, 1}, {-5, 8}};  // -tau; in units of 1/8
  for (std::size_t c = 0; c < rates.size(); ++c)
    CHECK(rates[c].numerator * expected[c].denominator == expected[c].numerator * rates[c].denominator * 8);
  CHECK_THROWS(std::invalid_argument, LeastTauRating(0, values(), {2, 3, 5, 6}, 1, 1));
  CHECK_THROWS(std::invalid_argument, LeastTauRating(0, values(), {2, 3, 5, 6}, 4, 2));
  CHECK_THROWS(std::invalid_argument, LeastTauRating(0, values(), {2, 3, 5, 9}, 3, 2));
}

TEST(the_largest_l_for_tau_is_none_where_one_value_has_more) {
  const std::vector<Rate> rates = rated(LargestLRating(0, values(), {2, 3, 5, 6}, 1, 2, 100));
  CHECK(rates[0] == (Rate{3, 1}));
  CHECK(rates[1] == (Rate{2, 1}));
  CHECK(rates[2] == (Rate{4, 1}));
  CHECK(!rates[3].some());
  CHECK(!rates[4].some());
  for (const Rate& rate : rated(LargestLRating(0, values(), {2, 3, 5, 6}, 1, 1, 100))) CHECK(rate == (Rate{100, 1}));
  CHECK_THROWS(std::invalid_argument, LargestLRating(0, values(), {2, 3, 5, 6}, 0, 1, 100));
}

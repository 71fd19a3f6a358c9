#include "sfumato/ratio.hpp"

#include "check.hpp"
#include "random_problem.hpp"

using namespace sfumato;
using namespace sfumato::testing;

TEST(ratios_compare_exactly) {
  const Ratio third(0, 1, 3), seven_halves(3, 1, 2), two(2, 0, 1), nothing(0, 0, 1);
  CHECK(third.admits(1, 3) && !third.admits(2, 3) && third.admits(33, 100) && !third.admits(34, 100));
  CHECK(third.reached(1, 3) && third.reached(34, 100) && !third.reached(33, 100));
  CHECK(!third.exceeds(1, 3) && third.exceeds(33, 100) && !third.exceeds(34, 100));
  CHECK(seven_halves.admits(7, 2) && !seven_halves.admits(8, 2) && seven_halves.exceeds(6, 2));
  CHECK(two.admits(4, 2) && two.reached(4, 2) && !two.exceeds(4, 2) && two.exceeds(3, 2) && !two.admits(5, 2));
  CHECK(nothing.admits(0, 5) && !nothing.admits(1, 5) && !nothing.exceeds(0, 5));
  CHECK_EQUAL(static_cast<std::int64_t>(seven_halves.floor(3)), 10);
  CHECK_EQUAL(static_cast<std::int64_t>(third.floor(2)), 0);
}

TEST(ratios_equal_long_multiplication) {
  for_seeds(2000, [](Random& random) {
    const std::int64_t denominator = random.between<std::int64_t>(1, 50),
                       numerator = random.between<std::int64_t>(0, 200);
    const std::int64_t count = random.between<std::int64_t>(0, 300), n = random.between<std::int64_t>(1, 80);
    const Ratio ratio(numerator / denominator, numerator % denominator, denominator);
    CHECK_EQUAL(ratio.admits(count, n), count * denominator <= numerator * n);
    CHECK_EQUAL(ratio.reached(count, n), count * denominator >= numerator * n);
    CHECK_EQUAL(ratio.exceeds(count, n), count * denominator < numerator * n);
    CHECK_EQUAL(static_cast<std::int64_t>(ratio.floor(n)), numerator * n / denominator);
  });
}

TEST(ratios_have_room) {
  const Cost fine = Cost{1} << 90;
  const Ratio almost(0, fine - 1, fine);
  CHECK(!almost.admits(most_records, most_records) && almost.exceeds(most_records - 1, most_records));
  const Ratio large(Cost{1} << 60, fine - 1, fine);
  CHECK(large.admits(most_records, most_records) && large.exceeds(most_records, 1));
}

TEST(ratios_out_of_range_are_refused) {
  CHECK_THROWS(std::invalid_argument, Ratio(-1, 0, 1));
  CHECK_THROWS(std::invalid_argument, Ratio(0, 1, 1));
  CHECK_THROWS(std::invalid_argument, Ratio(0, 0, (Cost{1} << 90) + 1));
}

#include "sfumato/natural.hpp"

#include "check.hpp"

using namespace sfumato;

static Natural power(Cost base, std::int64_t exponent) {
  Natural number;
  number.multiply(base, exponent);
  return number;
}

static bool equal(const Natural& x, const Natural& y) { return x <= y && y <= x; }

TEST(powers_that_are_equal_are_equal) {
  CHECK(equal(power(4, 100), power(2, 200)));
  CHECK(equal(power(1, 9), power(7, 0)));
  CHECK(equal(power(Cost{1} << 90, 10), power(8, 300)));
  Natural product = power(6, 50);
  product.multiply(10, 50);
  Natural same = power(60, 50);
  CHECK(equal(product, same));
}

TEST(powers_that_differ_are_ordered) {
  CHECK(power(2, 199) <= power(4, 100) && !(power(4, 100) <= power(2, 199)));
  CHECK(power(3, 200) <= power(9, 101) && !(power(9, 101) <= power(3, 200)));
  CHECK(power((Cost{1} << 100) - 1, 20) <= power(Cost{1} << 100, 20));
  CHECK(!(power((Cost{1} << 100) + 1, 20) <= power(Cost{1} << 100, 20)));
  CHECK(!(power((Cost{1} << 64) + 1, 3) <= power(Cost{1} << 64, 3)));
}

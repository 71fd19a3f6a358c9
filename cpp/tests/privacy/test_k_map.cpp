#include "sfumato/privacy/k_map.hpp"

#include "check.hpp"

using namespace sfumato;

TEST(classes_of_under_k_people_violate_k_map) {
  const std::vector<std::int64_t> sizes{9, 1, 1, 1}, people{0, 2, 3, 4};
  std::vector<std::uint8_t> violated{0, 0, 0, 1};
  KMap(3).mark({sizes, {}, {}, people}, nullptr, violated);
  CHECK_EQUAL(violated, std::vector<std::uint8_t>({1, 1, 0, 1}));
}

TEST(k_map_asks_for_a_population) {
  CHECK(KMap(2).populated());
  CHECK(KMap(2).monotonicity() == Monotonicity::strongly_up);
  CHECK(!KMap(2).sensitive().has_value());
}

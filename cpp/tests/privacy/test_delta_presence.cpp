#include "sfumato/privacy/delta_presence.hpp"

#include "check.hpp"

using namespace sfumato;

using Marks = std::vector<std::uint8_t>;
static const std::vector<std::int64_t> sizes{1, 1, 2, 3, 1}, people{10, 5, 4, 2, 0};
static const Ratio none(0, 0, 1), tenth(0, 1, 10), fifth(0, 1, 5), half(0, 1, 2), all(1, 0, 1);

TEST(shares_between_the_deltas_hold) {
  const auto marked = [](const DeltaPresence& model) {
    Marks violated(5, 0);
    model.mark({sizes, {}, {}, people}, nullptr, violated);
    return violated;
  };
  CHECK_EQUAL(marked({none, all}), Marks({0, 0, 0, 1, 1}));  // more records than people
  CHECK_EQUAL(marked({none, fifth}), Marks({0, 0, 1, 1, 1}));
  CHECK_EQUAL(marked({tenth, half}), Marks({0, 0, 0, 1, 1}));
  CHECK_EQUAL(marked({fifth, half}), Marks({1, 0, 0, 1, 1}));
  CHECK_EQUAL(marked({all, all}), Marks({1, 1, 1, 1, 1}));
}

TEST(a_class_of_too_few_people_is_hopeless) {
  const Marks violated(5, 1);
  std::vector<std::int64_t> most(sizes.begin(), sizes.end());
  DeltaPresence(fifth, fifth).limit({sizes, {}, {}, people}, nullptr, violated, most);
  for (std::size_t c = 0; c < 5; ++c) CHECK_EQUAL(most[c], std::min<std::int64_t>(sizes[c], people[c] / 5));
  CHECK_EQUAL(most[2], 0);
}

TEST(only_a_limit_from_above_is_monotone) {
  CHECK(DeltaPresence(none, half).monotonicity() == Monotonicity::up);
  CHECK(DeltaPresence(tenth, half).monotonicity() == Monotonicity::none);
  CHECK(DeltaPresence(all, all).monotonicity() == Monotonicity::none);
  CHECK(DeltaPresence(none, half).populated());
}

#include "sfumato/units.hpp"

#include <map>
#include <set>

#include "check.hpp"
#include "random_problem.hpp"

using namespace sfumato;
using namespace sfumato::testing;

/// Units of three combinations: 2, 0 and 1 of their own; one in the first two, one in all.
static Units three() { return {{2, 0, 1}, {0, 2, 5}, {0, 1, 0, 1, 2}}; }

static std::vector<std::int64_t> counted(const Units& units, std::vector<std::uint32_t> ids, std::size_t classes) {
  std::vector<std::int64_t> by_class;
  std::vector<std::uint32_t> seen{7, 7, 7, 7};  // earlier counts must leave no trace
  units.count(ids, classes, by_class, seen);
  return by_class;
}

TEST(units_of_a_class_are_counted_once) {
  CHECK_EQUAL(counted(three(), {0, 1, 2}, 3), std::vector<std::int64_t>({4, 2, 2}));
  CHECK_EQUAL(counted(three(), {0, 0, 1}, 2), std::vector<std::int64_t>({4, 2}));
  CHECK_EQUAL(counted(three(), {0, 0, 0}, 1), std::vector<std::int64_t>({5}));
}

TEST(records_without_a_unit_are_somebodys) {
  CHECK_EQUAL(counted(Units({0, 0}, {0}, {}), {0, 1}, 2), std::vector<std::int64_t>({1, 1}));
  CHECK_EQUAL(counted(Units({0, 3}, {0}, {}), {0, 0}, 1), std::vector<std::int64_t>({3}));
}

TEST(units_that_come_together_are_only_counted) {
  const Units merged = three().moved(std::vector<std::uint32_t>{0, 0, 1}, 2);
  CHECK_EQUAL(merged.own(), std::vector<std::int64_t>({3, 1}));
  CHECK_EQUAL(merged.shared(), 1);
  CHECK_EQUAL(merged.places(0), std::vector<std::uint32_t>({0, 1}));
  CHECK_EQUAL(three().moved(std::vector<std::uint32_t>{0, 0, 0}, 1).own(), std::vector<std::int64_t>({5}));
}

TEST(units_of_combinations_left_out_are_forgotten) {
  const std::uint32_t no = Units::nowhere;
  const Units rest = three().moved(std::vector<std::uint32_t>{no, 0, 1}, 2);
  CHECK_EQUAL(rest.own(), std::vector<std::int64_t>({1, 1}));
  CHECK_EQUAL(rest.shared(), 1);
  CHECK_EQUAL(three().moved(std::vector<std::uint32_t>{no, no, no}, 0).size(), 0);
}

TEST(counting_after_a_move_equals_counting_at_once) {
  for_seeds(300, [](Random& random) {
    std::vector<std::int64_t> counts(random.between<std::size_t>(1, 20));
    for (std::int64_t& count : counts) count = random.between(1, 3);
    const Units units = random_units(random, counts);
    const std::size_t groups = random.between<std::size_t>(1, 8), classes = random.between<std::size_t>(1, 4);
    std::vector<std::uint32_t> place, class_of, ids;
    for (std::size_t g = 0; g < groups; ++g) class_of.push_back(random.below(static_cast<std::uint32_t>(classes)));
    for (std::size_t i = 0; i < counts.size(); ++i) {
      place.push_back(random.below(static_cast<std::uint32_t>(groups)));
      ids.push_back(class_of[place.back()]);
    }
    CHECK_EQUAL(counted(units.moved(place, groups), class_of, classes), counted(units, ids, classes));
  });
}

TEST(faulty_units_are_refused) {
  CHECK_THROWS(std::invalid_argument, Units({1}, {}, {}));                // no end
  CHECK_THROWS(std::invalid_argument, Units({1}, {1}, {0}));              // no begin
  CHECK_THROWS(std::invalid_argument, Units({1}, {0, 1}, {}));            // too few combinations
  CHECK_THROWS(std::invalid_argument, Units({1}, {0, 1}, {0, 0}));        // too many
  CHECK_THROWS(std::invalid_argument, Units({1}, {0, 2, 1, 2}, {0, 0}));  // not in order
  CHECK_THROWS(std::invalid_argument, Units({1}, {0, 1}, {1}));           // no such combination
}

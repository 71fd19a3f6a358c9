#include "sfumato/frequencies.hpp"

#include "check.hpp"

using namespace sfumato;

static Hierarchy two_values() { return Hierarchy({{{0, 1}, {1, 1}}, {{0, 0}, {2}}}); }

static Hierarchy one_value() { return Hierarchy({{{0}, {1}}}); }

TEST(a_frequency_table_counts_records_and_numbers_levels) {
  const Frequencies frequencies({two_values(), one_value(), two_values()}, {{0, 1}, {0, 0}, {1, 1}}, {}, {3, 4});
  CHECK_EQUAL(frequencies.size(), 2);
  CHECK_EQUAL(frequencies.attributes(), 3);
  CHECK_EQUAL(frequencies.records(), 7);
  CHECK_EQUAL(frequencies.level_begin(0), 0);
  CHECK_EQUAL(frequencies.level_begin(1), 2);
  CHECK_EQUAL(frequencies.level_begin(2), 3);
  CHECK_EQUAL(frequencies.levels(), 5);
}

TEST(a_frequency_table_may_be_empty) {
  const Frequencies frequencies({two_values()}, {{}}, {{0, {}}}, {});
  CHECK_EQUAL(frequencies.size(), 0);
  CHECK_EQUAL(frequencies.records(), 0);
}

TEST(faulty_frequency_tables_are_refused) {
  const auto refused = [](std::vector<std::vector<std::uint32_t>> codes, std::vector<SensitiveColumn> sensitive) {
    CHECK_THROWS(std::invalid_argument, Frequencies({two_values()}, codes, sensitive, {1, 1}));
  };
  refused({}, {});                      // no column for the hierarchy
  refused({{0, 1}, {0, 1}}, {});        // a column too many
  refused({{0}}, {});                   // a column too short
  refused({{0, 1, 1}}, {});             // a column too long
  refused({{0, 2}}, {});                // no such value
  refused({{0, 1}}, {{2, {0}}});        // a sensitive column too short
  refused({{0, 1}}, {{2, {0, 1, 1}}});  // a sensitive column too long
  refused({{0, 1}}, {{2, {0, 2}}});     // no such sensitive value
}

TEST(units_of_other_combinations_are_refused) {
  const Units units({1, 1, 1}, {0}, {});
  CHECK_THROWS(std::invalid_argument, Frequencies({two_values()}, {{0, 1}}, {}, {1, 1}, units));
  CHECK_EQUAL(Frequencies({two_values()}, {{0, 1, 1}}, {}, {1, 1, 1}, units).units()->size(), 3);
}

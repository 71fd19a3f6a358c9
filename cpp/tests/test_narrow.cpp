#include "sfumato/narrow.hpp"

#include <cstdint>
#include <limits>

#include "check.hpp"
#include "sfumato/frequencies.hpp"

using namespace sfumato;
using namespace sfumato::testing;

TEST(numbers_that_fit_are_kept_and_others_refused) {
  constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
  CHECK_EQUAL(narrow<std::uint32_t>(most - 1, "no"), most - 1);
  CHECK_EQUAL(narrow<std::uint32_t>(most, "no"), most);
  CHECK_THROWS(OutOfRange, narrow<std::uint32_t>(most + 1, "no"));
  CHECK_THROWS(OutOfRange, narrow<std::uint32_t>(-1, "no"));
  CHECK_EQUAL(narrow<std::int32_t>(std::uint64_t{1} << 30, "no"), 1 << 30);
  CHECK_THROWS(OutOfRange, narrow<std::int32_t>(std::uint64_t{1} << 31, "no"));
}

TEST(combinations_have_numbers_of_31_bits) {
  require_at_most(most_combinations, most_combinations, too_many_combinations);
  CHECK_THROWS(OutOfRange, require_at_most(most_combinations + 1, most_combinations, too_many_combinations));
}

TEST(records_are_fewer_than_two_to_the_36) {
  const auto of = [](std::vector<std::int64_t> counts) { return Frequencies({}, {}, {}, std::move(counts)); };
  CHECK_EQUAL(of({most_records - 2}).records(), most_records - 2);
  CHECK_EQUAL(of({most_records - 2, 1}).records(), most_records - 1);
  CHECK_THROWS(OutOfRange, of({most_records - 2, 2}));
  CHECK_THROWS(OutOfRange, of({most_records}));
  CHECK_THROWS(OutOfRange, of(std::vector<std::int64_t>(3, std::numeric_limits<std::int64_t>::max())));
  CHECK_THROWS(std::invalid_argument, of({1, -1}));
}

TEST(levels_have_numbers_of_16_bits) {
  const auto of = [](std::size_t levels) { return Hierarchy(std::vector<Level>(levels, Level{{0}, {1}})); };
  CHECK_EQUAL(of(65'535).height(), 65'534);
  CHECK_EQUAL(of(65'536).height(), 65'535);
  CHECK_THROWS(OutOfRange, of(65'537));
}

#include "sfumato/release_order.hpp"

#include <map>
#include <random>
#include <set>

#include "check.hpp"

using namespace sfumato;
using namespace sfumato::testing;

/// The keys of the copies of rows that have one label each.
static std::vector<std::uint64_t> keys_of(const std::vector<std::string>& rows, const std::vector<std::int64_t>& copies,
                                          unsigned threads = 1) {
  std::string text;
  std::vector<std::uint64_t> ends;
  std::vector<std::int32_t> labels;
  std::size_t records = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    ends.push_back((text += rows[row]).size());
    labels.push_back(static_cast<std::int32_t>(row));
    records += static_cast<std::size_t>(copies[row]);
  }
  std::vector<std::uint64_t> keys(records);
  std::vector<std::int32_t> numbers(records);
  hash_copies({"7", {{text, ends}}, labels, copies}, 0, keys, numbers, threads);
  return keys;
}

TEST(keys_are_the_first_bytes_of_md5) {
  CHECK_EQUAL(keys_of({"ab"}, {2}), std::vector<std::uint64_t>({0x86bea7d6bacc030a, 0x66aadfb5e929c703}));
  CHECK_EQUAL(keys_of({std::string(60, 'x'), ""}, {1, 1}),
              std::vector<std::uint64_t>({0xa3015cc43c03121f, 0x350bcb5c38f1d163}));
}

TEST(rows_that_are_hashed_together_do_not_touch_each_other) {
  std::vector<std::string> rows;
  std::vector<std::int64_t> copies;
  for (std::size_t row = 0; row < 150; ++row) {
    rows.emplace_back(row * 37 % 200, static_cast<char>('a' + row % 26));
    copies.push_back(static_cast<std::int64_t>(row % 13));
  }
  std::vector<std::uint64_t> expected;
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (const std::uint64_t key : keys_of({rows[row]}, {copies[row]})) expected.push_back(key);
  for (const unsigned threads : {1u, 2u, 7u, 200u}) CHECK_EQUAL(keys_of(rows, copies, threads), expected);
}

TEST(keys_are_sorted_with_what_goes_with_them) {
  std::mt19937_64 random(5);
  for (const std::size_t records : {0, 1, 2, 300, 70'000})
    for (const std::uint64_t mask : {~std::uint64_t{0}, std::uint64_t{0xffff}, std::uint64_t{0xff} << 40}) {
      std::vector<std::pair<std::uint64_t, std::int32_t>> expected;
      for (std::size_t i = 0; i < records; ++i) expected.emplace_back(random() & mask, static_cast<int>(random() % 3));
      std::vector<std::uint64_t> keys;
      std::vector<std::int32_t> numbers;
      for (const auto& [key, number] : expected) keys.push_back(key), numbers.push_back(number);
      const auto runs = sort_by_keys(keys, numbers, 3);
      std::ranges::sort(expected);
      std::map<std::uint64_t, std::set<std::int32_t>> alike;
      for (std::size_t i = 0; i < records; ++i) {
        CHECK_EQUAL(keys[i], expected[i].first);
        CHECK_EQUAL(numbers[i], expected[i].second);
        alike[keys[i]].insert(numbers[i]);
      }
      const auto several = std::ranges::count_if(alike, [](const auto& one) { return one.second.size() > 1; });
      CHECK_EQUAL(std::ssize(runs), several);
    }
}

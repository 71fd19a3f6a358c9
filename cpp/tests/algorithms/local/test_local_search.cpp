#include "sfumato/algorithms/local/local_search.hpp"

#include <memory>
#include <numeric>
#include <stdexcept>

#include "check.hpp"
#include "planting.hpp"
#include "sfumato/privacy/l_diversity.hpp"

using namespace sfumato;
using namespace sfumato::testing;

/// Two attributes: four values in two halves, and two values; `records` of each of the eight combinations.
static local::Problem problem(std::vector<std::int64_t> records, std::int64_t least) {
  local::Problem posed;
  posed.trees = {{{0, 0, 1, 1, 0, 4, 4}, {3, 1, 0, 0, 1, 0, 0}}, {{0, 0, 0}, {3, 0, 0}}};
  posed.leaf.resize(2);
  for (const std::uint32_t first : {2u, 3u, 5u, 6u})
    for (const std::uint32_t second : {1u, 2u}) posed.leaf[0].push_back(first), posed.leaf[1].push_back(second);
  posed.counts = std::move(records);
  posed.least = least;
  return posed;
}

static local::Result solve(const local::Problem& posed, local::Settings settings, int threads = 1) {
  Limits limits;
  limits.threads = threads;
  Control control{limits};
  return local::local_search(posed, settings, control);
}

static std::vector<std::int64_t> records_by_item(const local::Result& result, std::size_t items) {
  std::vector<std::int64_t> copies(items, 0);
  for (std::size_t e = 0; e < result.item.size(); ++e) copies[result.item[e]] += result.copies[e];
  return copies;
}

TEST(local_search_finds_and_proves_what_is_best) {
  const local::Problem posed = problem({1, 3, 1, 3, 1, 3, 1, 3}, 2);
  const local::Result result = solve(posed, {2000, 6});
  CHECK(result.found && result.complete);
  CHECK_EQUAL(result.cost, Cost{4});  // ones join in their half, threes stay
  CHECK_EQUAL(result.bound, Cost{4});
  CHECK_EQUAL(records_by_item(result, 8), posed.counts);
}

TEST(local_search_is_the_same_with_more_threads) {
  const local::Problem posed = problem({1, 2, 4, 1, 1, 2, 5, 1}, 3);
  const local::Result one = solve(posed, {500, 4}), two = solve(posed, {500, 4}, 2);
  CHECK_EQUAL(one.cost, two.cost);
  CHECK_EQUAL(one.bound, two.bound);
  CHECK_EQUAL(one.item, two.item);
  CHECK_EQUAL(one.tuples, two.tuples);
  CHECK(one.bound <= one.cost);
}

/// Cells 0 to 7 of an order, the last one the missing value if `missing`; `records` in each.
static local::Problem order(const std::vector<std::int64_t>& records, std::int64_t least, bool missing) {
  local::Problem posed;
  posed.trees = {{{}, {0, 1, 2, 3, 4, 5, 6, 7}, true, missing}};
  posed.leaf.resize(1);
  for (std::uint32_t cell = 0; cell < 8; ++cell)
    if (records[cell] > 0) posed.leaf[0].push_back(cell << 16 | cell), posed.counts.push_back(records[cell]);
  posed.least = least;
  return posed;
}

TEST(local_search_publishes_intervals) {
  const local::Result result = solve(order({1, 1, 3, 1, 0, 1, 2, 2}, 2, false), {2000, 6});
  CHECK_EQUAL(result.cost, Cost{6});  // 0 with 1, 3 with 5: two cells apart
  CHECK(result.bound > 4 && result.bound <= result.cost);
  const local::Result missing = solve(order({2, 2, 2, 2, 2, 2, 2, 1}, 2, true), {2000, 6});
  CHECK_EQUAL(missing.cost,
              Cost{17});  // the missing value takes one with it, to the whole; the other joins its neighbours
  CHECK(missing.bound <= missing.cost);
}

TEST(an_interval_needs_an_order) {
  local::Problem posed = order({1, 1, 1, 1, 1, 1, 1, 1}, 2, false);
  posed.leaf[0][3] = 3u << 16 | 4u;
  CHECK_THROWS(std::invalid_argument, solve(posed, {10, 1}));
}

TEST(a_tree_is_numbered_depth_first) {
  local::Problem posed = problem({1, 1, 1, 1, 1, 1, 1, 1}, 2);
  posed.trees[0] = {{0, 0, 0, 1, 1, 2, 2}, {3, 1, 1, 0, 0, 0, 0}};
  for (std::uint32_t& leaf : posed.leaf[0]) leaf = leaf < 5 ? leaf + 1 : leaf;
  CHECK_THROWS(std::invalid_argument, solve(posed, {10, 1}));
  posed.trees[0].parent = {1, 1, 1, 1, 1, 1, 1};
  CHECK_THROWS(std::invalid_argument, solve(posed, {10, 1}));
}

TEST(shares_of_all_records_can_be_added_up) {
  local::Problem posed = problem({1, 1, 1, 1, 1, 1, 1, 1}, 2);
  posed.columns = {{1, std::vector<std::uint32_t>(8, 0)}};
  for (const std::int64_t most : {std::int64_t{-1}, (std::int64_t{1} << 26) + 1, std::int64_t{1} << 40}) {
    posed.shares = {0, {most}, 1};
    CHECK_THROWS(std::invalid_argument, solve(posed, {10, 1}));
  }
  posed.shares = {0, {std::int64_t{1} << 26}, std::int64_t{1} << 26};
  CHECK(solve(posed, {10, 1}).found);
}

TEST(local_search_needs_a_valid_whole) { CHECK(!solve(problem({1, 1, 1, 1, 1, 1, 1, 1}, 9), {10, 1}).found); }

TEST(a_part_may_be_published_where_the_whole_violates) {
  local::Problem posed;
  posed.trees = {{{0, 0, 0}, {1, 0, 0}}};
  posed.leaf = {{1, 1, 2}};
  posed.counts = {4, 1, 3};
  posed.columns = {{2, {0, 1, 1}}};
  posed.models = {std::make_shared<LDiversity>(0, Ratio(0, 1, 2))};
  const local::Result result = solve(posed, {500, 4});
  CHECK_EQUAL(result.cost, Cost{6});
  CHECK(result.bound <= 6);
  CHECK_EQUAL(records_by_item(result, 3), posed.counts);
}

TEST(planted_faults_raise_the_bound) {
  const local::Problem posed = problem({2, 2, 2, 2, 2, 2, 2, 2}, 2);
  CHECK_EQUAL(solve(posed, {10, 0}).bound, Cost{0});
  const Planting planting(Fault::bound_one_too_high);
  CHECK(solve(posed, {10, 0}).bound > 0);
}

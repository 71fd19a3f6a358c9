#include "sfumato/algorithms/sweep/sequential_sweep.hpp"

#include <numeric>

#include "check.hpp"

using namespace sfumato;

/// Two values of one attribute below a root; base values a, b, c of one sensitive attribute below another.
static sweep::Problem problem(std::vector<std::uint32_t> value, std::vector<std::uint32_t> sensitive,
                              std::vector<std::int64_t> counts) {
  sweep::Problem posed;
  posed.attributes = {{{1, 1}, {{0, 0}, {0, 1}}}};
  posed.retained = {{{1}, {2}}};
  posed.values = {std::move(value)};
  posed.codes = {sensitive};
  posed.counts = std::move(counts);
  posed.sensitive.push_back({{0, 0, 0, 0}, {1, 2, 3}, {1, 1, 1}, {0, 1, 2}, {1, 3, 3, 3}, {1}, 2, 3});  // psi(1) = 1/2
  posed.nodes = {{}};
  for (const std::uint32_t v : sensitive) posed.nodes[0].push_back(v + 1);
  return posed;
}

static std::int64_t published(const sweep::Result& result, std::uint32_t item) {
  std::int64_t records = 0;
  for (std::size_t i = 0; i < result.copies.size(); ++i) records += result.item[i] == item ? result.copies[i] : 0;
  return records;
}

TEST(a_sweep_publishes_every_record_once) {
  Control control{Limits{}};
  const sweep::Result result = sweep::sequential_sweep(problem({0, 0, 1}, {0, 1, 2}, {5, 2, 2}), control);
  CHECK(result.complete);
  // 5 of 9 are a, so one becomes the root; then a, a, b, b and that one can stay where they are.
  CHECK_EQUAL(published(result, 0), std::int64_t{5});
  CHECK_EQUAL(published(result, 1), std::int64_t{4});
  std::vector<std::int64_t> copies(3, 0);
  for (std::size_t i = 0; i < result.copies.size(); ++i) copies[result.combination[i]] += result.copies[i];
  CHECK_EQUAL(copies, std::vector<std::int64_t>({5, 2, 2}));
}

TEST(a_sweep_that_is_stopped_publishes_the_rest_as_the_root) {
  Limits limits;
  limits.examined = 0;
  Control control{limits};
  const sweep::Result result = sweep::sequential_sweep(problem({0, 0, 1}, {0, 1, 2}, {5, 2, 2}), control);
  CHECK(!result.complete);
  CHECK_EQUAL(published(result, 1), std::int64_t{9});
}

TEST(a_small_last_class_is_joined_by_the_smallest_other) {
  Control control{Limits{}};
  sweep::Problem posed = problem({0, 0, 1}, {0, 1, 2}, {2, 2, 1});
  posed.least = 3;
  const sweep::Result result = sweep::sequential_sweep(posed, control);
  CHECK_EQUAL(published(result, 1), std::int64_t{5});
}

TEST(sensitive_values_are_raised_in_place_where_sweeping_is_dear) {
  Control control{Limits{}};
  sweep::Problem posed = problem({0, 0, 1, 1}, {0, 1, 0, 2}, {3, 1, 1, 1});
  posed.least = 2, posed.price = 3;  // a whole value
  const sweep::Result result = sweep::sequential_sweep(posed, control);
  CHECK_EQUAL(published(result, 0), std::int64_t{6});
  CHECK_EQUAL(std::ranges::count(result.node[0], 0u), std::ptrdiff_t{1});
}

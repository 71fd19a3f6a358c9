#include "sfumato/algorithms/sweep/level_order.hpp"

#include "check.hpp"
#include "sfumato/algorithms/sweep/level_groups.hpp"
#include "sfumato/algorithms/sweep/parts.hpp"

using namespace sfumato;

static std::vector<std::vector<std::uint16_t>> listed(const sweep::LevelOrder& order) {
  std::vector<std::vector<std::uint16_t>> all;
  for (std::size_t i = 0; i < order.size(); ++i) all.emplace_back(order[i].begin(), order[i].end());
  return all;
}

TEST(more_information_comes_first_and_then_the_more_important_attribute) {
  // The paper's Example 5: two attributes, a root that retains 1/2 and leaves that retain 1.
  const sweep::LevelOrder order({{{1}, {2}}, {{1}, {2}}});
  CHECK_EQUAL(listed(order), (std::vector<std::vector<std::uint16_t>>{{1, 1}, {1, 0}, {0, 1}, {0, 0}}));
}

TEST(information_of_any_length_is_added_up_with_its_carries) {
  const std::uint32_t most = 0xffffffffu;
  const sweep::LevelOrder order({{{0, 0}, {0, most}}, {{0, 0}, {0, most}}, {{0, 0}, {1, most - 1}}});
  // 2^32 - 1 twice is as much as the third alone, so the first attributes decide.
  const auto all = listed(order);
  CHECK_EQUAL(all[1], (std::vector<std::uint16_t>{1, 0, 1}));
  CHECK_EQUAL(all[3], (std::vector<std::uint16_t>{1, 1, 0}));
  CHECK_EQUAL(all[4], (std::vector<std::uint16_t>{0, 0, 1}));
}

TEST(tuples_are_grouped_by_depth_and_shallow_leaves_are_left_out) {
  sweep::LevelGroups groups({{{2, 2, 1}, {{0, 0, 0}, {0, 0, 1}, {0, 1, 2}}}, {{1, 1}, {{0, 0}, {0, 1}}}},
                            {{0, 1, 2, 0}, {0, 0, 0, 1}});
  const std::vector<std::uint32_t> all{0, 1, 2, 3};
  const auto ids = [&](std::vector<std::uint16_t> depths) {
    groups.group(depths, all);
    return std::vector<std::uint32_t>(groups.ids().begin(), groups.ids().end());
  };
  using Ids = std::vector<std::uint32_t>;
  CHECK_EQUAL(ids({0, 0}), Ids({0, 0, 0, 0}));
  CHECK_EQUAL(ids({1, 0}), Ids({0, 0, 1, 0}));
  CHECK_EQUAL(ids({1, 1}), Ids({0, 0, 1, 2}));
  CHECK_EQUAL(ids({2, 0}), Ids({0, 1, sweep::LevelGroups::none, 0}));
}

TEST(many_attributes_are_grouped_although_their_keys_would_run_over) {
  std::vector<sweep::Depths> attributes(
      9, sweep::Depths{std::vector<std::uint32_t>(1000, 1), {std::vector<std::uint32_t>(1000, 0), {}}});
  for (sweep::Depths& attribute : attributes)
    for (std::uint32_t v = 0; v < 1000; ++v) attribute.node[1].push_back(v);
  sweep::LevelGroups groups(attributes, std::vector<std::vector<std::uint32_t>>(9, {999, 5, 999, 0}));
  const std::vector<std::uint32_t> all{0, 1, 2, 3};
  CHECK_EQUAL(groups.group(std::vector<std::uint16_t>(9, 1), all), std::size_t{3});
  CHECK_EQUAL(groups.ids()[2], groups.ids()[0]);
}

TEST(copies_depend_on_codes_and_seed_alone) {
  const std::vector<std::vector<std::uint32_t>> codes{{1, 2}, {3, 3}}, turned{{2, 1}, {3, 3}};
  const std::vector<std::int64_t> counts{3, 1}, other{1, 3};
  sweep::Copies one(codes, counts, 7), same(turned, other, 7), seed(codes, counts, 8);
  const auto hashes = [](sweep::Copies& copies, std::uint32_t c, std::uint32_t n) {
    const auto sorted = copies.hashes(c, 0, n);
    return std::vector<std::uint64_t>(sorted.begin(), sorted.end());
  };
  CHECK_EQUAL(hashes(one, 0, 3), hashes(same, 1, 3));
  CHECK_EQUAL(hashes(one, 1, 1), hashes(same, 0, 1));
  CHECK(hashes(one, 0, 3) != hashes(seed, 0, 3));
  CHECK(std::ranges::is_sorted(hashes(one, 0, 3)));
}

TEST(levels_beyond_16_bits_are_refused) {
  const auto levels = [](std::size_t n) { return std::vector<std::vector<std::vector<std::uint32_t>>>{{n, {1}}}; };
  const sweep::LevelOrder order(levels(65'536));
  CHECK_EQUAL(order[0][0], std::uint16_t{65'535});
  CHECK_THROWS(std::length_error, sweep::LevelOrder(levels(65'537)));
}

#include "sfumato/algorithms/boxes/blocks.hpp"

#include <array>
#include <vector>

#include "check.hpp"

using namespace sfumato;

namespace {

using Blocks = boxes::Blocks<int>;
using Split = std::vector<std::uint32_t>;

/// The ranges of an order, the shorter ones first, as pairs of steps; then, if asked, the missing value and everything.
std::vector<boxes::Block<int>> ranges(std::uint32_t steps, bool missing) {
  std::vector<boxes::Block<int>> blocks;
  for (std::uint32_t length = 1; length <= steps; ++length)
    for (std::uint32_t from = 0; from + length <= steps; ++from) {
      const std::uint32_t to = from + length - 1;
      blocks.push_back({from, to, from, to, 0, true});
    }
  if (missing) blocks.push_back({steps, steps, steps, steps, 0, true}), blocks.push_back({0, steps, 0, steps, 0, true});
  return blocks;
}

/// The number of a block among others.
std::uint32_t number(const std::vector<boxes::Block<int>>& blocks, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t d = 0; d < blocks.size(); ++d)
    if (blocks[d].first == first && blocks[d].last == last) return d;
  throw std::out_of_range("no such block");
}

}  // namespace

TEST(splits_of_an_order_are_all_its_cuts) {
  for (std::uint32_t steps = 1; steps <= 9; ++steps)
    for (const bool missing : {false, true}) {
      const auto listed = ranges(steps, missing);
      const Blocks blocks = Blocks::of_order(listed, steps);
      for (std::uint32_t d = 0; d < listed.size(); ++d) {
        std::vector<Split> expected, splits;
        const auto [first, last] = std::array{listed[d].first, listed[d].last};
        if (missing && last == steps) {  // the missing value is cut off before anything else
          if (first < last) expected.push_back({number(listed, 0, steps - 1), number(listed, steps, steps)});
        } else {
          for (std::uint32_t cut = first; cut < last; ++cut)
            expected.push_back({number(listed, first, cut), number(listed, cut + 1, last)});
        }
        const auto add = [&](const auto& parts) { return splits.emplace_back(parts.begin(), parts.end()), true; };
        CHECK(blocks.each_split(d, add));
        CHECK_EQUAL(splits, expected);
        Split one;
        blocks.first_split(d, [&](const auto& parts) { one.assign(parts.begin(), parts.end()); });
        CHECK_EQUAL(one, expected.empty() ? Split{} : expected.front());
      }
    }
}

TEST(a_call_that_has_seen_enough_sees_no_more_splits) {
  const Blocks blocks = Blocks::of_order(ranges(5, false), 5);
  int seen = 0;
  CHECK(!blocks.each_split(14, [&](const auto&) { return ++seen < 3; }));
  CHECK(seen == 3);
}

TEST(ranges_are_numbered_although_what_is_halved_is_wider) {
  const std::uint64_t steps = 90'000;  // 4,050,045,000 ranges
  CHECK_EQUAL(Blocks::range(steps, 0, 1), 0u);
  CHECK_EQUAL(Blocks::range(steps, 0, steps), 4'050'044'999u);
  CHECK_EQUAL(Blocks::range(steps, 1, steps - 1), 4'050'044'998u);
}

TEST(a_tree_has_the_splits_it_was_given) {
  const std::vector<boxes::Block<int>> nodes{{0, 0, 0, 0, 0, true}, {1, 1, 1, 1, 0, true}, {0, 1, 0, 1, 0, true}};
  const Blocks blocks = Blocks::of_tree(nodes, {{}, {}, {1, 0}});
  int splits = 0;
  for (std::uint32_t d = 0; d < 3; ++d)
    blocks.each_split(d, [&](const auto& parts) {
      CHECK_EQUAL(Split(parts.begin(), parts.end()), Split({1, 0}));
      return ++splits, true;
    });
  CHECK(splits == 1);
}

#include "sfumato/baskets.hpp"

#include <algorithm>
#include <random>

#include "check.hpp"

using namespace sfumato;

/// Trees of any shape, with nodes that hardly any record has, and nodes that most have; more records than a word has
/// bits, and than a word of words has, or fewer, or none.
TEST(every_node_knows_the_records_with_an_item_below_it) {
  std::mt19937 random(3);
  for (const unsigned records : {0u, 1u, 63u, 64u, 65u, 4095u, 4096u, 4097u, 9000u}) {
    std::vector<ItemNode> parent{0}, path{0};
    for (ItemNode v = 1; v < 60; ++v) {
      while (path.size() > 1 && random() % 3 == 0) path.pop_back();
      parent.push_back(path.back());
      path.push_back(v);
    }
    const ItemTree tree(parent, std::vector<std::int64_t>(parent.size(), 1));
    std::vector<ItemNode> items;
    for (ItemNode v = 0; v < tree.size(); ++v)
      if (!tree.inner(v)) items.push_back(v);
    std::ranges::shuffle(items, random);
    Records sets;
    for (unsigned r = 0; r < records; ++r) {
      std::vector<ItemNode> set;
      for (std::size_t i = 0; i < items.size(); ++i)
        if (random() % (2 * i * i + 2) == 0) set.insert(set.end(), 1 + random() % 2, items[i]);
      std::ranges::sort(set);
      sets.add(set, static_cast<std::int64_t>(1 + random() % 3));
    }
    const Baskets baskets(tree, sets, std::vector<Cost>(tree.size(), 0));
    for (ItemNode v = 0; v < tree.size(); ++v) {
      std::vector<std::uint32_t> expected, actual, parts;
      std::int64_t support = 0;
      for (std::uint32_t r = 0; r < records; ++r)
        if (std::ranges::any_of(sets[r], [&](ItemNode item) { return tree.covers(v, item); })) {
          expected.push_back(r);
          support += sets.weight[r];
        }
      baskets.holders(v, [&](std::uint32_t r) { actual.push_back(r); });
      baskets.holders(v, 0, std::min(64u, records), [&](std::uint32_t r) { parts.push_back(r); });
      baskets.holders(v, 64, records, [&](std::uint32_t r) { parts.push_back(r); });
      CHECK(actual == expected);
      CHECK(parts == expected);
      CHECK(baskets.held(v) == expected.size());
      CHECK(baskets.support[v] == support);
    }
  }
}

TEST(records_hold_items_alone) {
  const ItemTree tree({0, 0, 1, 1}, {2, 2, 1, 1});
  for (const ItemNode wrong : {0u, 1u, 4u}) {
    Records sets;
    sets.add(std::vector<ItemNode>{wrong}, 1);
    CHECK_THROWS(std::invalid_argument, Baskets(tree, sets, std::vector<Cost>(4, 0)));
  }
}

#include "sfumato/packing.hpp"

#include "check.hpp"
#include "random_problem.hpp"

using namespace sfumato;
using namespace sfumato::testing;

static const Size many_values{.attributes = {1, 9}, .values = {1, 40}, .height = {0, 3}, .combinations = {1, 60}};

/// A table of no combinations whose attributes have these numbers of values.
static Frequencies attributes_of(const std::vector<std::uint32_t>& values) {
  Random random(1);
  std::vector<Hierarchy> hierarchies;
  for (const std::uint32_t count : values) hierarchies.push_back(random_hierarchy(random, count, 1));
  return {hierarchies, std::vector<std::vector<std::uint32_t>>(values.size()), {}, {}};
}

TEST(packs_hold_every_attribute_once_within_the_limit) {
  for_seeds(100, [](Random& random) {
    const Frequencies frequencies = random_frequencies(random, many_values);
    const Packing packing(frequencies);
    std::vector<int> packed(frequencies.attributes(), 0);
    for (const auto& pack : packing.packs()) {
      std::size_t codes = 1;
      for (const std::size_t a : pack.attributes) ++packed[a], codes *= frequencies.hierarchy(a).values();
      CHECK_EQUAL(pack.codes, codes);
      CHECK(pack.codes <= Packing::table_limit);
    }
    CHECK_EQUAL(packed, std::vector<int>(frequencies.attributes(), 1));
  });
}

TEST(attributes_join_the_first_pack_with_room) {
  const Frequencies frequencies = attributes_of({64, 100, 64, 5000, 1, 40, 2, 4096});
  const Packing packing(frequencies);
  CHECK_EQUAL(packing.packs().size(), 5);
  CHECK_EQUAL(packing.packs()[0].attributes, std::vector<std::size_t>({0, 2, 4}));  // 64 · 64 is the limit itself
  CHECK_EQUAL(packing.packs()[1].attributes, std::vector<std::size_t>({1, 5}));
  CHECK_EQUAL(packing.packs()[2].attributes, std::vector<std::size_t>({3}));  // over the limit: alone
  CHECK_EQUAL(packing.packs()[3].attributes, std::vector<std::size_t>({6}));
  CHECK_EQUAL(packing.packs()[4].attributes, std::vector<std::size_t>({7}));
}

TEST(an_attribute_over_the_limit_stays_alone) {
  const Frequencies frequencies = attributes_of({4097, 1, 1, 10000});
  const Packing packing(frequencies);
  CHECK_EQUAL(packing.packs().size(), 3);
  CHECK_EQUAL(packing.packs()[0].attributes, std::vector<std::size_t>({0}));
  CHECK_EQUAL(packing.packs()[0].codes, 4097);
  CHECK_EQUAL(packing.packs()[2].attributes, std::vector<std::size_t>({3}));
}

TEST(an_attribute_without_values_is_in_no_pack) {
  const Frequencies frequencies = attributes_of({0, 3, 0});
  const Packing packing(frequencies);
  CHECK_EQUAL(packing.packs().size(), 1);
  CHECK_EQUAL(packing.packs()[0].attributes, std::vector<std::size_t>({1}));
}

TEST(keys_from_the_tables_equal_mixed_radix_numbers) {
  for_seeds(100, [](Random& random) {
    const Frequencies frequencies = random_frequencies(random, many_values);
    const Packing packing(frequencies);
    const Node node = random_node(random, bottom_of(frequencies), top_of(frequencies));
    const std::uint64_t stride = random.between(1u, 1000u);
    for (const auto& pack : packing.packs()) {
      const auto column = packing.column(pack);
      std::vector<std::uint64_t> table;
      packing.fill<std::uint64_t>(pack, node, stride, table);
      CHECK_EQUAL(table.size(), pack.codes);
      std::uint64_t range = 1;
      for (const std::size_t a : pack.attributes) range *= frequencies.hierarchy(a).level(node[a]).nodes();
      CHECK_EQUAL(packing.range(pack, node), range);
      for (std::size_t i = 0; i < frequencies.size(); ++i) {
        std::uint64_t key = 0;
        for (const std::size_t a : pack.attributes) {
          const Level& level = frequencies.hierarchy(a).level(node[a]);
          key = key * level.nodes() + level.node[frequencies.codes(a)[i]];
        }
        CHECK_EQUAL(table[column[i]], key * stride);
      }
    }
  });
}

TEST(marginals_equal_counting_values) {
  for_seeds(100, [](Random& random) {
    const Frequencies frequencies = random_frequencies(random, many_values);
    const Packing packing(frequencies);
    std::vector<std::vector<std::int64_t>> counted, expected;
    for (std::size_t a = 0; a < frequencies.attributes(); ++a) {
      counted.emplace_back(frequencies.hierarchy(a).values());
      expected.emplace_back(frequencies.hierarchy(a).values());
      for (std::size_t i = 0; i < frequencies.size(); ++i)
        expected[a][frequencies.codes(a)[i]] += frequencies.counts()[i];
    }
    for (const auto& pack : packing.packs()) {
      std::vector<std::int64_t> records(pack.codes);
      const auto column = packing.column(pack);
      for (std::size_t i = 0; i < frequencies.size(); ++i) records[column[i]] += frequencies.counts()[i];
      packing.marginals(pack, records, counted);
    }
    CHECK_EQUAL(counted, expected);
  });
}

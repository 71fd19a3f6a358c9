#include "sfumato/groups.hpp"

#include <map>
#include <numeric>
#include <type_traits>

#include "check.hpp"
#include "naive.hpp"

using namespace sfumato;
using namespace sfumato::testing;

/// Some combinations of the table, packed.
static Tuples packed(const Packing& packing, const std::vector<std::size_t>& chosen) {
  const auto pick = [&](const auto& column) {
    std::remove_cvref_t<decltype(column)> picked;
    for (const std::size_t i : chosen) picked.push_back(column[i]);
    return picked;
  };
  Tuples tuples;
  for (const auto& pack : packing.packs()) tuples.packs.push_back(pick(packing.column(pack)));
  for (const auto& column : packing.frequencies().sensitive())
    tuples.sensitive.push_back({column.values, pick(column.codes)});
  tuples.counts = pick(packing.frequencies().counts());
  return tuples;
}

static std::vector<std::size_t> all(const Packing& packing) {
  std::vector<std::size_t> chosen(packing.frequencies().size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  return chosen;
}

/// Combinations that differ from one of a few prototypes in at most one attribute, so that many are alike in any space.
static Frequencies alike(Random& random, const std::vector<std::uint32_t>& values, std::size_t size) {
  std::vector<Hierarchy> hierarchies;
  std::vector<std::vector<std::uint32_t>> prototypes, codes(values.size());
  for (const std::uint32_t count : values) {
    hierarchies.push_back(random_hierarchy(random, count, 2));
    prototypes.push_back(random_codes(random, 20, count));
    prototypes.back()[0] = 0;
    prototypes.back()[1] = count - 1;
  }
  std::vector<std::int64_t> counts;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t prototype = random.below<std::size_t>(20), other = random.below(values.size());
    for (std::size_t a = 0; a < values.size(); ++a) codes[a].push_back(prototypes[a][prototype]);
    if (random.below(2) == 0) codes[other].back() = random.below(values[other]);
    counts.push_back(random.between(1, 1000));
  }
  std::vector<SensitiveColumn> sensitive;
  for (const std::uint32_t count : {3u, 2u}) sensitive.push_back({count, random_codes(random, size, count)});
  return {std::move(hierarchies), std::move(codes), std::move(sensitive), std::move(counts)};
}

/// Groups the chosen combinations both ways.
static void check_against_map(Groups& groups, const Packing& packing, const std::vector<std::size_t>& chosen,
                              const Node& node, bool cells) {
  const Frequencies& frequencies = packing.frequencies();
  std::map<std::vector<std::uint32_t>, std::uint32_t> seen;
  std::vector<std::uint32_t> ids, first;
  std::vector<std::int64_t> sizes;
  for (const std::size_t i : chosen) {
    auto key = published(frequencies, node, i);
    for (const SensitiveColumn& column : frequencies.sensitive()) key.push_back(cells ? column.codes[i] : 0);
    const auto [place, fresh] = seen.try_emplace(key, static_cast<std::uint32_t>(seen.size()));
    if (fresh) first.push_back(static_cast<std::uint32_t>(ids.size())), sizes.push_back(0);
    ids.push_back(place->second);
    sizes[place->second] += frequencies.counts()[i];
  }
  groups.assign(packed(packing, chosen), node, cells);
  CHECK_EQUAL(groups.count(), seen.size());
  CHECK_EQUAL(groups.ids(), ids);
  CHECK_EQUAL(groups.sizes(), sizes);
  CHECK_EQUAL(groups.representatives(), first);
}

static void check_nodes(Random& random, const std::vector<std::uint32_t>& values) {
  const Frequencies frequencies = alike(random, values, 300);
  const Packing packing(frequencies);
  Groups groups(packing);
  const Node bottom = bottom_of(frequencies), top = top_of(frequencies);
  for (const Node& node : {bottom, random_node(random, bottom, top), top})
    for (const bool cells : {false, true}) check_against_map(groups, packing, all(packing), node, cells);
}

TEST(classes_equal_a_map_with_a_direct_table) {
  for_seeds(20, [](Random& random) { check_nodes(random, {10, 10, 10}); });
}

TEST(classes_equal_a_map_with_hashed_32_bit_keys) {
  for_seeds(20, [](Random& random) { check_nodes(random, std::vector(7, 10u)); });
}

TEST(classes_equal_a_map_with_64_bit_keys) {
  for_seeds(20, [](Random& random) { check_nodes(random, std::vector(15, 10u)); });
}

TEST(classes_equal_a_map_with_more_keys_than_64_bits) {
  for_seeds(20, [](Random& random) { check_nodes(random, std::vector(30, 20u)); });
}

TEST(classes_equal_a_map_at_the_edges_of_the_key_types) {
  Random random(1);
  check_nodes(random, {1024, 1024});                  // 2^20 keys: the largest direct table
  check_nodes(random, {1024, 1025});                  // and more than that
  check_nodes(random, {65535, 65537});                // 2^32 - 1 keys
  check_nodes(random, {65536, 65536});                // 2^32 keys
  check_nodes(random, {65536, 65536, 65535, 65537});  // less than 2^64 keys
  check_nodes(random, std::vector(4, 65536u));        // 2^64 keys
}

TEST(cells_keep_sensitive_values_apart) {
  const Hierarchy hierarchy({{{0, 1}, {1, 1}}, {{0, 0}, {2}}});
  const Frequencies frequencies({hierarchy}, {{0, 1, 0, 1}}, {{2, {0, 0, 1, 0}}}, {1, 2, 3, 4});
  const Packing packing(frequencies);
  const Tuples tuples = packed(packing, all(packing));
  Groups groups(packing);
  groups.assign(tuples, Node{1});
  CHECK_EQUAL(groups.sizes(), std::vector<std::int64_t>({10}));
  groups.assign(tuples, Node{1}, /*cells=*/true);
  CHECK_EQUAL(groups.sizes(), std::vector<std::int64_t>({7, 3}));
  CHECK_EQUAL(groups.ids(), std::vector<std::uint32_t>({0, 0, 1, 0}));
}

TEST(one_object_groups_many_times) {
  Random random(1);
  const Frequencies frequencies = alike(random, std::vector(25, 8u), 100);
  const Packing packing(frequencies);
  Groups groups(packing);
  const Node bottom = bottom_of(frequencies), top = top_of(frequencies);
  for (int round = 0; round < 1500; ++round) {  // few attributes below the top: a direct table; many: wide keys
    Node node = top;
    for (std::size_t a = random.below(node.size() + 1); a < node.size(); ++a) node[a] = random.below(top[a]);
    std::vector<std::size_t> chosen = all(packing);
    std::erase_if(chosen, [&, share = random.between(1, 10)](std::size_t) { return random.below(10) >= share; });
    check_against_map(groups, packing, chosen, node, random.below(2) == 0);
  }
}

TEST(no_tuple_or_one_tuple) {
  Random random(1);
  for (const std::size_t attributes : {1, 7, 15, 30}) {
    const Frequencies frequencies = alike(random, std::vector(attributes, 20u), 1);
    const Packing packing(frequencies);
    Groups groups(packing);
    for (const bool cells : {false, true}) {
      check_against_map(groups, packing, {}, bottom_of(frequencies), cells);
      CHECK_EQUAL(groups.count(), 0);
      check_against_map(groups, packing, {0}, bottom_of(frequencies), cells);
      CHECK_EQUAL(groups.count(), 1);
    }
  }
}

TEST(without_attributes_all_tuples_are_alike) {
  const Frequencies frequencies({}, {}, {{2, {0, 1, 0}}}, {5, 6, 7});
  const Packing packing(frequencies);
  Groups groups(packing);
  check_against_map(groups, packing, all(packing), {}, /*cells=*/false);
  CHECK_EQUAL(groups.sizes(), std::vector<std::int64_t>({18}));
  check_against_map(groups, packing, all(packing), {}, /*cells=*/true);
}

#include "sfumato/algorithms/items/anonymization.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "check.hpp"
#include "sfumato/algorithms/items/rare_sets.hpp"

using namespace sfumato;

/// A root over A and B, which have two leaves each: nodes 0; 1: 2, 3; 4: 5, 6.
static Baskets database(const std::vector<std::vector<ItemNode>>& sets) {
  Records records;
  for (const auto& set : sets) records.add(set, 1);
  std::map<ItemNode, Cost> occurring;
  for (const ItemNode v : records.node) ++occurring[v];
  const Cost a = 2 * (occurring[2] + occurring[3]), b = 2 * (occurring[5] + occurring[6]);
  return {ItemTree({0, 0, 1, 1, 0, 4, 4}, {4, 2, 1, 1, 2, 1, 1}), records, {2 * (a + b), a, 0, 0, b, 0, 0}};
}

static Baskets paper() { return database({{2, 5, 6}, {3, 5}, {3, 5, 6}, {2, 3, 6}}); }

TEST(supports_do_not_depend_on_the_cut) {
  const Baskets baskets = paper();
  CHECK_EQUAL(baskets.support, std::vector<std::int64_t>({4, 4, 2, 3, 4, 3, 3}));
  CHECK_EQUAL(baskets.supported(std::vector<ItemNode>{1, 6}, 100), 3);
  CHECK_EQUAL(baskets.supported(std::vector<ItemNode>{2, 5}, 100), 1);
  CHECK_EQUAL(baskets.supported(std::vector<ItemNode>{1, 6}, 2), 2);  // enough
}

TEST(every_search_finds_the_papers_cut) {
  const Baskets baskets = paper();
  Control control{Limits{}};
  const items::Problem problem{baskets, 2, 2};
  const std::vector<std::uint8_t> expected{0, 1, 0, 0, 0, 0, 0};
  for (const auto search : {&items::apriori_anonymization, &items::direct_anonymization, &items::staged_anonymization,
                            &items::optimal_anonymization}) {
    const items::Result result = search(problem, control);
    CHECK(result.complete && result.found);
    CHECK_EQUAL(result.closed, expected);
  }
}

TEST(closing_and_opening_keep_the_cost) {
  const Baskets baskets = paper();
  items::Cut cut(baskets);
  CHECK_EQUAL(cut.price(1), Cost{10});
  cut.close(1);
  CHECK_EQUAL(cut.cost(), Cost{10});
  cut.close(0);
  CHECK_EQUAL(cut.cost(), Cost{44});
  cut.open(0);
  CHECK_EQUAL(cut.cost(), Cost{22});
  CHECK(cut.closed(4) && cut.alive(1) && !cut.alive(2));
}

TEST(a_rare_set_is_raised_while_it_is_rare) {
  const Baskets baskets = paper();
  CHECK_EQUAL(items::RaiseWhileRare(baskets, 2)({2, 5}, 0), std::vector<ItemNode>({2, 5}));  // {A, b1} is in three
  CHECK_EQUAL(items::RaiseWhileRare(baskets, 4)({2, 5}, 0), std::vector<ItemNode>({1, 5}));
  CHECK_EQUAL(items::clause_of(baskets.tree, std::vector<ItemNode>{2, 5}), std::vector<ItemNode>({1, 4}));
  CHECK_EQUAL(items::clause_of(baskets.tree, std::vector<ItemNode>{2, 3}), std::vector<ItemNode>({1}));
}

/// Every set of up to m numbers with its support, by going through all of them.
static std::set<std::vector<ItemNode>> rare(const Records& records, std::int64_t k, std::size_t m) {
  std::map<std::vector<ItemNode>, std::int64_t> support;
  for (std::size_t r = 0; r < records.size(); ++r)
    for (std::uint32_t mask = 1; mask < 1u << records[r].size(); ++mask) {
      std::vector<ItemNode> set;
      for (std::size_t i = 0; i < records[r].size(); ++i)
        if (mask >> i & 1) set.push_back(records[r][i]);
      if (set.size() <= m) support[set] += records.weight[r];
    }
  std::set<std::vector<ItemNode>> actual;
  for (const auto& [set, n] : support)
    if (n < k) actual.insert(set);
  return actual;
}

TEST(a_walk_tells_a_rare_part_of_every_rare_set_and_nothing_else) {
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    const ItemNode numbers = round % 8 == 0 ? 150 : 7;  // few numbers follow rare ones all the same
    Records records;
    for (unsigned r = 0; r < 3 + random() % 12; ++r) {
      std::set<ItemNode> set;
      for (unsigned i = 0; i < 1 + random() % 6; ++i) set.insert(static_cast<ItemNode>(random() % 7 * (numbers / 7)));
      records.add(std::vector<ItemNode>(set.begin(), set.end()), static_cast<std::int64_t>(1 + random() % 3));
    }
    const auto k = static_cast<std::int64_t>(1 + random() % 9);
    const std::size_t m = 1 + random() % 5;
    const auto all = rare(records, k, m);
    for (const std::size_t most_masked : {0, 2, 512}) {
      std::set<std::vector<ItemNode>> reported;
      items::Walk(records, numbers, k, m, most_masked).run([&](std::span<const ItemNode> set) {
        CHECK(reported.emplace(set.begin(), set.end()).second);
        return items::VisitResult::go_on;
      });
      for (const auto& set : reported) CHECK(all.contains(set));
      for (const auto& set : all)
        CHECK(std::ranges::any_of(reported, [&](const auto& part) { return std::ranges::includes(set, part); }));
    }
  }
}

/// The rare pairs and triples among many numbers, by counting them.
TEST(masks_of_several_words_count_as_tables_do) {
  std::mt19937 random(3);
  for (const std::size_t numbers : {50, 100, 200, 500}) {
    Records records;
    std::map<std::vector<ItemNode>, std::int64_t> support;
    for (unsigned r = 0; r < 80; ++r) {
      std::set<ItemNode> set{0};
      for (unsigned i = 0; i < numbers / 5; ++i) set.insert(static_cast<ItemNode>(random() % numbers));
      const std::vector<ItemNode> record(set.begin(), set.end());
      const auto weight = static_cast<std::int64_t>(1 + random() % 2);
      records.add(record, weight);
      for (std::size_t i = 1; i < record.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) support[{record[j], record[i]}] += weight;
      for (std::size_t i = 1; i < record.size(); ++i)
        for (std::size_t j = 1; j < i; ++j) support[{0, record[j], record[i]}] += weight;
    }
    const std::int64_t k = 3;
    std::set<std::vector<ItemNode>> reported, expected;
    items::Walk(records, numbers, k, 3)
        .run(
            [&](std::span<const ItemNode> set) {
              if (set.size() == 3) reported.emplace(set.begin(), set.end());
              return items::VisitResult::go_on;
            },
            1);
    for (const auto& [set, n] : support)
      if (set.size() == 3 && n < k && support[{0, set[1]}] >= k && support[{0, set[2]}] >= k) expected.insert(set);
    CHECK(reported == expected);
    CHECK(!reported.empty());
  }
}

/// Dealt out, picked or merged: each record with a fresh node, in the numbers of its nodes.
TEST(records_of_a_cut_are_the_records_generalised) {
  std::mt19937 random(11);
  constexpr ItemNode groups = 40, each = 5;
  std::vector<ItemNode> parent{0};
  std::vector<std::int64_t> leaves{groups * each};
  for (ItemNode g = 0; g < groups; ++g) {
    const auto above = static_cast<ItemNode>(parent.size());
    parent.push_back(0), leaves.push_back(each);
    for (ItemNode i = 0; i < each; ++i) parent.push_back(above), leaves.push_back(1);
  }
  Records records;
  for (unsigned r = 0; r < 20'000; ++r) {
    std::set<ItemNode> set;
    for (unsigned i = 0; i < 1 + random() % 4; ++i) {
      const auto g = static_cast<ItemNode>(std::min(random() % groups, random() % groups));
      set.insert(g * (each + 1) + 2 + static_cast<ItemNode>(random() % each));
    }
    records.add(std::vector<ItemNode>(set.begin(), set.end()), static_cast<std::int64_t>(1 + random() % 3));
  }
  const Baskets baskets(ItemTree(parent, leaves), records, std::vector<Cost>(parent.size(), 1));
  for (const ItemNode closed : {0u, 1u, 20u, 40u})
    for (const std::size_t fresh : {1, 3, 60, 1000}) {
      items::Cut cut(baskets);
      for (ItemNode g = 0; g < closed; ++g) cut.close(1 + g * (each + 1));
      const std::vector<ItemNode> image = cut.image();
      std::vector<std::uint8_t> named(parent.size(), 0);
      for (std::size_t i = 0; i < fresh; ++i) named[random() % named.size()] = 1;
      const items::CutRecords at(baskets, image, 2, named);
      std::map<std::vector<ItemNode>, std::int64_t> expected, actual;
      for (std::size_t r = 0; r < records.size(); ++r) {
        std::set<ItemNode> set;
        for (const ItemNode v : records[r]) set.insert(image[v]);
        if (std::ranges::any_of(set, [&](ItemNode v) { return named[v] != 0; }))
          expected[std::vector<ItemNode>(set.begin(), set.end())] += records.weight[r];
      }
      for (std::size_t r = 0; r < at.records.size(); ++r) {
        CHECK(std::ranges::is_sorted(at.records[r]));
        std::vector<ItemNode> set;
        for (const ItemNode number : at.records[r]) set.push_back(at.node[number]);
        std::ranges::sort(set);
        actual[set] += at.records.weight[r];
      }
      CHECK(actual == expected);
    }
}

TEST(fewer_than_k_records_have_no_cut) {
  const Baskets baskets = database({{2}, {3}});
  Control control{Limits{}};
  CHECK(!items::staged_anonymization({baskets, 3, 2}, control).found);
  CHECK(!items::optimal_anonymization({baskets, 3, 2}, control).found);
}

TEST(a_stopped_heuristic_is_valid_all_the_same) {
  const Baskets baskets = paper();
  for (std::size_t m = 2; m <= 3; ++m) {
    Limits limits;
    limits.examined = 0;
    Control control{limits};
    const items::Result result = items::staged_anonymization({baskets, 2, m}, control);
    CHECK(!result.complete);
    CHECK(items::is_anonymous(baskets, items::Cut(baskets, result.closed), 2, m));
  }
}

#include "sfumato/algorithms/cuts/tuples.hpp"

#include <map>
#include <utility>
#include <vector>

#include "check.hpp"
#include "random_problem.hpp"
#include "sfumato/algorithms/cuts/growing.hpp"
#include "sfumato/algorithms/cuts/shared_tuples.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

using Key = std::vector<std::uint32_t>;
using Counted = std::map<Key, std::map<std::uint32_t, std::int64_t>>;  // records by nodes and sensitive value

/// Rows in no order, few different ones, some of many records, or of more than 32 bits hold; a hierarchy has its values
/// and one root.
Frequencies rows_of(Random& random, std::size_t attributes, std::uint32_t values) {
  std::vector<Hierarchy> hierarchies;
  std::vector<std::vector<std::uint32_t>> codes(attributes);
  const std::size_t rows = random.between(1, 60);
  for (std::size_t a = 0; a < attributes; ++a) {
    Level leaves, root{std::vector<std::uint32_t>(values, 0), {values}};
    for (std::uint32_t v = 0; v < values; ++v) leaves.node.push_back(v), leaves.leaves.push_back(1);
    hierarchies.emplace_back(std::vector{leaves, root});
    for (std::size_t i = 0; i < rows; ++i) codes[a].push_back(a < 3 ? random.below(std::min(values, 3u)) : values - 1);
  }
  SensitiveColumn sensitive{4, {}};
  std::vector<std::int64_t> counts;
  for (std::size_t i = 0; i < rows; ++i) {
    sensitive.codes.push_back(random.below(4u));
    counts.push_back(random.below(4) == 0 ? random.between(1000, 3000) : random.between(1, 3));
    if (random.below(16) == 0) counts.back() += random.below(2) == 0 ? 3'000'000'000 : 5'000'000'000;
  }
  return Frequencies(std::move(hierarchies), std::move(codes), {sensitive}, std::move(counts));
}

Counted counted(const Frequencies& frequencies, const cuts::Tree& tree) {
  Counted by_key;
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    Key key;
    for (std::size_t a = 0; a < frequencies.attributes(); ++a)
      key.push_back(tree.lowest(tree.of_value(a, frequencies.codes(a)[i])));
    by_key[key][frequencies.sensitive()[0].codes[i]] += frequencies.counts()[i];
  }
  return by_key;
}

/// What they count, each key once; larger ones come first, and among equal ones those of lower nodes.
void check(const cuts::Tuples& tuples, const Counted& expected) {
  CHECK_EQUAL(tuples.size(), expected.size());
  for (std::uint32_t t = 0; t < tuples.size(); ++t) {
    const Key key(tuples.key(t).begin(), tuples.key(t).end());
    std::map<std::uint32_t, std::int64_t> records;
    std::int64_t all = 0;
    for (const cuts::KindCount& cell : tuples.kind_counts(t)) {
      records[tuples.value(cell.kind, 0)] += cell.count;
      all += cell.count;
    }
    CHECK(expected.contains(key) && expected.at(key) == records);
    CHECK_EQUAL(tuples.records(t), all);
    for (std::size_t a = 0; a < key.size(); ++a) CHECK_EQUAL(tuples.leaf(t, a), key[a]);
    if (t == 0) continue;
    const Key before(tuples.key(t - 1).begin(), tuples.key(t - 1).end());
    CHECK(tuples.records(t - 1) > all || (tuples.records(t - 1) == all && before < key));
    if (tuples.packed()) CHECK(tuples.code(t - 1) != tuples.code(t));
  }
}

}  // namespace

TEST(tuples_count_the_rows_that_have_the_same_nodes) {
  for (const auto& [attributes, values, packs] :
       {std::tuple{3, 5u, true}, {9, 5u, true}, {30, 5u, false}, {3, 40000u, true}, {0, 1u, true}})
    for_seeds(values > 5 ? 5 : 100,
              [&, attributes = static_cast<std::size_t>(attributes), values = values, packs = packs](Random& random) {
                const Frequencies frequencies = rows_of(random, attributes, values);
                const std::vector<std::uint16_t> lowest(attributes, 0), highest(attributes, 1);
                cuts::Tree tree(frequencies, lowest, highest);
                const std::size_t column = 0;
                const cuts::Tuples tuples(frequencies, tree, {&column, 1});
                CHECK_EQUAL(tuples.packed(), packs && attributes > 0);
                check(tuples, counted(frequencies, tree));
                if (attributes == 0) return;
                tree.cut_off(tree.first(1));
                check(cuts::Tuples(tuples, tree), counted(frequencies, tree));
              });
}

TEST(searches_of_coarse_cuts_are_of_the_same_memory) {
  Random random(1);
  const Frequencies frequencies = rows_of(random, 2, 3);
  const std::vector<std::uint16_t> lowest(2, 0), highest(2, 1);
  const cuts::Tree tree(frequencies, lowest, highest);
  const cuts::Problem problem{.frequencies = frequencies,
                              .models = {},
                              .scheme = {},
                              .loss = {},
                              .lowest = lowest,
                              .highest = highest,
                              .limit = 0};
  cuts::SharedTuples all(problem, tree);
  CHECK_EQUAL(all.reported(0, 100), 100u);
  cuts::SharedTuples coarse(all, tree.down_to(0));
  CHECK_EQUAL(coarse.reported(0, 50), 150u);
  CHECK_EQUAL(all.reported(100, 120), 170u);
  CHECK_EQUAL(coarse.reported(50, 0), 120u);
}

TEST(vectors_that_are_nearly_full_count_with_those_they_are_copied_to) {
  std::vector<std::uint64_t> vector(8);
  vector.reserve(64);
  CHECK_EQUAL(cuts::growing_bytes(vector), 8 * vector.capacity());
  vector.resize(vector.capacity());
  CHECK_EQUAL(cuts::growing_bytes(vector), 3 * 8 * vector.capacity());
}

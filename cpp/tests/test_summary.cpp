#include "sfumato/summary.hpp"

#include <map>
#include <numeric>
#include <optional>

#include "check.hpp"
#include "naive.hpp"

using namespace sfumato;
using namespace sfumato::testing;

static Tuples tuples_of(const Packing& packing) {
  Tuples tuples{{}, packing.frequencies().sensitive(), packing.frequencies().counts(), packing.frequencies().units()};
  for (const auto& pack : packing.packs()) tuples.packs.push_back(packing.column(pack));
  return tuples;
}

/// Records by class and value.
using Counts = std::map<std::pair<std::size_t, std::uint32_t>, std::int64_t>;

static Counts counted(const Histogram& histogram) {
  Counts counts;
  for (std::size_t c = 0; c + 1 < histogram.begin.size(); ++c)
    for (std::size_t j = histogram.begin[c]; j < histogram.begin[c + 1]; ++j) {
      CHECK(!counts.contains({c, histogram.value[j]}));
      counts[{c, histogram.value[j]}] = histogram.count[j];
    }
  return counts;
}

TEST(histograms_equal_counting_records) {
  Summary summary;  // one for all: earlier groupings must leave no trace
  for_seeds(200, [&](Random& random) {
    const Frequencies frequencies = random_frequencies(random, {});
    const Packing packing(frequencies);
    const Tuples tuples = tuples_of(packing);
    Groups groups(packing);
    groups.assign(tuples, random_node(random, bottom_of(frequencies), top_of(frequencies)));
    const Classes classes = summary.of(groups, tuples);
    CHECK_EQUAL(classes.count(), groups.count());
    CHECK_EQUAL(classes.sizes, groups.sizes());
    CHECK_EQUAL(classes.histograms.size(), tuples.sensitive.size());
    for (std::size_t s = 0; s < tuples.sensitive.size(); ++s) {
      Counts expected;
      for (std::size_t i = 0; i < tuples.size(); ++i)
        expected[{groups.ids()[i], tuples.sensitive[s].codes[i]}] += tuples.counts[i];
      CHECK_EQUAL(classes.histograms[s].begin.size(), groups.count() + 1);
      CHECK(counted(classes.histograms[s]) == expected);
    }
  });
}

/// Tuples that differ in quasi-identifiers alone, with the sensitive values as lanes.
static std::optional<Tuples> laned(const Tuples& tuples, const Packing& packing) {
  Groups groups(packing);
  groups.assign(tuples, bottom_of(packing.frequencies()));
  return groups.merged_to_lanes(tuples);
}

TEST(lanes_say_the_same_as_cells) {
  std::uint64_t seen = 0;
  for_seeds(300, [&](Random& random) {
    const Frequencies frequencies = random_frequencies(random, {});
    const Packing packing(frequencies);
    Tuples cells = tuples_of(packing);
    const auto times =
        random.one_of<std::int64_t>({1, 10'000, 21'845, 40'000});  // some, and sums of some, need more than 16 bits
    for (std::int64_t& count : cells.counts) count *= times;
    std::optional<Tuples> lanes = laned(cells, packing);
    const bool narrow = std::ranges::all_of(cells.sensitive, [](const auto& column) { return column.values <= 64; });
    CHECK_EQUAL(lanes.has_value(), narrow && !cells.sensitive.empty());
    if (!lanes) return;
    const Node bottom = bottom_of(frequencies), top = top_of(frequencies);
    const Node low = random_node(random, bottom, top), high = random_node(random, low, top);
    Groups groups(packing);
    if (random.below(2) == 0) groups.assign(*lanes, low), lanes = groups.merged(*lanes);
    if (random.below(2) == 0) {
      std::vector<std::uint32_t> all(lanes->size());
      std::iota(all.begin(), all.end(), 0u);
      lanes = lanes->taken(all);
    }
    groups.assign(cells, high);
    Summary summary, of_lanes;
    const Classes expected = summary.of(groups, cells);
    Groups other(packing);
    other.assign(*lanes, high);
    const Classes actual = of_lanes.of(other, *lanes);
    CHECK_EQUAL(actual.sizes, expected.sizes);  // classes are numbered as they appear
    CHECK_EQUAL(actual.units, expected.units);
    for (std::size_t s = 0; s < expected.histograms.size(); ++s) {
      CHECK(counted(actual.histograms[s].as_cells(actual.count())) == counted(expected.histograms[s]));
      for (std::size_t c = 0; c < actual.count(); ++c) {
        CHECK_EQUAL(actual.histograms[s].values(c), expected.histograms[s].values(c));
        CHECK_EQUAL(actual.histograms[s].largest(c), expected.histograms[s].largest(c));
      }
    }
    ++seen;
  });
  CHECK(seen > suite(50));
}

TEST(what_has_no_room_in_lanes_stays_in_cells) {
  const Frequencies many({}, {}, {{2, {0, 1}}}, {std::int64_t{1} << 31, std::int64_t{1} << 31});
  const Packing packing(many);
  CHECK(!laned(tuples_of(packing), packing));
  const Frequencies none({}, {}, {}, {1});
  CHECK(!laned(tuples_of(Packing(none)), Packing(none)));
}

TEST(units_equal_counting_persons) {
  Summary summary;
  for_seeds(200, [&](Random& random) {
    const Frequencies frequencies = random_frequencies(random, {});
    const Packing packing(frequencies);
    const Tuples tuples = tuples_of(packing);
    Groups groups(packing);
    groups.assign(tuples, random_node(random, bottom_of(frequencies), top_of(frequencies)));
    const Classes classes = summary.of(groups, tuples);
    CHECK_EQUAL(classes.units.size(), frequencies.units() ? groups.count() : 0);
    for (std::size_t c = 0; c < groups.count(); ++c) {
      std::vector<std::size_t> members;
      for (std::size_t i = 0; i < tuples.size(); ++i)
        if (groups.ids()[i] == c) members.push_back(i);
      CHECK_EQUAL(classes.persons()[c], persons_of(frequencies, members));
    }
  });
}

TEST(without_tuples_histograms_are_empty) {
  const Frequencies frequencies({}, {}, {{3, {}}}, {});
  const Packing packing(frequencies);
  const Tuples tuples = tuples_of(packing);
  Groups groups(packing);
  groups.assign(tuples, Node{});
  Summary summary;
  const Classes classes = summary.of(groups, tuples);
  CHECK_EQUAL(classes.count(), 0);
  CHECK_EQUAL(classes.histograms[0].begin, std::vector<std::size_t>({0}));
  CHECK(classes.histograms[0].value.empty());
}

#include "sfumato/summary.hpp"

#include <map>

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

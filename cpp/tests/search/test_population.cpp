// Populations in a search: people of whom there is no record make classes larger, and are nothing else to anybody.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "check.hpp"
#include "naive.hpp"
#include "sfumato/loss/average_class_size.hpp"
#include "sfumato/loss/classification.hpp"
#include "sfumato/loss/discernibility.hpp"
#include "sfumato/privacy/delta_presence.hpp"
#include "sfumato/privacy/entropy_l_diversity.hpp"
#include "sfumato/privacy/k_map.hpp"
#include "sfumato/search/evaluation.hpp"

using namespace sfumato;
using namespace sfumato::testing;

static const Size tiny{.attributes = {1, 3}, .values = {2, 5}, .height = {1, 3}, .combinations = {5, 30}};
static const Size merging{.attributes = {3, 4}, .values = {6, 12}, .height = {2, 3}, .combinations = {100, 200}};

/// The table with a population: some people for its combinations, and combinations of others.
static Frequencies with_population(Random& random, const Frequencies& table) {
  const std::size_t others = random.one_of<std::size_t>({0, 3, table.size()});
  std::vector<Hierarchy> hierarchies;
  std::vector<std::vector<std::uint32_t>> codes;
  for (std::size_t a = 0; a < table.attributes(); ++a) {
    hierarchies.push_back(table.hierarchy(a));
    codes.push_back(table.codes(a));
    for (std::size_t i = 0; i < others; ++i)
      codes[a].push_back(random.below(static_cast<std::uint32_t>(table.hierarchy(a).values())));
  }
  std::vector<SensitiveColumn> sensitive = table.sensitive();
  for (SensitiveColumn& column : sensitive) column.codes.resize(table.size() + others, 0);
  std::vector<std::int64_t> counts = table.counts(), population;
  for (const std::int64_t count : counts) population.push_back(random.between<std::int64_t>(0, 2 * count));
  counts.resize(table.size() + others, 0);
  while (population.size() < counts.size()) population.push_back(random.between<std::int64_t>(1, 6));
  std::optional<Units> units;
  if (table.units()) {
    std::vector<std::int64_t> own = table.units()->own();
    own.resize(counts.size(), 0);
    std::vector<std::size_t> begin{0};
    std::vector<std::uint32_t> places;
    for (std::size_t u = 0; u < table.units()->shared(); ++u) {
      places.insert(places.end(), table.units()->places(u).begin(), table.units()->places(u).end());
      begin.push_back(places.size());
    }
    units = Units(std::move(own), std::move(begin), std::move(places));
  }
  return {std::move(hierarchies), std::move(codes), std::move(sensitive),
          std::move(counts),      std::move(units), std::move(population)};
}

namespace {

/// A problem about a population: k-map, delta-presence or both, now and then with other models, and any loss.
struct Case {
  explicit Case(Random& random, const Size& size)
      : drawn(random, size), frequencies(with_population(random, drawn.frequencies)) {
    if (random.below(2) == 0) map = random.between<std::int64_t>(1, 12);
    most = random.one_of<std::int64_t>({1, 2, 3, 4});
    if (map == 0 || random.below(2) == 0) presence = true, least = random.one_of<std::int64_t>({0, 0, 1, 2});
    if (!drawn.l.empty() && random.below(3) == 0) entropy = 2;
    if (random.below(2) == 0) drawn.k = 1, std::ranges::fill(drawn.l, 1);
    if (map > 0) models.push_back(std::make_shared<KMap>(map));
    if (presence) models.push_back(std::make_shared<DeltaPresence>(Ratio(0, least, 8), Ratio(most / 4, most % 4, 4)));
    for (const auto& model : drawn.models()) models.push_back(model);
    if (entropy > 0) models.push_back(std::make_shared<EntropyLDiversity>(0, entropy, 1));
    classes = random.below(2) == 0;
  }

  Loss loss() const {
    if (!classes) return drawn.loss();
    std::vector<Loss::OfClasses> of{{std::make_shared<AverageClassSize>(), 3},
                                    {std::make_shared<Discernibility>(frequencies.records()), 1}};
    if (!frequencies.sensitive().empty()) of.push_back({std::make_shared<Classification>(0), 2});
    return {{drawn.loss()}, of};
  }

  lattice::Problem problem() const { return {frequencies, models, loss(), drawn.limit, drawn.bottom, drawn.top}; }

  /// The node as the definitions have it, from nothing but the combinations.
  Outcome outcome(const Node& node) const {
    Outcome outcome;
    for (const auto& members : classes_at(frequencies, node)) {
      std::int64_t records = 0, people = 0;
      for (const std::size_t i : members) records += frequencies.counts()[i], people += frequencies.population()[i];
      if (records == 0) continue;  // nobody is published
      bool violates = people < map || persons_of(frequencies, members) < drawn.k;
      if (presence) violates |= 8 * records < least * people || 4 * records > most * people;
      std::vector<std::map<std::uint32_t, std::int64_t>> histograms(frequencies.sensitive().size());
      for (std::size_t s = 0; s < histograms.size(); ++s) {
        for (const std::size_t i : members)
          if (frequencies.counts()[i] > 0)
            histograms[s][frequencies.sensitive()[s].codes[i]] += frequencies.counts()[i];
        violates |= std::cmp_less(histograms[s].size(), drawn.l[s]);
      }
      if (entropy > 0) violates |= !diverse(records, histograms[0]);
      Cost cost = drawn.price * records;
      if (!violates) {
        const auto values = published(frequencies, node, members.front());
        cost = 0;
        for (std::size_t a = 0; a < values.size(); ++a)
          cost += records * drawn.unit[a] * drawn.weight[a][node[a]][values[a]];
      }
      if (classes) {
        const std::int64_t n = frequencies.records();
        cost += violates ? Cost{3} * records + Cost{n} * records : Cost{3} * (records - 1) + Cost{records} * records;
        if (!histograms.empty()) {
          std::int64_t majority = 0;
          for (const auto& [value, count] : histograms[0]) majority = std::max(majority, count);
          cost += 2 * (violates ? records : records - majority);
        }
      }
      outcome.cost += cost;
      outcome.suppressed += violates ? records : 0;
      outcome.classes += !violates;
    }
    outcome.valid = outcome.suppressed <= drawn.limit;
    return outcome;
  }

  /// Entropy of at least ln 2: n^n >= 2^n Π n_s^n_s, which logarithms decide at these sizes but for ties.
  static bool diverse(std::int64_t n, const std::map<std::uint32_t, std::int64_t>& histogram) {
    double margin = -static_cast<double>(n) * std::log(2);
    for (const auto& [value, count] : histogram)
      margin += static_cast<double>(count) * std::log(static_cast<double>(n) / static_cast<double>(count));
    return margin > -1e-9;
  }

  RandomProblem drawn;
  Frequencies frequencies;
  std::int64_t map = 0, least = 0, most = 0, entropy = 0;  // least in eighths, most in quarters
  bool presence = false, classes = false;
  Models models;
};

}  // namespace

static void check_equals_enumeration(const Case& some, int threads) {
  std::optional<Optimum> best;
  for (const Node& node : nodes(some.drawn.bottom, some.drawn.top)) {
    const Outcome here = some.outcome(node);
    if (here.valid && (!best || here.cost < best->outcome.cost)) best = Optimum{node, here};
  }
  Control control({.threads = threads});
  const lattice::Result result = lattice::lattice_search(some.problem(), control);
  CHECK(result.complete);
  CHECK_EQUAL(result.found, best.has_value());
  if (!best) return;
  CHECK_EQUAL(result.cost, best->outcome.cost);
  CHECK(result.node == best->node);
  CHECK_EQUAL(result.suppressed, best->outcome.suppressed);
  CHECK_EQUAL(result.classes, best->outcome.classes);
}

TEST(searches_with_populations_equal_enumeration) {
  for_seeds(600, [](Random& random) { check_equals_enumeration(Case(random, tiny), random.between(1, 2)); });
}

TEST(so_do_those_that_roll_tuples_up) {
  for_seeds(40, [](Random& random) { check_equals_enumeration(Case(random, merging), random.between(1, 2)); });
}

TEST(evaluations_stay_true_through_any_bases) {
  for_seeds(200, [](Random& random) {
    const Case some(random, tiny);
    const Packing packing(some.frequencies);
    const Loss loss = some.loss();
    BaseStore store(std::size_t{1} << 30);
    Evaluator evaluator(packing, some.models, loss, some.drawn.limit, store);
    Node lo = some.drawn.bottom, hi = some.drawn.top;
    auto base = evaluator.whole(lo);
    for (int step = 0; step < 4; ++step) {
      for (const Node& u : nodes(lo, hi)) {
        const Evaluation evaluation = evaluator.evaluate(*base, u);
        const Outcome truth = some.outcome(u);
        CHECK_EQUAL(evaluation.valid, truth.valid);
        if (!truth.valid) continue;
        CHECK_EQUAL(evaluation.suppressed, truth.suppressed);
        CHECK_EQUAL(evaluation.classes, truth.classes);
        CHECK_EQUAL(evaluation.cost, truth.cost);
      }
      if (random.below(2) == 0) {
        lo = random_node(random, lo, random_node(random, lo, hi));
        base = evaluator.roll_up(*base, lo);
      } else {
        const Node u = random_node(random, lo, hi);
        const Evaluation evaluation = evaluator.evaluate(*base, u);
        if (!evaluation.possible) continue;
        hi = u;
        base = evaluator.without_hopeless(*base, evaluation);
        CHECK_EQUAL(base->tuples.size(), evaluation.kept);
      }
      CHECK_EQUAL(base->tuples.population.size(), base->tuples.size());
    }
  });
}

TEST(classes_of_the_population_alone_are_not_summarised) {
  const Hierarchy values({{{0, 1, 2}, {1, 1, 1}}, {{0, 0, 0}, {3}}});
  const Frequencies frequencies({values}, {{0, 2, 1, 2}}, {{2, {1, 1, 0, 0}}}, {4, 2, 0, 0}, std::nullopt,
                                {3, 0, 7, 1});
  const Packing packing(frequencies);
  Tuples tuples{{packing.column(packing.packs()[0])},
                frequencies.sensitive(),
                frequencies.counts(),
                {},
                frequencies.population()};
  Groups groups(packing);
  Summary summary;
  groups.assign(tuples, Node{0});
  Classes classes = summary.of(groups, tuples);
  CHECK_EQUAL(classes.count(), 2);
  CHECK_EQUAL(classes.population, std::vector<std::int64_t>({3, 1}));
  CHECK_EQUAL(classes.histograms[0].begin, std::vector<std::size_t>({0, 1, 2}));
  groups.assign(tuples, Node{1});
  classes = summary.of(groups, tuples);
  CHECK_EQUAL(classes.population, std::vector<std::int64_t>({11}));
  CHECK_EQUAL(classes.sizes, std::vector<std::int64_t>({6}));
  CHECK_EQUAL(classes.histograms[0].value, std::vector<std::uint32_t>({1}));  // nobody has value 0
}

TEST(populations_of_other_tables_are_refused) {
  const Hierarchy values({{{0, 1}, {1, 1}}});
  const auto table = [&](std::vector<std::int64_t> counts, std::vector<std::int64_t> population) {
    return Frequencies({values}, {{0, 1}}, {}, std::move(counts), std::nullopt, std::move(population));
  };
  CHECK_THROWS(std::invalid_argument, table({1, 1}, {1}));
  CHECK_THROWS(std::invalid_argument, table({0, 1}, {1, 1}));
  const Frequencies without = table({1, 1}, {});
  const Loss loss = SeparableLoss({{{0, 0}}}, {1}, 1);
  Control control({});
  CHECK_THROWS(std::invalid_argument,
               lattice::lattice_search({without, {std::make_shared<KMap>(2)}, loss, 0, Node{0}, Node{0}}, control));
}

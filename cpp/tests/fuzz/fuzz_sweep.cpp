// SequentialSweep: every record is published once, in a class that is diverse.
#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "any_problem.hpp"
#include "fuzz.hpp"
#include "sfumato/algorithms/sweep/sequential_sweep.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

/// An attribute's tree from the root down: values that share a node may part at each depth, and leaves end anywhere.
void add_attribute(Random& random, sweep::Problem& problem, std::size_t digits) {
  const std::uint32_t values = random.between(1u, 4u);
  const std::size_t depths = random.between<std::size_t>(1, 3);
  sweep::Depths attribute{std::vector<std::uint32_t>(values), {std::vector<std::uint32_t>(values, 0)}};
  for (std::size_t d = 1; d < depths; ++d) {
    std::vector<std::uint32_t> node(values, 0);
    for (std::uint32_t v = 1; v < values; ++v)
      node[v] = node[v - 1] + (attribute.node[d - 1][v] != attribute.node[d - 1][v - 1] || random.below(2) == 0);
    attribute.node.push_back(std::move(node));
  }
  for (std::uint32_t& leaf : attribute.leaf)
    leaf = static_cast<std::uint32_t>(random.below(3) == 0 ? random.below(depths) : depths - 1);
  auto& retained = problem.retained.emplace_back(depths);
  for (auto& digit : retained)
    for (std::size_t i = 0; i < digits; ++i)
      digit.push_back(random.below(4) == 0 ? 0xffffffffu - random.below(2u) : random.below(4u));
  problem.attributes.push_back(std::move(attribute));
  problem.values.emplace_back();
}

/// Base values below a root, some of them in groups of two; limits on the shares of the most frequent ones.
InducedLimits some_limits_of(Random& random) {
  const std::uint32_t values = random.below(16) == 0 ? 70 : random.between(1u, 6u);
  std::vector<std::uint32_t> parent{0}, leaf, place;
  std::vector<std::int64_t> weight;
  for (std::uint32_t v = 0; v < values; ++v) {
    std::uint32_t above = 0;
    if (v % 2 == 0 && v + 1 < values && random.below(2) == 0)
      above = static_cast<std::uint32_t>(parent.size()), parent.push_back(0);
    else if (v % 2 == 1 && parent[leaf.back()] != 0)
      above = parent[leaf.back()];
    leaf.push_back(static_cast<std::uint32_t>(parent.size()));
    parent.push_back(above);
    weight.push_back(1);
    place.push_back(values - 1 - v);
  }
  const std::int64_t common = std::lcm<std::int64_t>(2, values);
  std::vector<std::int64_t> information(parent.size(), 0);
  for (std::size_t v = 1; v < parent.size(); ++v) information[v] = information[parent[v]] + random.below(3);
  const std::int64_t scale = random.between(2, 12);
  std::vector<Cost> psi;
  for (std::int64_t limit = 0; psi.size() < 3 && limit + 1 < scale && random.below(3) > 0;)
    psi.push_back(limit = random.between(
                      std::max((scale + 1) / 2, limit + 1) < scale ? std::max((scale + 1) / 2, limit + 1) : limit + 1,
                      scale - 1));
  return {parent, leaf, weight, place, information, psi, scale, common};
}

sweep::Problem drawn(Random& random) {
  sweep::Problem problem;
  const std::size_t digits = random.between<std::size_t>(1, 2);
  for (int a = random.between(1, 3); a > 0; --a) add_attribute(random, problem, digits);
  const std::size_t rows = random.between<std::size_t>(1, 8);
  const std::int64_t times = random.below(16) == 0 ? random.between(2, 200) : 1;
  std::vector<std::vector<std::uint32_t>> tuples(rows);
  for (auto& tuple : tuples)
    for (const sweep::Depths& attribute : problem.attributes)
      tuple.push_back(random.below(static_cast<std::uint32_t>(attribute.leaf.size())));
  std::ranges::sort(tuples);
  for (const auto& tuple : tuples)
    for (std::size_t a = 0; a < tuple.size(); ++a) problem.values[a].push_back(tuple[a]);
  for (std::size_t i = 0; i < rows; ++i) problem.counts.push_back(times * random.between(1, 4));
  for (int s = random.below(4) == 0 ? 2 : 1; s > 0; --s) {
    problem.sensitive.push_back(some_limits_of(random));
    const InducedLimits& limits = problem.sensitive.back();
    problem.nodes.emplace_back(), problem.codes.emplace_back();
    for (std::size_t i = 0; i < rows; ++i) {
      const std::uint32_t value = random.below(static_cast<std::uint32_t>(limits.values()));
      problem.nodes.back().push_back(random.below(4) == 0 ? limits.parent(limits.leaf(value)) : limits.leaf(value));
      problem.codes.back().push_back(value);
    }
  }
  const std::int64_t records = std::accumulate(problem.counts.begin(), problem.counts.end(), std::int64_t{0});
  problem.least = std::min(records, random.below(8) == 0 ? records : random.between<std::int64_t>(1, 4));
  problem.seed = random.below<std::uint64_t>(256);
  if (random.below(2) == 0) problem.price = random.one_of<Cost>({0, 1, 3, Cost{1} << 80});
  if (random.below(3) > 0) return problem;
  SensitiveColumn column{random.between(1u, 4u), {}};
  column.codes = random_codes(random, rows, column.values);
  std::vector<std::int64_t> of_value(column.values, 0);
  for (std::size_t i = 0; i < rows; ++i) of_value[column.codes[i]] += problem.counts[i];
  problem.columns = {std::move(column)};
  problem.models = {random_model(random, random.below(model_kinds), 0, of_value)};
  return problem;
}

bool models_hold(const sweep::Problem& problem, const std::vector<std::pair<std::uint32_t, std::int64_t>>& members) {
  if (problem.models.empty()) return true;
  std::int64_t size[1] = {0};
  std::vector<std::int64_t> records(problem.columns[0].values, 0);
  for (const auto& [row, copies] : members) size[0] += copies, records[problem.columns[0].codes[row]] += copies;
  Histogram histogram{{0}, {}, {}};
  for (std::uint32_t v = 0; v < records.size(); ++v)
    if (records[v] > 0) histogram.value.push_back(v), histogram.count.push_back(records[v]);
  histogram.begin.push_back(histogram.value.size());
  std::uint8_t violated = 0;
  for (const auto& model : problem.models)
    model->mark({size, {&histogram, 1}}, model->sensitive() ? &histogram : nullptr, {&violated, 1});
  return violated == 0;
}

/// Whether there is an answer: all records as the root of everything.
bool has_answer(const sweep::Problem& problem) {
  std::vector<std::pair<std::uint32_t, std::int64_t>> all;
  for (std::uint32_t i = 0; i < problem.counts.size(); ++i) all.emplace_back(i, problem.counts[i]);
  return models_hold(problem, all) && std::ranges::all_of(problem.sensitive, [](const InducedLimits& limits) {
           InducedClass state(limits);
           state.add(0, 1);
           return state.diverse();
         });
}

bool above(const InducedLimits& limits, std::uint32_t node, std::uint32_t below) {
  while (below != node && below != 0) below = limits.parent(below);
  return below == node;
}

void check(const sweep::Problem& problem, const sweep::Result& result) {
  const std::size_t attributes = problem.attributes.size(), items = result.depths.size() / attributes;
  std::vector<std::int64_t> copies(problem.counts.size(), 0);
  std::map<std::vector<std::uint32_t>, std::vector<std::size_t>> classes;  // entries by what is published
  for (std::size_t e = 0; e < result.copies.size(); ++e) {
    const std::uint32_t row = result.combination[e], item = result.item[e];
    CHECK(row < copies.size() && item < items && result.copies[e] > 0);
    copies[row] += result.copies[e];
    std::vector<std::uint32_t> published{item};
    for (std::size_t a = 0; a < attributes; ++a) {
      const std::uint16_t depth = result.depths[item * attributes + a];
      const std::uint32_t value = problem.values[a][row];
      CHECK(item + 1 == items || depth <= problem.attributes[a].leaf[value]);
      published.push_back(item + 1 == items ? 0 : problem.attributes[a].node[depth][value]);
    }
    classes[published].push_back(e);
    for (std::size_t s = 0; s < problem.sensitive.size(); ++s)
      CHECK(above(problem.sensitive[s], result.node[s][e], problem.nodes[s][row]));
  }
  CHECK_EQUAL(copies, problem.counts);
  for (const auto& [published, entries] : classes) {
    std::int64_t size = 0;
    std::vector<std::pair<std::uint32_t, std::int64_t>> members;
    for (const std::size_t e : entries)
      size += result.copies[e], members.emplace_back(result.combination[e], result.copies[e]);
    CHECK(size >= problem.least);
    CHECK(models_hold(problem, members));
    for (std::size_t s = 0; s < problem.sensitive.size(); ++s) {
      InducedClass state(problem.sensitive[s]);
      for (const std::size_t e : entries) state.add(result.node[s][e], result.copies[e]);
      CHECK(state.diverse());
    }
  }
}

/// Something in a problem is not as it should be.
void spoil_part(Random& random, sweep::Problem& problem) {
  sweep::Depths& attribute = problem.attributes[random.below(problem.attributes.size())];
  switch (random.below(9)) {
    case 0: return spoil(random, attribute.leaf);
    case 1: return spoil(random, attribute.node);
    case 2: return spoil(random, problem.retained[random.below(problem.retained.size())]);
    case 3: return spoil(random, problem.values);
    case 4: return spoil(random, problem.codes);
    case 5: problem.counts.push_back(edge(random)); break;
    case 6: return spoil(random, problem.nodes);
    case 7: problem.least = edge(random); break;
    default:
      if (problem.columns.empty()) return spoil(random, problem.nodes);
      return spoil(random, problem.columns[0].codes);
  }
}

}  // namespace

FUZZ(random) {
  const bool spoiled = random.below(8) == 0;
  sweep::Problem problem = drawn(random);
  if (!has_answer(problem)) return;
  if (spoiled) {
    spoil_part(random, problem);
    Control control({.examined = 20});
    try {
      sweep::sequential_sweep(problem, control);
    } catch (const std::logic_error&) {  // refused, or what is left violates a model
    }
    return;
  }
  Control control(some_limits(random));
  check(problem, sweep::sequential_sweep(problem, control));
}

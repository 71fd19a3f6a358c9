// Random problems of cuts, and what cuts cost by the definitions, class by class.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "random_problem.hpp"
#include "sfumato/algorithms/cuts/l_plus_optimize.hpp"
#include "sfumato/algorithms/cuts/tree.hpp"
#include "sfumato/privacy/l_plus_diversity.hpp"

namespace sfumato::testing {

/// A problem whose classes are judged by limits on the shares of one column.
struct Posed {
  Frequencies frequencies;
  std::vector<Ratio> limits;
  Models models;
  cuts::Scheme scheme;
  cuts::Loss loss;
  Node lowest, highest;
  std::int64_t limit;

  cuts::Problem problem(std::size_t top = 1) const {
    return {frequencies, models, scheme, loss, lowest, highest, limit, top};
  }
};

inline Posed posed(Random& random,
                   const Size& size = {
                       .attributes = {1, 3}, .values = {1, 5}, .height = {0, 3}, .combinations = {1, 40}}) {
  Frequencies frequencies = random_frequencies(random, size);
  while (frequencies.sensitive().empty()) frequencies = random_frequencies(random, size);
  std::vector<Ratio> limits;
  for (std::uint32_t v = 0; v < frequencies.sensitive()[0].values; ++v)
    limits.push_back(random.one_of<Ratio>(
        {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {0, 1, 4}, {1, 0, 1}, {0, 0, 1}, {0, (Cost{1} << 70) + 1, Cost{1} << 72}}));
  const auto metric = static_cast<cuts::Metric>(random.below(3));
  const auto scheme = metric == cuts::Metric::values
                          ? static_cast<cuts::Scheme>(random.below(5))
                          : random.one_of<cuts::Scheme>(
                                {cuts::Scheme::none, cuts::Scheme::violating_records, cuts::Scheme::all_records});
  cuts::Loss loss{metric,
                  {},
                  random.one_of<Cost>({2, 20, Cost{1} << 70}),
                  random.one_of<Cost>({0, 1, 7}),
                  random.below(frequencies.sensitive().size())};
  for (std::size_t a = 0; metric == cuts::Metric::values && a < frequencies.attributes(); ++a) {
    std::vector<std::vector<Cost>> weight;
    for (std::size_t j = 0; j <= frequencies.hierarchy(a).height(); ++j) {
      weight.emplace_back();
      for (const std::int64_t leaves : frequencies.hierarchy(a).level(j).leaves)
        weight.back().push_back(Cost{leaves - 1} * (1 + Cost(a)));
    }
    loss.weight.push_back(std::move(weight));
  }
  Node lowest = bottom_of(frequencies), highest = top_of(frequencies);
  if (random.below(4) == 0) lowest = random_node(random, lowest, highest);
  if (random.below(4) == 0) highest = random_node(random, lowest, highest);
  const std::int64_t limit = random.below(3) == 0 ? frequencies.records() / 4 : std::int64_t{1} << 40;
  Models models{std::make_shared<LPlusDiversity>(0, limits)};
  return {std::move(frequencies), limits, std::move(models), scheme, std::move(loss), lowest, highest, limit};
}

/// All cuts of an attribute below a node, as the level of each value.
inline std::vector<std::vector<std::uint32_t>> cuts_below(const cuts::Tree& tree, std::vector<std::uint32_t> nodes,
                                                          std::size_t values) {
  if (nodes.empty()) return {std::vector<std::uint32_t>(values, 0)};
  const std::uint32_t v = nodes.back();
  nodes.pop_back();
  std::vector<std::vector<std::uint32_t>> own{{}}, actual;
  if (!tree.leaf(v)) own = cuts_below(tree, tree.children(v), values);
  if (!tree.leaf(v)) own.emplace_back();
  for (const auto& rest : cuts_below(tree, nodes, values))
    for (const auto& part : own) {
      auto cut = rest;
      for (std::uint32_t i = tree[v].value; i < tree[v].value + tree[v].values; ++i)
        cut[i] = part.empty() ? tree[v].level : part[i];
      actual.push_back(std::move(cut));
    }
  return actual;
}

struct Evaluated {
  bool valid = true;
  Cost cost = 0;
};

/// A cut by the definitions, class by class.
inline Evaluated evaluated(const Posed& p, const cuts::Cut& cut) {
  const Frequencies& f = p.frequencies;
  std::map<std::vector<std::uint32_t>, std::vector<std::size_t>> classes;
  for (std::size_t i = 0; i < f.size(); ++i) {
    std::vector<std::uint32_t> key;
    for (std::size_t a = 0; a < f.attributes(); ++a) {
      const std::uint32_t level = cut[a][f.codes(a)[i]];
      key.push_back(level);
      key.push_back(f.hierarchy(a).level(level).node[f.codes(a)[i]]);
    }
    classes[key].push_back(i);
  }
  Evaluated actual;
  std::int64_t touched = 0;
  for (const auto& [key, rows] : classes) {
    std::map<std::uint32_t, std::int64_t> of_value;
    std::int64_t n = 0;
    for (const std::size_t i : rows) n += f.counts()[i], of_value[f.sensitive()[0].codes[i]] += f.counts()[i];
    bool violated = false;
    std::int64_t hidden = 0;
    for (const auto& [value, count] : of_value)
      if (!p.limits[value].admits(count, n)) violated = true, hidden += count;
    if (p.scheme == cuts::Scheme::none && violated) actual.valid = false;
    std::int64_t kept = n, size = n;
    if (p.scheme == cuts::Scheme::all_records && violated) kept = 0;
    if (p.scheme == cuts::Scheme::violating_records)
      for (;; size = kept) {  // fewer records keep no more
        kept = 0;
        for (const auto& [value, count] : of_value)
          kept += std::min(count, static_cast<std::int64_t>(p.limits[value].floor(size)));
        if (kept >= size) break;
      }
    if (p.scheme != cuts::Scheme::violating_values) hidden = p.scheme == cuts::Scheme::all_values && violated ? n : 0;
    touched += n - kept + hidden;
    if (p.loss.metric == cuts::Metric::discernibility) actual.cost += Cost{kept} * kept + Cost{n - kept} * f.records();
    if (p.loss.metric == cuts::Metric::classification) {
      std::map<std::uint32_t, std::map<std::uint32_t, std::int64_t>> by_label;
      for (const std::size_t i : rows)
        by_label[f.sensitive()[p.loss.target].codes[i]][f.sensitive()[0].codes[i]] += f.counts()[i];
      std::int64_t most = 0;
      for (const auto& [label, counts] : by_label) {
        std::int64_t votes = 0;
        for (const auto& [value, count] : counts)
          votes += p.scheme == cuts::Scheme::violating_records
                       ? std::min(count, static_cast<std::int64_t>(p.limits[value].floor(size)))
                       : count;
        most = std::max(most, votes);
      }
      actual.cost += kept > 0 ? n - most : n;
    }
    if (p.loss.metric == cuts::Metric::values) {
      Cost price = 0;
      for (std::size_t a = 0; a < f.attributes(); ++a) price += p.loss.weight[a][key[2 * a]][key[2 * a + 1]];
      actual.cost += kept * price + (n - kept) * p.loss.record + hidden * p.loss.value;
    }
  }
  actual.valid &= p.scheme == cuts::Scheme::none || touched <= p.limit;
  return actual;
}

/// The costs of all valid cuts, in order.
inline std::vector<Cost> all_costs(const Posed& p) {
  const cuts::Tree tree(p.frequencies, p.lowest, p.highest);
  std::vector<cuts::Cut> cuts{{}};
  for (std::size_t a = 0; a < p.frequencies.attributes(); ++a) {
    std::vector<std::uint32_t> roots;
    for (std::uint32_t v = tree.first(a); v < tree.first(a + 1); v = tree[v].end) roots.push_back(v);
    std::vector<cuts::Cut> longer;
    for (const auto& part : cuts_below(tree, roots, p.frequencies.hierarchy(a).values()))
      for (cuts::Cut cut : cuts) cut.push_back(part), longer.push_back(std::move(cut));
    cuts = std::move(longer);
  }
  std::vector<Cost> costs;
  for (const cuts::Cut& cut : cuts)
    if (const Evaluated actual = evaluated(p, cut); actual.valid) costs.push_back(actual.cost);
  std::ranges::sort(costs);
  return costs;
}

}  // namespace sfumato::testing

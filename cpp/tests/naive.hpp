// The same answers computed the plain way, from nothing but the data: what the tests compare with.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "random_problem.hpp"

namespace sfumato::testing {

inline std::vector<std::uint32_t> published(const Frequencies& frequencies, NodeView node, std::size_t i) {
  std::vector<std::uint32_t> values;
  for (std::size_t a = 0; a < frequencies.attributes(); ++a)
    values.push_back(frequencies.hierarchy(a).level(node[a]).node[frequencies.codes(a)[i]]);
  return values;
}

/// The combinations of every equivalence class.
inline std::vector<std::vector<std::size_t>> classes_at(const Frequencies& frequencies, NodeView node) {
  std::map<std::vector<std::uint32_t>, std::vector<std::size_t>> classes;
  for (std::size_t i = 0; i < frequencies.size(); ++i) classes[published(frequencies, node, i)].push_back(i);
  std::vector<std::vector<std::size_t>> members;
  for (const auto& [values, combinations] : classes) members.push_back(combinations);
  return members;
}

/// Different persons with records in these combinations; a record without a unit is somebody's.
inline std::int64_t persons_of(const Frequencies& frequencies, const std::vector<std::size_t>& members) {
  std::int64_t persons = 0;
  for (const std::size_t i : members)
    persons += frequencies.units() ? frequencies.units()->own()[i] : frequencies.counts()[i];
  for (std::size_t u = 0; frequencies.units() && u < frequencies.units()->shared(); ++u)
    persons += std::ranges::any_of(frequencies.units()->places(u), [&](std::uint32_t i) {
      return std::ranges::find(members, std::size_t{i}) != members.end();
    });
  return std::max<std::int64_t>(persons, 1);
}

/// One class, as models and losses see it.
struct OneClass {
  OneClass(const Frequencies& frequencies, const std::vector<std::size_t>& members) {
    size[0] = 0;
    for (const std::size_t i : members) size[0] += frequencies.counts()[i];
    persons[0] = persons_of(frequencies, members);
    for (const SensitiveColumn& column : frequencies.sensitive()) {
      std::map<std::uint32_t, std::int64_t> records;
      for (const std::size_t i : members) records[column.codes[i]] += frequencies.counts()[i];
      histograms.push_back({{0, records.size()}, {}, {}});
      for (const auto& [value, count] : records) {
        histograms.back().value.push_back(value);
        histograms.back().count.push_back(count);
      }
    }
  }

  Classes classes() const { return {size, histograms, persons}; }
  const Histogram* histogram(std::optional<std::size_t> column) const {
    return column ? &histograms[*column] : nullptr;
  }

  bool violates(const ClassModel& model) const {
    std::uint8_t violated = 0;
    model.mark(classes(), histogram(model.sensitive()), {&violated, 1});
    return violated != 0;
  }

  std::int64_t size[1], persons[1];
  std::vector<Histogram> histograms;
};

struct Outcome {
  bool valid = false;
  std::int64_t suppressed = 0;
  std::int64_t classes = 0;  // published
  Cost cost = 0;
};

inline Outcome outcome(const RandomProblem& problem, const Node& node) {
  const Frequencies& frequencies = problem.frequencies;
  Outcome outcome;
  for (const auto& members : classes_at(frequencies, node)) {
    std::int64_t records = 0;
    for (const std::size_t i : members) records += frequencies.counts()[i];
    bool violates = persons_of(frequencies, members) < problem.k;
    for (std::size_t s = 0; s < problem.l.size(); ++s) {
      std::set<std::uint32_t> values;
      for (const std::size_t i : members) values.insert(frequencies.sensitive()[s].codes[i]);
      violates |= std::cmp_less(values.size(), problem.l[s]);
    }
    const OneClass one(frequencies, members);
    for (const auto& model : problem.more) violates |= one.violates(*model);
    for (const auto& [loss, factor] : problem.of_classes)
      outcome.cost +=
          factor * (violates ? loss->suppressed() * records : loss->of(one.classes(), one.histogram(loss->reads()), 0));
    Cost each = problem.price;
    if (!violates) {
      const auto values = published(frequencies, node, members.front());
      each = 0;
      for (std::size_t a = 0; a < values.size(); ++a) each += problem.unit[a] * problem.weight[a][node[a]][values[a]];
    }
    outcome.cost += each * records;
    outcome.suppressed += violates ? records : 0;
    outcome.classes += !violates;
  }
  outcome.valid = outcome.suppressed <= problem.limit;
  return outcome;
}

inline bool below_or_equal(const Node& v, const Node& u) { return std::ranges::equal(v, u, std::less_equal<>()); }

/// All nodes from lo to hi, in lexicographic order.
inline std::vector<Node> nodes(const Node& lo, const Node& hi) {
  std::vector<Node> all{lo};
  for (Node node = lo;;) {
    std::size_t a = lo.size();
    while (a > 0 && node[a - 1] == hi[a - 1]) node[a - 1] = lo[a - 1], --a;
    if (a == 0) return all;
    ++node[a - 1];
    all.push_back(node);
  }
}

struct Optimum {
  Node node;
  Outcome outcome;
};

/// The first node of least cost; none if no node is valid.
inline std::optional<Optimum> optimum(const RandomProblem& problem) {
  std::optional<Optimum> best;
  for (const Node& node : nodes(problem.bottom, problem.top)) {
    const Outcome here = outcome(problem, node);
    if (here.valid && (!best || here.cost < best->outcome.cost)) best = Optimum{node, here};
  }
  return best;
}

}  // namespace sfumato::testing

// Random small problems from a seed, the same on every platform; uneven hierarchies, absent leaves, ties, cheap and
// dear suppression, bounded levels.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check.hpp"
#include "sfumato/algorithms/lattice/lattice_search.hpp"
#include "sfumato/privacy/distinct_l_diversity.hpp"
#include "sfumato/privacy/k_anonymity.hpp"
#include "sfumato/search/splitmix64.hpp"

namespace sfumato::testing {

/// Numbers of a seed; or those that bytes stand for, as fuzzers draw them.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(std::in_place, seed) {}
  /// A number takes as many bytes as it may need; once they are used up, numbers are those of a fixed row.
  explicit Random(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  /// From 0 to end - 1. The standard distributions differ between libraries, a remainder does not.
  template <std::integral T>
  T below(T end) {
    const auto numbers = static_cast<std::uint64_t>(end);
    return static_cast<T>((engine_ ? (*engine_)() : read(numbers - 1)) % numbers);
  }

  template <std::integral T>
  T between(T least, T most) {
    return static_cast<T>(least + below(static_cast<T>(most - least + 1)));
  }

  template <class T>
  T one_of(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }
  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return choices.begin()[below(choices.size())];
  }

  /// What is left of the bytes.
  std::span<const std::uint8_t> rest() const { return bytes_; }

 private:
  std::uint64_t read(std::uint64_t most) {
    if (bytes_.empty()) return splitmix64(++drawn_);
    std::uint64_t number = 0;
    for (; most > 0 && !bytes_.empty(); most >>= 8, bytes_ = bytes_.subspan(1)) number = number << 8 | bytes_.front();
    return number;
  }

  std::optional<std::mt19937_64> engine_;
  std::span<const std::uint8_t> bytes_;
  std::uint64_t drawn_ = 0;  // beyond the bytes
};

/// A fifth of so many, or all of them if SFUMATO_SUITE is "whole", as in the tests of the package.
inline std::uint64_t suite(std::uint64_t whole) {
  const char* const setting = std::getenv("SFUMATO_SUITE");
  return setting != nullptr && std::string_view(setting) == "whole" ? whole : (whole + 4) / 5;
}

/// Runs the body with one generator per seed; a failure names its seed.
template <class Body>
void for_all_seeds(std::uint64_t count, Body body) {
  for (std::uint64_t seed = 0; seed < count; ++seed) try {
      Random random(seed);
      body(random);
    } catch (const Failure& failure) {
      throw Failure(failure.what() + (" (seed " + std::to_string(seed) + ")"));
    }
}

/// The same for as many as the suite has.
template <class Body>
void for_seeds(std::uint64_t whole, Body body) {
  for_all_seeds(suite(whole), body);
}

/// A level above `finer`: neighbours merge, all of them if it is the root, and nodes gain leaves that do not occur.
inline Level random_level(Random& random, const Level& finer, bool root) {
  std::vector<std::uint32_t> parent;
  Level level;
  for (const std::int64_t leaves : finer.leaves) {
    if (level.leaves.empty() || (!root && random.below(2) == 0)) level.leaves.push_back(random.below(2));
    level.leaves.back() += leaves;
    parent.push_back(static_cast<std::uint32_t>(level.nodes() - 1));
  }
  for (const std::uint32_t node : finer.node) level.node.push_back(parent[node]);
  return level;
}

inline Hierarchy random_hierarchy(Random& random, std::uint32_t values, std::size_t height) {
  std::vector<Level> levels(1);
  for (std::uint32_t v = 0; v < values; ++v) levels[0].node.push_back(v);
  levels[0].leaves.assign(values, 1);
  while (levels.size() <= height)
    levels.push_back(random_level(random, levels.back(), levels.size() == height && random.below(4) > 0));
  return Hierarchy(std::move(levels));
}

/// weight[j][node]: any numbers that do not fall from a node to its parent.
inline std::vector<std::vector<std::int64_t>> random_weight(Random& random, const Hierarchy& hierarchy) {
  std::vector<std::vector<std::int64_t>> weight;
  for (std::size_t j = 0; j <= hierarchy.height(); ++j) {
    const Level& level = hierarchy.level(j);
    std::vector<std::int64_t> least(level.nodes(), 0);
    for (std::size_t v = 0; j > 0 && v < level.node.size(); ++v)
      least[level.node[v]] = std::max(least[level.node[v]], weight[j - 1][hierarchy.level(j - 1).node[v]]);
    for (std::int64_t& w : least) w += random.below(3);
    weight.push_back(std::move(least));
  }
  return weight;
}

/// Values of a column, the low ones more often.
inline std::vector<std::uint32_t> random_codes(Random& random, std::size_t size, std::uint32_t values) {
  std::vector<std::uint32_t> codes;
  for (std::size_t i = 0; i < size; ++i) codes.push_back(std::min(random.below(values), random.below(values)));
  return codes;
}

template <class T>
struct Range {
  T least, most;

  T draw(Random& random) const { return random.between(least, most); }
};

struct Size {
  Range<std::size_t> attributes{1, 4};
  Range<std::uint32_t> values{1, 6};
  Range<std::size_t> height{0, 3};
  Range<std::size_t> combinations{1, 50};
};

/// Persons with some of the records: many in one combination alone, the others in several of them.
inline Units random_units(Random& random, const std::vector<std::int64_t>& counts) {
  std::vector<std::int64_t> own;
  for (const std::int64_t count : counts) own.push_back(random.between<std::int64_t>(0, count));
  std::vector<std::size_t> begin{0};
  std::vector<std::uint32_t> combination;
  for (std::size_t u = random.below<std::size_t>(6); u > 0; --u) {
    for (std::uint32_t i = 0; i < counts.size(); ++i)
      if (random.below(4) == 0) combination.push_back(i);
    begin.push_back(combination.size());
  }
  return {std::move(own), std::move(begin), std::move(combination)};
}

inline Frequencies random_frequencies(Random& random, const Size& size) {
  const std::size_t attributes = size.attributes.draw(random);
  const std::size_t combinations = size.combinations.draw(random);
  std::vector<Hierarchy> hierarchies;
  std::vector<std::vector<std::uint32_t>> codes;
  for (std::size_t a = 0; a < attributes; ++a) {
    const std::uint32_t values = size.values.draw(random);
    hierarchies.push_back(random_hierarchy(random, values, size.height.draw(random)));
    codes.push_back(random_codes(random, combinations, values));
  }
  std::vector<SensitiveColumn> sensitive(random.below<std::size_t>(3));
  for (SensitiveColumn& column : sensitive) {
    column.values = random.between(1u, 4u);
    column.codes = random_codes(random, combinations, column.values);
    if ((combinations + column.values) % 3 == 0) column.values += 64;  // that do not occur: too many for lanes
  }
  std::vector<std::int64_t> counts(combinations);
  for (std::int64_t& count : counts) count = random.between(1, 3);
  std::optional<Units> units;
  if (random.below(2) == 0) units = random_units(random, counts);
  return {std::move(hierarchies), std::move(codes), std::move(sensitive), std::move(counts), std::move(units)};
}

/// The same records, each so many times, and none of them of one unit with others.
inline Frequencies scaled(const Frequencies& f, std::int64_t times) {
  std::vector<Hierarchy> hierarchies;
  std::vector<std::vector<std::uint32_t>> codes;
  for (std::size_t a = 0; a < f.attributes(); ++a) {
    hierarchies.push_back(f.hierarchy(a));
    codes.push_back(f.codes(a));
  }
  std::vector<std::int64_t> counts;
  for (const std::int64_t count : f.counts()) counts.push_back(count * times);
  return {std::move(hierarchies), std::move(codes), f.sensitive(), std::move(counts)};
}

inline Node bottom_of(const Frequencies& frequencies) { return Node(frequencies.attributes(), 0); }

inline Node top_of(const Frequencies& frequencies) {
  Node top;
  for (std::size_t a = 0; a < frequencies.attributes(); ++a)
    top.push_back(static_cast<std::uint16_t>(frequencies.hierarchy(a).height()));
  return top;
}

inline Node random_node(Random& random, const Node& lo, const Node& hi) {
  Node node = lo;
  for (std::size_t a = 0; a < lo.size(); ++a) node[a] = random.between(lo[a], hi[a]);
  return node;
}

/// A problem with its numbers laid open, for whoever computes the answer in another way.
class RandomProblem {
 public:
  Frequencies frequencies;
  std::int64_t k;
  std::vector<std::int64_t> l;  // by sensitive attribute
  std::vector<std::vector<std::vector<std::int64_t>>> weight;
  std::vector<Cost> unit;
  Cost price;  // of a suppressed record
  std::int64_t limit;
  Node bottom, top;
  Models more;                              // beside k and l
  std::vector<Loss::OfClasses> of_classes;  // beside values

  explicit RandomProblem(Random& random, const Size& size = {})
      : frequencies(random_frequencies(random, size)), k(random.between(1, 6)) {
    for (const SensitiveColumn& column : frequencies.sensitive())
      l.push_back(random.between(1u, std::min(3u, column.values)));
    Cost dearest = 0;
    for (std::size_t a = 0; a < frequencies.attributes(); ++a) {
      weight.push_back(random_weight(random, frequencies.hierarchy(a)));
      unit.push_back(random.one_of<Cost>({0, 1, 1, 2, 2, 3, 3, 4, 5, (Cost{1} << 80) + 1}));
      dearest += unit[a] * std::ranges::max(weight[a].back());
    }
    price = random.one_of<Cost>({dearest, dearest, dearest + 1, dearest / 2, dearest / 4, 0});
    limit = frequencies.records() / random.one_of<std::int64_t>({1, 2, 4, 5, 10, frequencies.records() + 1});
    bottom = bottom_of(frequencies), top = top_of(frequencies);
    if (random.below(4) == 0) bottom = random_node(random, bottom, top);
    if (random.below(4) == 0) top = random_node(random, bottom, top);
  }

  Models models() const {
    Models models{std::make_shared<KAnonymity>(k)};
    for (std::size_t s = 0; s < l.size(); ++s) models.push_back(std::make_shared<DistinctLDiversity>(s, l[s]));
    models.insert(models.end(), more.begin(), more.end());
    return models;
  }

  SeparableLoss loss() const { return {weight, unit, price}; }
  Loss whole_loss() const { return {{loss()}, of_classes}; }

  lattice::Result solve(Control& control) const {
    return lattice::lattice_search({frequencies, models(), whole_loss(), limit, bottom, top}, control);
  }
};

}  // namespace sfumato::testing

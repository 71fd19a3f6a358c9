#include "sfumato/algorithms/lattice/incognito.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "sfumato/algorithms/lattice/subset_lattice.hpp"
#include "sfumato/search/lattice_checks.hpp"
#include "sfumato/search/planted.hpp"

namespace sfumato::lattice {
namespace {

/// The table with one more level of a single node on top of every hierarchy: the level of attributes left out.
Frequencies with_omission(const Frequencies& frequencies) {
  std::vector<Hierarchy> hierarchies;
  std::vector<std::vector<std::uint32_t>> codes;
  for (std::size_t a = 0; a < frequencies.attributes(); ++a) {
    std::vector<Level> levels;
    const Hierarchy& hierarchy = frequencies.hierarchy(a);
    for (std::size_t j = 0; j <= hierarchy.height(); ++j) levels.push_back(hierarchy.level(j));
    const std::size_t values = hierarchy.values();
    levels.push_back({std::vector<std::uint32_t>(values, 0), std::vector<std::int64_t>(values > 0 ? 1 : 0, 1)});
    hierarchies.emplace_back(std::move(levels));
    codes.push_back(frequencies.codes(a));
  }
  return {std::move(hierarchies), std::move(codes),    frequencies.sensitive(),
          frequencies.counts(),   frequencies.units(), frequencies.population()};
}

Node omission(const Frequencies& frequencies) {
  Node omitted;
  for (std::size_t a = 0; a < frequencies.attributes(); ++a)
    omitted.push_back(static_cast<std::uint16_t>(frequencies.hierarchy(a).height()));
  return omitted;
}

/// The candidates of one subset. Its super-root, the meet of its roots, is rolled up from the table once for all.
struct Family {
  Node super_root;
  std::size_t roots = 0;
  FrequencySet set;
};

class IncognitoSearch {
 public:
  IncognitoSearch(const IncognitoProblem& problem, Control& control)
      : problem_(problem),
        control_(control),
        frequencies_(with_omission(problem.frequencies)),
        omitted_(omission(frequencies_)),
        packing_(frequencies_),
        sets_(packing_, problem_.models, control.limits().memory),
        lattice_(problem.bottom, problem.top),
        whole_(sets_.whole()),
        lowest_(problem.bottom) {}

  IncognitoResult run() {
    raise_bound();
    bool done = true;
    std::vector<Candidate> candidates = lattice_.single();
    for (std::size_t size = 1; done && size <= lattice_.attributes(); ++size) {
      done = search(candidates, size == lattice_.attributes());
      if (!done || size == lattice_.attributes()) break;
      raise_lowest(candidates);
      candidates = lattice_.joined(candidates, problem_.most_candidates, control_);
      result_.overflow = candidates.size() > problem_.most_candidates;
      done = !result_.overflow && !control_.stopped();
    }
    if (lattice_.attributes() == 0) done = check_everything();
    result_.complete = done;
    return finished();
  }

 private:
  /// Breadth first over the candidate graphs of all subsets of one size; leaves the survivors. False if stopped.
  bool search(std::vector<Candidate>& candidates, bool last) {
    const KeyIndex index(candidates);
    const std::vector<std::uint32_t> order = by_height(candidates);
    find_roots(candidates, index);
    passes_.assign(candidates.size(), 0);
    failed_.clear();
    std::unordered_map<std::uint32_t, FrequencySet> below;  // sets of failed nodes of the height below
    std::uint32_t height = 0;
    for (const std::uint32_t i : order) {
      if (candidates[i].height > height) {
        height = candidates[i].height;
        below = std::move(failed_);
        failed_.clear();
      }
      if (!visit(candidates[i], i, index, below, last)) return false;
    }
    std::size_t survivors = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if (passes_[i]) candidates[survivors++] = candidates[i];
    candidates.resize(survivors);
    return true;
  }

  bool visit(const Candidate& candidate, std::uint32_t i, const KeyIndex& index,
             const std::unordered_map<std::uint32_t, FrequencySet>& below, bool last) {
    bool marked = false, root = true;
    FrequencySet source;
    lattice_.specialisations(candidate.key, [&](std::uint64_t key) {
      const std::uint32_t j = index.find(key);
      if (j == KeyIndex::none) return;
      root = false;
      marked |= passes_[j] != 0;
      const auto set = below.find(j);
      if (set != below.end() && (!source || set->second->size() < source->size())) source = set->second;
    });
    if (is_planted(Fault::marked_too_far) && !root && candidate.height % 3 == 2) marked = true;
    if (marked) {
      passes_[i] = 1;
      return true;
    }
    if (!control_.examine()) return false;
    if (root) source = root_set(candidate);
    check(candidate, i, source ? std::move(source) : whole_, last);
    return true;
  }

  void check(const Candidate& candidate, std::uint32_t i, FrequencySet source, bool last) {
    lattice_.levels(candidate.key, omitted_, node_);
    const Check check = sets_.check(*source, node_);
    passes_[i] = check.violating == 0;
    if (is_planted(Fault::node_skipped) && last && result_.minimal.empty() && skipped_++ == 0) passes_[i] = 0;
    if (passes_[i]) {
      if (last) add_minimal(node_);
    } else if (!lattice_.topmost(candidate.key)) {
      // What lies above is rolled up from here, if that is worth a copy.
      if (2 * check.classes <= source->size() && !sets_.full()) source = sets_.roll_up(*source, node_);
      failed_.emplace(i, std::move(source));
    }
  }

  /// No valid node lies below one that had to be checked: all of them were checked, or some of their subsets, and
  /// failed.
  void add_minimal(const Node& node) {
    result_.minimal.push_back(node);
    result_.costs.push_back(problem_.cost(node));
    if (result_.costs.back() < least_) control_.improved(least_ = result_.costs.back());
  }

  void find_roots(const std::vector<Candidate>& candidates, const KeyIndex& index) {
    families_.clear();
    for (const Candidate& candidate : candidates) {
      bool root = true;
      lattice_.specialisations(candidate.key, [&](std::uint64_t key) { root &= index.find(key) == KeyIndex::none; });
      if (!root) continue;
      Family& family = families_[lattice_.subset(candidate.key)];
      lattice_.levels(candidate.key, omitted_, node_);
      if (family.roots++ == 0) family.super_root = node_;
      for (std::size_t a = 0; a < node_.size(); ++a) family.super_root[a] = std::min(family.super_root[a], node_[a]);
    }
  }

  /// What a root is computed from: the only one of its subset from the table, several from their super-root.
  FrequencySet root_set(const Candidate& candidate) {
    Family& family = families_.at(lattice_.subset(candidate.key));
    if (!family.set)
      family.set = family.roots > 1 && !sets_.full() ? sets_.roll_up(*whole_, family.super_root) : whole_;
    FrequencySet set = family.set;
    if (--family.roots == 0) family.set.reset();
    return set;
  }

  /// No valid node has an attribute below the lowest level that survives in some subset.
  void raise_lowest(const std::vector<Candidate>& survivors) {
    Node lowest = omitted_, node;
    for (const Candidate& survivor : survivors) {
      lattice_.levels(survivor.key, omitted_, node);
      for (std::size_t a = 0; a < node.size(); ++a) lowest[a] = std::min(lowest[a], node[a]);
    }
    const bool possible = std::equal(lowest.begin(), lowest.end(), problem_.top.begin(), std::less_equal<>());
    if (!possible || lowest == lowest_) return;  // an attribute without survivors: there will be no more candidates
    lowest_ = lowest;
    raise_bound();
    if (!sets_.full()) whole_ = sets_.roll_up(*whole_, lowest_);
  }

  void raise_bound() {
    result_.bound = problem_.cost(lowest_) + (is_planted(Fault::bound_one_too_high) ? 1 : 0);
    control_.tick(result_.bound);
  }

  /// Without attributes there is one node.
  bool check_everything() {
    if (!control_.examine()) return false;
    if (sets_.check(*whole_, omitted_).violating == 0) add_minimal(omitted_);
    return true;
  }

  IncognitoResult finished() {
    std::vector<std::size_t> order(result_.minimal.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
      return std::pair(result_.costs[x], result_.minimal[x]) < std::pair(result_.costs[y], result_.minimal[y]);
    });
    IncognitoResult result{result_.complete, result_.overflow, {}, {}, result_.bound};
    for (const std::size_t i : order) {
      result.minimal.push_back(std::move(result_.minimal[i]));
      result.costs.push_back(result_.costs[i]);
    }
    result.bound = result.complete ? least_ : std::min(result.bound, least_);
    control_.finish(result.bound);
    return result;
  }

  static std::vector<std::uint32_t> by_height(const std::vector<Candidate>& candidates) {
    std::vector<std::uint32_t> order(candidates.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t x, std::uint32_t y) { return candidates[x].height < candidates[y].height; });
    return order;
  }

  const IncognitoProblem& problem_;
  Control& control_;
  Frequencies frequencies_;
  Node omitted_;
  Packing packing_;
  FrequencySets sets_;
  SubsetLattice lattice_;
  FrequencySet whole_;
  Node lowest_;
  Node node_;
  std::vector<std::uint8_t> passes_;
  std::unordered_map<std::uint32_t, FrequencySet> failed_;  // by candidate of the current height
  std::unordered_map<std::uint64_t, Family> families_;      // by subset
  Cost least_ = no_cost;
  std::size_t skipped_ = 0;
  IncognitoResult result_;
};

}  // namespace

IncognitoResult incognito(const IncognitoProblem& problem, Control& control) {
  require_lattice(problem.frequencies, problem.bottom, problem.top);
  require_columns(problem.frequencies, problem.models);
  return IncognitoSearch(problem, control).run();
}

}  // namespace sfumato::lattice

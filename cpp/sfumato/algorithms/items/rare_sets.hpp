// Rare sets: sets of up to m nodes that fewer than k records have, raised as far as they stay rare.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "sfumato/algorithms/items/repair.hpp"

namespace sfumato::items {

struct RareSets {
  std::vector<std::vector<ItemNode>> sets;  // the shorter ones first
  std::vector<ItemNode> unfinished;         // members that further rare sets may have
  bool all = true;                          // every other rare set has one of these in it
  std::size_t size = 0;                     // there are no smaller rare sets, fresh ones that is
};

/// Rare sets among the nodes of a cut, looked at down to a depth: at most `most`, and at most `most_each` of those that
/// begin alike. Single nodes alone, as long as some are rare; then sets of up to `size`, and larger ones, up to m, only
/// if there are none. fresh: only sets with one of these nodes.
inline RareSets rare_sets(const Baskets& baskets, const Cut& cut, ItemNode depth, std::int64_t k, std::size_t size,
                          std::size_t m, std::size_t most, std::size_t most_each,
                          std::span<const std::uint8_t> fresh = {}) {
  const ItemTree& tree = baskets.tree;
  const std::vector<ItemNode> image = cut.image(depth);
  RareSets rare;
  rare.size = size;
  for (ItemNode v = 0; v < tree.size(); ++v) {
    const bool published = image[v] == v && (!tree.inner(v) || cut.closed(v) || tree.depth[v] == depth);
    if (published && baskets.support[v] > 0 && baskets.support[v] < k) rare.sets.push_back({v});
  }
  if (!rare.sets.empty()) {
    rare.all = false;
    return rare;
  }
  const CutRecords at(baskets, image, depth, fresh);
  ItemNode first = 0;
  std::size_t alike = 0;
  Walk walk(at.records, at.node.size(), k, m);
  const auto report = [&](std::span<const ItemNode> set) {
    if (set[0] != first) first = set[0], alike = 0;
    ++alike;
    std::vector<ItemNode>& nodes = rare.sets.emplace_back();
    for (const ItemNode number : set) nodes.push_back(at.node[number]);
    if (rare.sets.size() < most && alike < most_each) return VisitResult::go_on;
    rare.unfinished.push_back(at.node[first]);
    rare.all = rare.sets.size() < most;
    return rare.all ? VisitResult::next_first : VisitResult::stop;
  };
  for (; rare.sets.empty() && rare.size <= m; ++rare.size) walk.run(report, at.fresh, rare.size);
  --rare.size;
  std::ranges::stable_sort(rare.sets, {}, [](const std::vector<ItemNode>& set) { return set.size(); });
  return rare;
}

/// Raises members of rare sets, as long as fewer than k records have them: what any valid cut must avoid more widely.
/// Sets that begin differently meet on the way up; each is counted once.
class RaiseWhileRare {
 public:
  RaiseWhileRare(const Baskets& baskets, std::int64_t k) : baskets_(baskets), k_(k) {}

  /// The set with the given member raised first, in preorder; a set with the root in it has no further way up.
  std::vector<ItemNode> operator()(std::vector<ItemNode> set, std::size_t first) {
    const ItemTree& tree = baskets_.tree;
    std::rotate(set.begin(), set.begin() + static_cast<std::ptrdiff_t>(first), set.end());
    for (std::size_t i = 0; i < set.size();) {
      const ItemNode before = set[i];
      set[i] = tree.parent[before];
      bool antichain = before != 0;
      for (std::size_t j = 0; j < set.size() && antichain; ++j) antichain = j == i || !tree.comparable(set[i], set[j]);
      if (antichain && is_rare(set)) continue;
      set[i++] = before;
    }
    std::ranges::sort(set);
    return set;
  }

 private:
  struct Hash {
    std::size_t operator()(const std::vector<ItemNode>& set) const { return hash_of(set); }
  };

  bool is_rare(const std::vector<ItemNode>& set) {
    sorted_ = set;
    std::ranges::sort(sorted_);
    const auto [at, fresh] = cached_.try_emplace(sorted_, false);
    if (fresh) at->second = baskets_.supported(sorted_, k_) < k_;
    return at->second;
  }

  const Baskets& baskets_;
  std::int64_t k_;
  std::unordered_map<std::vector<ItemNode>, bool, Hash> cached_;
  std::vector<ItemNode> sorted_;
};

/// The clause of a rare set: any valid cut closes one of these nodes. What covers another of them follows from that.
inline std::vector<ItemNode> clause_of(const ItemTree& tree, std::span<const ItemNode> set) {
  std::vector<ItemNode> parents;
  for (const ItemNode v : set) parents.push_back(tree.parent[v]);
  std::ranges::sort(parents);
  const auto repeated = std::ranges::unique(parents);
  parents.erase(repeated.begin(), repeated.end());
  std::vector<ItemNode> clause;
  for (std::size_t i = 0; i < parents.size(); ++i)
    if (i + 1 == parents.size() || !tree.covers(parents[i], parents[i + 1])) clause.push_back(parents[i]);
  return clause;
}

}  // namespace sfumato::items

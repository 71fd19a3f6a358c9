// Rare sets: sets of up to m nodes that fewer than k records have, raised as far as they stay rare.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sfumato/search/itemset_repair.hpp"

namespace sfumato {

struct RareSets {
  std::vector<std::vector<ItemNode>> sets;  // the shorter ones first
  std::vector<ItemNode> unfinished;         // members that further rare sets may have
  bool all = true;                          // every other rare set has one of these in it
  std::size_t size = 0;                     // there are no smaller rare sets, fresh ones that is
};

/// Rare sets among the nodes of a cut, looked at down to a depth: at most `most`, and at most `most_each` of those that
/// begin alike. Single nodes alone, as long as some are rare; then sets of up to `size`, and larger ones, up to m, only if
/// there are none. fresh: only sets with one of these nodes.
inline RareSets rare_sets(const Baskets& baskets, const ItemCut& cut, ItemNode depth, std::int64_t k, std::size_t size,
                          std::size_t m, std::size_t most, std::size_t most_each,
                          std::span<const std::uint8_t> fresh = {}) {
  const ItemTree& tree = baskets.tree;
  const std::vector<ItemNode> image = cut.image(depth);
  RareSets found;
  found.size = size;
  for (ItemNode v = 0; v < tree.size(); ++v) {
    const bool published = image[v] == v && (!tree.inner(v) || cut.closed(v) || tree.depth[v] == depth);
    if (published && baskets.support[v] > 0 && baskets.support[v] < k) found.sets.push_back({v});
  }
  if (!found.sets.empty()) {
    found.all = false;
    return found;
  }
  const CutRecords at(baskets, image, depth, fresh);
  ItemNode first = 0;
  std::size_t alike = 0;
  ItemsetWalk walk(at.records, at.node.size(), k, m);
  const auto tell = [&](std::span<const ItemNode> set) {
    if (set[0] != first) first = set[0], alike = 0;
    ++alike;
    std::vector<ItemNode>& nodes = found.sets.emplace_back();
    for (const ItemNode number : set) nodes.push_back(at.node[number]);
    if (found.sets.size() < most && alike < most_each) return Told::go_on;
    found.unfinished.push_back(at.node[first]);
    found.all = found.sets.size() < most;
    return found.all ? Told::next_first : Told::stop;
  };
  for (; found.sets.empty() && found.size <= m; ++found.size) walk.run(tell, at.fresh, found.size);
  --found.size;
  std::ranges::stable_sort(found.sets, {}, [](const std::vector<ItemNode>& set) { return set.size(); });
  return found;
}

/// The set with members raised, the given one first, as long as fewer than k records have it: what any valid cut must
/// avoid more widely. In preorder; a set with the root in it has no further way up.
inline std::vector<ItemNode> raised_while_rare(const Baskets& baskets, std::vector<ItemNode> set, std::size_t first,
                                               std::int64_t k) {
  const ItemTree& tree = baskets.tree;
  std::rotate(set.begin(), set.begin() + static_cast<std::ptrdiff_t>(first), set.end());
  for (std::size_t i = 0; i < set.size();) {
    std::vector<ItemNode> higher = set;
    higher[i] = tree.parent[set[i]];
    bool antichain = set[i] != 0;
    for (std::size_t j = 0; j < set.size() && antichain; ++j)
      antichain = j == i || !tree.comparable(higher[i], higher[j]);
    if (antichain && baskets.supported(higher, k) < k)
      set = std::move(higher);
    else
      ++i;
  }
  std::ranges::sort(set);
  return set;
}

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

}  // namespace sfumato

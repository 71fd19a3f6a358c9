// What to do about a set of nodes that violates: the cheapest generalization of its members that helps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <queue>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "sfumato/algorithms/items/cut.hpp"

namespace sfumato::items {

/// A set without members that cover others of it; the root alone where one of them is the root.
inline std::vector<ItemNode> highest(const ItemTree& tree, std::span<const ItemNode> nodes) {
  std::vector<ItemNode> sorted(nodes.begin(), nodes.end()), kept;
  std::ranges::sort(sorted);
  for (const ItemNode v : sorted)
    if (kept.empty() || !tree.covers(kept.back(), v)) kept.push_back(v);
  return kept;
}

/// The rule of direct anonymization: each member stays or rises to a node above it; of all ways that help, the cheapest
/// is committed. Ties: fewer members move, then the smaller numbers, member by member.
class CheapestRise {
 public:
  explicit CheapestRise(const Baskets& baskets) : baskets_(baskets) {}

  /// Closes nodes of the cut until the set, generalised with it, is one that helps. False if not even the root is.
  template <class Helps>
  bool operator()(Cut& cut, std::span<const ItemNode> members, Helps helps) {
    members_.assign(members.begin(), members.end());
    std::priority_queue<Choice, std::vector<Choice>, std::greater<>> waiting;
    std::set<std::vector<ItemNode>> offered;
    const auto offer = [&](const std::vector<ItemNode>& targets) {
      if (offered.insert(targets).second) waiting.push(choice(cut, targets));
    };
    offer(members_);
    const Choice* best = nullptr;
    Choice cheapest;
    while (!waiting.empty()) {
      const Choice next = waiting.top();
      waiting.pop();
      if (best != nullptr && std::tie(next.price, next.moved) > std::tie(best->price, best->moved)) break;
      const std::vector<ItemNode> set = highest(baskets_.tree, next.targets);
      if ((best == nullptr || next.targets < best->targets) && helps(set)) {
        cheapest = next;
        best = &cheapest;
      }
      for (std::size_t i = 0; i < members_.size(); ++i)
        if (next.targets[i] != 0) offer(raised(next.targets, i));
    }
    if (best == nullptr) return false;
    for (std::size_t i = 0; i < members_.size(); ++i)
      if (best->targets[i] != members_[i]) cut.close(best->targets[i]);
    return true;
  }

 private:
  struct Choice {
    Cost price = 0;
    std::size_t moved = 0;
    std::vector<ItemNode> targets;

    bool operator>(const Choice& other) const {
      return std::tie(price, moved, targets) > std::tie(other.price, other.moved, other.targets);
    }
  };

  /// The targets with one member a level higher; whatever the new node covers goes there too.
  std::vector<ItemNode> raised(std::vector<ItemNode> targets, std::size_t i) const {
    const ItemNode up = baskets_.tree.parent[targets[i]];
    for (ItemNode& target : targets)
      if (baskets_.tree.covers(up, target)) target = up;
    return targets;
  }

  Choice choice(const Cut& cut, const std::vector<ItemNode>& targets) const {
    Choice made{0, 0, targets};
    std::vector<ItemNode> moved;
    for (std::size_t i = 0; i < targets.size(); ++i)
      if (targets[i] != members_[i]) moved.push_back(targets[i]);
    made.moved = moved.size();
    for (const ItemNode v : highest(baskets_.tree, moved)) made.price += cut.price(v);
    return made;
  }

  const Baskets& baskets_;
  std::vector<ItemNode> members_;
};

/// The same for sets that fewer than k records have: what helps is support k.
class Repair {
 public:
  Repair(const Baskets& baskets, std::int64_t k) : baskets_(baskets), k_(k), rise_(baskets) {}

  /// Closes nodes of the cut until the set, generalised with it, has support k. False if not even the root has.
  bool operator()(Cut& cut, std::span<const ItemNode> members) {
    return rise_(cut, members, [&](std::span<const ItemNode> set) { return baskets_.supported(set, k_) >= k_; });
  }

 private:
  const Baskets& baskets_;
  std::int64_t k_;
  CheapestRise rise_;
};

}  // namespace sfumato::items

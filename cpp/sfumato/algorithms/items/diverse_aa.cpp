#include <algorithm>
#include <tuple>

#include "sfumato/algorithms/items/anonymization.hpp"
#include "sfumato/algorithms/items/repair.hpp"

namespace sfumato::items {
namespace {

/// What changes the cut, and what it may publish.
class DiverseCut {
 public:
  DiverseCut(const DiverseProblem& problem, Shares& shares, Control& control)
      : baskets_(problem.baskets.all),
        m_(problem.m),
        shares_(shares),
        control_(control),
        rise_(baskets_),
        cut(problem.baskets.all) {}

  /// The rule of the paper, from the cut that generalises nothing. False if it comes to an end before no set violates.
  bool climb() {
    for (std::size_t size = 1; size <= m_; ++size) {
      std::vector<std::uint8_t> fresh;  // at first all nodes are
      for (;;) {
        bool all = true;
        const std::vector<std::vector<ItemNode>> sets = violating(size, fresh, all);
        if (control_.stopped()) return false;
        if (sets.empty()) break;
        const std::vector<std::uint8_t> before = cut.flags();
        for (const std::vector<ItemNode>& set : sets)
          if (std::ranges::all_of(set, [&](ItemNode v) { return cut.alive(v); }) && !repair(set)) return false;
        // Every set that was met lost a member, so that only sets with a node that was closed can violate now.
        fresh.assign(all ? before.size() : 0, 0);
        for (ItemNode v = 0; v < fresh.size(); ++v) fresh[v] = cut.closed(v) && !before[v] && cut.alive(v) ? 1 : 0;
      }
    }
    return true;
  }

  /// Opens closed nodes of a valid cut, the dearest first, where it stays valid: only sets with a node below can show.
  void descend() {
    std::vector<ItemNode> waiting = highest_closed(0, baskets_.tree.size());
    const auto dearer = [&](ItemNode u, ItemNode v) { return std::tuple(gain(u), u) < std::tuple(gain(v), v); };
    std::ranges::make_heap(waiting, dearer);
    while (!waiting.empty() && control_.examine()) {
      std::ranges::pop_heap(waiting, dearer);
      const ItemNode v = waiting.back();
      waiting.pop_back();
      cut.open(v);
      if (!holds_below(v)) {
        cut.close(v);
        continue;
      }
      for (const ItemNode u : highest_closed(v + 1, baskets_.tree.end[v])) {
        waiting.push_back(u);
        std::ranges::push_heap(waiting, dearer);
      }
    }
  }

 private:
  std::vector<std::vector<ItemNode>> violating(std::size_t size, std::span<const std::uint8_t> fresh, bool& all) {
    constexpr std::size_t most = 1 << 16;
    std::vector<std::vector<ItemNode>> sets;
    ViolatingSets(shares_, cut, size, control_, fresh).each([&](std::span<const ItemNode> set) {
      sets.emplace_back(set.begin(), set.end());
      return all = sets.size() < most;
    });
    std::ranges::stable_sort(sets, {}, [](const std::vector<ItemNode>& set) { return set.size(); });
    return sets;
  }

  bool repair(const std::vector<ItemNode>& set) {
    return control_.examine() && rise_(cut, set, [&](std::span<const ItemNode> above) { return shares_.holds(above); });
  }

  bool holds_below(ItemNode v) {
    const std::vector<ItemNode> image = cut.image();
    std::vector<std::uint8_t> fresh(image.size(), 0);
    for (ItemNode u = v + 1; u < baskets_.tree.end[v]; ++u) fresh[u] = image[u] == u ? 1 : 0;
    return ViolatingSets(shares_, cut, m_, control_, fresh).none();
  }

  std::vector<ItemNode> highest_closed(ItemNode begin, ItemNode end) const {
    std::vector<ItemNode> highest;
    for (ItemNode v = begin; v < end; ++v)
      if (cut.closed(v) && cut.alive(v)) highest.push_back(v);
    return highest;
  }

  Cost gain(ItemNode v) const {
    Cost below = 0;
    for (ItemNode u = v + 1; u < baskets_.tree.end[v]; u = baskets_.tree.end[u]) below += baskets_.cost[u];
    return baskets_.cost[v] - below;
  }

  const Baskets& baskets_;
  std::size_t m_;
  Shares& shares_;
  Control& control_;
  CheapestRise rise_;

 public:
  Cut cut;
};

}  // namespace

Result diverse_anonymization(const DiverseProblem& problem, Control& control) {
  Shares shares(problem.baskets, problem.l);
  const ItemNode root = 0;
  const bool top_holds = shares.holds(std::span(&root, 1));
  DiverseCut from_leaves(problem, shares, control);
  const bool found = from_leaves.climb();
  if (found && problem.refined) from_leaves.descend();
  DiverseCut from_root(problem, shares, control);
  from_root.cut.close(0);
  if (top_holds && problem.refined) from_root.descend();
  const bool complete = !control.stopped();
  if (found && !(top_holds && from_root.cut.cost() < from_leaves.cut.cost()))
    return {complete, true, from_leaves.cut.flags()};
  if (top_holds) return {complete, true, from_root.cut.flags()};
  return {complete, false, {}};
}

}  // namespace sfumato::items

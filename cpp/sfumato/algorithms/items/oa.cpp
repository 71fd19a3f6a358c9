#include "sfumato/algorithms/items/anonymization.hpp"

#include <list>
#include <map>
#include <set>

namespace sfumato::items {
namespace {

using Flags = std::vector<std::uint8_t>;

/// The cuts that close one node more: one whose inner children are closed, and which is open itself.
std::vector<Flags> immediate_ancestors(const ItemTree& tree, const Flags& closed) {
  std::vector<Flags> ancestors;
  for (ItemNode v = 0; v < tree.size(); ++v) {
    if (!tree.inner(v) || closed[v]) continue;
    bool ready = true;
    for (ItemNode u = v + 1; u < tree.end[v] && ready; u = tree.end[u]) ready = !tree.inner(u) || closed[u];
    if (!ready) continue;
    ancestors.push_back(closed);
    ancestors.back()[v] = 1;
  }
  return ancestors;
}

}  // namespace

Result optimal_anonymization(const Problem& problem, Control& control) {
  const Baskets& baskets = problem.baskets;
  Result best{true, false, {}};
  Cost least = no_cost;
  // The most general cut first, so that a search that is stopped has an answer; of equals, one that is met stays.
  const Flags all(baskets.tree.size(), 1);
  bool is_top = false;
  if (const Cut top(baskets, all); is_anonymous(baskets, top, problem.k, problem.m)) {
    least = top.cost();
    best.found = is_top = true, best.closed = top.flags();
    control.improved(least);
  }
  std::list<Flags> queue{Flags(baskets.tree.size(), 0)};
  std::map<Flags, std::list<Flags>::iterator> queued{{queue.front(), queue.begin()}};
  std::set<Flags> marked;
  while (!queue.empty()) {
    if (!control.examine()) {
      best.complete = false;
      return best;
    }
    const Flags flags = queue.front();
    queued.erase(flags);
    queue.pop_front();
    const Cut cut(baskets, flags);
    const bool valid = is_anonymous(baskets, cut, problem.k, problem.m);
    if (valid && (cut.cost() < least || (is_top && cut.cost() == least))) {
      least = cut.cost();
      is_top = false;
      best.found = true, best.closed = flags;
      control.improved(least);
    }
    for (Flags& above : immediate_ancestors(baskets.tree, flags)) {
      const auto place = queued.find(above);
      if (valid) {
        if (place != queued.end()) {
          queue.erase(place->second);
          queued.erase(place);
        }
        marked.insert(std::move(above));
      } else if (place == queued.end() && !marked.contains(above)) {
        queue.push_back(above);
        queued.emplace(std::move(above), std::prev(queue.end()));
      }
    }
  }
  return best;
}

}  // namespace sfumato::items

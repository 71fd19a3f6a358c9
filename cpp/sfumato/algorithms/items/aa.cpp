#include "sfumato/algorithms/items/anonymization.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "sfumato/algorithms/items/rare_sets.hpp"

namespace sfumato::items {
namespace {

/// The count tree of expanded records, walked in its order without being built.
class CountTree {
 public:
  /// exact: sets of just `size` nodes; else the leaves of the tree of all sets of up to so many.
  CountTree(const Problem& problem, Cut& cut, std::size_t size, bool exact, Control& control)
      : baskets_(problem.baskets),
        k_(problem.k),
        cut_(cut),
        size_(size),
        exact_(exact),
        control_(control),
        repair_(problem.baskets, problem.k),
        levels_(size) {
    const ItemTree& tree = baskets_.tree;
    for (ItemNode v = 1; v < tree.size(); ++v)
      if (baskets_.support[v] > 0) order_.push_back(v);
    std::ranges::sort(order_, {},
                      [&](ItemNode v) { return std::tuple(-baskets_.support[v], -tree.leaves[v], tree.depth[v], v); });
    std::vector<ItemNode> rank(tree.size(), 0);
    for (std::size_t i = 0; i < order_.size(); ++i) rank[order_[i]] = static_cast<ItemNode>(i);
    const std::vector<ItemNode> image = cut.image();
    const Records at = generalised(baskets_.records, image);
    std::vector<ItemNode> expanded;
    for (std::size_t r = 0; r < at.size(); ++r) {
      expanded.clear();
      for (ItemNode v : at[r])
        for (; v != 0; v = tree.parent[v]) expanded.push_back(rank[v]);
      std::ranges::sort(expanded);
      const auto repeated = std::ranges::unique(expanded);
      expanded.erase(repeated.begin(), repeated.end());
      if (!expanded.empty()) records_.add(expanded, at.weight[r]);
    }
    for (Level& level : levels_) {
      level.count.assign(order_.size(), 0);
      level.places.assign(order_.size(), 0);
    }
  }

  bool run() {
    std::vector<Place> all;
    for (std::size_t r = 0; r < records_.size(); ++r) all.push_back({static_cast<std::uint32_t>(r), 0});
    walk(all);
    return !stopped_;
  }

  /// How many nodes the tree has, if it is built.
  std::uint64_t nodes() {
    std::vector<Place> all;
    for (std::size_t r = 0; r < records_.size(); ++r) all.push_back({static_cast<std::uint32_t>(r), 0});
    return nodes_below(all);
  }

 private:
  struct Place {
    std::uint32_t record, at;
  };
  struct Level {
    std::vector<std::int64_t> count;
    std::vector<std::uint32_t> places;
    std::vector<ItemNode> seen;
    std::vector<Place> room;
  };

  bool compatible(ItemNode v) const {
    return std::ranges::none_of(prefix_, [&](ItemNode u) { return baskets_.tree.comparable(u, v); });
  }
  bool prefix_alive() const {
    return std::ranges::all_of(prefix_, [&](ItemNode u) { return cut_.alive(u); });
  }

  /// Counts the extensions of the prefix, whose records these are.
  Level& extended(std::span<const Place> places) {
    Level& level = levels_[prefix_.size()];
    level.seen.clear();
    for (const Place& place : places) {
      const std::span<const ItemNode> record = records_[place.record];
      for (std::size_t i = place.at; i < record.size(); ++i) {
        if (level.places[record[i]]++ == 0) level.seen.push_back(record[i]);
        level.count[record[i]] += records_.weight[place.record];
      }
    }
    std::erase_if(level.seen, [&](ItemNode rank) {
      if (compatible(order_[rank])) return false;
      level.count[rank] = 0, level.places[rank] = 0;
      return true;
    });
    std::ranges::sort(level.seen);
    return level;
  }

  /// The nodes of the tree below the prefix. Where it is of sets of one size, shorter ones are there as far as they are
  /// the beginning of one.
  std::uint64_t nodes_below(std::span<const Place> places) {
    Level& level = extended(places);
    std::uint64_t total = level.seen.size();
    if (prefix_.size() + 1 < size_) {
      deliver(level, places);
      std::size_t begin = 0;
      for (const ItemNode rank : level.seen) {
        const std::size_t end = level.places[rank];
        stopped_ = stopped_ || control_.stopped();
        prefix_.push_back(order_[rank]);
        const std::uint64_t below =
            stopped_ ? 0 : nodes_below(std::span<const Place>(level.room).subspan(begin, end - begin));
        prefix_.pop_back();
        total += below;
        if (exact_ && below == 0) --total;
        begin = end;
      }
    }
    for (const ItemNode rank : level.seen) level.count[rank] = 0, level.places[rank] = 0;
    return total;
  }

  /// Goes through the extensions of the prefix, whose records these are; true if there is one, dead or alive.
  bool walk(std::span<const Place> places) {
    Level& level = extended(places);
    const bool last = prefix_.size() + 1 == size_;
    if (!last) deliver(level, places);
    std::size_t begin = 0;
    for (const ItemNode rank : level.seen) {
      const std::size_t end = level.places[rank];
      if (!stopped_ && prefix_alive() && cut_.alive(order_[rank]))
        visit(rank, level.count[rank],
              last ? std::span<const Place>() : std::span(level.room).subspan(begin, end - begin));
      begin = end;
    }
    for (const ItemNode rank : level.seen) level.count[rank] = 0, level.places[rank] = 0;
    return !level.seen.empty();
  }

  /// Lists the records of each extension; `places` becomes where those of each end.
  void deliver(Level& level, std::span<const Place> places) const {
    std::uint32_t total = 0;
    for (const ItemNode rank : level.seen) {
      const std::uint32_t held = level.places[rank];
      level.places[rank] = total;
      total += held;
    }
    level.room.resize(total);
    for (const Place& place : places) {
      const std::span<const ItemNode> record = records_[place.record];
      for (std::size_t i = place.at; i < record.size(); ++i)
        if (level.count[record[i]] > 0)
          level.room[level.places[record[i]]++] = {place.record, static_cast<std::uint32_t>(i + 1)};
    }
  }

  void visit(ItemNode rank, std::int64_t count, std::span<const Place> places) {
    prefix_.push_back(order_[rank]);
    bool leaf = prefix_.size() == size_;
    if (!leaf) leaf = !walk(places) && !exact_;
    if (leaf && count < k_ && !stopped_ && prefix_alive()) {
      if (!control_.examine() || !repair_(cut_, prefix_)) stopped_ = true;
    }
    prefix_.pop_back();
  }

  const Baskets& baskets_;
  std::int64_t k_;
  Cut& cut_;
  std::size_t size_;
  bool exact_;
  Control& control_;
  Repair repair_;
  std::vector<ItemNode> order_;
  Records records_;
  std::vector<Level> levels_;
  std::vector<ItemNode> prefix_;
  bool stopped_ = false;
};

bool top_is_anonymous(const Problem& problem) {
  return problem.baskets.support[0] == 0 || problem.baskets.support[0] >= problem.k;
}

Result result_of(Cut& cut, bool complete) {
  if (!complete) cut.close(0);
  return {complete, true, cut.flags()};
}

/// A cut that is valid down to a depth, and ends there.
Result ended_at(const ItemTree& tree, Cut& cut, ItemNode depth) {
  for (ItemNode v = 0; v < tree.size(); ++v)
    if (tree.depth[v] == depth) cut.close(v);
  return {false, true, cut.flags()};
}

/// Opens closed nodes that need not be, dearest first; only sets with a child of the node can get rare by that.
class Opening {
 public:
  /// clauses: some of which every valid cut closes a node of each.
  Opening(const Problem& problem, Cut& cut, const std::vector<std::vector<ItemNode>>& clauses, Control& control)
      : problem_(problem), cut_(cut), control_(control), clauses_(clauses), of_(problem.baskets.tree.size()) {
    for (std::uint32_t c = 0; c < clauses_.size(); ++c)
      for (const ItemNode v : clauses_[c]) of_[v].push_back(c);
  }

  void run() {
    const ItemTree& tree = problem_.baskets.tree;
    std::vector<ItemNode> waiting = candidates(0, tree.size());
    const auto dearer = [&](ItemNode u, ItemNode v) { return std::tuple(gain(u), u) < std::tuple(gain(v), v); };
    std::ranges::make_heap(waiting, dearer);
    while (!waiting.empty() && !control_.stopped()) {
      std::ranges::pop_heap(waiting, dearer);
      const ItemNode v = waiting.back();
      waiting.pop_back();
      if (needed(v)) continue;
      cut_.open(v);
      if (!anonymous_below(v)) {
        cut_.close(v);
        continue;
      }
      for (const ItemNode u : candidates(v + 1, tree.end[v])) {
        waiting.push_back(u);
        std::ranges::push_heap(waiting, dearer);
      }
    }
  }

 private:
  /// The highest closed nodes of a range that were not closed from the start.
  std::vector<ItemNode> candidates(ItemNode begin, ItemNode end) const {
    std::vector<ItemNode> highest_closed;
    for (ItemNode v = begin; v < end; ++v)
      if (cut_.closed(v) && cut_.alive(v) && (problem_.closed.empty() || problem_.closed[v] == 0))
        highest_closed.push_back(v);
    return highest_closed;
  }

  /// Whether a clause has no other closed node.
  bool needed(ItemNode v) const {
    return std::ranges::any_of(of_[v], [&](std::uint32_t c) {
      return std::ranges::none_of(clauses_[c], [&](ItemNode u) { return u != v && cut_.closed(u); });
    });
  }

  Cost gain(ItemNode v) const {
    Cost below = 0;
    for (ItemNode u = v + 1; u < problem_.baskets.tree.end[v]; u = problem_.baskets.tree.end[u])
      below += problem_.baskets.cost[u];
    return problem_.baskets.cost[v] - below;
  }

  /// Child by child, the rarest first: most nodes cannot be opened, and few records show it.
  bool anonymous_below(ItemNode v) const {
    const Baskets& baskets = problem_.baskets;
    const std::vector<ItemNode> image = cut_.image();
    std::vector<ItemNode> node;
    for (ItemNode u = v + 1; u < baskets.tree.end[v]; ++u)
      if (image[u] == u) node.push_back(u);
    std::ranges::stable_sort(node, {}, [&](ItemNode u) { return baskets.held(u); });
    const std::size_t children = node.size();
    for (ItemNode u = 0; u < baskets.tree.size(); ++u)
      if (image[u] == u && !(u > v && u < baskets.tree.end[v])) node.push_back(u);
    std::vector<ItemNode> number(baskets.tree.size(), 0);
    for (std::size_t i = 0; i < node.size(); ++i) number[node[i]] = static_cast<ItemNode>(i);
    for (ItemNode u = 0; u < baskets.tree.size(); ++u) number[u] = number[image[u]];
    for (std::size_t i = 0; i < children; ++i)
      if (!anonymous_with(static_cast<ItemNode>(i), node, number)) return false;
    return true;
  }

  /// Whether no set with a node of the cut is rare, as far as the others in it have larger numbers.
  bool anonymous_with(ItemNode i, const std::vector<ItemNode>& node, const std::vector<ItemNode>& number) const {
    const Baskets& baskets = problem_.baskets;
    Records records;
    std::vector<ItemNode> mapped;
    Sorted sorted(node.size());
    baskets.holders(node[i], [&](std::uint32_t r) {
      mapped.clear();
      for (const ItemNode u : baskets.records[r])
        if (number[u] >= i) mapped.push_back(number[u]);
      sorted(mapped);
      records.add(mapped, baskets.records.weight[r]);
    });
    bool holds = true;
    Walk walk(records, node.size(), problem_.k, problem_.m);
    const auto report = [&](std::span<const ItemNode>) {
      holds = false;
      return VisitResult::stop;
    };
    for (std::size_t size = std::min<std::size_t>(problem_.m, 2); holds && size <= problem_.m; ++size)
      walk.run(report, i + 1, size);
    return holds;
  }

  const Problem& problem_;
  Cut& cut_;
  Control& control_;
  const std::vector<std::vector<ItemNode>>& clauses_;
  std::vector<std::vector<std::uint32_t>> of_;  // by node: the clauses with it
};

}  // namespace

Result apriori_anonymization(const Problem& problem, Control& control) {
  if (!top_is_anonymous(problem)) return {true, false, {}};
  Cut cut(problem.baskets, problem.closed);
  for (std::size_t i = 1; i <= problem.m; ++i)
    if (!CountTree(problem, cut, i, true, control).run()) return result_of(cut, false);
  return result_of(cut, true);
}

std::optional<std::uint64_t> count_tree_nodes(const Problem& problem, bool exact, Control& control) {
  Cut cut(problem.baskets, problem.closed);
  const std::uint64_t nodes = CountTree(problem, cut, problem.m, exact, control).nodes();
  return control.stopped() ? std::nullopt : std::optional(nodes);
}

Result direct_anonymization(const Problem& problem, Control& control) {
  if (!top_is_anonymous(problem)) return {true, false, {}};
  Cut cut(problem.baskets, problem.closed);
  return result_of(cut, CountTree(problem, cut, problem.m, false, control).run());
}

Result staged_anonymization(const Problem& problem, Control& control) {
  constexpr std::size_t most = 1 << 16, most_each = 64;
  if (!top_is_anonymous(problem)) return {true, false, {}};
  const Baskets& baskets = problem.baskets;
  Cut cut(baskets, problem.closed);
  Repair repair(baskets, problem.k);
  RaiseWhileRare raise(baskets, problem.k);
  const ItemNode height = *std::ranges::max_element(baskets.tree.depth);
  std::vector<std::vector<ItemNode>> clauses;
  const std::size_t pair = std::min<std::size_t>(problem.m, 2);
  // Small sets first, as in AA: they are counted fast, and what they close leaves fewer large ones. Just above the
  // leaves there are nearly as many sets as of leaves, which will be raised: pairs do there.
  ItemNode valid = 0;  // down to here
  for (ItemNode depth = 1; depth <= height; ++depth) {
    const std::size_t largest = depth + 1 == height ? pair : problem.m;
    std::vector<std::uint8_t> fresh;  // at first all nodes are
    for (std::size_t size = pair; size <= largest;) {
      if (control.stopped()) return ended_at(baskets.tree, cut, valid);
      const std::size_t upto = fresh.empty() ? largest : size;
      const RareSets rare = rare_sets(baskets, cut, depth, problem.k, size, upto, most, most_each, fresh);
      if (rare.sets.empty()) {
        fresh.clear();
        size = rare.size + 1;
        continue;
      }
      size = rare.size;
      const std::vector<std::uint8_t> before = cut.flags();
      for (const std::vector<ItemNode>& set : rare.sets) {
        if (!std::ranges::all_of(set, [&](ItemNode v) { return cut.alive(v); })) {
          clauses.push_back(clause_of(baskets.tree, set));
          continue;
        }
        if (!control.examine()) return ended_at(baskets.tree, cut, valid);
        const std::vector<ItemNode> raised = raise(set, 0);
        clauses.push_back(clause_of(baskets.tree, raised));
        repair(cut, raised);
      }
      // Whatever was rare lost a member. So only sets can be rare now that have a node that was closed, or that were
      // not looked at.
      fresh.assign(rare.all ? before.size() : 0, 0);
      for (ItemNode v = 0; v < fresh.size(); ++v) fresh[v] = cut.closed(v) && !before[v] && cut.alive(v) ? 1 : 0;
      for (const ItemNode v : rare.unfinished)
        if (rare.all && cut.alive(v)) fresh[v] = 1;
    }
    if (largest == problem.m) valid = depth;
  }
  std::ranges::sort(clauses);
  const auto repeated = std::ranges::unique(clauses);
  clauses.erase(repeated.begin(), repeated.end());
  Opening(problem, cut, clauses, control).run();
  Result result = result_of(cut, true);
  result.clauses = std::move(clauses);
  return result;
}

}  // namespace sfumato::items

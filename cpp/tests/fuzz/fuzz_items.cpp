// Searches for cuts of items: AA, DA, OA, AA in stages, and for l^m-diversity.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "fuzz.hpp"
#include "sfumato/algorithms/items/anonymization.hpp"
#include "sfumato/algorithms/items/rare_sets.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

using Flags = std::vector<std::uint8_t>;

struct Grown {
  std::vector<ItemNode> parent{0};
  std::vector<std::int64_t> leaves{0};

  void below(Random& random, ItemNode at, int depth) {
    const int children = depth == 0                          ? random.between(1, 4)
                         : depth < 3 && random.below(3) == 0 ? random.between(1, 3)
                                                             : 0;
    for (int i = 0; i < children && parent.size() < 14; ++i) {
      const auto child = static_cast<ItemNode>(parent.size());
      parent.push_back(at), leaves.push_back(0);
      below(random, child, depth + 1);
      leaves[at] += leaves[child];
    }
    if (leaves[at] == 0) leaves[at] = 1;
  }
};

Records some_sets(Random& random, const std::vector<ItemNode>& items, std::size_t most) {
  Records records;
  const bool many = random.below(8) == 0;
  for (std::size_t r = random.between<std::size_t>(1, most); r > 0; --r) {
    std::set<ItemNode> set;
    for (int i = random.between(1, 4); i > 0; --i) set.insert(random.one_of(items));
    const std::int64_t weight =
        many ? std::clamp<std::int64_t>(edge(random), 1, (most_records - 1) / 16) : random.between<std::int64_t>(1, 3);
    records.add(std::vector<ItemNode>(set.begin(), set.end()), weight);
  }
  return records;
}

/// What it costs to publish all below a node as that node: no less than its parts.
std::vector<Cost> some_costs(Random& random, const ItemTree& tree) {
  const Cost unit = Cost{1} << random.one_of<int>({0, 0, 0, 40, 100});
  std::vector<Cost> cost(tree.size(), 0);
  for (ItemNode v = tree.size(); v-- > 0;) {
    if (tree.inner(v)) cost[v] += unit * random.below(4);
    if (v > 0) cost[tree.parent[v]] += cost[v];
  }
  return cost;
}

std::vector<ItemNode> image_of(const ItemTree& tree, const Flags& closed) {
  std::vector<ItemNode> image(tree.size());
  for (ItemNode v = 0; v < tree.size(); ++v) {
    image[v] = v;
    for (ItemNode u = v;; u = tree.parent[u]) {
      if (closed[u] && tree.inner(u)) image[v] = u;
      if (u == 0) break;
    }
  }
  return image;
}

using Sets = std::map<std::vector<ItemNode>, std::int64_t>;

/// How often each set of up to m published nodes occurs.
Sets supports(const Records& records, const std::vector<ItemNode>& image, std::size_t m) {
  Sets support;
  for (std::size_t r = 0; r < records.size(); ++r) {
    std::set<ItemNode> published;
    for (const ItemNode v : records[r]) published.insert(image[v]);
    const std::vector<ItemNode> all(published.begin(), published.end());
    for (std::uint32_t mask = 1; mask < 1u << all.size(); ++mask) {
      std::vector<ItemNode> set;
      for (std::size_t i = 0; i < all.size(); ++i)
        if (mask >> i & 1) set.push_back(all[i]);
      if (set.size() <= m) support[set] += records.weight[r];
    }
  }
  return support;
}

bool anonymous(const Records& records, const ItemTree& tree, const Flags& closed, std::int64_t k, std::size_t m) {
  return std::ranges::all_of(supports(records, image_of(tree, closed), m),
                             [k](const auto& set) { return set.second >= k; });
}

Cost cost_of(const ItemTree& tree, const std::vector<Cost>& cost, const Flags& closed) {
  Cost sum = 0;
  const std::vector<ItemNode> image = image_of(tree, closed);
  for (ItemNode v = 0; v < tree.size(); ++v)
    if (image[v] == v && closed[v] && tree.inner(v)) sum += cost[v];
  return sum;
}

/// Closed nodes with all below them, in every way that there is; where nodes are few.
std::vector<Flags> all_cuts(const ItemTree& tree) {
  std::vector<ItemNode> inner;
  for (ItemNode v = 0; v < tree.size(); ++v)
    if (tree.inner(v)) inner.push_back(v);
  std::vector<Flags> cuts;
  for (std::uint32_t mask = 0; inner.size() <= 5 && mask < 1u << inner.size(); ++mask) {
    Flags closed(tree.size(), 0);
    for (std::size_t i = 0; i < inner.size(); ++i) closed[inner[i]] = mask >> i & 1;
    if (std::ranges::all_of(inner, [&](ItemNode v) { return v == 0 || closed[v] || !closed[tree.parent[v]]; }))
      cuts.push_back(std::move(closed));
  }
  return cuts;
}

using Search = items::Result (*)(const items::Problem&, Control&);

void anonymized(Random& random, const Baskets& baskets, const Records& records) {
  const ItemTree& tree = baskets.tree;
  const std::size_t m = random.between<std::size_t>(1, 4);
  const std::int64_t all = baskets.support[0];
  const std::int64_t k = random.below(6) == 0 ? std::max<std::int64_t>(edge(random), 1)
                         : all > 100          ? random.between<std::int64_t>(1, all)
                                              : random.between(1, 6);
  const int chosen = random.below(4);
  Search search = chosen == 0   ? &items::apriori_anonymization
                  : chosen == 1 ? &items::direct_anonymization
                  : chosen == 2 ? &items::staged_anonymization
                                : &items::optimal_anonymization;
  items::Problem problem{baskets, k, m, {}};
  if (chosen < 3 && random.below(4) == 0) {
    problem.closed.assign(tree.size(), 0);
    problem.closed[random.below(tree.size())] = 1;
  }
  Control control(some_limits(random));
  const items::Result result = search(problem, control);
  CHECK_EQUAL(anonymous(records, tree, Flags(tree.size(), 1), k, m), all >= k);
  if (chosen < 3 || result.complete) CHECK_EQUAL(result.found, all >= k);
  if (!result.found) return;
  const items::Cut cut(baskets, result.closed);
  CHECK_EQUAL(cut.cost(), cost_of(tree, baskets.cost, result.closed));
  CHECK(anonymous(records, tree, result.closed, k, m));
  CHECK(items::is_anonymous(baskets, cut, k, m));
  for (ItemNode v = 0; v < problem.closed.size(); ++v) CHECK(!problem.closed[v] || !tree.inner(v) || result.closed[v]);
  if (!result.complete) return;
  for (const Flags& other : all_cuts(tree)) {
    const bool valid = anonymous(records, tree, other, k, m);
    CHECK_EQUAL(valid, items::is_anonymous(baskets, items::Cut(baskets, other), k, m));
    if (!valid) continue;
    if (chosen == 3) CHECK(cut.cost() <= cost_of(tree, baskets.cost, other));
    for (const auto& clause : result.clauses)
      CHECK(std::ranges::any_of(clause, [&](ItemNode v) { return other[v] != 0; }));
  }
}

/// Supports of sets of any nodes, below which records have an item each.
void supported(Random& random, const Baskets& baskets, const Records& records) {
  std::vector<ItemNode> nodes;
  for (int i = random.between(1, 3); i > 0; --i) nodes.push_back(random.below(baskets.tree.size()));
  std::int64_t support = 0;
  for (std::size_t r = 0; r < records.size(); ++r) {
    const bool has = std::ranges::all_of(nodes, [&](ItemNode v) {
      return std::ranges::any_of(records[r], [&](ItemNode item) { return baskets.tree.covers(v, item); });
    });
    support += has ? records.weight[r] : 0;
  }
  const std::int64_t enough = random.below(4) == 0 ? edge(random) : most_records;
  const std::int64_t counted = baskets.supported(nodes, enough);
  CHECK(support < enough ? counted == support : counted >= enough);
}

/// Sensitive items stay as they are; no set of others tells of one with more than 1/l.
void diverse(Random& random, const Baskets& baskets, const Records& records) {
  const ItemTree& tree = baskets.tree;
  Records marked, sensitive;
  std::vector<std::vector<ItemNode>> known(records.size());
  for (std::size_t r = 0; r < records.size(); ++r) {
    if (random.below(2) == 0) continue;
    known[r] = {random.below(2u)};
    if (random.below(4) == 0) known[r] = {0, 1};
    marked.add(records[r], records.weight[r]);
    sensitive.add(known[r], records.weight[r]);
  }
  const bool odd = random.below(32) == 0 && !sensitive.node.empty();
  if (odd) sensitive.node[0] = random.one_of<ItemNode>({tree.size(), 1u << 31, ~0u, ~0u - 1});
  const std::int64_t l = random.below(8) == 0 ? edge(random) : random.between(1, 4);
  const std::size_t m = random.between<std::size_t>(1, 3);
  const Baskets some(tree, marked, baskets.cost);
  Control control(some_limits(random));
  const auto result = unless_refused(
      [&] { return items::diverse_anonymization({{baskets, some, sensitive}, l, m, random.below(2) == 0}, control); });
  CHECK(odd || l < 1 || result);
  CHECK(!odd || !result);
  if (!result || !result->found) return;
  const std::vector<ItemNode> image = image_of(tree, result->closed);
  const Sets everyone = supports(records, image, m);
  for (const ItemNode item : {0u, 1u}) {
    Records with;
    for (std::size_t r = 0; r < records.size(); ++r)
      if (std::ranges::find(known[r], item) != known[r].end()) with.add(records[r], records.weight[r]);
    for (const auto& [set, joint] : supports(with, image, m)) CHECK(Cost{joint} * l <= everyone.at(set));
  }
}

/// Something in trees or sets is not as it should be.
void spoiled(Random& random, Grown& grown) {
  std::vector<ItemNode> items;
  for (ItemNode v = 0; v < grown.parent.size(); ++v)
    if (std::ranges::find(grown.parent.begin() + v + 1, grown.parent.end(), v) == grown.parent.end())
      items.push_back(v);
  Records records = some_sets(random, items, 6);
  std::vector<Cost> costs(grown.parent.size(), 1);
  switch (random.below(6)) {
    case 0: spoil(random, grown.parent); break;
    case 1: spoil(random, grown.leaves); break;
    case 2: spoil(random, records.begin); break;
    case 3: spoil(random, records.node); break;
    case 4: spoil(random, records.weight); break;
    default: costs.pop_back();
  }
  const auto baskets =
      unless_refused([&] { return std::make_shared<Baskets>(ItemTree(grown.parent, grown.leaves), records, costs); });
  if (!baskets) return;
  Control control({.examined = 20});
  items::staged_anonymization({**baskets, 2, 2}, control);
}

}  // namespace

FUZZ(random) {
  const int chosen = random.below(9);
  Grown grown;
  grown.below(random, 0, 0);
  if (chosen == 8) return spoiled(random, grown);
  const ItemTree tree(grown.parent, grown.leaves);
  std::vector<ItemNode> items;
  for (ItemNode v = 0; v < tree.size(); ++v)
    if (!tree.inner(v)) items.push_back(v);
  const Records records = some_sets(random, items, random.below(16) == 0 ? 70 : 8);
  const auto made = unless_refused([&] { return std::make_shared<Baskets>(tree, records, some_costs(random, tree)); });
  if (!made) return;  // more records than are counted
  switch (chosen) {
    case 0: return supported(random, **made, records);
    case 1:
    case 2: return diverse(random, **made, records);
    default: return anonymized(random, **made, records);
  }
}

// LocalSearch: every record is published once, at a tuple above it, in a class that holds.
#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "any_problem.hpp"
#include "fuzz.hpp"
#include "sfumato/algorithms/local/local_search.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

/// Nodes below the last one, depth first; they cost no more than it does.
void grow(Random& random, local::Tree& tree, std::uint32_t at, int depth) {
  const int children = depth == 0 ? random.between(0, 3) : depth < 3 && random.below(2) == 0 ? random.between(1, 3) : 0;
  for (int i = 0; i < children; ++i) {
    const auto child = static_cast<std::uint32_t>(tree.parent.size());
    tree.parent.push_back(at);
    tree.cost.push_back(random.between<std::int64_t>(0, tree.cost[at]));
    grow(random, tree, child, depth + 1);
  }
}

local::Tree some_tree(Random& random, std::int64_t unit) {
  local::Tree tree;
  tree.ordered = random.below(3) == 0;
  if (tree.ordered) {
    std::int64_t cost = 0;
    for (int cells = random.between(1, 6); cells > 0; --cells)
      tree.cost.push_back(std::exchange(cost, cost + unit * random.below(3)));
    tree.missing = tree.cost.size() > 1 && random.below(3) == 0;
    return tree;
  }
  tree.parent = {0};
  tree.cost = {unit * random.between(0, 9)};
  grow(random, tree, 0, 0);
  return tree;
}

std::vector<std::uint32_t> leaves_of(const local::Tree& tree) {
  std::vector<std::uint32_t> leaves;
  for (std::uint32_t v = 0; v < tree.cost.size(); ++v) {
    if (tree.ordered)
      leaves.push_back(v << 16 | v);
    else if (std::find(tree.parent.begin() + v + 1, tree.parent.end(), v) == tree.parent.end())
      leaves.push_back(v);
  }
  return leaves;
}

local::Problem drawn(Random& random) {
  local::Problem problem;
  const std::size_t items = random.between<std::size_t>(1, 8);
  const std::int64_t unit = std::int64_t{1} << random.one_of<int>({0, 0, 0, 30, 44});
  for (int a = random.between(1, 3); a > 0; --a) {
    problem.trees.push_back(some_tree(random, unit));
    const std::vector<std::uint32_t> leaves = leaves_of(problem.trees.back());
    auto& column = problem.leaf.emplace_back();
    for (std::size_t i = 0; i < items; ++i) column.push_back(random.one_of(leaves));
  }
  const std::int64_t times = random.below(6) == 0 ? std::clamp<std::int64_t>(edge(random), 1, 1 << 29) : 1;
  for (std::size_t i = 0; i < items; ++i) problem.counts.push_back(times * random.between(1, random.below(2) ? 3 : 1));
  problem.least = times > 1 ? random.between<std::int64_t>(1, 3 * times) : random.between(1, 4);
  problem.seed = random.below<std::uint64_t>(256);
  if (random.below(2) == 0) return problem;
  SensitiveColumn column{random.between(1u, 4u), {}};
  column.codes = random_codes(random, items, column.values);
  std::vector<std::int64_t> records(column.values, 0);
  for (std::size_t i = 0; i < items; ++i) records[column.codes[i]] += problem.counts[i];
  problem.columns = {std::move(column)};
  if (random.below(2) == 0) {
    const std::int64_t whole = random.between(1, 5), part = random.between<std::int64_t>((whole + 1) / 2, whole);
    problem.models = {std::make_shared<LDiversity>(0, Ratio(part / whole, part % whole, whole))};
    problem.shares = {0, std::vector<std::int64_t>(records.size(), part), whole};
  } else {
    problem.models = {random_model(random, random.below(model_kinds), 0, records)};
  }
  return problem;
}

using Class = std::vector<std::pair<std::uint32_t, std::int64_t>>;  // items and copies

bool holds(const local::Problem& problem, const Class& members) {
  std::int64_t size[1] = {0};
  std::vector<std::int64_t> records(problem.columns.empty() ? 0 : problem.columns[0].values, 0);
  for (const auto& [item, copies] : members) {
    size[0] += copies;
    if (!records.empty()) records[problem.columns[0].codes[item]] += copies;
  }
  std::vector<Histogram> histograms(problem.columns.size(), {{0}, {}, {}});
  for (std::uint32_t v = 0; v < records.size(); ++v)
    if (records[v] > 0) histograms[0].value.push_back(v), histograms[0].count.push_back(records[v]);
  if (!histograms.empty()) histograms[0].begin.push_back(histograms[0].value.size());
  std::uint8_t violated = size[0] < problem.least;
  for (const auto& model : problem.models)
    model->mark({size, histograms}, model->sensitive() ? &histograms[0] : nullptr, {&violated, 1});
  return violated == 0;
}

bool above(const local::Tree& tree, std::uint32_t node, std::uint32_t leaf) {
  if (tree.ordered) {
    const std::uint32_t first = node >> 16, last = node & 0xffff, cell = leaf & 0xffff;
    if (tree.missing && last + 1 == tree.cost.size() && first < last && first > 0) return false;
    return first <= cell && cell <= last && last < tree.cost.size();
  }
  while (leaf != node && leaf != 0) leaf = tree.parent[leaf];
  return leaf == node;
}

std::int64_t cost_of(const local::Tree& tree, std::uint32_t node) {
  return tree.cost[tree.ordered ? (node & 0xffff) - (node >> 16) : node];
}

/// What a record of these items costs at the lowest tuple above them all.
Cost each(const local::Problem& problem, const std::vector<std::uint32_t>& items) {
  Cost sum = 0;
  for (std::size_t a = 0; a < problem.trees.size(); ++a) {
    const local::Tree& tree = problem.trees[a];
    if (tree.ordered) {
      std::uint32_t first = 0xffff, last = 0;
      for (const std::uint32_t item : items) {
        first = std::min(first, problem.leaf[a][item] & 0xffff);
        last = std::max(last, problem.leaf[a][item] & 0xffff);
      }
      const bool all = tree.missing && last + 1 == tree.cost.size() && first < last;
      sum += tree.cost[all ? last : last - first];
      continue;
    }
    std::uint32_t node = problem.leaf[a][items[0]];
    while (!std::ranges::all_of(items, [&](std::uint32_t i) { return above(tree, node, problem.leaf[a][i]); }))
      node = tree.parent[node];
    sum += tree.cost[node];
  }
  return sum;
}

/// The cheapest way to divide the records into classes, by going through all.
class Naive {
 public:
  explicit Naive(const local::Problem& problem) : problem_(problem) {
    for (std::uint32_t i = 0; i < problem.counts.size(); ++i)
      for (std::int64_t c = 0; c < problem.counts[i]; ++c) record_.push_back(i);
  }

  Cost least() {
    place(0);
    return best_;
  }

 private:
  void place(std::size_t record) {
    if (record == record_.size()) return look();
    const std::size_t open = parts_.size();
    for (std::size_t part = 0; part <= open; ++part) {
      if (part == open) parts_.emplace_back();
      parts_[part].push_back(record_[record]);
      place(record + 1);
      parts_[part].pop_back();
      if (part == open) parts_.pop_back();
    }
  }

  void look() {
    Cost cost = 0;
    for (const auto& part : parts_) {
      Class members;
      for (const std::uint32_t item : part) members.emplace_back(item, 1);
      if (!holds(problem_, members)) return;
      cost += std::ssize(part) * each(problem_, part);
    }
    best_ = std::min(best_, cost);
  }

  const local::Problem& problem_;
  std::vector<std::uint32_t> record_;
  std::vector<std::vector<std::uint32_t>> parts_;
  Cost best_ = no_cost;
};

void check(const local::Problem& problem, const local::Result& result) {
  const std::size_t attributes = problem.trees.size();
  std::vector<Class> classes(result.tuples.size() / attributes);
  std::vector<std::int64_t> copies(problem.counts.size(), 0);
  Cost cost = 0;
  for (std::size_t e = 0; e < result.item.size(); ++e) {
    const std::uint32_t item = result.item[e], number = result.number[e];
    CHECK(item < copies.size() && number < classes.size());
    copies[item] += result.copies[e];
    classes[number].emplace_back(item, result.copies[e]);
    for (std::size_t a = 0; a < attributes; ++a) {
      const std::uint32_t node = result.tuples[number * attributes + a];
      CHECK(above(problem.trees[a], node, problem.leaf[a][item]));
      cost += Cost{result.copies[e]} * cost_of(problem.trees[a], node);
    }
  }
  CHECK_EQUAL(copies, problem.counts);
  CHECK_EQUAL(cost, result.cost);
  for (const Class& members : classes) CHECK(holds(problem, members));
  CHECK(result.bound <= result.cost);
}

/// Something in a problem is not as it should be.
void spoil_part(Random& random, local::Problem& problem) {
  local::Tree& tree = problem.trees[random.below(problem.trees.size())];
  switch (random.below(10)) {
    case 0: return spoil(random, tree.parent);
    case 1: tree.cost.push_back(0); break;
    case 2: tree.cost.pop_back(); break;
    case 3: tree.ordered = !tree.ordered; break;
    case 4: tree.missing = !tree.missing; break;
    case 5: return spoil(random, problem.counts);
    case 6:
      if (!problem.columns.empty()) return spoil(random, problem.columns[0].codes);
      return spoil(random, problem.leaf);
    case 7: return spoil(random, problem.shares.most);
    case 8: problem.least = edge(random); break;
    default: return spoil(random, problem.leaf);
  }
}

}  // namespace

FUZZ(random) {
  const bool spoiled = random.below(8) == 0;
  const bool exhaustive = random.below(6) == 0;
  const local::Settings settings{random.below(4) == 0 ? random.below(300) : random.below(30), random.below(3)};
  local::Problem problem = drawn(random);
  if (spoiled) spoil_part(random, problem);
  Control control(some_limits(random));
  const auto result = unless_refused([&] { return local::local_search(problem, settings, control); });
  if (spoiled) return;
  if (!result) {  // it counts copies in 32 bits
    CHECK(std::ranges::max(problem.counts) > std::numeric_limits<std::uint32_t>::max());
    return;
  }
  Class whole;
  for (std::uint32_t i = 0; i < problem.counts.size(); ++i) whole.emplace_back(i, problem.counts[i]);
  CHECK_EQUAL(result->found, holds(problem, whole));
  if (!result->found) return;
  check(problem, *result);
  const std::int64_t records = std::accumulate(problem.counts.begin(), problem.counts.end(), std::int64_t{0});
  if (!exhaustive || records > 6) return;
  const Cost least = Naive(problem).least();
  CHECK(result->bound <= least);
  CHECK(least <= result->cost);
}

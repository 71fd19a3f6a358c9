#include "sfumato/algorithms/lattice/subset_lattice.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "check.hpp"
#include "random_problem.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;  // (attribute, level), by attribute: the paper's nodes
using Edges = std::set<std::pair<Pairs, Pairs>>;

/// The paper's tables C_i, S_i and E_i, and the queries over them, word for word.
struct Relations {
  std::vector<Pairs> nodes;
  Edges edges;
};

struct Joined {
  Pairs node, parent1, parent2;
};

Relations generated(const Relations& survivors) {
  const std::set<Pairs> alive(survivors.nodes.begin(), survivors.nodes.end());
  std::vector<Joined> joined;
  for (const Pairs& p : survivors.nodes)
    for (const Pairs& q : survivors.nodes) {
      if (!std::equal(p.begin(), p.end() - 1, q.begin()) || !(p.back().first < q.back().first)) continue;
      Pairs node = p;
      node.push_back(q.back());
      bool kept = true;
      for (std::size_t i = 0; i < node.size(); ++i) {
        Pairs subset = node;
        subset.erase(subset.begin() + static_cast<std::ptrdiff_t>(i));
        kept &= alive.contains(subset);
      }
      if (kept) joined.push_back({node, p, q});
    }
  Relations next;
  Edges all;
  const Edges& e = survivors.edges;
  for (const Joined& p : joined) {
    next.nodes.push_back(p.node);
    for (const Joined& q : joined) {
      const bool first = e.contains({p.parent1, q.parent1}), second = e.contains({p.parent2, q.parent2});
      if ((first && second) || (first && p.parent2 == q.parent2) || (second && p.parent1 == q.parent1))
        all.insert({p.node, q.node});
    }
  }
  for (const auto& edge : all) {
    const bool implied = std::ranges::any_of(
        all, [&](const auto& other) { return other.first == edge.first && all.contains({other.second, edge.second}); });
    if (!implied) next.edges.insert(edge);
  }
  return next;
}

Pairs pairs_of(const lattice::SubsetLattice& lattice, std::uint64_t key, const Node& omitted) {
  Node node;
  lattice.levels(key, omitted, node);
  Pairs pairs;
  for (std::size_t a = 0; a < node.size(); ++a)
    if (lattice.subset(key) >> a & 1) pairs.emplace_back(a, node[a]);
  return pairs;
}

}  // namespace

/// Survivors that are closed upwards and of which every subset survives, as models leave them: random minimal levels of
/// every attribute and of every pair of them.
TEST(candidates_and_edges_are_those_of_the_paper) {
  for_seeds(60, [](Random& random) {
    const std::size_t attributes = random.between<std::size_t>(2, 4);
    Node bottom(attributes), top(attributes), omitted(attributes, 99);
    for (std::size_t a = 0; a < attributes; ++a) {
      bottom[a] = random.between<std::uint16_t>(0, 1);
      top[a] = static_cast<std::uint16_t>(bottom[a] + random.between(0, 2));
    }
    std::map<Pairs, std::size_t> sums;  // a pair survives if its levels add up to this, each weighed
    const auto survives = [&](const Pairs& node) {
      for (std::size_t x = 0; x < node.size(); ++x)
        for (std::size_t y = x; y < node.size(); ++y) {
          const Pairs which{{node[x].first, 0}, {node[y].first, 0}};
          if (!sums.contains(which)) sums[which] = random.between<std::size_t>(0, 3);
          if (node[x].second + node[y].second < sums[which]) return false;
        }
      return true;
    };
    const lattice::SubsetLattice lattice(bottom, top);
    Control control({});
    std::vector<lattice::Candidate> candidates = lattice.single();
    Relations paper;
    for (std::size_t a = 0; a < attributes; ++a)
      for (std::size_t level = bottom[a]; level <= top[a]; ++level) {
        paper.nodes.push_back({{a, level}});
        if (level > bottom[a]) paper.edges.insert({{{a, level - 1}}, {{a, level}}});
      }
    for (std::size_t size = 1;; ++size) {
      const lattice::KeyIndex index(candidates);
      std::vector<Pairs> ours;
      Edges edges;
      for (const lattice::Candidate& candidate : candidates) {
        ours.push_back(pairs_of(lattice, candidate.key, omitted));
        std::size_t height = 0;
        for (const auto& [a, level] : ours.back()) height += level - bottom[a];
        CHECK_EQUAL(candidate.height, height);
        CHECK_EQUAL(candidates[index.find(candidate.key)].key, candidate.key);
        lattice.specialisations(candidate.key, [&](std::uint64_t key) {
          if (index.find(key) != lattice::KeyIndex::none) edges.insert({pairs_of(lattice, key, omitted), ours.back()});
        });
        CHECK_EQUAL(lattice.topmost(candidate.key),
                    std::ranges::all_of(ours.back(), [&](const auto& pair) { return pair.second == top[pair.first]; }));
      }
      std::ranges::sort(paper.nodes);
      std::ranges::sort(ours);
      CHECK(ours == paper.nodes);
      CHECK(edges == paper.edges);
      if (size == attributes) break;
      std::erase_if(candidates,
                    [&](const lattice::Candidate& c) { return !survives(pairs_of(lattice, c.key, omitted)); });
      std::erase_if(paper.nodes, [&](const Pairs& node) { return !survives(node); });
      std::erase_if(paper.edges, [&](const auto& edge) { return !survives(edge.first) || !survives(edge.second); });
      candidates = lattice.joined(candidates, 1 << 20, control);
      paper = generated(paper);
    }
  });
}

TEST(too_many_nodes_have_no_numbers) {
  CHECK_THROWS(std::length_error, lattice::SubsetLattice(Node(40, 0), Node(40, 5)));
  CHECK_EQUAL(lattice::SubsetLattice(Node(20, 0), Node(20, 5)).single().size(), 120);
}

TEST(joining_ends_early_when_it_has_to) {
  const lattice::SubsetLattice lattice(Node(4, 0), Node(4, 3));
  Control control({}), stopped({});
  stopped.cancel();
  CHECK_EQUAL(lattice.joined(lattice.single(), 1000, control).size(), 6 * 16);
  CHECK(lattice.joined(lattice.single(), 10, control).size() > 10);
  CHECK(lattice.joined(lattice.single(), 1000, stopped).empty());
}

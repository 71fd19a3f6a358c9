#include "sfumato/algorithms/lattice/poka.hpp"

#include <map>
#include <set>

#include "any_problem.hpp"
#include "check.hpp"
#include "naive.hpp"

using namespace sfumato;
using namespace sfumato::testing;

/// Functions 1 to 3 without their lists, on nodes evaluated the plain way.
class Literal {
 public:
  struct Best {
    Node node;
    std::int64_t k = 0;
    Cost cost = 0;
  };

  Literal(const RandomProblem& problem, std::uint32_t depth) : problem_(problem), depth_(depth) {
    problem_.l.clear(), problem_.more.clear();
  }

  std::vector<Best> run(const Node& start) {
    std::vector<Best> points;
    for (base_ = evaluate(start); base_.k > 0; base_ = depth_search(base_.node)) {
      points.push_back(base_);
      if (base_.k <= 2) break;
    }
    return points;
  }

  std::set<Node> evaluated;

 private:
  Best evaluate(const Node& node) {
    evaluated.insert(node);
    const auto [cached, fresh] = points_.try_emplace(node);
    if (!fresh) return cached->second;
    std::map<std::int64_t, std::int64_t> records;  // by persons of the class
    for (const auto& members : classes_at(problem_.frequencies, node))
      for (const std::size_t i : members)
        records[persons_of(problem_.frequencies, members)] += problem_.frequencies.counts()[i];
    std::int64_t spent = 0;
    for (const auto& [persons, count] : records)
      if ((spent += count) > problem_.limit) {
        problem_.k = persons;
        return cached->second = {node, persons, outcome(problem_, node).cost};
      }
    return cached->second = {node, 0, 0};
  }

  std::vector<Node> neighbours(const Node& node, int way) const {
    std::vector<Node> next_nodes;
    for (std::size_t a = 0; a < node.size(); ++a) {
      if (node[a] == (way > 0 ? problem_.top : problem_.bottom)[a]) continue;
      next_nodes.push_back(node);
      next_nodes.back()[a] = static_cast<std::uint16_t>(node[a] + way);
    }
    return next_nodes;
  }

  std::int64_t distance(const Node& node) const {
    std::int64_t sum = 0;
    for (std::size_t a = 0; a < node.size(); ++a) sum += std::abs(int{base_.node[a]} - int{node[a]});
    return sum;
  }

  static void keep(const Best& q, Best& best) {
    if (q.k > best.k || (q.k == best.k && q.cost < best.cost)) best = q;
  }

  Best height_search(const Node& p, bool use_node) {
    Best best = use_node ? evaluate(p) : Best{};
    for (const Node& c : neighbours(p, 1)) {
      if (below_or_equal(c, base_.node) && distance(c) > 1) {
        keep(height_search(c, false), best);
      } else {
        const Best here = evaluate(c);
        if (here.k < base_.k && here.cost < base_.cost) keep(height_search(c, true), best);
      }
    }
    return best;
  }

  Best depth_search(const Node& p) {
    Best best;
    for (const Node& c : neighbours(p, -1)) {
      if (distance(c) < depth_)
        keep(depth_search(c), best);
      else
        keep(height_search(c, depth_ == 1), best);
    }
    return best;
  }

  RandomProblem problem_;
  std::uint32_t depth_;
  Best base_;
  std::map<Node, Best> points_;
};

TEST(poka_is_the_published_one) {
  std::uint64_t compared = 0, long_ways = 0;
  for_seeds(300, [&](Random& random) {
    const RandomProblem problem = random.below(2) == 0 ? RandomProblem(random, {.attributes = {1, 3}})
                                                       : any_problem(random, {.attributes = {1, 3}});
    if (problem.limit >= problem.frequencies.records()) return;
    const std::uint32_t depth = random.between(1u, 3u);
    const Node start = random.below(2) == 0 ? problem.top : random_node(random, problem.bottom, problem.top);
    Literal literal(problem, depth);
    const auto expected = literal.run(start);
    Control control({});
    const lattice::PokaResult result = lattice::poka(
        {problem.frequencies, problem.whole_loss(), problem.limit, problem.bottom, problem.top, start, depth, true},
        control);
    CHECK(result.complete);
    CHECK_EQUAL(result.nodes.size(), literal.evaluated.size());
    CHECK(std::ranges::equal(result.nodes, literal.evaluated, {}, &lattice::PokaPoint::node));
    CHECK_EQUAL(result.points.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CHECK_EQUAL(result.points[i].node, expected[i].node);
      CHECK_EQUAL(result.points[i].k, expected[i].k);
      CHECK(result.points[i].cost == expected[i].cost);
    }
    CHECK_EQUAL(control.progress().examined, static_cast<std::int64_t>(literal.evaluated.size()));
    Control stopped({.examined = control.progress().examined - 1});
    const lattice::PokaResult part = lattice::poka(
        {problem.frequencies, problem.whole_loss(), problem.limit, problem.bottom, problem.top, start, depth}, stopped);
    CHECK(!part.complete && part.nodes.empty());
    CHECK(part.points.size() <= expected.size());
    ++compared;
    long_ways += expected.size() > 3;
  });
  CHECK(compared > suite(100));
  CHECK(long_ways > suite(20));
}

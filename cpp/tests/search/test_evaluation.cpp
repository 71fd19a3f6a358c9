#include "sfumato/search/evaluation.hpp"

#include <map>

#include "any_problem.hpp"
#include "check.hpp"
#include "naive.hpp"

using namespace sfumato;
using namespace sfumato::testing;

static const Size small{.attributes = {1, 3}, .values = {1, 5}, .height = {0, 3}, .combinations = {1, 30}};

namespace {

/// A problem, an evaluator for it, and what is true of every node.
struct Laboratory {
  explicit Laboratory(Random& random)
      : problem(random, small),
        packing(problem.frequencies),
        models(problem.models()),
        loss(problem.loss()),
        store(std::size_t{1} << 30),
        evaluator(packing, models, loss, problem.limit, store),
        whole(evaluator.whole(problem.bottom)) {
    for (const Node& node : nodes(problem.bottom, problem.top)) truth[node] = outcome(problem, node);
  }

  Evaluation check_evaluation(const Base& base, const Node& u) {
    Evaluation evaluation = evaluator.evaluate(base, u);
    CHECK_EQUAL(evaluation.valid, truth[u].valid);
    if (!evaluation.valid) return evaluation;
    CHECK_EQUAL(evaluation.suppressed, truth[u].suppressed);
    CHECK_EQUAL(evaluation.classes, truth[u].classes);
    CHECK_EQUAL(evaluator.cost(evaluation, u), truth[u].cost);
    return evaluation;
  }

  /// For every u from lo to hi, that the base gives the right outcome of u, and bounds the cost of every v from lo to
  /// u.
  void check_base(const Base& base, const Node& lo, const Node& hi) {
    for (const Node& u : nodes(lo, hi)) {
      const Evaluation evaluation = check_evaluation(base, u);
      if (!evaluation.valid) continue;
      for (const Node& v : nodes(lo, u))
        if (truth[v].valid) CHECK(evaluator.at_least(evaluation, v) <= truth[v].cost);
    }
  }

  RandomProblem problem;
  Packing packing;
  Models models;
  Loss loss;  // an evaluator keeps no copy
  BaseStore store;
  Evaluator evaluator;
  std::shared_ptr<const Base> whole;
  std::map<Node, Outcome> truth;
};

}  // namespace

TEST(evaluations_from_the_whole_table_are_true_and_bound_what_lies_below) {
  for_seeds(100, [](Random& random) {
    Laboratory lab(random);
    lab.check_base(*lab.whole, lab.problem.bottom, lab.problem.top);
  });
}

TEST(so_are_they_without_what_a_node_suppresses) {
  for_seeds(100, [](Random& random) {
    Laboratory lab(random);
    const Node& bottom = lab.problem.bottom;
    const Node u = random_node(random, bottom, lab.problem.top);
    const Evaluation evaluation = lab.check_evaluation(*lab.whole, u);
    if (!evaluation.valid) return;
    const auto rest = lab.evaluator.without_hopeless(*lab.whole, evaluation);
    CHECK_EQUAL(rest->tuples.size(), evaluation.kept);
    CHECK_EQUAL(rest->suppressed, evaluation.suppressed);
    lab.check_base(*rest, bottom, u);
  });
}

TEST(so_are_they_from_tuples_rolled_up) {
  for_seeds(100, [](Random& random) {
    Laboratory lab(random);
    const Node w = random_node(random, lab.problem.bottom, lab.problem.top);
    const auto merged = lab.evaluator.roll_up(*lab.whole, w);
    CHECK(merged->tuples.size() <= lab.whole->tuples.size());
    CHECK_EQUAL(merged->at, w);
    lab.check_base(*merged, w, lab.problem.top);
  });
}

TEST(so_are_they_from_any_chain_of_both) {
  for_seeds(200, [](Random& random) {
    Laboratory lab(random);
    Node lo = lab.problem.bottom, hi = lab.problem.top;
    auto base = lab.whole;
    for (int step = 0; step < 4; ++step) {
      if (random.below(2) == 0) {
        lo = random_node(random, lo, random_node(random, lo, hi));
        base = lab.evaluator.roll_up(*base, lo);
      } else {
        const Node u = random_node(random, random_node(random, lo, hi), hi);
        const Evaluation evaluation = lab.check_evaluation(*base, u);
        if (!evaluation.valid) continue;
        hi = u;
        base = lab.evaluator.without_hopeless(*base, evaluation);
      }
      lab.check_base(*base, lo, hi);
    }
  });
}

TEST(the_store_counts_the_bases_it_holds) {
  Base base;
  base.tuples.counts = {1, 1, 1};
  base.tuples.packs = {{0, 1, 2}};
  base.tuples.sensitive = {{2, {0, 1, 0}}};
  CHECK_EQUAL(base.bytes(), 3 * (8 + 4 + 4));
  base.tuples.units = Units({1, 0, 1}, {0, 2}, {0, 1});
  CHECK_EQUAL(base.bytes(), 3 * (8 + 4 + 4) + 3 * 8 + 2 * sizeof(std::size_t) + 2 * 4);
  base.tuples.units.reset();
  BaseStore store(50);
  auto first = store.keep(base);
  CHECK(!store.full());
  auto second = store.keep(base);
  CHECK(store.full());
  first.reset();
  CHECK(!store.full());
}

namespace {

/// Any models and any losses: truths and bounds as above, for nodes that are not valid too.
struct AnyLaboratory {
  explicit AnyLaboratory(Random& random)
      : problem(any_problem(random, small)),
        packing(problem.frequencies),
        models(problem.models()),
        loss(problem.whole_loss()),
        store(std::size_t{1} << 30),
        evaluator(packing, models, loss, problem.limit, store),
        whole(evaluator.whole(problem.bottom)) {
    for (const Node& node : nodes(problem.bottom, problem.top)) truth[node] = outcome(problem, node);
  }

  void check_truth(const Evaluation& evaluation, const Node& u) {
    CHECK_EQUAL(evaluation.valid, truth[u].valid);
    CHECK(evaluation.hopeless + evaluation.forced <= truth[u].suppressed);
    CHECK(evaluation.possible || !evaluation.valid);
    if (!evaluation.valid) return;
    CHECK_EQUAL(evaluation.suppressed, truth[u].suppressed);
    CHECK_EQUAL(evaluation.classes, truth[u].classes);
    CHECK_EQUAL(evaluation.cost, truth[u].cost);
  }

  /// Evaluates u from a base, and checks what that says of every node from lo to u. Classes are bounded from the base
  /// as it is, and more closely without what is hopeless.
  std::shared_ptr<const Base> check(const Base& base, const Node& lo, const Node& u) {
    const Evaluation evaluation = evaluator.evaluate(base, u);
    check_truth(evaluation, u);
    if (!evaluation.possible) {
      for (const Node& v : nodes(lo, u)) CHECK(!truth[v].valid);
      return nullptr;
    }
    auto rest = evaluation.kept < base.tuples.size() ? evaluator.without_hopeless(base, evaluation) : nullptr;
    Cost classes = evaluator.classes_at(base, lo, evaluation.hopeless - base.suppressed);
    if (rest) {
      CHECK_EQUAL(rest->suppressed, evaluation.hopeless);
      CHECK(classes <= evaluator.classes_at(*rest, lo, 0));
      classes = evaluator.classes_at(*rest, lo, 0);
    }
    for (const Node& v : nodes(lo, u))
      if (truth[v].valid) CHECK(evaluator.at_least(evaluation, v) + classes <= truth[v].cost);
    return rest;
  }

  RandomProblem problem;
  Packing packing;
  Models models;
  Loss loss;
  BaseStore store;
  Evaluator evaluator;
  std::shared_ptr<const Base> whole;
  std::map<Node, Outcome> truth;
};

}  // namespace

TEST(with_any_models_and_losses_evaluations_are_true_and_bound_what_lies_below) {
  for_seeds(150, [](Random& random) {
    AnyLaboratory lab(random);
    for (const Node& u : nodes(lab.problem.bottom, lab.problem.top)) lab.check(*lab.whole, lab.problem.bottom, u);
  });
}

TEST(and_so_from_any_chain_of_smaller_bases) {
  for_seeds(300, [](Random& random) {
    AnyLaboratory lab(random);
    Node lo = lab.problem.bottom, hi = lab.problem.top;
    auto base = lab.whole;
    for (int step = 0; step < 5; ++step) {
      if (random.below(2) == 0) {
        lo = random_node(random, lo, random_node(random, lo, hi));
        base = lab.evaluator.roll_up(*base, lo);
      }
      const Node u = random_node(random, random_node(random, lo, hi), hi);
      if (const auto rest = lab.check(*base, lo, u)) base = rest, hi = u;
    }
  });
}

TEST(before_anything_is_evaluated_there_is_a_bound) {
  std::uint64_t above_zero = 0;
  for_seeds(100, [&](Random& random) {
    AnyLaboratory lab(random);
    const Cost bound = lab.evaluator.at_least(*lab.whole, lab.problem.bottom);
    CHECK(bound >= 0);
    above_zero += bound > 0;
    for (const auto& [node, here] : lab.truth)
      if (here.valid) CHECK(bound <= here.cost);
  });
  CHECK(above_zero > suite(10));
}

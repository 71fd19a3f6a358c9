#include "sfumato/algorithms/lattice/lattice_search.hpp"

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>

#include "any_problem.hpp"
#include "check.hpp"
#include "naive.hpp"
#include "planting.hpp"

using namespace sfumato;
using namespace sfumato::testing;

static const Size tiny{.attributes = {1, 3}, .values = {2, 5}, .height = {1, 3}, .combinations = {5, 30}};
static const Size merging{.attributes = {3, 4}, .values = {6, 12}, .height = {2, 3}, .combinations = {100, 300}};
static const Size large{.attributes = {6, 6}, .values = {5, 9}, .height = {3, 4}, .combinations = {300, 400}};

static bool is_optimal(const lattice::Result& result, const std::optional<Optimum>& best) {
  if (!result.complete || result.found != best.has_value() || result.bound != result.cost) return false;
  if (!best) return result.cost == no_cost;
  return result.cost == best->outcome.cost && result.node == best->node &&
         result.suppressed == best->outcome.suppressed && result.classes == best->outcome.classes;
}

/// The bound is below the optimum, and the incumbent is a valid node of the cost that is reported.
static void check_stopped(const RandomProblem& problem, const lattice::Result& result, Cost least) {
  CHECK(result.bound <= least);
  CHECK(result.cost >= least);
  CHECK_EQUAL(result.found, result.cost < no_cost);
  if (result.complete) CHECK_EQUAL(result.cost, least);
  if (!result.found) return;
  const Outcome here = outcome(problem, result.node);
  CHECK(here.valid);
  CHECK_EQUAL(result.cost, here.cost);
  CHECK_EQUAL(result.suppressed, here.suppressed);
  CHECK_EQUAL(result.classes, here.classes);
}

static void check_trace(const Control& control, const lattice::Result& result) {
  const std::vector<Progress> trace = control.trace();
  CHECK_EQUAL(trace.back().incumbent, result.cost);
  CHECK_EQUAL(trace.back().bound, result.bound);
  for (std::size_t i = 0; i < trace.size(); ++i) {
    CHECK(trace[i].bound <= trace[i].incumbent);
    if (i > 0) CHECK(trace[i - 1].bound <= trace[i].bound && trace[i - 1].incumbent >= trace[i].incumbent);
  }
}

static lattice::Result solved(const RandomProblem& problem, Limits limits) {
  Control control(limits);
  const lattice::Result result = problem.solve(control);
  check_trace(control, result);
  return result;
}

TEST(the_search_equals_enumeration_with_any_number_of_threads) {
  for_seeds(300, [](Random& random) {
    const RandomProblem problem(random);
    const auto best = optimum(problem);
    for (const int threads : {1, 2, 4}) CHECK(is_optimal(solved(problem, {.threads = threads}), best));
  });
}

TEST(the_search_equals_enumeration_where_tuples_merge) {
  for_seeds(40, [](Random& random) {
    const RandomProblem problem(random, merging);
    const auto best = optimum(problem);
    for (const int threads : {1, 4}) CHECK(is_optimal(solved(problem, {.threads = threads}), best));
    CHECK(is_optimal(solved(problem, {.memory = 0}), best));
  });
}

TEST(the_search_equals_enumeration_with_cheap_suppression) {
  for_seeds(150, [](Random& random) {
    RandomProblem problem(random, tiny);
    std::vector<Cost> by_level(problem.frequencies.levels(), 0);
    problem.loss().add_dearest(problem.frequencies, by_level);
    Cost dearest = 0;
    for (const Cost cost : by_level) dearest += cost;
    for (const int percent : {0, 10, 50, 90}) {
      problem.price = dearest * percent / 100;
      problem.limit = random.between<std::int64_t>(1, problem.frequencies.records());
      CHECK(is_optimal(solved(problem, {}), optimum(problem)));
    }
  });
}

TEST(the_search_equals_enumeration_with_one_attribute) {
  for_seeds(100, [](Random& random) {
    const RandomProblem problem(random, {.attributes = {1, 1}, .values = {1, 12}, .height = {0, 6}});
    CHECK(is_optimal(solved(problem, {}), optimum(problem)));
  });
}

TEST(no_memory_for_bases_gives_the_same_answer) {
  for_seeds(100, [](Random& random) {
    const RandomProblem problem(random);
    CHECK(is_optimal(solved(problem, {.memory = 0, .threads = 2}), optimum(problem)));
  });
}

TEST(large_problems_have_one_answer_whatever_the_threads_and_the_memory) {
  for_seeds(20, [](Random& random) {
    const RandomProblem problem(random, large);
    const lattice::Result first = solved(problem, {});
    CHECK(first.complete);
    for (const Limits& limits : {Limits{.threads = 4}, {.memory = 0}, {.memory = 20'000, .threads = 3}}) {
      const lattice::Result again = solved(problem, limits);
      CHECK(again.complete);
      CHECK_EQUAL(again.cost, first.cost);
      CHECK_EQUAL(again.node, first.node);
      CHECK_EQUAL(again.classes, first.classes);
    }
  });
}

TEST(whenever_the_search_stops_the_optimum_lies_between_bound_and_incumbent) {
  for_seeds(60, [](Random& random) {
    const RandomProblem problem(random, tiny);
    const auto best = optimum(problem);
    const Cost least = best ? best->outcome.cost : no_cost;
    Cost bound = 0, incumbent = no_cost;
    bool complete = false;
    for (std::int64_t examined = 0; !complete; ++examined) {
      Control control({.examined = examined});
      const lattice::Result result = problem.solve(control);
      check_stopped(problem, result, least);
      check_trace(control, result);
      CHECK(result.bound >= bound && result.cost <= incumbent);  // one candidate more never hurts
      CHECK(control.progress().examined <= examined);
      bound = result.bound, incumbent = result.cost, complete = !control.stopped();
      if (complete) CHECK(is_optimal(result, best));
    }
  });
}

TEST(whenever_four_threads_stop_the_optimum_lies_between_bound_and_incumbent) {
  for_seeds(10, [](Random& random) {
    const RandomProblem problem(random, tiny);
    const auto best = optimum(problem);
    for (std::int64_t examined = 0; examined < 30; ++examined) {
      Control control({.examined = examined, .threads = 4});
      const lattice::Result result = problem.solve(control);
      check_stopped(problem, result, best ? best->outcome.cost : no_cost);
      check_trace(control, result);
      CHECK(control.progress().examined <= examined);
    }
  });
}

TEST(a_limit_of_candidates_is_used_up_by_four_threads) {
  std::int64_t limited = 0;
  for_all_seeds(10, [&](Random& random) {
    const RandomProblem problem(random, large);
    Control whole({}), control({.examined = 50, .threads = 4});
    CHECK(problem.solve(whole).complete);
    if (whole.progress().examined <= 50) return;
    problem.solve(control);
    CHECK_EQUAL(control.progress().examined, 50);
    ++limited;
  });
  CHECK(limited > 0);
}

TEST(a_watched_and_cancelled_search_ends_with_a_valid_bound) {
  for_seeds(20, [](Random& random) {
    const RandomProblem problem(random, large);
    const Cost least = solved(problem, {}).cost;
    Control control({.threads = 4});
    auto search = std::async(std::launch::async, [&] { return problem.solve(control); });
    for (int looks = random.below(100); looks > 0; --looks) {
      const Progress now = control.progress();
      CHECK(now.bound <= least && least <= now.incumbent);
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    control.cancel();
    const lattice::Result result = search.get();
    check_stopped(problem, result, least);
    check_trace(control, result);
  });
}

TEST(the_log_holds_every_examined_node_once) {
  for_seeds(50, [](Random& random) {
    const RandomProblem problem(random);
    const SeparableLoss loss = problem.loss();
    Control control({.threads = 2});
    lattice::Problem lattice{problem.frequencies, problem.models(), loss, problem.limit, problem.bottom, problem.top};
    lattice.log = true;
    const lattice::Result result = lattice::lattice_search(lattice, control);
    CHECK_EQUAL(result.examined.size(), control.progress().examined);
    for (const Node& node : result.examined) {
      CHECK(below_or_equal(problem.bottom, node) && below_or_equal(node, problem.top));
      CHECK_EQUAL(std::ranges::count(result.examined, node), 1);
    }
    CHECK_EQUAL(std::ranges::count(result.examined, result.node), result.found ? 1 : 0);
  });
}

TEST(infeasible_is_proved) {
  for_seeds(20, [](Random& random) {
    RandomProblem problem(random);
    problem.k = problem.frequencies.records() + 1;
    problem.limit = problem.frequencies.records() - 1;
    CHECK(is_optimal(solved(problem, {.threads = 2}), std::nullopt));
  });
}

TEST(everything_may_be_suppressed) {
  for_seeds(20, [](Random& random) {
    RandomProblem problem(random, tiny);
    problem.k = problem.limit = problem.frequencies.records();
    ++problem.k;
    const lattice::Result result = solved(problem, {});
    CHECK(is_optimal(result, optimum(problem)));
    CHECK_EQUAL(result.node, problem.bottom);
    CHECK_EQUAL(result.classes, 0);
  });
}

/// An empty table of two attributes with three levels each.
static void check_empty(const Level& level) {
  const Hierarchy hierarchy({level, level, level});
  const Frequencies frequencies({hierarchy, hierarchy}, {{}, {}}, {{2, {}}}, {});
  const Models models{std::make_shared<KAnonymity>(5), std::make_shared<DistinctLDiversity>(0, 2)};
  const std::vector<std::vector<std::int64_t>> weight(3, level.leaves);
  const SeparableLoss loss({weight, weight}, {1, 1}, 10);
  Control control({.threads = 2});
  const lattice::Result result = lattice::lattice_search({frequencies, models, loss, 0, {0, 1}, {2, 2}}, control);
  CHECK(result.complete && result.found);
  CHECK_EQUAL(result.node, Node({0, 1}));
  CHECK_EQUAL(result.cost, 0);
  CHECK_EQUAL(result.bound, 0);
  CHECK_EQUAL(result.classes, 0);
}

TEST(an_empty_table_is_published_as_it_is) {
  check_empty({{}, {}});
  check_empty({{0, 1, 1}, {1, 2}});
}

TEST(without_attributes_there_is_one_node) {
  const Frequencies frequencies({}, {}, {}, {3, 4});
  const SeparableLoss loss({}, {}, 10);
  for (const std::int64_t k : {7, 8}) {
    const Models models{std::make_shared<KAnonymity>(k)};
    Control control({});
    const lattice::Result result = lattice::lattice_search({frequencies, models, loss, 0, {}, {}}, control);
    CHECK(result.complete);
    CHECK_EQUAL(result.found, k == 7);
  }
}

namespace {

/// Marks nothing, and throws when it has been called too often.
class Failing final : public ClassModel {
 public:
  explicit Failing(std::int64_t calls) : calls_(calls) {}

  void mark(const Classes&, const Histogram*, std::span<std::uint8_t>) const override {
    if (--calls_ < 0) throw std::domain_error("called too often");
  }

 private:
  mutable std::atomic<std::int64_t> calls_;
};

}  // namespace

TEST(what_a_model_throws_comes_out_of_the_search) {
  for_seeds(10, [](Random& random) {
    const RandomProblem problem(random, large);
    const SeparableLoss loss = problem.loss();
    Control whole({});
    problem.solve(whole);
    for (const std::int64_t calls : {std::int64_t{0}, whole.progress().examined / 2}) {  // at once, and in any thread
      Models models = problem.models();
      models.push_back(std::make_shared<Failing>(calls));
      const lattice::Problem failing{problem.frequencies, models, loss, problem.limit, problem.bottom, problem.top};
      Control control({.threads = 4});
      CHECK_THROWS(std::domain_error, lattice::lattice_search(failing, control));
    }
  });
}

TEST(the_search_equals_enumeration_with_any_models_and_losses) {
  for_seeds(300, [](Random& random) {
    const RandomProblem problem = any_problem(random, tiny);
    const auto best = optimum(problem);
    CHECK(is_optimal(solved(problem, {}), best));
    CHECK(is_optimal(solved(problem, {.memory = 0, .threads = 3}), best));
  });
}

TEST(any_models_and_losses_where_tuples_merge) {
  for_seeds(30, [](Random& random) {
    const RandomProblem problem = any_problem(random, merging);
    const auto best = optimum(problem);
    for (const std::size_t memory : {std::size_t{0}, std::size_t{10'000}, std::size_t{1} << 30})
      CHECK(is_optimal(solved(problem, {.memory = memory}), best));
  });
}

TEST(any_models_and_losses_stopped_anywhere) {
  for_seeds(60, [](Random& random) {
    const RandomProblem problem = any_problem(random, tiny);
    const auto best = optimum(problem);
    const Cost least = best ? best->outcome.cost : no_cost;
    bool complete = false;
    for (std::int64_t examined = 0; !complete; ++examined) {
      Control control({.examined = examined});
      check_stopped(problem, problem.solve(control), least);
      complete = !control.stopped();
    }
  });
}

TEST(a_loss_of_a_column_that_is_not_there_is_refused) {
  const Frequencies frequencies({Hierarchy({{{0}, {1}}})}, {{0}}, {}, {1});
  const Loss loss({}, {{std::make_shared<Classification>(0), 1}});
  Control control({});
  CHECK_THROWS(std::invalid_argument, lattice::lattice_search({frequencies, {}, loss, 0, {0}, {0}}, control));
}

template <class Pose>
static int noticed(Fault fault, Pose pose) {
  const Planting planting(fault);
  int count = 0;
  for_all_seeds(300, [&](Random& random) {
    const RandomProblem problem = pose(random);
    Control control({});
    count += !is_optimal(problem.solve(control), optimum(problem));
  });
  return count;
}

TEST(planted_faults_are_noticed) {
  const auto strong = [](Random& random) { return RandomProblem(random, tiny); };
  const auto any = [](Random& random) { return any_problem(random, tiny); };
  const auto suppressing = [](Random& random) {
    RandomProblem problem = any_problem(random, tiny);
    problem.limit = problem.frequencies.records() / 3;
    return problem;
  };
  CHECK_EQUAL(noticed(Fault::none, strong), 0);
  CHECK(noticed(Fault::bound_one_too_high, strong) >= 3);
  CHECK(noticed(Fault::bound_one_too_high, any) >= 3);
  CHECK(noticed(Fault::node_skipped, strong) >= 3);
  CHECK(noticed(Fault::node_skipped, any) >= 3);
  CHECK_EQUAL(noticed(Fault::hopeless_too_soon, strong), 0);  // there, what violates is hopeless
  CHECK(noticed(Fault::hopeless_too_soon, suppressing) >= 3);
}

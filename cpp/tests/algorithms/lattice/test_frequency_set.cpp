#include "sfumato/algorithms/lattice/frequency_set.hpp"

#include "check.hpp"
#include "naive.hpp"

using namespace sfumato;
using namespace sfumato::testing;

TEST(a_rolled_up_set_counts_as_the_table_does) {
  for_seeds(200, [](Random& random) {
    const RandomProblem problem(random);
    const Models models = problem.models();
    const Packing packing(problem.frequencies);
    lattice::FrequencySets sets(packing, models, 0);
    const lattice::FrequencySet whole = sets.whole();
    const Node middle = random_node(random, problem.bottom, problem.top);
    const Node node = random_node(random, middle, problem.top);
    const lattice::FrequencySet rolled = sets.roll_up(*whole, middle);
    CHECK(rolled->size() <= whole->size());
    for (const lattice::FrequencySet& set : {whole, rolled, sets.roll_up(*rolled, node)}) {
      const lattice::Check check = sets.check(*set, node);
      CHECK_EQUAL(check.violating, outcome(problem, node).suppressed);
      CHECK_EQUAL(check.classes, classes_at(problem.frequencies, node).size());
    }
  });
}

TEST(memory_is_counted_while_sets_live) {
  Random random(3);
  const RandomProblem problem(random);
  const Models models;
  const Packing packing(problem.frequencies);
  lattice::FrequencySets sets(packing, models, 0);
  CHECK(!sets.full());
  lattice::FrequencySet whole = sets.whole();
  CHECK(sets.full());
  whole.reset();
  CHECK(!sets.full());
}

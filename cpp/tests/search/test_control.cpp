#include "sfumato/search/control.hpp"

#include <chrono>
#include <future>
#include <thread>

#include "check.hpp"
#include "random_problem.hpp"

using namespace sfumato;
using namespace sfumato::testing;

TEST(without_limits_nothing_stops) {
  Control control({});
  for (int i = 0; i < 1000; ++i) CHECK(control.examine());
  CHECK(!control.stopped());
  CHECK_EQUAL(control.progress().examined, 1000);
}

TEST(the_limit_of_candidates_is_exact) {
  for (const int limit : {0, 1, 7}) {
    Control control({.examined = limit});
    for (int i = 0; i < limit; ++i) CHECK(control.examine());
    CHECK(!control.stopped());  // the limit is reached, not passed
    for (int i = 0; i < 3; ++i) CHECK(!control.examine());
    CHECK(control.stopped());
    CHECK_EQUAL(control.progress().examined, limit);
  }
}

TEST(the_limit_of_candidates_is_exact_under_four_threads) {
  for (int round = 0; round < 50; ++round) {
    Control control({.examined = 1000 + round});
    const auto examine = [&] {
      int granted = 0;
      while (control.examine()) ++granted;
      return granted;
    };
    std::vector<std::future<int>> threads;
    for (int t = 0; t < 4; ++t) threads.push_back(std::async(std::launch::async, examine));
    int granted = 0;
    for (auto& thread : threads) granted += thread.get();
    CHECK_EQUAL(granted, 1000 + round);
    CHECK_EQUAL(control.progress().examined, 1000 + round);
  }
}

TEST(the_time_limit_stops) {
  Control control({.seconds = 0.002});
  std::this_thread::sleep_for(std::chrono::milliseconds(3));
  CHECK(control.stopped());
  CHECK(!control.examine());
  CHECK_EQUAL(control.progress().examined, 0);
  CHECK(control.progress().seconds > 0.002);
}

TEST(a_cancelled_search_stops) {
  Control control({});
  CHECK(control.examine());
  control.cancel();
  CHECK(control.stopped());
  CHECK(!control.examine());
  CHECK(!control.interrupted());
  CHECK_EQUAL(control.progress().examined, 1);
}

TEST(an_interrupted_search_stops_and_tells_why) {
  Control control({});
  control.interrupt();
  CHECK(control.stopped());
  CHECK(control.interrupted());
}

TEST(in_the_beginning_nothing_is_known) {
  const Progress progress = Control({}).progress();
  CHECK_EQUAL(progress.incumbent, no_cost);
  CHECK_EQUAL(progress.bound, 0);
  CHECK(Control({}).trace().empty());
}

TEST(the_bound_never_falls_and_never_exceeds_the_incumbent) {
  Control control({});
  control.tick(5);
  CHECK_EQUAL(control.progress().bound, 5);
  control.tick(4);
  CHECK_EQUAL(control.progress().bound, 5);
  control.improved(10);
  control.tick(12);
  CHECK_EQUAL(control.progress().bound, 10);
}

TEST(a_dearer_incumbent_changes_nothing) {
  Control control({});
  control.improved(10);
  control.improved(11);
  CHECK_EQUAL(control.progress().incumbent, 10);
}

TEST(the_trace_is_monotone_and_ends_with_the_last_word) {
  for_seeds(50, [](Random& random) {
    Control control({});
    Cost bound = 0, incumbent = 1000;
    for (int step = 0; step < 100; ++step) {
      control.examine();
      if (random.below(2) == 0)
        control.tick(bound += random.below(5));
      else
        control.improved(incumbent -= random.below(5));
    }
    control.finish(incumbent);
    const std::vector<Progress> trace = control.trace();
    for (std::size_t i = 1; i < trace.size(); ++i) {
      CHECK(trace[i - 1].seconds <= trace[i].seconds);
      CHECK(trace[i - 1].examined <= trace[i].examined);
      CHECK(trace[i - 1].bound <= trace[i].bound);
      CHECK(trace[i - 1].incumbent >= trace[i].incumbent);
      CHECK(trace[i].bound <= trace[i].incumbent);
    }
    CHECK_EQUAL(trace.back().bound, incumbent);
    CHECK_EQUAL(trace.back().incumbent, incumbent);
    CHECK_EQUAL(trace.back().examined, 100);
  });
}

TEST(every_incumbent_is_in_the_trace) {
  Control control({});
  for (const int incumbent : {9, 7, 4}) control.improved(incumbent);
  const std::vector<Progress> trace = control.trace();
  CHECK_EQUAL(trace.size(), 3);
  CHECK_EQUAL(trace[0].incumbent, 9);
  CHECK_EQUAL(trace[1].incumbent, 7);
  CHECK_EQUAL(trace[2].incumbent, 4);
}

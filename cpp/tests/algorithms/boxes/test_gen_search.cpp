#include "sfumato/algorithms/boxes/gen_search.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <thread>

#include "check.hpp"
#include "sfumato/algorithms/boxes/refinement.hpp"
#include "sfumato/privacy/distinct_l_diversity.hpp"
#include "sfumato/privacy/k_anonymity.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

/// Records in a grid of an order and a taxonomy ({0, 1}, 2, 3), and what they cost by the recurrence alone. Their
/// values are those of a chessboard; of these a class may have to have both.
struct Grid {
  static constexpr std::uint32_t across = 5, up = 4;
  static constexpr Cost never = Cost{1} << 100;
  std::int64_t count[across][up] = {};
  std::int64_t k;
  bool both = false;

  explicit Grid(std::mt19937& random) : k(2 + random() % 4) {
    for (auto& row : count)
      for (auto& n : row) n = random() % 3 == 0 ? static_cast<std::int64_t>(random() % 5) : 0;
    count[0][0] += k;
  }

  Cost least(std::uint32_t left, std::uint32_t right, std::uint32_t low, std::uint32_t high, bool suppress,
             Cost all) const {
    Cost n = 0, black = 0;
    for (auto x = left; x <= right; ++x)
      for (auto y = low; y <= high; ++y) n += count[x][y], black += (x + y) % 2 ? count[x][y] : 0;
    if (n == 0) return 0;
    Cost best = n >= k && (!both || (0 < black && black < n)) ? n * n : suppress ? n * all : never;
    for (auto x = left; x < right; ++x)
      best = std::min(best, least(left, x, low, high, suppress, all) + least(x + 1, right, low, high, suppress, all));
    const auto part = [&](std::uint32_t from, std::uint32_t to) { return least(left, right, from, to, suppress, all); };
    if (low == 0 && high == 3) best = std::min(best, part(0, 1) + part(2, 2) + part(3, 3));
    if (low == 0 && high == 1) best = std::min(best, part(0, 0) + part(1, 1));
    return std::min(best, never);
  }

  Frequencies frequencies() const {
    std::vector<std::uint32_t> x, y, value;
    std::vector<std::int64_t> records;
    for (std::uint32_t i = 0; i < across; ++i)
      for (std::uint32_t j = 0; j < up; ++j)
        if (count[i][j] > 0)
          x.push_back(i), y.push_back(j), value.push_back((i + j) % 2), records.push_back(count[i][j]);
    const auto flat = [](std::uint32_t values) {
      Level level{std::vector<std::uint32_t>(values), std::vector<std::int64_t>(values, 1)};
      std::iota(level.node.begin(), level.node.end(), 0u);
      return Hierarchy({level});
    };
    return {{flat(across), flat(up)}, {x, y}, {{2, value}}, records};
  }
};

boxes::Problem posed(const Frequencies& frequencies, const Grid& grid, bool suppress) {
  boxes::Problem problem{frequencies, {frequencies.codes(0), frequencies.codes(1)}, {}, {}, {}};
  problem.axes = {{Grid::across},
                  {Grid::up, true, false, {0, 0, 0, 1, 2, 3}, {3, 1, 0, 1, 2, 3}, {{1, 4, 5}, {2, 3}, {}, {}, {}, {}}}};
  problem.attributes = {{0, 1}, {1, 1}};
  problem.models = {std::make_shared<KAnonymity>(grid.k)};
  if (grid.both) problem.models.push_back(std::make_shared<DistinctLDiversity>(0, 2));
  problem.counts_only = !grid.both;
  problem.least = grid.k;
  problem.suppress = suppress;
  problem.suppressed = frequencies.records();
  return problem;
}

}  // namespace

TEST(gen_search_equals_the_recurrence) {
  std::mt19937 random(2011);
  for (int round = 0; round < 200; ++round) {
    Grid grid(random);
    grid.both = round % 3 == 2;
    const Frequencies frequencies = grid.frequencies();
    boxes::Problem problem = posed(frequencies, grid, round % 2 == 1);
    const Cost expected = grid.least(0, Grid::across - 1, 0, Grid::up - 1, problem.suppress, problem.suppressed);
    for (const boxes::Method way : {boxes::Method::sparse, boxes::Method::dense, boxes::Method::by_size}) {
      problem.way = way;
      for (const bool counts_only : {true, false}) {
        problem.counts_only = counts_only && !grid.both;
        Limits limits;
        limits.threads = 1 + round % 3;
        Control control(limits);
        const boxes::Result result = boxes::gen_search(problem, control);
        CHECK(result.complete);
        if (expected == Grid::never) {
          CHECK(result.partitions.empty());
          continue;
        }
        CHECK(result.bound == expected);
        CHECK(result.partitions.size() == 1 && result.partitions[0].cost == expected);
      }
    }
    if (expected == Grid::never) continue;
    Control control(Limits{});
    CHECK(boxes::steepest(problem, control).partitions.at(0).cost >= expected);
    // With nothing to begin with, a bound that is too high would hide the cheapest partition.
    problem.upper = expected + 1, problem.way = boxes::Method::sparse, problem.counts_only = !grid.both;
    Control again(Limits{});
    const boxes::Result result = boxes::gen_search(problem, again);
    CHECK(result.complete && result.partitions.size() == 1 && result.partitions[0].cost == expected);
  }
}

TEST(gen_search_bounds_wherever_it_stops) {
  std::mt19937 random(7);
  for (int round = 0; round < 40; ++round) {
    const Grid grid(random);
    const Frequencies frequencies = grid.frequencies();
    const boxes::Problem problem = posed(frequencies, grid, round % 2 == 1);
    const Cost expected = grid.least(0, Grid::across - 1, 0, Grid::up - 1, problem.suppress, problem.suppressed);
    for (std::int64_t examined = 0; examined < 40; ++examined) {
      Limits limits;
      limits.examined = examined;
      limits.memory = 0;
      Control control(limits);
      const boxes::Result result = boxes::gen_search(problem, control);
      CHECK(result.bound <= expected);
      CHECK(result.partitions.empty() || result.partitions[0].cost >= expected);
    }
  }
}

namespace {

/// Values of an order, each with a record or two.
Frequencies in_a_row(std::uint32_t values) {
  Level level{std::vector<std::uint32_t>(values), std::vector<std::int64_t>(values, 1)};
  std::iota(level.node.begin(), level.node.end(), 0u);
  std::vector<std::int64_t> records;
  for (std::uint32_t i = 0; i < values; ++i) records.push_back(1 + i % 3 % 2);
  return {{Hierarchy({level})}, {level.node}, {}, records};
}

boxes::Problem posed_in_a_row(const Frequencies& frequencies, std::int64_t k) {
  const auto cells = static_cast<std::uint32_t>(frequencies.size());
  boxes::Problem problem{frequencies, {frequencies.codes(0)}, {{cells}}, {{0, 1}}, {}};
  problem.models = {std::make_shared<KAnonymity>(k)};
  problem.counts_only = true;
  problem.least = k;
  problem.suppressed = frequencies.records();
  return problem;
}

}  // namespace

TEST(memory_is_counted_for_long_orders) {
  using Size = boxes::DenseSize<Cost>;
  const auto fits = [](std::uint32_t values, std::uint64_t memory) {
    const Frequencies frequencies = in_a_row(values);
    return Size::fits(posed_in_a_row(frequencies, 5), memory, 1);
  };
  const std::uint64_t megabyte = std::uint64_t{1} << 20;
  CHECK(fits(1'500, 300 * megabyte));
  CHECK(!fits(1'500, 50 * megabyte));  // costs alone take 17
  CHECK(!fits(20'000, 300 * megabyte));
  CHECK(fits(20'000, 30'000 * megabyte));
  CHECK(!fits(100'000, std::numeric_limits<std::uint64_t>::max()));  // more blocks than numbers of 32 bits
}

TEST(a_row_of_many_boxes_is_left_when_it_is_stopped) {
  const Frequencies frequencies = in_a_row(3'000);
  const boxes::Problem problem = posed_in_a_row(frequencies, 5);
  const boxes::Records<Cost, std::uint16_t> records(problem);
  Control control(Limits{});
  boxes::DenseSearch<Cost, std::uint16_t> dense(records, control, records.everything());
  std::thread other([&] {
    while (control.progress().examined == 0) std::this_thread::yield();  // its only row has begun
    control.cancel();
  });
  const bool all = dense.run();
  other.join();
  CHECK(!all);
}

TEST(long_orders_are_searched_in_little_memory) {
  for (const std::uint32_t values : {300u, 3'000u}) {
    const Frequencies frequencies = in_a_row(values);
    for (const int threads : {1, 2}) {
      Limits limits;
      limits.examined = 2'000;
      limits.memory = std::size_t{1} << 20;
      limits.threads = threads;
      const boxes::Problem problem = posed_in_a_row(frequencies, 2);
      Control control(limits);
      const boxes::Result result = boxes::gen_search(problem, control);
      CHECK(result.partitions.size() == 1 && result.bound <= result.partitions[0].cost);
      CHECK(result.bound >= frequencies.records());
      const boxes::Partition& partition = result.partitions[0];
      std::vector<Cost> records(partition.low.size(), 0);
      for (std::uint32_t i = 0; i < values; ++i) {
        CHECK(partition.low[partition.box[i]] <= i && i <= partition.high[partition.box[i]]);
        records[partition.box[i]] += frequencies.counts()[i];
      }
      Cost cost = 0;
      for (const Cost n : records) CHECK(n >= 2), cost += n * n;
      CHECK(cost == partition.cost);
    }
  }
}

TEST(lanes_hold_every_cell) {
  const Frequencies frequencies = in_a_row(7);
  for (const std::uint32_t cells : {65'535u, 65'536u, 65'537u}) {
    boxes::Problem problem = posed_in_a_row(frequencies, 2);
    problem.axes[0].cells = cells;
    problem.cells[0] = {0, 1, 2, cells / 2, cells - 3, cells - 2, cells - 1};
    for (const bool greedy : {false, true}) {
      Control control(Limits{});
      const boxes::Result result = greedy ? boxes::steepest(problem, control) : boxes::gen_search(problem, control);
      const boxes::Partition& partition = result.partitions.at(0);
      for (std::size_t i = 0; i < 7; ++i)
        CHECK(partition.low[partition.box[i]] <= problem.cells[0][i] &&
              problem.cells[0][i] <= partition.high[partition.box[i]]);
    }
    problem.cells[0][6] = cells;
    Control control(Limits{});
    CHECK_THROWS(std::invalid_argument, boxes::gen_search(problem, control));
  }
  boxes::Problem problem = posed_in_a_row(frequencies, 2);
  problem.axes[0].cells = 256;
  CHECK_THROWS(std::length_error, boxes::Records<Cost, std::uint8_t>(problem));
}

TEST(a_class_of_more_records_than_there_are_is_impossible) {
  const Frequencies frequencies = in_a_row(9);
  for (const std::int64_t k : {std::int64_t{13}, (std::int64_t{1} << 31) + 2, (std::int64_t{1} << 32) + 2}) {
    Control control(Limits{});
    const boxes::Result result = boxes::gen_search(posed_in_a_row(frequencies, k), control);
    CHECK(result.complete && result.partitions.empty());
  }
}

TEST(nodes_without_children_have_one_cell) {
  const Frequencies frequencies = in_a_row(3);
  boxes::Problem problem = posed_in_a_row(frequencies, 2);
  problem.axes = {{3, true, false, {0, 0, 2}, {2, 1, 2}, {{1, 2}, {}, {}}}};
  problem.optima = 2;
  Control control(Limits{});
  CHECK_THROWS(std::invalid_argument, boxes::gen_search(problem, control));
}

TEST(prices_beyond_the_nodes_of_a_tree_are_of_nothing) {
  const Frequencies frequencies = in_a_row(3);
  boxes::Problem problem = posed_in_a_row(frequencies, 2);
  problem.metric = boxes::Metric::sum;
  problem.axes = {{3, true, false, {0, 0, 1, 2}, {2, 0, 1, 2}, {{1, 2, 3}, {}, {}, {}}}};
  problem.attributes[0].price = {3, 1, 1, 1, 0, 0, 0, 0};
  Control control(Limits{});
  CHECK_EQUAL(boxes::gen_search(problem, control).bound, Cost{3 * frequencies.records()});
}

TEST(a_class_that_holds_is_published_even_where_suppressing_it_costs_less) {
  Level level{{0, 1, 2}, {1, 1, 1}};
  const Frequencies frequencies({Hierarchy({level})}, {level.node}, {{2, {0, 1, 0}}}, {2, 3, 4});
  boxes::Problem problem = posed_in_a_row(frequencies, 2);
  problem.metric = boxes::Metric::sum;
  problem.attributes[0].price = {0, 5, 7, 9};
  problem.models.push_back(std::make_shared<DistinctLDiversity>(0, 1));
  problem.counts_only = false, problem.suppress = true;
  for (const Cost suppressed : {0, 1, 5, 8}) {
    problem.suppressed = suppressed;
    for (const boxes::Method way : {boxes::Method::sparse, boxes::Method::dense, boxes::Method::by_size}) {
      problem.way = way;
      Control control(Limits{});
      const boxes::Result result = boxes::gen_search(problem, control);
      CHECK(result.complete && result.partitions.size() == 1);
      CHECK_EQUAL(result.bound, Cost{5 * 9});
      CHECK_EQUAL(result.partitions[0].cost, Cost{5 * 9});
      CHECK_EQUAL(result.partitions[0].low, result.partitions[0].high);
    }
  }
}

TEST(partitions_by_few_cuts_at_a_time_are_partitions) {
  std::mt19937 random(2016);
  int cheapest = 0, dearer = 0;
  for (int round = 0; round < 200; ++round) {
    Grid grid(random);
    grid.both = round % 3 == 2;
    const Frequencies frequencies = grid.frequencies();
    const boxes::Problem problem = posed(frequencies, grid, round % 2 == 1);
    const Cost expected = grid.least(0, Grid::across - 1, 0, Grid::up - 1, problem.suppress, problem.suppressed);
    Control control(Limits{});
    const boxes::Records<std::int64_t, std::uint8_t> records(problem);
    boxes::Judge judge(records);
    boxes::Walk walk(records);
    boxes::Partitions partitions(records);
    boxes::RecordSums<std::int64_t> sums;
    const auto root = walk.root(sums);
    for (const std::uint64_t effort : {1u, 30u, 100u, 1'000'000u}) {
      const auto ids = boxes::Refinement(records, judge, walk, partitions, control).run(root, effort);
      if (effort == 1'000'000u)
        CHECK(ids.empty() ? expected == Grid::never : partitions.cost(ids) == expected);  // all cuts
      if (ids.empty()) continue;
      const boxes::Partition partition = partitions.partition(ids);
      CHECK(partition.cost >= expected);
      (partition.cost == expected ? cheapest : dearer) += effort < 1'000'000u;
      Cost again = 0;
      for (std::size_t box = 0; box < ids.size(); ++box) {
        Cost n = 0, black = 0;
        for (std::size_t i = 0; i < frequencies.size(); ++i) {
          if (partition.box[i] != box) continue;
          n += frequencies.counts()[i];
          black += frequencies.sensitive()[0].codes[i] ? frequencies.counts()[i] : 0;
          for (std::size_t a = 0; a < 2; ++a)
            CHECK(partition.low[2 * box + a] <= problem.cells[a][i] &&
                  problem.cells[a][i] <= partition.high[2 * box + a]);
        }
        const bool holds = n >= grid.k && (!grid.both || (0 < black && black < n));
        CHECK(holds || (problem.suppress && partition.withheld[box]));
        again += holds ? n * n : n * problem.suppressed;
      }
      CHECK(again == partition.cost);
    }
  }
  CHECK(cheapest > 0 && dearer > 0);
}

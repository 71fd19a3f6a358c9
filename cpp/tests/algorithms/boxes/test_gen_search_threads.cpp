#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

#include "check.hpp"
#include "sfumato/algorithms/boxes/background_search.hpp"
#include "sfumato/algorithms/boxes/gen_search.hpp"
#include "sfumato/privacy/k_anonymity.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

constexpr std::int64_t first_round = 30'000;  // boxes looked at before there is a second thread

/// Records in a cube of three orders: too many boxes for a proof before the second thread starts.
struct Cube {
  static constexpr std::uint32_t side = 14;
  std::vector<std::uint32_t> cell[3];
  std::vector<std::int64_t> records;

  explicit Cube(unsigned seed, std::uint32_t cells = 500) {
    std::mt19937 random(seed);
    std::vector<std::uint32_t> all(side * side * side);
    std::iota(all.begin(), all.end(), 0u);
    for (std::uint32_t i = 0; i < cells; ++i) {
      std::swap(all[i], all[i + random() % (all.size() - i)]);
      for (std::uint32_t a = 0, rest = all[i]; a < 3; ++a, rest /= side) cell[a].push_back(rest % side);
      records.push_back(1 + static_cast<std::int64_t>(random() % 4));
    }
  }

  Frequencies frequencies() const {
    Level level{std::vector<std::uint32_t>(side), std::vector<std::int64_t>(side, 1)};
    std::iota(level.node.begin(), level.node.end(), 0u);
    const Hierarchy flat({level});
    return {{flat, flat, flat}, {cell[0], cell[1], cell[2]}, {}, records};
  }
};

boxes::Problem posed(const Frequencies& frequencies, std::int64_t k) {
  boxes::Problem problem{frequencies, {frequencies.codes(0), frequencies.codes(1), frequencies.codes(2)}, {}, {}, {}};
  problem.axes = {{Cube::side}, {Cube::side}, {Cube::side}};
  problem.attributes = {{0, 1}, {1, 1}, {2, 1}};
  problem.models = {std::make_shared<KAnonymity>(k)};
  problem.counts_only = true;
  problem.least = k;
  problem.suppressed = frequencies.records();
  problem.way = boxes::Method::sparse;
  return problem;
}

/// Every combination is in its box, no box is too small, and the costs are those of the boxes.
void check_partition(const boxes::Problem& problem, const boxes::Partition& partition, std::int64_t k) {
  const std::size_t boxes = partition.withheld.size();
  std::vector<std::int64_t> records(boxes, 0);
  for (std::size_t i = 0; i < problem.frequencies.size(); ++i) {
    const std::size_t b = partition.box[i];
    CHECK(b < boxes);
    records[b] += problem.frequencies.counts()[i];
    for (std::size_t a = 0; a < 3; ++a) {
      CHECK(partition.low[3 * b + a] <= problem.cells[a][i]);
      CHECK(problem.cells[a][i] <= partition.high[3 * b + a]);
    }
  }
  Cost cost = 0;
  for (const std::int64_t n : records) {
    CHECK(n >= k);
    cost += static_cast<Cost>(n) * n;
  }
  CHECK(cost == partition.cost);
}

boxes::Result searched(const boxes::Problem& problem, int threads, std::int64_t& examined,
                       std::int64_t most = 1 << 30) {
  Limits limits;
  limits.threads = threads;
  limits.examined = most;
  Control control(limits);
  const boxes::Result result = boxes::gen_search(problem, control);
  examined = control.progress().examined;
  return result;
}

}  // namespace

TEST(gen_search_proves_the_same_with_several_threads) {
  for (const unsigned seed : {1u, 2u}) {
    const Cube cube(seed);
    const Frequencies frequencies = cube.frequencies();
    const boxes::Problem problem = posed(frequencies, 15);
    std::int64_t examined = 0;
    const boxes::Result alone = searched(problem, 1, examined);
    CHECK(alone.complete);
    CHECK(examined > first_round);
    const boxes::Result both = searched(problem, 1 + static_cast<int>(seed), examined);
    CHECK(examined > first_round);
    CHECK(both.complete && both.bound == alone.bound);
    CHECK(both.partitions.at(0).cost == alone.partitions.at(0).cost);
    check_partition(problem, both.partitions[0], 15);
    // And the same partition, whatever the numbers of its boxes are.
    const boxes::Partition &one = alone.partitions[0], &other = both.partitions[0];
    const std::size_t axes = problem.axes.size();
    for (std::size_t i = 0; i < frequencies.size(); ++i)
      for (std::size_t a = 0; a < axes; ++a) {
        CHECK(one.low[one.box[i] * axes + a] == other.low[other.box[i] * axes + a]);
        CHECK(one.high[one.box[i] * axes + a] == other.high[other.box[i] * axes + a]);
      }
  }
}

TEST(gen_search_stops_with_its_second_thread) {
  const Cube cube(3);
  const Frequencies frequencies = cube.frequencies();
  const boxes::Problem problem = posed(frequencies, 8);
  for (const std::int64_t most : {first_round, first_round + 10'000, 2 * first_round}) {
    std::int64_t examined = 0;
    const boxes::Result result = searched(problem, 2, examined, most);
    CHECK(examined <= most);
    CHECK(result.complete || result.bound < result.partitions.at(0).cost);
    check_partition(problem, result.partitions.at(0), 8);
  }
}

namespace {

/// Fails in every thread but one.
class Particular final : public ClassModel {
 public:
  void mark(const Classes&, const Histogram*, std::span<std::uint8_t>) const override {
    if (std::this_thread::get_id() != own_) throw std::domain_error("somebody else");
  }

 private:
  std::thread::id own_ = std::this_thread::get_id();
};

}  // namespace

TEST(gen_search_tells_what_its_second_thread_throws) {
  const Cube cube(3);
  const Frequencies frequencies = cube.frequencies();
  boxes::Problem problem = posed(frequencies, 8);
  problem.models.push_back(std::make_shared<Particular>());
  problem.counts_only = false;
  std::int64_t examined = 0;
  searched(problem, 1, examined, 2 * first_round);
  bool thrown = false;
  try {
    searched(problem, 2, examined, 2 * first_round);
  } catch (const std::domain_error&) {
    thrown = true;
  }
  CHECK(thrown);
}

TEST(a_helper_keeps_the_best_of_both) {
  const Cube cube(4);
  const Frequencies frequencies = cube.frequencies();
  const boxes::Problem problem = posed(frequencies, 8);
  const boxes::Records<std::int32_t, std::uint8_t> records(problem);
  using Helper = boxes::BackgroundSearch<std::int32_t, std::uint8_t>;
  Limits limits;
  limits.threads = 3;
  Helper helper(records, limits);
  const std::int32_t whole = boxes::impossible<std::int32_t> - 1;
  Helper::Boxes best;
  while (best.empty()) best = helper.exchange({}, whole);
  helper.stop();
  boxes::Partitions<std::int32_t, std::uint8_t> partitions(records);
  const boxes::Partition partition = partitions.partition(partitions.taken(best));
  check_partition(problem, partition, 8);
  // The other side's is kept if it is better, and one that is not better is not passed on.
  auto better = best;
  better.front().cost -= 1;
  CHECK(helper.exchange(better, 1).empty());
  CHECK(!helper.exchange(best, 2).empty());
  CHECK(helper.exchange(best, 1).empty());
}

TEST(annealing_goes_on_from_the_best_of_others) {
  const Cube cube(5);
  const Frequencies frequencies = cube.frequencies();
  const boxes::Problem problem = posed(frequencies, 8);
  const boxes::Records<std::int32_t, std::uint8_t> records(problem);
  boxes::BackgroundSearch<std::int32_t, std::uint8_t>::Boxes best;
  std::int32_t least = boxes::impossible<std::int32_t>, first = least;
  for (const bool given : {false, true}) {
    Control control(Limits{});
    boxes::Annealing<std::int32_t, std::uint8_t> annealing(records, control, 1 << 20);
    int calls = 0;
    annealing.run([&](auto boxes, std::int32_t cost) -> decltype(boxes) {
      if (++calls == 1) first = cost;
      if (given) CHECK(calls == 1 || cost <= least);  // never worse than what it was given
      if (cost < least) least = cost, best = boxes;
      if (calls == 100) control.cancel();
      return given && calls == 1 ? best : decltype(boxes){};
    });
    CHECK(calls == 100);
  }
  CHECK(least < first);
}

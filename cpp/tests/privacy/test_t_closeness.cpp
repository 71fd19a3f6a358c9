#include "sfumato/privacy/t_closeness.hpp"

#include <numeric>

#include "check.hpp"
#include "random_problem.hpp"

using namespace sfumato;
using namespace sfumato::testing;

using Counts = std::vector<std::int64_t>;

static std::int64_t total(const Counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

/// The values in random order: a histogram has them as they come.
static Histogram histogram_of(Random& random, const Counts& counts) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t v = 0; v < counts.size(); ++v)
    if (counts[v] > 0) order.insert(order.begin() + static_cast<std::ptrdiff_t>(random.below(order.size() + 1)), v);
  Histogram histogram{{0, order.size()}, order, {}};
  for (const std::uint32_t v : order) histogram.count.push_back(counts[v]);
  return histogram;
}

static Counts random_counts(Random& random, std::size_t values, std::int64_t least) {
  Counts counts;
  for (std::size_t v = 0; v < values; ++v) counts.push_back(random.between<std::int64_t>(least, 4));
  if (total(counts) == 0) counts[random.below(values)] = 1;
  return counts;
}

/// p - q by value, in units of 1/(N n).
static std::vector<std::int64_t> surplus(const Counts& records, const Counts& counts) {
  std::vector<std::int64_t> differences;
  for (std::size_t v = 0; v < records.size(); ++v)
    differences.push_back(records[v] * total(counts) - counts[v] * total(records));
  return differences;
}

template <class Distance>
static std::int64_t work(Random& random, Distance& distance, const Counts& counts) {
  const std::int64_t n = total(counts);
  distance.read(histogram_of(random, counts), 0, n);
  CHECK_EQUAL(Cost{distance.template shared<std::int64_t>(n)}, Cost{distance.template shared<Cost>(n)});
  return static_cast<std::int64_t>(distance.whole() * n - distance.template shared<Cost>(n));
}

TEST(equal_distance_is_half_the_sum_of_differences) {
  for_seeds(500, [](Random& random) {
    const Counts records = random_counts(random, 5, 1);
    TreeDistance distance(records);
    const Counts counts = random_counts(random, 5, 0);
    std::int64_t sum = 0;
    for (const std::int64_t d : surplus(records, counts)) sum += std::abs(d);
    CHECK_EQUAL(work(random, distance, counts), sum / 2);
  });
}

TEST(ordered_distance_is_the_sum_of_partial_sums) {
  for_seeds(500, [](Random& random) {
    const std::size_t values = random.between<std::size_t>(1, 9);
    const Counts records = random_counts(random, values, 1);
    std::vector<std::uint32_t> rank;
    for (std::uint32_t v = 0; v < values; ++v)
      rank.insert(rank.begin() + static_cast<std::ptrdiff_t>(random.below(rank.size() + 1)), v);
    OrderedDistance distance(records, rank);
    for (int again = 0; again < 3; ++again) {  // working memory must leave no trace
      const Counts counts = random_counts(random, values, 0);
      std::vector<std::int64_t> in_order(values);
      for (std::size_t v = 0; v < values; ++v) in_order[rank[v]] = surplus(records, counts)[v];
      std::int64_t partial = 0, sum = 0;
      for (const std::int64_t d : in_order) partial += d, sum += std::abs(partial);
      CHECK_EQUAL(work(random, distance, counts), sum);
    }
  });
}

TEST(hierarchical_distance_is_the_work_at_every_node) {
  for_seeds(500, [](Random& random) {
    const std::size_t values = random.between<std::size_t>(1, 7);
    const Hierarchy hierarchy =
        random_hierarchy(random, static_cast<std::uint32_t>(values), random.between<std::size_t>(1, 3));
    const Counts records = random_counts(random, values, 1);
    std::vector<std::vector<std::uint32_t>> node;
    std::vector<std::vector<std::int64_t>> height;
    for (std::size_t j = 0; j <= hierarchy.height(); ++j) {
      node.push_back(hierarchy.level(j).node);
      height.emplace_back(hierarchy.level(j).nodes(), 0);
    }
    node.emplace_back(values, 0u);  // one root above all
    height.push_back({0});
    for (std::size_t j = 1; j < height.size(); ++j) {
      for (std::size_t v = 0; v < values; ++v)
        height[j][node[j][v]] = std::max(height[j][node[j][v]], height[j - 1][node[j - 1][v]]);
      for (std::int64_t& h : height[j]) h += random.between<std::int64_t>(0, 3);
    }
    TreeDistance distance(records, node, height);
    for (int again = 0; again < 3; ++again) {
      const Counts counts = random_counts(random, values, 0);
      const auto leaf = surplus(records, counts);
      std::int64_t sum = 0;
      for (std::size_t j = 1; j < height.size(); ++j)
        for (std::uint32_t v = 0; v < height[j].size(); ++v) {
          std::vector<std::int64_t> child(height[j - 1].size(), 0);
          for (std::size_t value = 0; value < values; ++value)
            if (node[j][value] == v) child[node[j - 1][value]] += leaf[value];
          std::int64_t pos = 0, neg = 0;
          for (const std::int64_t d : child) (d > 0 ? pos : neg) += std::abs(d);
          sum += height[j][v] * std::min(pos, neg);
        }
      CHECK_EQUAL(work(random, distance, counts), sum);
    }
  });
}

TEST(a_tree_has_one_root_and_rises_from_its_leaves) {
  CHECK_THROWS(std::invalid_argument, TreeDistance({1, 1}, {{0, 1}}, {{0, 0}}));
  CHECK_THROWS(std::invalid_argument, TreeDistance({1, 1}, {{0, 1}, {0, 0}}, {{1, 0}, {2}}));
  CHECK_THROWS(std::invalid_argument, TreeDistance({1, 1}, {{0, 1}, {0, 1}, {0, 0}}, {{0, 0}, {2, 1}, {1}}));
}

TEST(t_closeness_marks_what_is_farther_than_t) {
  // p = (1/2, 1/2); classes (2, 0), (2, 1) and (1, 1) are at 1/2, 1/6 and 0.
  const std::vector<std::int64_t> sizes{2, 3, 2};
  const std::vector<Histogram> histograms{{{0, 1, 3, 5}, {0, 0, 1, 1, 0}, {2, 2, 1, 1, 1}}};
  const auto marked = [&](Ratio limit) {
    std::vector<std::uint8_t> violated{0, 0, 0};
    TCloseness(0, limit, TreeDistance(std::vector<std::int64_t>{5, 5}))
        .mark({sizes, histograms}, histograms.data(), violated);
    return violated;
  };
  CHECK_EQUAL(marked(Ratio(1, 2, 3)), std::vector<std::uint8_t>({1, 0, 0}));  // 10/6: a tie
  CHECK_EQUAL(marked(Ratio(1, 65, 100)), std::vector<std::uint8_t>({1, 1, 0}));
  CHECK_EQUAL(marked(Ratio(5, 0, 1)), std::vector<std::uint8_t>({0, 0, 0}));
}

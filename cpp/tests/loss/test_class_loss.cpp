// Losses of classes: their definitions, and what every search assumes of them.
#include "sfumato/loss/class_loss.hpp"

#include <memory>
#include <numeric>

#include "check.hpp"
#include "random_problem.hpp"
#include "sfumato/loss/average_class_size.hpp"
#include "sfumato/loss/classification.hpp"
#include "sfumato/loss/discernibility.hpp"
#include "sfumato/loss/loss.hpp"

using namespace sfumato;
using namespace sfumato::testing;

using Counts = std::vector<std::int64_t>;

static Cost of(const ClassLoss& loss, const Counts& counts) {
  Histogram histogram{{0}, {}, {}};
  for (std::uint32_t v = 0; v < counts.size(); ++v)
    if (counts[v] > 0) {
      histogram.value.push_back(v);
      histogram.count.push_back(counts[v]);
    }
  histogram.begin.push_back(histogram.value.size());
  const Counts sizes{std::accumulate(counts.begin(), counts.end(), std::int64_t{0})};
  const std::vector<Histogram> histograms{histogram};
  return loss.of({sizes, histograms}, loss.reads() ? histograms.data() : nullptr, 0);
}

TEST(discernibility_is_the_square_of_a_class) {
  const Discernibility loss(100);
  CHECK_EQUAL(of(loss, {3, 0, 4}), 49);
  CHECK_EQUAL(loss.suppressed(), 100);
  CHECK_EQUAL(of(Discernibility(std::int64_t{1} << 35), {std::int64_t{1} << 35}), Cost{1} << 70);
  CHECK(!loss.reads());
}

TEST(classification_counts_all_but_the_majority) {
  const Classification loss(2);
  CHECK_EQUAL(of(loss, {3, 0, 4}), 3);
  CHECK_EQUAL(of(loss, {3, 3}), 3);
  CHECK_EQUAL(of(loss, {7}), 0);
  CHECK_EQUAL(loss.suppressed(), 1);
  CHECK_EQUAL(*loss.reads(), 2);
}

TEST(average_class_size_counts_all_but_one) {
  const AverageClassSize loss;
  CHECK_EQUAL(of(loss, {3, 0, 4}), 6);
  CHECK_EQUAL(of(loss, {1}), 0);
  CHECK_EQUAL(loss.suppressed(), 1);
}

TEST(splitting_never_costs_more_and_no_record_more_than_its_price) {
  const std::vector<std::shared_ptr<const ClassLoss>> losses{
      std::make_shared<Discernibility>(40), std::make_shared<Classification>(0), std::make_shared<AverageClassSize>()};
  for_seeds(300, [&](Random& random) {
    Counts counts(4), part(4);
    for (std::size_t v = 0; v < counts.size(); ++v) {
      counts[v] = random.below(10);
      part[v] = random.between<std::int64_t>(0, counts[v]);
    }
    Counts rest = counts;
    for (std::size_t v = 0; v < counts.size(); ++v) rest[v] -= part[v];
    const auto size = [](const Counts& some) { return std::accumulate(some.begin(), some.end(), std::int64_t{0}); };
    if (size(part) == 0 || size(rest) == 0) return;
    for (const auto& loss : losses) {
      CHECK(of(*loss, part) + of(*loss, rest) <= of(*loss, counts));
      CHECK(of(*loss, counts) <= loss->suppressed() * size(counts));
    }
  });
}

TEST(a_loss_is_the_sum_of_its_parts) {
  const SeparableLoss values({{{0, 1}, {3}}}, {2}, 7), cheap({{{0, 0}, {4}}}, {1}, 0);
  const Loss loss({values, cheap},
                  {{std::make_shared<Discernibility>(10), 3}, {std::make_shared<AverageClassSize>(), 5}});
  CHECK_EQUAL(loss.suppressed(), 7 + 0 + 3 * 10 + 5);
  CHECK_EQUAL(loss.suppressed_by_classes(), 3 * 10 + 5);
  CHECK_EQUAL(loss.suppressed_by_values(), 7 + 0);
  CHECK(loss.of_values());
  CHECK(!Loss({}, {{std::make_shared<AverageClassSize>(), 1}}).of_values());
  const Frequencies frequencies({Hierarchy({{{0, 1}, {1, 1}}, {{0, 0}, {2}}})}, {{0, 1}}, {}, {1, 2});
  std::vector<Cost> costs;
  loss.level_costs(frequencies, {{1, 2}}, costs);
  CHECK_EQUAL(costs, std::vector<Cost>({2 * 2 + 0, 3 * (2 * 3 + 4)}));
  loss.dearest(frequencies, costs);
  CHECK_EQUAL(costs, std::vector<Cost>({2 * 1 + 0, 2 * 3 + 4}));  // of both together
}

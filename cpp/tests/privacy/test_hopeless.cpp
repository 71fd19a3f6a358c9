// What a model gives up has no part that satisfies it: all parts of small classes are tried.
#include <array>
#include <numeric>

#include "any_problem.hpp"
#include "check.hpp"

using namespace sfumato;
using namespace sfumato::testing;

using Counts = std::vector<std::int64_t>;

static Histogram histogram_of(const Counts& counts) {
  Histogram histogram{{0}, {}, {}};
  for (std::uint32_t v = 0; v < counts.size(); ++v)
    if (counts[v] > 0) {
      histogram.value.push_back(v);
      histogram.count.push_back(counts[v]);
    }
  histogram.begin.push_back(histogram.value.size());
  return histogram;
}

static bool marked(const ClassModel& model, decltype(&ClassModel::mark) how, const Counts& counts) {
  const std::vector<Histogram> histograms{histogram_of(counts)};
  const std::vector<std::int64_t> sizes{std::accumulate(counts.begin(), counts.end(), std::int64_t{0})};
  std::uint8_t mark = 0;
  (model.*how)({sizes, histograms}, histograms.data(), {&mark, 1});
  return mark != 0;
}

/// Whether every part of a class, but the empty one, violates the model.
static bool without_hope(const ClassModel& model, const Counts& counts) {
  Counts part(counts.size(), 0);
  for (;;) {
    std::size_t v = 0;
    while (v < part.size() && part[v] == counts[v]) part[v++] = 0;
    if (v == part.size()) return true;
    ++part[v];
    if (!marked(model, &ClassModel::mark, part)) return false;
  }
}

TEST(no_part_of_a_hopeless_class_satisfies_the_model) {
  std::array<int, model_kinds> true_ones{}, found{};
  for_seeds(4000, [&](Random& random) {
    const std::size_t values = random.between<std::size_t>(1, 4);
    Counts records(values), counts(values);
    for (std::int64_t& n : records) n = random.between(1, 5);
    for (std::int64_t& n : counts) n = random.below(4);
    if (std::ranges::max(counts) == 0) counts[0] = 1;
    const int kind = random.below(model_kinds);
    const auto model = random_model(random, kind, 0, records);
    const bool hopeless = without_hope(*model, counts);
    const bool given_up = marked(*model, &ClassModel::mark_hopeless, counts);
    CHECK(hopeless || !given_up);
    const auto slot = static_cast<std::size_t>(kind);
    true_ones[slot] += hopeless, found[slot] += given_up;
  });
  for (std::size_t kind = 0; kind < model_kinds; ++kind) {
    CHECK(true_ones[kind] >= 30);
    CHECK(2 * found[kind] > true_ones[kind]);
  }
}

TEST(one_of_each_value_decides_for_models_of_shares) {
  const Ratio third(0, 1, 3);
  CHECK(marked(LDiversity(0, third), &ClassModel::mark_hopeless, {9, 9, 0}));
  CHECK(!marked(LDiversity(0, third), &ClassModel::mark_hopeless, {9, 9, 1}));
  CHECK(marked(EntropyLDiversity(0, 3, 1), &ClassModel::mark_hopeless, {9, 9, 0}));
  CHECK(!marked(EntropyLDiversity(0, 3, 1), &ClassModel::mark_hopeless, {99, 9, 1}));
  CHECK(marked(RecursiveLDiversity(0, Ratio(1, 0, 1), 2), &ClassModel::mark_hopeless, {5, 5, 0}));  // 1 < 1 · 1
  CHECK(!marked(RecursiveLDiversity(0, Ratio(1, 0, 1), 2), &ClassModel::mark_hopeless, {5, 5, 5}));
}

TEST(limits_must_reach_one_together) {
  const Ratio none(0, 0, 1), third(0, 1, 3), half(0, 1, 2), all(1, 0, 1);
  CHECK(marked(LPlusDiversity(0, {third, half, all}), &ClassModel::mark_hopeless, {3, 3, 0}));
  CHECK(!marked(LPlusDiversity(0, {half, half, all}), &ClassModel::mark_hopeless, {3, 3, 0}));
  CHECK(marked(LPlusDiversity(0, {none, half, third}), &ClassModel::mark_hopeless, {1, 1, 2}));
  // A value with a limit of 1/3 cannot occur among two records, and 1/2 alone does not reach 1.
  CHECK(marked(LPlusDiversity(0, {half, third, third}), &ClassModel::mark_hopeless, {1, 1, 0}));
  CHECK(!marked(LPlusDiversity(0, {third, third, third}), &ClassModel::mark_hopeless, {1, 1, 1}));
}

TEST(marks_that_are_there_stay) {
  const std::vector<Histogram> histograms{histogram_of({1, 1})};
  const std::vector<std::int64_t> sizes{2};
  std::uint8_t mark = 1;
  LDiversity(0, Ratio(1, 0, 1)).mark_hopeless({sizes, histograms}, histograms.data(), {&mark, 1});
  CHECK_EQUAL(mark, 1);
}

// What a model says can be published of a class is no less than any part has that satisfies it: all parts of small
// classes are tried.
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

struct OneClass {
  explicit OneClass(const Counts& counts)
      : histograms{histogram_of(counts)}, sizes{std::accumulate(counts.begin(), counts.end(), std::int64_t{0})} {}

  bool violates(const ClassModel& model) const {
    std::uint8_t mark = 0;
    model.mark({sizes, histograms}, histograms.data(), {&mark, 1});
    return mark != 0;
  }

  std::int64_t publishable(const ClassModel& model) const {
    const std::uint8_t mark = violates(model);
    std::int64_t most = sizes.front();
    model.limit({sizes, histograms}, histograms.data(), {&mark, 1}, {&most, 1});
    return most;
  }

  std::vector<Histogram> histograms;
  std::vector<std::int64_t> sizes;
};

static std::int64_t publishable(const ClassModel& model, const Counts& counts) {
  return OneClass(counts).publishable(model);
}

static bool hopeless(const ClassModel& model, const Counts& counts) { return publishable(model, counts) == 0; }

/// The records of the largest part of a class that satisfies the model; unions of such parts do so too.
static std::int64_t largest_part(const ClassModel& model, const Counts& counts) {
  Counts part(counts.size(), 0);
  std::int64_t largest = 0;
  for (;;) {
    std::size_t v = 0;
    while (v < part.size() && part[v] == counts[v]) part[v++] = 0;
    if (v == part.size()) return largest;
    ++part[v];
    const OneClass one(part);
    if (one.sizes.front() > largest && !one.violates(model)) largest = one.sizes.front();
  }
}

/// Of the classes of which some part can be published, how many percent must be limited exactly: all where shares are
/// limited.
constexpr std::array<int, model_kinds> limited_exactly{100, 0, 25, 100, 100, 100, 100, 15, 15, 15};

TEST(no_part_that_satisfies_the_model_is_larger_than_the_bound) {
  std::array<int, model_kinds> true_ones{}, proved{}, cut{}, exact{};
  for_all_seeds(4000, [&](Random& random) {
    const std::size_t values = random.between<std::size_t>(1, 4);
    Counts records(values), counts(values);
    for (std::int64_t& n : records) n = random.between(1, 5);
    for (std::int64_t& n : counts) n = random.below(4);
    if (std::ranges::max(counts) == 0) counts[0] = 1;
    const int kind = random.below(model_kinds);
    const auto model = random_model(random, kind, 0, records);
    const std::int64_t most = largest_part(*model, counts), allowed = publishable(*model, counts);
    CHECK(most <= allowed);
    const auto slot = static_cast<std::size_t>(kind);
    true_ones[slot] += most == 0, proved[slot] += allowed == 0;
    const bool in_part = most > 0 && most < OneClass(counts).sizes.front();
    cut[slot] += in_part, exact[slot] += in_part && allowed == most;
  });
  for (std::size_t kind = 0; kind < model_kinds; ++kind) {
    CHECK(true_ones[kind] >= 30);
    CHECK(2 * proved[kind] > true_ones[kind]);
    CHECK(cut[kind] >= 10);
    CHECK(100 * exact[kind] >= cut[kind] * limited_exactly[kind]);
  }
}

TEST(one_of_each_value_decides_for_models_of_shares) {
  const Ratio third(0, 1, 3);
  CHECK(hopeless(LDiversity(0, third), {9, 9, 0}));
  CHECK(!hopeless(LDiversity(0, third), {9, 9, 1}));
  CHECK(hopeless(EntropyLDiversity(0, 3, 1), {9, 9, 0}));
  CHECK(!hopeless(EntropyLDiversity(0, 3, 1), {99, 9, 1}));
  CHECK(hopeless(RecursiveLDiversity(0, Ratio(1, 0, 1), 2), {5, 5, 0}));  // 1 < 1 · 1
  CHECK(!hopeless(RecursiveLDiversity(0, Ratio(1, 0, 1), 2), {5, 5, 5}));
}

TEST(limits_must_reach_one_together) {
  const Ratio none(0, 0, 1), third(0, 1, 3), half(0, 1, 2), all(1, 0, 1);
  CHECK(hopeless(LPlusDiversity(0, {third, half, all}), {3, 3, 0}));
  CHECK(!hopeless(LPlusDiversity(0, {half, half, all}), {3, 3, 0}));
  CHECK(hopeless(LPlusDiversity(0, {none, half, third}), {1, 1, 2}));
  // A value with a limit of 1/3 cannot occur among two records, and 1/2 alone does not reach 1.
  CHECK(hopeless(LPlusDiversity(0, {half, third, third}), {1, 1, 0}));
  CHECK(!hopeless(LPlusDiversity(0, {third, third, third}), {1, 1, 1}));
}

TEST(limits_that_are_there_stay) {
  const OneClass one({3, 1});
  const std::uint8_t violated = 1;
  std::int64_t most = 1;
  LDiversity(0, Ratio(0, 1, 2)).limit({one.sizes, one.histograms}, one.histograms.data(), {&violated, 1}, {&most, 1});
  CHECK_EQUAL(most, 1);  // and not 2
}

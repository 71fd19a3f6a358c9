#include "check.hpp"
#include "sfumato/privacy/alpha_k_anonymity.hpp"
#include "sfumato/privacy/beta_likeness.hpp"
#include "sfumato/privacy/delta_disclosure.hpp"
#include "sfumato/privacy/l_diversity.hpp"
#include "sfumato/privacy/l_plus_diversity.hpp"

using namespace sfumato;

/// Three classes over the values 0, 1, 2: (4, 0, 0), (1, 1, 0) and (1, 2, 1).
static std::vector<std::uint8_t> marked(const ClassModel& model, std::vector<std::uint8_t> violated = {0, 0, 0}) {
  const std::vector<std::int64_t> sizes{4, 2, 4};
  const std::vector<Histogram> histograms{{{0, 1, 3, 6}, {0, 1, 0, 2, 1, 0}, {4, 1, 1, 1, 2, 1}}};
  model.mark({sizes, histograms}, histograms.data(), violated);
  return violated;
}

using Marks = std::vector<std::uint8_t>;
static const Ratio all(1, 0, 1), half(0, 1, 2), third(0, 1, 3), quarter(0, 1, 4);

TEST(l_diversity_limits_every_share) {
  CHECK_EQUAL(marked(LDiversity(0, all)), Marks({0, 0, 0}));
  CHECK_EQUAL(marked(LDiversity(0, half)), Marks({1, 0, 0}));
  CHECK_EQUAL(marked(LDiversity(0, third)), Marks({1, 1, 1}));
  CHECK_EQUAL(marked(LDiversity(0, half), {0, 1, 0}), Marks({1, 1, 0}));
  CHECK_EQUAL(*LDiversity(2, half).sensitive(), 2);
}

TEST(alpha_k_anonymity_limits_shares_and_sizes) {
  CHECK_EQUAL(marked(AlphaKAnonymity(0, half, 2)), Marks({1, 0, 0}));
  CHECK_EQUAL(marked(AlphaKAnonymity(0, half, 3)), Marks({1, 1, 0}));
  CHECK_EQUAL(marked(AlphaKAnonymity(0, all, 5), {0, 0, 1}), Marks({1, 1, 1}));
}

TEST(l_plus_diversity_has_a_limit_per_value) {
  CHECK_EQUAL(marked(LPlusDiversity(0, {all, all, quarter})), Marks({0, 0, 0}));
  CHECK_EQUAL(marked(LPlusDiversity(0, {all, third, all})), Marks({0, 1, 1}));
  CHECK_EQUAL(marked(LPlusDiversity(0, {half, half, half}), {0, 0, 1}), Marks({1, 0, 1}));
}

TEST(beta_likeness_has_a_limit_per_value) {
  CHECK_EQUAL(marked(BetaLikeness(0, {half, half, Ratio(0, 0, 1)})), Marks({1, 0, 1}));
}

TEST(delta_disclosure_needs_every_value) {
  const std::vector<Ratio> least(3, quarter), most(3, half);
  CHECK_EQUAL(marked(DeltaDisclosure(0, least, most, 3)), Marks({1, 1, 0}));
  CHECK_EQUAL(marked(DeltaDisclosure(0, {third, third, quarter}, most, 3)), Marks({1, 1, 1}));
  CHECK_EQUAL(marked(DeltaDisclosure(0, least, {half, third, half}, 3)), Marks({1, 1, 1}));
}

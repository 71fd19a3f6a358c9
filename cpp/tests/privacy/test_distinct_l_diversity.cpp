#include "sfumato/privacy/distinct_l_diversity.hpp"

#include "check.hpp"

using namespace sfumato;

/// Three classes: 9 records of one value, 1 + 1 of two, 2 + 1 + 1 of three.
static std::vector<std::uint8_t> marked(std::int64_t l, std::vector<std::uint8_t> violated) {
  const std::vector<std::int64_t> sizes{9, 2, 4};
  const std::vector<Histogram> histograms{{{0, 1, 3, 6}, {4, 0, 4, 1, 2, 0}, {9, 1, 1, 2, 1, 1}}};
  const Classes classes{sizes, histograms};
  DistinctLDiversity(0, l).mark(classes, &classes.histograms[0], violated);
  return violated;
}

TEST(classes_under_l_values_violate_distinct_l_diversity) {
  CHECK_EQUAL(marked(1, {0, 0, 0}), std::vector<std::uint8_t>({0, 0, 0}));
  CHECK_EQUAL(marked(2, {0, 0, 0}), std::vector<std::uint8_t>({1, 0, 0}));
  CHECK_EQUAL(marked(3, {0, 0, 0}), std::vector<std::uint8_t>({1, 1, 0}));
  CHECK_EQUAL(marked(4, {0, 0, 0}), std::vector<std::uint8_t>({1, 1, 1}));
}

TEST(distinct_l_diversity_keeps_marks_of_other_models) {
  CHECK_EQUAL(marked(2, {0, 0, 1}), std::vector<std::uint8_t>({1, 0, 1}));
}

TEST(distinct_l_diversity_reads_its_sensitive_attribute) { CHECK_EQUAL(*DistinctLDiversity(3, 2).sensitive(), 3); }

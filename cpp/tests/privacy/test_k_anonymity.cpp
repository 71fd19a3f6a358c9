#include "sfumato/privacy/k_anonymity.hpp"

#include "check.hpp"

using namespace sfumato;

static std::vector<std::uint8_t> marked(std::int64_t k, std::vector<std::int64_t> sizes,
                                        std::vector<std::uint8_t> violated) {
  KAnonymity(k).mark({sizes, {}}, nullptr, violated);
  return violated;
}

TEST(classes_under_k_records_violate_k_anonymity) {
  CHECK_EQUAL(marked(3, {1, 2, 3, 4}, {0, 0, 0, 0}), std::vector<std::uint8_t>({1, 1, 0, 0}));
  CHECK_EQUAL(marked(1, {1, 2}, {0, 0}), std::vector<std::uint8_t>({0, 0}));
  CHECK_EQUAL(marked(5, {}, {}), std::vector<std::uint8_t>());
}

TEST(classes_under_k_persons_violate_k_anonymity) {
  const std::vector<std::int64_t> sizes{5, 5, 5}, units{1, 2, 3};
  std::vector<std::uint8_t> violated{0, 0, 0};
  KAnonymity(3).mark({sizes, {}, units}, nullptr, violated);
  CHECK_EQUAL(violated, std::vector<std::uint8_t>({1, 1, 0}));
}

TEST(k_anonymity_keeps_marks_of_other_models) {
  CHECK_EQUAL(marked(3, {2, 3, 4}, {1, 1, 0}), std::vector<std::uint8_t>({1, 1, 0}));
}

TEST(k_anonymity_reads_no_sensitive_attribute) { CHECK(!KAnonymity(2).sensitive().has_value()); }

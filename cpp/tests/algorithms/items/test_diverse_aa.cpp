#include <limits>
#include <stdexcept>

#include "check.hpp"
#include "sfumato/algorithms/items/anonymization.hpp"

using namespace sfumato;

namespace {

/// A root over A with a1 and a2, and b: nodes 0; 1: 2, 3; 4.
Baskets database(const Records& records) {
  return {ItemTree({0, 0, 1, 1, 0}, {3, 2, 1, 1, 1}), records, {3 * 8, 2 * 6, 0, 0, 0}};
}

items::Result solved(const Records& all, const Records& marked, const Records& sensitive, std::int64_t l) {
  const Baskets everyone = database(all), some = database(marked);
  Control control{Limits{}};
  return items::diverse_anonymization({{everyone, some, sensitive}, l, 2, true}, control);
}

}  // namespace

TEST(what_is_above_may_violate_where_the_sets_do_not) {
  Records all, marked, sensitive;
  const std::vector<ItemNode> a1{2}, a2{3}, both{2, 3}, b{4}, s{0};
  all.add(both, 2), all.add(a1, 2), all.add(a2, 2), all.add(b, 2);
  marked.add(a1, 2), marked.add(a2, 2);
  sensitive.add(s, 2), sensitive.add(s, 2);
  const items::Result result = solved(all, marked, sensitive, 2);
  CHECK(result.found && result.complete);
  CHECK_EQUAL(result.closed, std::vector<std::uint8_t>({0, 0, 0, 0, 0}));
}

TEST(the_cheapest_generalization_that_helps) {
  Records all, marked, sensitive;
  const std::vector<ItemNode> a1{2}, a2{3}, b{4}, s{0};
  all.add(a1, 1), all.add(a2, 3), all.add(b, 4);
  marked.add(a1, 1);
  sensitive.add(s, 1);
  const items::Result result = solved(all, marked, sensitive, 2);
  CHECK(result.found);
  CHECK_EQUAL(result.closed, std::vector<std::uint8_t>({0, 1, 0, 0, 0}));
  CHECK(!solved(all, all, Records{{0, 1, 2, 3}, {0, 0, 0}, {1, 3, 4}}, 2).found);
}

TEST(sensitive_items_are_numbered_from_0) {
  Records all;
  const std::vector<ItemNode> a1{2}, b{4};
  all.add(a1, 1), all.add(b, 2);
  for (const ItemNode item : {5u, 1u << 31, std::numeric_limits<ItemNode>::max()})
    CHECK_THROWS(std::invalid_argument, solved(all, all, Records{{0, 1, 2}, {0, item}, {1, 2}}, 2));
}

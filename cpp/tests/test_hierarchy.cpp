#include "sfumato/hierarchy.hpp"

#include "check.hpp"

using namespace sfumato;

TEST(a_hierarchy_knows_its_values_and_levels) {
  const Hierarchy hierarchy({{{0, 1, 2}, {1, 1, 1}}, {{0, 0, 1}, {2, 4}}, {{0, 0, 0}, {6}}});
  CHECK_EQUAL(hierarchy.values(), 3);
  CHECK_EQUAL(hierarchy.height(), 2);
  CHECK_EQUAL(hierarchy.level(1).nodes(), 2);
  CHECK_EQUAL(hierarchy.level(1).node[2], 1);
  CHECK_EQUAL(hierarchy.level(1).leaves[1], 4);
}

TEST(a_hierarchy_of_an_empty_table_has_no_values) {
  const Hierarchy hierarchy({{{}, {}}, {{}, {}}});
  CHECK_EQUAL(hierarchy.values(), 0);
  CHECK_EQUAL(hierarchy.height(), 1);
}

TEST(faulty_hierarchies_are_refused) {
  CHECK_THROWS(std::invalid_argument, Hierarchy({}));
  CHECK_THROWS(std::invalid_argument, Hierarchy({{{0, 1}, {1, 1}}, {{0}, {2}}}));     // a value without a node
  CHECK_THROWS(std::invalid_argument, Hierarchy({{{0, 1}, {1, 1}}, {{0, 1}, {2}}}));  // a node without leaves
}

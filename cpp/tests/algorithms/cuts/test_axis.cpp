#include "sfumato/algorithms/cuts/axis.hpp"

#include <set>
#include <vector>

#include "check.hpp"
#include "random_problem.hpp"

using namespace sfumato;
using namespace sfumato::testing;

TEST(cut_axis_lists_each_cut_once_and_counts_them) {
  for_seeds(200, [](Random& random) {
    const Frequencies frequencies =
        random_frequencies(random, {.attributes = {1, 2}, .values = {1, 7}, .height = {0, 3}, .combinations = {1, 30}});
    Node lowest = bottom_of(frequencies), highest = top_of(frequencies);
    if (random.below(2) == 0) highest = random_node(random, lowest, highest);
    const cuts::Tree tree(frequencies, lowest, highest);
    for (std::size_t a = 0; a < tree.attributes(); ++a) {
      cuts::Axis axis(tree, a);
      axis.list_cuts();
      std::set<std::set<std::uint32_t>> different;
      double nodes = 0;
      for (const auto& cut : axis.list()) {
        different.insert({cut.begin(), cut.end()});
        nodes += static_cast<double>(cut.size());
        for (std::uint32_t v = tree.first(a); v < tree.first(a + 1); ++v) {  // each leaf is below one of its nodes
          if (!tree.leaf(v)) continue;
          CHECK_EQUAL(std::ranges::count_if(cut,
                                            [&](std::uint32_t node) {
                                              const std::uint32_t leaf = v - axis.first();
                                              return leaf >= node && leaf < axis.end(node);
                                            }),
                      1);
        }
      }
      CHECK_EQUAL(different.size(), axis.list().size());
      CHECK_EQUAL(axis.cuts(), static_cast<double>(axis.list().size()));
      CHECK_EQUAL(axis.chosen(), nodes);
    }
  });
}

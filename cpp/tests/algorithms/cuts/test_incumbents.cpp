#include "sfumato/algorithms/cuts/incumbents.hpp"

#include <cstdint>
#include <vector>

#include "check.hpp"

using namespace sfumato;

namespace {

using Incumbents = cuts::Incumbents<std::int64_t>;

std::vector<std::vector<std::uint32_t>> cuts_of(const Incumbents& incumbents) {
  std::vector<std::vector<std::uint32_t>> cuts;
  for (const auto& incumbent : incumbents.all()) cuts.push_back(incumbent.cut);
  return cuts;
}

}  // namespace

TEST(cut_incumbents_do_not_depend_on_who_finds_what_when) {
  const Incumbents::Incumbent seed{5, true, {1, 0}, {7}}, same{5, false, {1, 0}, {7}}, early{5, false, {0, 1}, {8}},
      late{5, false, {1, 1}, {9}};
  const std::vector<std::vector<Incumbents::Incumbent>> orders{{seed, same, early, late},
                                                               {same, seed, early, late},
                                                               {early, same, late, seed},
                                                               {late, early, same, seed},
                                                               {late, same, seed, early}};
  for (std::size_t capacity = 1; capacity <= 3; ++capacity)
    for (const auto& order : orders) {
      Control control({});
      Incumbents incumbents(capacity, control);
      for (const auto& incumbent : order) incumbents.offer(incumbent);
      const std::vector<std::vector<std::uint32_t>> all{{7}, {8}, {9}};
      CHECK(cuts_of(incumbents) == std::vector(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(capacity)));
      CHECK(incumbents.precedes({1, 1, 1}));
    }
}

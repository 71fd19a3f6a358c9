// What local search requires, beyond what its space does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "sfumato/algorithms/local/local_search.hpp"
#include "sfumato/search/column_checks.hpp"

namespace sfumato::local {

inline void require(const Problem& problem, const Settings& settings) {
  require_rows(problem.counts, 1);
  if (problem.least < 1) throw std::invalid_argument("a class has one record at least");
  if (problem.leaf.size() != problem.trees.size()) throw std::invalid_argument("a node of each tree for every item");
  for (const Tree& tree : problem.trees)
    if (std::ranges::any_of(tree.cost, [](std::int64_t cost) { return cost < 0; }))
      throw std::invalid_argument("costs are not negative");
  require_models(problem.models, problem.columns, problem.counts.size());
  const ShareBounds& shares = problem.shares;
  constexpr std::int64_t finest = std::int64_t{1} << 26;  // of so many records as are counted, there is room for them
  if (shares.whole < 1 || shares.whole > finest ||
      std::ranges::any_of(shares.most, [](std::int64_t most) { return most < 0 || most > finest; }))
    throw std::invalid_argument("shares are parts of 2^26 at most, and not negative");
  if (!shares.most.empty()) {
    if (shares.column >= problem.columns.size()) throw std::invalid_argument("shares of a column that is not there");
    require_below(problem.columns[shares.column].codes, problem.counts.size(), shares.most.size());
  }
  if (settings.steps < 0 || settings.rounds < 0) throw std::invalid_argument("nothing is done less than never");
}

}  // namespace sfumato::local

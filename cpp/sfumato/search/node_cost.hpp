// The cost of single nodes, for searches that do not walk the lattice by cost.
#pragma once

#include <cstdint>
#include <functional>

#include "sfumato/algorithms/lattice_search.hpp"

namespace sfumato {

/// What publishing a valid node costs, all its violating classes suppressed.
using NodeCost = std::function<Cost(const Node&)>;

/// A node is the cheapest of the lattice that consists of it: so every loss is added up in one place.
inline NodeCost node_cost(const Frequencies& frequencies, const Models& models, const Loss& loss, std::int64_t limit) {
  return [&frequencies, &models, loss, limit](const Node& node) {
    Control control({});
    return lattice_search({frequencies, models, loss, limit, node, node}, control).cost;
  };
}

}  // namespace sfumato

// LatticeSearch: the cheapest node of the full-domain lattice, by branch and bound over boxes of nodes.
//
// A box [lo, hi] is the set of nodes between two levels per attribute. Evaluating hi gives
//   whether any node of the box can be valid, and
//   a lower bound for the whole box: what is hopeless at hi is suppressed, the rest costs at least its cost at lo.
// So one evaluation bounds a box, however many nodes it holds, and lattices of any size need no table of nodes.
// A level that would push the bound above the incumbent is cut off the box before it is split.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sfumato/cost.hpp"
#include "sfumato/frequencies.hpp"
#include "sfumato/loss/loss.hpp"
#include "sfumato/packing.hpp"
#include "sfumato/privacy/model.hpp"
#include "sfumato/search/control.hpp"

namespace sfumato::lattice {

struct Problem {
  const Frequencies& frequencies;
  Models models;
  Loss loss;
  std::int64_t limit;  // most records that may be suppressed
  Node bottom, top;
  bool log = false;  // keep the nodes evaluated, for comparisons
};

struct Result {
  bool complete = false;  // proved: nothing costs less, or nothing is valid
  bool found = false;
  Node node;  // the best; if the search was not stopped, the lexicographically first of equals
  Cost cost = 0;
  Cost bound = 0;
  std::int64_t suppressed = 0;
  std::int64_t classes = 0;
  std::vector<Node> examined;  // if they were to be kept
};

Result lattice_search(const Problem& problem, Control& control);

/// What publishing a valid node costs, all its violating classes suppressed.
using NodeCost = std::function<Cost(const Node&)>;

/// A node is the cheapest of the lattice that consists of it: so every loss is added up in one place.
inline NodeCost node_cost(const Frequencies& frequencies, const Models& models, const Loss& loss, std::int64_t limit) {
  return [&frequencies, &models, loss, limit](const Node& node) {
    Control control({});
    return lattice_search({frequencies, models, loss, limit, node, node}, control).cost;
  };
}

}  // namespace sfumato::lattice

// POkA: from one Pareto-optimal node to the next, down to candidate ground nodes and up again. As published:
// incomplete. Dewri, Ray, Ray, Whitley, "POkA: identifying Pareto-optimal k-anonymous nodes", CIKM 2009, Functions 1
// to 3.
#pragma once

#include <cstdint>
#include <vector>

#include "sfumato/algorithms/lattice/frequency_set.hpp"
#include "sfumato/loss/loss.hpp"
#include "sfumato/search/control.hpp"

namespace sfumato::lattice {

struct PokaProblem {
  const Frequencies& frequencies;
  Loss loss;
  std::int64_t limit;  // most records that may be suppressed, fewer than there are
  Node bottom, top;
  Node start;           // the first base node
  std::uint32_t depth;  // from a base node to its candidate ground nodes, at least 1
  bool keep = false;    // list all nodes that were evaluated
};

struct PokaPoint {
  Node node;
  std::int64_t k = 0;
  Cost cost = no_cost;
  std::int64_t suppressed = 0;
};

struct PokaResult {
  bool complete = false;          // not stopped
  std::vector<PokaPoint> points;  // in the order of the search: the start, then base after base
  std::vector<PokaPoint> nodes;   // all that were evaluated, in lexicographic order, if they are to be listed
};

PokaResult poka(const PokaProblem& problem, Control& control);

}  // namespace sfumato::lattice

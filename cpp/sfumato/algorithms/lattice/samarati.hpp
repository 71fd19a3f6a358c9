// Samarati's search: a valid node of the least height of the full-domain lattice, by binary search on the height.
// Samarati, "Protecting respondents' identities in microdata release", IEEE TKDE 13(6), 2001, Figure 8.
#pragma once

#include <cstdint>
#include <vector>

#include "sfumato/algorithms/lattice/frequency_set.hpp"
#include "sfumato/algorithms/lattice/lattice_search.hpp"
#include "sfumato/search/control.hpp"

namespace sfumato::lattice {

struct SamaratiProblem {
  const Frequencies& frequencies;
  Models models;
  NodeCost cost;
  std::int64_t limit;  // MaxSup: most records that may be suppressed
  Node bottom, top;
};

struct SamaratiResult {
  bool complete = false;    // not stopped: no valid node has a lesser height, and all of that height are listed
  std::vector<Node> nodes;  // the valid ones of the least height, cheapest first, then in lexicographic order
  std::vector<Cost> costs;
};

SamaratiResult samarati(const SamaratiProblem& problem, Control& control);

}  // namespace sfumato::lattice

// Datafly: generalise the attribute with the most distinct values until few enough records are left to suppress.
// Sweeney, "Guaranteeing anonymity when sharing medical data, the Datafly system", AMIA 1997.
#pragma once

#include <cstdint>
#include <vector>

#include "sfumato/algorithms/lattice/frequency_set.hpp"
#include "sfumato/algorithms/lattice/lattice_search.hpp"
#include "sfumato/search/control.hpp"

namespace sfumato::lattice {

struct DataflyProblem {
  const Frequencies& frequencies;
  Models models;
  NodeCost cost;
  std::int64_t limit;  // most records that may be suppressed
  Node bottom, top;
};

struct DataflyResult {
  bool complete = false;  // not stopped
  bool found = false;
  Node node;  // where it ended: valid if found
  Cost cost = no_cost;
};

DataflyResult datafly(const DataflyProblem& problem, Control& control);

}  // namespace sfumato::lattice

// Incognito: all minimal nodes of the full-domain lattice without suppression, subset by subset of the attributes.
// LeFevre, DeWitt, Ramakrishnan, "Incognito: efficient full-domain k-anonymity", SIGMOD 2005.
//
// Generalization property: above a node that satisfies the models, every node does.
// Subset property: if the table violates them with respect to some attributes, it does with respect to more of them.
// Roll-up property: the frequency set of a node follows from that of any node below it.
#pragma once

#include <cstddef>
#include <vector>

#include "sfumato/algorithms/lattice/frequency_set.hpp"
#include "sfumato/algorithms/lattice/lattice_search.hpp"
#include "sfumato/search/control.hpp"

namespace sfumato::lattice {

struct IncognitoProblem {
  const Frequencies& frequencies;
  Models models;
  NodeCost cost;  // without suppression; never falls from a node to those above it
  Node bottom, top;
  std::size_t most_candidates = std::size_t{1} << 25;  // of one size of subsets; with more of them it stops
};

struct IncognitoResult {
  bool complete = false;      // every minimal node is known
  bool overflow = false;      // there were more candidates than it may hold
  std::vector<Node> minimal;  // cheapest first, then in lexicographic order
  std::vector<Cost> costs;    // of the minimal nodes
  Cost bound = 0;             // on every valid node
};

/// Counts a candidate as examined when its frequency set is computed and checked.
IncognitoResult incognito(const IncognitoProblem& problem, Control& control);

}  // namespace sfumato::lattice

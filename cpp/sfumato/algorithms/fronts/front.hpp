// The Pareto front between what classes attain and what a release costs, over a full-domain lattice.
//
// At a node, classes are suppressed from the weakest: for every strength that occurs, those below it, as long as the
// limit allows. With `spend_limit` only the strictest that a node can attain is a point (Dewri et al., CIKM 2009).
// Complete evaluation looks at every node; where only sizes matter, `NestedRollUp` makes that a few operations per
// class, and bounds can leave out branches of it: no node of a branch is stricter than its top, none costs less than
// its bottom. Elsewhere bounds leave out boxes of nodes, as in LatticeSearch, but for every strength at once. Pruning,
// for one strength, goes down the lattice: strengths only fall, and no node costs less than its values do.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sfumato/algorithms/fronts/pareto.hpp"
#include "sfumato/loss/loss.hpp"
#include "sfumato/privacy/model.hpp"
#include "sfumato/privacy/rating.hpp"
#include "sfumato/search/control.hpp"

namespace sfumato::fronts {

enum class Search { complete, bounded, pruned };

struct Problem {
  const Frequencies& frequencies;
  Models models;    // hold at every point
  Ratings ratings;  // what is varied: one or two
  Loss loss;
  std::int64_t limit;  // most records that may be suppressed
  Node bottom, top;
  bool spend_limit = false;
  Search search = Search::complete;  // another only if it `serves`
  bool keep = false;                 // all points of all nodes
};

/// A point of a node, whether it is beaten or not.
struct NodePoint {
  Strength strength;
  Cost cost;
  Node node;
  std::int64_t suppressed;
};

struct Result {
  bool complete = false;
  std::vector<ParetoPoint> points;
  std::vector<NodePoint> kept;
};

/// Whether it is proved that a search finds the front of this problem.
bool serves(Search search, const Problem& problem);

Result front(const Problem& problem, Control& control);

class Walk;

/// Points of single nodes, for callers that walk the lattice in an order of their own.
class SingleNodes {
 public:
  explicit SingleNodes(Problem problem);
  ~SingleNodes();

  std::vector<NodePoint> at(const Node& node);

 private:
  Problem problem_;
  Control control_;
  std::unique_ptr<Walk> walk_;
};

}  // namespace sfumato::fronts

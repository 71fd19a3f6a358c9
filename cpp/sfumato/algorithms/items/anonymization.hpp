// Anonymization of transactions by cuts of their items: direct, apriori, staged from coarse to fine, and optimal.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sfumato/algorithms/items/cut.hpp"
#include "sfumato/algorithms/items/shares.hpp"
#include "sfumato/search/control.hpp"

namespace sfumato::items {

struct Result {
  bool complete = true;  // else a limit came first, and the rest was generalised
  bool found = true;     // else not even the root has support k
  std::vector<std::uint8_t> closed;
  std::vector<std::vector<ItemNode>> clauses = {};  // every valid cut closes a node of each; those met on the way
};

struct Problem {
  const Baskets& baskets;
  std::int64_t k;
  std::size_t m;
  std::vector<std::uint8_t> closed = {};  // committed from the start
};

/// AA, literally: for i = 1 to m, the first set of i nodes at or above the cut with support below k, in the order of a
/// count tree (support, leaves, depth, preorder), is generalised by the cheapest rule that helps; again until none is.
Result apriori_anonymization(const Problem& problem, Control& control);

/// The nodes that a count tree of the sets at or above the cut has where it is built: of all sets of up to m nodes, as
/// OA and DA build one; exact: of those of just m, as AA does for each size. Nothing if the search is stopped.
std::optional<std::uint64_t> count_tree_nodes(const Problem& problem, bool exact, Control& control);

/// DA, literally: the same on the leaves of one count tree of all sets of up to m nodes.
Result direct_anonymization(const Problem& problem, Control& control);

/// AA in stages: first down to depth 1, then 2, …; sets are raised as far as they stay rare before they are repaired;
/// at last every closed node that need not be is opened again.
Result staged_anonymization(const Problem& problem, Control& control);

/// OA, literally (Algorithm 2). Found only if a valid cut was seen; complete if nothing was left in the queue.
Result optimal_anonymization(const Problem& problem, Control& control);

struct DiverseProblem {
  SensitiveBaskets baskets;
  std::int64_t l;
  std::size_t m;
  bool refined = true;
};

/// AA with the test of l^m-diversity: for i = 1 to m, of a set of up to i published nodes that violates, the cheapest
/// generalization of its members that does not is committed, until no published set violates. refined: then closed
/// nodes that need not be are opened again, the same is tried from the root down, and the cheaper cut is taken.
Result diverse_anonymization(const DiverseProblem& problem, Control& control);

}  // namespace sfumato::items

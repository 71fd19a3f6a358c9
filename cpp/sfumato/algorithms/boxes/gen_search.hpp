// GenSearch: the cheapest partition of the records into boxes, by recursive splits.
// Hore, Jammalamadaka, Mehrotra, D'Ascanio, "Constrained generalization for data anonymization", 2011; the recurrence
// over boxes, opt(B) = min(cost(B), min over splits of the sum of opt(parts)), takes the place of the paper's
// enumeration.
#pragma once

#include "sfumato/algorithms/boxes/problem.hpp"
#include "sfumato/search/control.hpp"

namespace sfumato::boxes {

Result gen_search(const Problem& problem, Control& control);

/// Mondrian's steepest partition of the same space; `bound` is 0.
Result steepest(const Problem& problem, Control& control);

}  // namespace sfumato::boxes

// Optimal anonymization of transactions: all cuts from the bottom up, breadth first, until those above are valid.
#pragma once

#include "sfumato/algorithms/aa.hpp"

namespace sfumato {

/// OA, literally (Algorithm 2). Found only if a valid cut was seen; complete if nothing was left in the queue.
ItemCutResult optimal_anonymization(const KmProblem& problem, Control& control);

}  // namespace sfumato

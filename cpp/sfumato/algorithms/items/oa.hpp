// Optimal anonymization of transactions: all cuts from the bottom up, breadth first, until those above are valid.
#pragma once

#include "sfumato/algorithms/items/aa.hpp"

namespace sfumato::items {

/// OA, literally (Algorithm 2). Found only if a valid cut was seen; complete if nothing was left in the queue.
Result optimal_anonymization(const Problem& problem, Control& control);

}  // namespace sfumato::items

// Costs are exact: integers in units of one common denominator, wide enough that no sum overflows.
#pragma once

#include <cstdint>
#include <limits>

namespace sfumato {

__extension__ using Cost = __int128;

/// Larger than any cost; stands for "no incumbent yet".
inline constexpr Cost no_cost = (Cost{1} << 126);

}  // namespace sfumato

// Faults that tests plant in searches, to see that a comparison with brute force notices them.
#pragma once

#include <atomic>

namespace sfumato {

enum class Fault {
  none,
  bound_one_too_high,
  node_skipped,
  hopeless_too_soon,
  marked_too_far,
  too_strict,
  split_skipped,
  least_one_too_high,
  cut_skipped,
  tuples_skipped,
};

/// The one that is planted, in all searches of the process; none but in tests. Searches read it where they would err:
/// no problem, limit or result knows of it.
inline std::atomic<Fault> planted = Fault::none;

inline bool is_planted(Fault fault) { return planted.load(std::memory_order_relaxed) == fault; }

}  // namespace sfumato

// The latest evaluations of one thread: what was learnt about a node tells about every box below it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "sfumato/search/evaluation.hpp"

namespace sfumato {

/// Whether every level of x is at most that of y.
inline bool below(const Node& x, const Node& y) {
  return std::equal(x.begin(), x.end(), y.begin(), std::less_equal<>());
}

/// One at or above the top of another box tells about that box too.
class LatestEvaluations {
 public:
  void add(const Node& node, std::shared_ptr<const Evaluation> evaluation) {
    if (entries_.size() < most) entries_.emplace_back();
    entries_[next_] = {node, std::move(evaluation)};
    next_ = (next_ + 1) % most;
  }

  /// Whether some evaluation of a node at or above `top` satisfies the predicate.
  template <class Predicate>
  bool any_above(const Node& top, Predicate predicate) const {
    return std::any_of(entries_.begin(), entries_.end(),
                       [&](const Entry& entry) { return below(top, entry.node) && predicate(*entry.evaluation); });
  }

 private:
  struct Entry {
    Node node;
    std::shared_ptr<const Evaluation> evaluation;
  };

  static constexpr std::size_t most = 512;  // looking through them stays far cheaper than an evaluation
  std::vector<Entry> entries_;
  std::size_t next_ = 0;
};

}  // namespace sfumato

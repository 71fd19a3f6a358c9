// What the threads of a search over boxes for a front share: the boxes still to be searched, and the front so far.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "sfumato/algorithms/fronts/front.hpp"
#include "sfumato/algorithms/fronts/node_bounds.hpp"

namespace sfumato::fronts {

/// The nodes between two of them.
struct Box {
  Node lo, hi;
  std::shared_ptr<const Base> base;
  std::shared_ptr<const Steps> at_hi;
  Cost classes = 0;            // what classes at lo cost at least, those hopeless for the base apart
  std::optional<Rate> beaten;  // points up to this strength are beaten by the front in the whole box
};

/// A stack, so that only the boxes along one way down hold memory; and the front.
class OpenBoxes {
 public:
  /// The box opened last; false when nothing is left or the search has to stop.
  bool pop(Box& box) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return halted_ || !open_.empty() || busy_ == 0; });
    if (halted_ || open_.empty()) return false;
    box = std::move(open_.back());
    open_.pop_back();
    ++busy_;
    return true;
  }

  void push(Box box) {
    const std::lock_guard lock(mutex_);
    open_.push_back(std::move(box));
    changed_.notify_one();
  }

  /// The box that was popped has been dealt with.
  void done() {
    const std::lock_guard lock(mutex_);
    --busy_;
    changed_.notify_all();
  }

  void halt() {
    const std::lock_guard lock(mutex_);
    halted_ = true;
    changed_.notify_all();
  }

  void add(const std::vector<NodePoints::Point>& points, const Node& node, const std::optional<Rate>& beaten) {
    const std::lock_guard lock(mutex_);
    for (const auto& [strength, cost, suppressed] : points)
      if (!beaten || *beaten < strength.front()) front_.add(strength.front(), cost, node, suppressed);
  }

  /// Calls with the front as it is.
  template <class Call>
  auto with_front(Call call) const {
    const std::lock_guard lock(mutex_);
    return call(front_);
  }

  /// To be called when all threads have come to rest.
  Result result() {
    Result result{!halted_, {}, {}};
    for (const auto& [strength, cost, nodes, suppressed] : front_.points())
      result.points.push_back({{strength}, cost, nodes, suppressed});
    return result;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Box> open_;
  std::size_t busy_ = 0;
  bool halted_ = false;
  LineFront<Rate> front_;
};

}  // namespace sfumato::fronts

// The cheapest cuts so far, and what they exclude; shared by the threads of a search.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "sfumato/search/control.hpp"

namespace sfumato::cuts {

/// The decisions that lead to a state, in order: 0 specialises the next value, 1 locks it.
using Path = std::vector<std::uint8_t>;

template <class Sum>
class Incumbents {
 public:
  /// Larger than any cost.
  static constexpr Sum unbounded = Sum{1} << (8 * sizeof(Sum) - 4);

  struct Incumbent {
    Sum cost;
    bool seed;  // from before all searches, and so before all that they find
    Path path;
    std::vector<std::uint32_t> cut;
  };

  Incumbents(std::size_t capacity, Control& control) : capacity_(capacity), control_(&control) {}

  /// Among equal costs, seeds come first in the order of their arrival, then cuts in the order of their paths: so the
  /// answer does not depend on which thread finds what when.
  void offer(Incumbent offered) {
    const std::lock_guard lock(mutex_);
    const auto same = std::ranges::find_if(
        cheapest_, [&](const Incumbent& other) { return other.cost == offered.cost && other.cut == offered.cut; });
    if (same != cheapest_.end()) {
      if (same->seed || !offered.seed) return;
      cheapest_.erase(same);  // a search was faster
    }
    const auto place = std::ranges::upper_bound(cheapest_, offered, before);
    if (place == cheapest_.begin()) control_->improved(static_cast<Cost>(offered.cost));
    cheapest_.insert(place, std::move(offered));
    if (cheapest_.size() > capacity_) cheapest_.pop_back();
    if (cheapest_.size() == capacity_) last_ = cheapest_.back().cost;
    ++version_;
  }

  /// Changes whenever the cuts do.
  std::uint64_t version() const { return version_; }

  /// The cost of the dearest cut that is wanted, if there are enough.
  Sum last() const {
    const std::lock_guard lock(mutex_);
    return last_;
  }
  Sum first() const {
    const std::lock_guard lock(mutex_);
    return cheapest_.empty() ? unbounded : cheapest_.front().cost;
  }

  /// The cheapest cut, or none.
  std::vector<std::uint32_t> cheapest() const {
    const std::lock_guard lock(mutex_);
    return cheapest_.empty() ? std::vector<std::uint32_t>() : cheapest_.front().cut;
  }

  /// Whether cuts below `path` that cost exactly `last` come too late.
  bool precedes(const Path& path) const {
    const std::lock_guard lock(mutex_);
    return cheapest_.size() == capacity_ && (cheapest_.back().seed || cheapest_.back().path < path);
  }

  std::vector<Incumbent> all() const {
    const std::lock_guard lock(mutex_);
    return cheapest_;
  }

 private:
  static bool before(const Incumbent& one, const Incumbent& other) {
    if (one.cost != other.cost) return one.cost < other.cost;
    if (one.seed || other.seed) return one.seed && !other.seed;
    return one.path < other.path;
  }

  std::size_t capacity_;
  Control* control_;
  mutable std::mutex mutex_;
  std::vector<Incumbent> cheapest_;
  Sum last_ = unbounded;
  std::atomic<std::uint64_t> version_ = 0;
};

}  // namespace sfumato::cuts

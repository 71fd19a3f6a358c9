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

namespace sfumato {

/// The decisions that lead to a state, in order: 0 specialises the next value, 1 locks it.
using CutPath = std::vector<std::uint8_t>;

template <class Sum>
class CutIncumbents {
 public:
  /// Larger than any cost.
  static constexpr Sum unbounded = Sum{1} << (8 * sizeof(Sum) - 4);

  struct Found {
    Sum cost;
    bool seed;  // found before all searches, and so before all that they find
    CutPath path;
    std::vector<std::uint32_t> cut;
  };

  CutIncumbents(std::size_t capacity, Control& control) : capacity_(capacity), control_(&control) {}

  /// Among equal costs, seeds come first as they were found, then cuts in the order of their paths: so the answer does
  /// not depend on who finds what when.
  void offer(Found found) {
    const std::lock_guard lock(mutex_);
    const auto same = std::ranges::find_if(
        found_, [&](const Found& known) { return known.cost == found.cost && known.cut == found.cut; });
    if (same != found_.end()) {
      if (same->seed || !found.seed) return;
      found_.erase(same);  // a search was faster
    }
    const auto place = std::ranges::upper_bound(found_, found, before);
    if (place == found_.begin()) control_->improved(static_cast<Cost>(found.cost));
    found_.insert(place, std::move(found));
    if (found_.size() > capacity_) found_.pop_back();
    if (found_.size() == capacity_) last_ = found_.back().cost;
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
    return found_.empty() ? unbounded : found_.front().cost;
  }

  /// The cheapest cut, or none.
  std::vector<std::uint32_t> cheapest() const {
    const std::lock_guard lock(mutex_);
    return found_.empty() ? std::vector<std::uint32_t>() : found_.front().cut;
  }

  /// Whether cuts below `path` that cost exactly `last` come too late.
  bool precedes(const CutPath& path) const {
    const std::lock_guard lock(mutex_);
    return found_.size() == capacity_ && (found_.back().seed || found_.back().path < path);
  }

  std::vector<Found> found() const {
    const std::lock_guard lock(mutex_);
    return found_;
  }

 private:
  static bool before(const Found& one, const Found& other) {
    if (one.cost != other.cost) return one.cost < other.cost;
    if (one.seed || other.seed) return one.seed && !other.seed;
    return one.path < other.path;
  }

  std::size_t capacity_;
  Control* control_;
  mutable std::mutex mutex_;
  std::vector<Found> found_;
  Sum last_ = unbounded;
  std::atomic<std::uint64_t> version_ = 0;
};

}  // namespace sfumato

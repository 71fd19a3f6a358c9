// Search control: limits, cancellation, incumbent, bound, trace and progress, in one place for all searches.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <vector>

#include "sfumato/cost.hpp"

namespace sfumato {

struct Limits {
  double seconds = std::numeric_limits<double>::infinity();
  std::int64_t examined = std::numeric_limits<std::int64_t>::max();  // candidate recodings evaluated
  std::size_t memory = std::size_t{1} << 30;                         // bytes for working copies of the data
  int threads = 1;
};

/// How far a search has come; costs are no_cost while there is none.
struct Progress {
  double seconds = 0;
  std::int64_t examined = 0;
  Cost incumbent = no_cost;
  Cost bound = 0;
};

/// Shared by the threads of one search and its caller.
class Control {
 public:
  explicit Control(Limits limits) : limits_(limits), start_(Clock::now()) {}

  const Limits& limits() const { return limits_; }

  void cancel() { cancelled_ = true; }

  /// Stopped by a person rather than by a limit.
  void interrupt() {
    interrupted_ = true;
    cancel();
  }
  bool interrupted() const { return interrupted_; }

  /// Claims the right to evaluate one more candidate; false when the search has to stop.
  bool examine() {
    if (stopped()) return false;
    if (examined_.fetch_add(1) < limits_.examined) return true;
    --examined_;
    cancelled_ = true;
    return false;
  }

  bool stopped() {
    if (!cancelled_ && elapsed() > limits_.seconds) cancelled_ = true;
    return cancelled_;
  }

  /// A valid lower bound on every solution; called between candidates, so it holds whenever the search stops.
  void tick(Cost bound) {
    const std::lock_guard lock(mutex_);
    if (bound <= progress_.bound) return;
    progress_.bound = std::min(bound, progress_.incumbent);
    // The bound creeps: keep a handful of its steps, and all of the incumbent's.
    if (elapsed() >= next_trace_) record();
  }

  void improved(Cost incumbent) {
    const std::lock_guard lock(mutex_);
    progress_.incumbent = std::min(progress_.incumbent, incumbent);
    record();
  }

  /// The last word: the search is over with this bound.
  void finish(Cost bound) {
    const std::lock_guard lock(mutex_);
    progress_.bound = bound;
    record();
  }

  Progress progress() const {
    const std::lock_guard lock(mutex_);
    Progress now = progress_;
    now.seconds = elapsed();
    now.examined = examined_;
    return now;
  }

  std::vector<Progress> trace() const {
    const std::lock_guard lock(mutex_);
    return trace_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  void record() {
    Progress now = progress_;
    now.seconds = elapsed();
    now.examined = examined_;
    trace_.push_back(now);
    next_trace_ = now.seconds * 1.05;
  }

  Limits limits_;
  Clock::time_point start_;
  std::atomic<bool> cancelled_ = false, interrupted_ = false;
  std::atomic<std::int64_t> examined_ = 0;
  mutable std::mutex mutex_;
  Progress progress_;
  double next_trace_ = 0;
  std::vector<Progress> trace_;
};

}  // namespace sfumato

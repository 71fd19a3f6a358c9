// Subtrees of the search that wait for a thread, and what is left open when the search stops.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "sfumato/algorithms/cuts/incumbents.hpp"

namespace sfumato::cuts {

template <class Sum>
class TaskPool {
 public:
  struct Task {
    Path path;
    Sum bound;
  };

  explicit TaskPool(Task root) : root_(std::move(root)) {}

  /// The whole tree, for the thread that leads.
  const Task& root() const { return root_; }

  /// One more thread takes part; false if it comes too late.
  bool join() {
    const std::lock_guard lock(mutex_);
    if (halted_) return false;
    ++threads_;
    return true;
  }

  /// It does not after all.
  void leave() {
    const std::lock_guard lock(mutex_);
    --threads_;
  }

  /// Whether a thread has nothing to do.
  bool hungry() const { return hungry_.load(std::memory_order_relaxed); }

  void give(Task task) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(task));
    hungry_ = false;
    changed_.notify_one();
  }

  /// False when all is done, or the search stops.
  bool take(Task& task) {
    std::unique_lock lock(mutex_);
    ++idle_;
    while (waiting_.empty() && !halted_ && idle_ < threads_) {
      hungry_ = true;
      changed_.wait(lock);
    }
    if (waiting_.empty() || halted_) {
      halted_ = true;
      changed_.notify_all();
      return false;
    }
    --idle_;
    task = std::move(waiting_.front());
    waiting_.erase(waiting_.begin());
    return true;
  }

  /// A thread stops with cuts open that cost at least `bound`.
  void halt(Sum bound) {
    const std::lock_guard lock(mutex_);
    halted_ = stopped_ = true;
    open_ = std::min(open_, bound);
    changed_.notify_all();
  }

  bool stopped() const {
    const std::lock_guard lock(mutex_);
    return stopped_;
  }

  /// What all cuts cost at least that were left open.
  Sum open() const {
    const std::lock_guard lock(mutex_);
    Sum open = open_;
    for (const Task& task : waiting_) open = std::min(open, task.bound);
    return open;
  }

 private:
  std::size_t threads_ = 0, idle_ = 0;
  Task root_;
  std::vector<Task> waiting_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> hungry_ = false;
  bool halted_ = false, stopped_ = false;
  Sum open_ = Incumbents<Sum>::unbounded;
};

}  // namespace sfumato::cuts

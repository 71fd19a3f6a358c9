// Threads that look for better partitions, while the first one proves.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "sfumato/algorithms/boxes/annealing.hpp"

namespace sfumato::boxes {

/// It yields partitions, and no bounds: it has tables and records of its own, and shares nothing with the proof but the
/// best partition of both.
template <class Int, class Lane>
class BackgroundSearch {
 public:
  using Boxes = std::vector<typename Partitions<Int, Lane>::Box>;

  /// Of all memory, for its tables.
  static std::size_t memory(const Limits& limits) { return limits.threads > 1 ? limits.memory / 2 : 0; }

  BackgroundSearch(const Records<Int, Lane>& records, const Limits& limits)
      : control_(without_first(limits)), annealing_(records, control_, memory(limits)) {
    try {
      thread_ = std::thread([this] { work(); });
    } catch (const std::system_error&) {  // no more threads to be had
    }
  }
  ~BackgroundSearch() { stop(); }

  /// Takes a partition over if it is the best. Returns the best if the other side has a better one, else none.
  Boxes exchange(Boxes boxes, Int cost) {
    const std::lock_guard lock(mutex_);
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    if (!boxes.empty() && cost < cost_) best_ = std::move(boxes), cost_ = cost;
    return cost_ < cost ? best_ : Boxes{};
  }

  /// Waits until it has stopped: soon, for it tests its control before every box.
  void stop() {
    control_.cancel();
    if (thread_.joinable()) thread_.join();
  }

 private:
  /// Neither time nor looks are limited here: it is stopped.
  static Limits without_first(const Limits& all) {
    Limits limits;
    limits.threads = std::max(1, all.threads - 1);
    return limits;
  }

  void work() {
    try {
      annealing_.run([this](Boxes boxes, Int cost) { return exchange(std::move(boxes), cost); });
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
    }
  }

  Control control_;
  Annealing<Int, Lane> annealing_;
  std::mutex mutex_;
  Boxes best_;
  Int cost_ = impossible<Int>;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace sfumato::boxes

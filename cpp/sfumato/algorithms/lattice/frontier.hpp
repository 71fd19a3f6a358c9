// What the threads of a lattice search share: the boxes still to be searched, and the best node so far.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "sfumato/algorithms/lattice/lattice_search.hpp"
#include "sfumato/search/evaluation.hpp"

namespace sfumato::lattice {

/// The nodes between two of them.
struct Box {
  Node lo, hi;
  Cost bound = 0;
  Cost classes = 0;  // the part of the bound that comes from classes at lo
  std::shared_ptr<const Evaluation> at_hi;
  std::shared_ptr<const Base> base;
};

/// The best node so far. Ties go to the lexicographically first node, so the answer depends on no order of visits.
class Incumbent {
 public:
  bool offer(Cost cost, const Node& node, const Evaluation& evaluation) {
    if (cost > cost_ || (cost == cost_ && !(node < node_))) return false;
    cost_ = cost;
    node_ = node;
    suppressed_ = evaluation.suppressed;
    classes_ = static_cast<std::int64_t>(evaluation.classes);
    return true;
  }

  /// No node at or above `lo` (componentwise) of at least this cost can replace the incumbent.
  bool excludes(Cost bound, const Node& lo) const { return bound > cost_ || (bound == cost_ && !(lo < node_)); }

  bool exists() const { return cost_ < no_cost; }
  Cost cost() const { return cost_; }
  void write(Result& result) const {
    result.found = exists();
    result.node = node_;
    result.cost = cost_;
    result.suppressed = suppressed_;
    result.classes = classes_;
  }

 private:
  Cost cost_ = no_cost;
  Node node_;
  std::int64_t suppressed_ = 0, classes_ = 0;
};

inline bool dearer(const Box& x, const Box& y) { return x.bound > y.bound; }

/// Boxes still to be searched, the incumbent, and whether all workers have nothing left to do.
class Frontier {
 public:
  Frontier(Control& control, std::size_t threads) : control_(control), held_(threads, no_cost) {}

  /// The most promising box; false when nothing is left or the search has to stop.
  bool pop(std::size_t worker, Box& box) {
    std::unique_lock lock(mutex_);
    held_[worker] = no_cost;
    changed_.notify_all();
    changed_.wait(lock, [&] { return halted_ || !open_.empty() || idle(); });
    if (halted_ || open_.empty()) return false;
    std::pop_heap(open_.begin(), open_.end(), dearer);
    box = std::move(open_.back());
    open_.pop_back();
    held_[worker] = box.bound;
    control_.tick(bound());
    return true;
  }

  void push(Box box) {
    const std::lock_guard lock(mutex_);
    if (incumbent_.excludes(box.bound, box.lo)) return;
    open_.push_back(std::move(box));
    std::push_heap(open_.begin(), open_.end(), dearer);
    changed_.notify_one();
  }

  /// The search stops before `box` is done: it stays open, so that the bound remains valid.
  void halt(Box box) {
    push(std::move(box));
    halt();
  }

  void halt() {
    const std::lock_guard lock(mutex_);
    halted_ = true;
    changed_.notify_all();
  }

  void offer(Cost cost, const Node& node, const Evaluation& evaluation) {
    const std::lock_guard lock(mutex_);
    if (!incumbent_.offer(cost, node, evaluation)) return;
    control_.improved(cost);
    // What it excludes would be thrown away when its turn came; its memory is needed now.
    std::erase_if(open_, [&](const Box& box) { return incumbent_.excludes(box.bound, box.lo); });
    std::make_heap(open_.begin(), open_.end(), dearer);
  }

  void log(const Node& node) {
    const std::lock_guard lock(mutex_);
    examined_.push_back(node);
  }

  Incumbent incumbent() const {
    const std::lock_guard lock(mutex_);
    return incumbent_;
  }

  /// To be called when all workers have come to rest: every box is done, or open again.
  Result result() {
    std::fill(held_.begin(), held_.end(), no_cost);
    Result result;
    incumbent_.write(result);
    result.bound = bound();
    result.complete = !halted_ || (incumbent_.exists() && result.bound == incumbent_.cost());
    result.examined = std::move(examined_);
    control_.finish(result.bound);
    return result;
  }

 private:
  bool idle() const {
    return std::all_of(held_.begin(), held_.end(), [](Cost bound) { return bound == no_cost; });
  }

  Cost bound() const {
    Cost bound = incumbent_.cost();
    if (!open_.empty()) bound = std::min(bound, open_.front().bound);
    for (const Cost held : held_) bound = std::min(bound, held);
    return bound;
  }

  Control& control_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Box> open_;   // a heap, cheapest bound first
  std::vector<Cost> held_;  // bound of the box each worker holds
  Incumbent incumbent_;
  std::vector<Node> examined_;
  bool halted_ = false;
};

}  // namespace sfumato::lattice

// The workers of a search of cuts, each in its thread.
// The first of several dives to a first cut while the others begin with what does not depend on it, and joins them when
// it is done.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "sfumato/algorithms/cuts/shared_tuples.hpp"
#include "sfumato/algorithms/cuts/worker.hpp"

namespace sfumato::cuts {

template <class Sum>
class Workers {
 public:
  using Pool = TaskPool<Sum>;

  Workers(const Problem& problem, const Tree& tree, SharedTuples& shared, Incumbents<Sum>& incumbents, Control& control,
          int threads)
      : problem_(&problem),
        tree_(&tree),
        shared_(&shared),
        incumbents_(&incumbents),
        control_(&control),
        workers_(static_cast<std::size_t>(std::max(1, threads))) {
    workers_.front() = make();
  }

  ~Workers() {
    if (!diver_.joinable()) return;
    control_->cancel();  // the search has failed
    diver_.join();
  }

  Worker<Sum>& first() { return *workers_.front(); }

  /// Has the first worker `dive`: right now, or with several threads from now on.
  template <class Dive>
  void begin(const Dive& dive) {
    diving_ = true;
    try {
      if (workers_.size() > 1) {
        diver_ = std::thread([this, dive] { dive_and_join(dive); });
        return;
      }
    } catch (const std::system_error&) {  // no thread to be had
    }
    dive_and_join(dive);
  }

  /// Runs the workers until the pool is empty or the search stops. What one of them throws stops the others, and is
  /// thrown here.
  void run(Pool& pool, Sum limit) {
    pool.join();
    const bool diving = announce(pool, limit);
    std::vector<std::thread> threads;
    try {
      for (std::size_t number = diving ? 1 : 0; number < workers_.size(); ++number)
        if (number != lead() && pool.join())
          threads.emplace_back([this, &pool, number, limit] { work(number, pool, limit); });
    } catch (const std::system_error&) {  // no more threads to be had: fewer will do
      pool.leave();
    }
    work(lead(), pool, limit);
    for (std::thread& thread : threads) thread.join();
    end();
  }

  /// Waits for the dive to end.
  void finish() {
    if (diver_.joinable()) diver_.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::unique_ptr<Worker<Sum>> make() {
    return std::make_unique<Worker<Sum>>(*problem_, *tree_, *shared_, *incumbents_, *control_);
  }

  /// The worker that begins a pass: always the same, whose graph has the classes already.
  std::size_t lead() const { return workers_.size() > 1 ? 1 : 0; }

  /// Whether the first worker still dives; it joins if it ends sooner than the others.
  bool announce(Pool& pool, Sum limit) {
    const std::lock_guard lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
    running_ = &pool;
    limit_ = limit;
    return diving_;
  }

  void end() {
    std::unique_lock lock(mutex_);
    running_ = nullptr;
    changed_.wait(lock, [&] { return !joined_; });
    if (failure_) std::rethrow_exception(failure_);
  }

  template <class Dive>
  void dive_and_join(const Dive& dive) {
    guarded([&] { dive(first()); });
    std::unique_lock lock(mutex_);
    diving_ = false;
    if (running_ == nullptr || failure_ || !running_->join()) return;
    joined_ = true;
    Pool& pool = *running_;
    const Sum limit = limit_;
    lock.unlock();
    work(0, pool, limit);
    lock.lock();
    joined_ = false;
    changed_.notify_all();
  }

  void work(std::size_t number, Pool& pool, Sum limit) {
    guarded([&] {
      if (!workers_[number]) workers_[number] = make();
      workers_[number]->run(pool, limit, number == lead());
    });
  }

  template <class Work>
  void guarded(const Work& work) {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      if (running_ != nullptr) running_->halt(0);
    }
  }

  const Problem* problem_;
  const Tree* tree_;
  SharedTuples* shared_;
  Incumbents<Sum>* incumbents_;
  Control* control_;
  std::vector<std::unique_ptr<Worker<Sum>>> workers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Pool* running_ = nullptr;
  Sum limit_ = 0;
  bool diving_ = false, joined_ = false;
  std::exception_ptr failure_;
  std::thread diver_;
};

}  // namespace sfumato::cuts

// A thread's part of a search of cuts: the dive to a first one, and subtrees that it takes from a pool and may share
// with others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sfumato/algorithms/cuts/decision_stack.hpp"
#include "sfumato/algorithms/cuts/incumbents.hpp"
#include "sfumato/algorithms/cuts/task_pool.hpp"
#include "sfumato/search/planted.hpp"

namespace sfumato::cuts {

template <class Sum>
class Worker {
 public:
  using Pool = TaskPool<Sum>;

  Worker(const Problem& problem, const Tree& tree, SharedTuples& shared, Incumbents<Sum>& incumbents, Control& control)
      : problem_(problem),
        tree_(tree),
        shared_(shared),
        incumbents_(incumbents),
        control_(control),
        stack_(problem, tree, shared) {
    follow();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() { shared_.reported(bytes_, 0); }

  /// What all cuts cost at least; no cut can be valid if the roots are not.
  Sum root_bound() { return state().bound(); }
  bool impossible() const { return state().impossible(); }

  /// Straight down to a first cut below `ceiling`, unless stopped. A value is locked if the bound rises by less than an
  /// eighth: what is still open will cost more than its bound, which a state of few classes shows sooner than one of
  /// many.
  void dive(Sum ceiling) {
    for (std::uint32_t v; (v = state().next()) != Tree::none;) {
      if (!control_.examine()) return unwind();
      make_room();
      stack_.specialise(v, ceiling);
      const bool possible = !state().impossible() && state().bound() < ceiling;
      const Sum finer = possible ? std::min(ceiling, state().bound() + state().bound() / 8) : ceiling;
      stack_.undo();
      stack_.lock(v, finer);
      path_.push_back(1);
      if (!state().impossible() && state().bound() < finer) {
        stack_.merge();
        continue;
      }
      if (!possible) return unwind();
      stack_.undo();
      stack_.specialise(v, ceiling);
      path_.back() = 0;
    }
    offer(/*seed=*/true);
    unwind();
  }

  /// Takes subtrees from the pool until all are done, or the search stops. Cuts above the limit are left out. The
  /// worker that leads begins with the whole tree.
  void run(Pool& pool, Sum limit, bool leads) {
    limit_ = limit;
    if (leads) search(pool, pool.root());
    for (typename Pool::Task task; pool.take(task);)
      if (!excludes(task.bound, task.path)) search(pool, task);
  }

 private:
  struct Frame {
    std::uint32_t value;
    Sum bound;        // of its state
    bool second;      // that branch is being searched
    bool other_open;  // the second branch is still to be searched, here
  };

  State<Sum>& state() { return stack_.state(); }
  const State<Sum>& state() const { return stack_.state(); }

  void replay(const Path& path) {
    stack_.replay(path);
    path_ = path;
  }

  void unwind() {
    for (; !path_.empty(); path_.pop_back()) stack_.undo();
    frames_.clear();
  }

  void search(Pool& pool, const typename Pool::Task& task) {
    replay(task.path);
    if (!searched(pool, task.bound)) pool.halt(open(task.bound));
    unwind();
  }

  /// Searches all cuts of the state; false if stopped.
  bool searched(Pool& pool, Sum inherited) {
    const std::size_t base = path_.size();
    Sum tested = inherited;
    for (;;) {
      if (control_.stopped()) return false;
      if (pool.hungry()) share(pool, base);
      make_room();
      if (incumbents_.version() != version_) follow();
      const bool updated = problem_.update_bounds || frames_.empty() || path_.back() == 0;
      const std::uint32_t v = state().impossible() ? Tree::none : state().next();
      if (!state().impossible()) {
        const bool exact = v == Tree::none;
        tested = frames_.empty() ? inherited : frames_.back().bound;
        if (updated || exact) tested = std::max<Sum>(tested, state().bound() + planted());
      }
      if (v != Tree::none && updated && !excludes(tested, path_)) tested = std::max(tested, state().bound_ahead());
      if (!state().impossible() && !excludes(tested, path_)) {
        if (v == Tree::none) {
          offer(/*seed=*/false);
        } else {
          stack_.merge();
          frames_.push_back({v, tested, false, true});
          path_.push_back(locks_first(v) ? 1 : 0);
          step();
          if (path_.back() == 0) frames_.back().other_open = problem_.top > 1 || state().divided();
          if (!control_.examine()) return false;
          continue;
        }
      }
      if (!back(base)) return true;
    }
  }

  /// Goes up to the next branch that is open; false if there is none.
  bool back(std::size_t base) {
    for (; path_.size() > base; path_.pop_back(), frames_.pop_back()) {
      Frame& frame = frames_.back();
      stack_.undo();
      if (frame.second || !frame.other_open) continue;
      path_.back() ^= 1;
      if (excludes(frame.bound, path_)) continue;
      frame.second = true;
      step();
      return true;
    }
    return false;
  }

  /// Takes the latest decision of the path.
  void step() {
    if (path_.back() == 0)
      stack_.specialise(frames_.back().value, ceiling());
    else
      stack_.lock(frames_.back().value, problem_.update_bounds ? ceiling() : Incumbents<Sum>::unbounded);
  }

  /// Cheap cuts are looked for near the cheapest so far: what it decided is tried first. What divides nothing is
  /// specialised. (The paper specialises first.)
  bool locks_first(std::uint32_t v) const {
    return followed_[v] != 0 && problem_.bounds == Bounds::strong && (problem_.top > 1 || state().divides(v));
  }

  void follow() {
    version_ = incumbents_.version();
    followed_.assign(tree_.size(), 0);
    for (const std::uint32_t v : incumbents_.cheapest()) followed_[v] = 1;
  }

  /// Gives the uppermost open branch away.
  void share(Pool& pool, std::size_t base) {
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      if (frames_[i].second || !frames_[i].other_open) continue;
      Path path(path_.begin(), path_.begin() + static_cast<std::ptrdiff_t>(base + i + 1));
      path.back() ^= 1;
      frames_[i].other_open = false;
      return pool.give({std::move(path), frames_[i].bound});
    }
  }

  /// What the cuts that this worker leaves cost at least.
  Sum open(Sum inherited) const {
    Sum open = frames_.empty() ? inherited : frames_.back().bound;
    for (const Frame& frame : frames_)
      if (!frame.second && frame.other_open) open = std::min(open, frame.bound);
    return open;
  }

  /// When the graphs of all workers have outgrown the memory, those that have their share of it start anew, with the
  /// classes of their current states; and not again before they have grown from there, and been of some use.
  void make_room() {
    if (--patience_ > 0) return;
    patience_ = 8;
    const Limits& limits = control_.limits();
    const std::size_t all = report();
    if (all < limits.memory || bytes_ < all / static_cast<std::size_t>(std::max(1, limits.threads))) return;
    if (bytes_ < least_ + least_ / 8) return;
    stack_.clear();
    report();
    least_ = bytes_;
    patience_ = static_cast<int>(std::clamp<std::size_t>(4 * path_.size(), 8, 256));
  }

  /// What the graphs of all workers take.
  std::size_t report() {
    const std::size_t before = std::exchange(bytes_, stack_.bytes());
    return shared_.reported(before, bytes_);
  }

  /// Bounds from here on are excluded.
  Sum ceiling() { return std::min(limit_, incumbents_.last()) + 1; }

  bool excludes(Sum bound, const Path& path) {
    if (bound > limit_) return true;
    const Sum last = incumbents_.last();
    return bound > last || (bound == last && incumbents_.precedes(path));
  }

  /// A planted fault: the bound of each class is one unit too high.
  Sum planted() const { return is_planted(Fault::bound_one_too_high) ? static_cast<Sum>(state().undecided()) : 0; }

  void offer(bool seed) {
    if (is_planted(Fault::cut_skipped) && !path_.empty() && path_.back() == 0) return;
    incumbents_.offer({state().bound(), seed, path_, state().cut()});
  }

  const Problem& problem_;
  const Tree& tree_;
  SharedTuples& shared_;
  Incumbents<Sum>& incumbents_;
  Control& control_;
  Sum limit_ = 0;
  DecisionStack<Sum> stack_;
  Path path_;
  std::vector<Frame> frames_;
  std::vector<std::uint8_t> followed_;  // values of the cheapest cut so far, which may be another thread's
  std::uint64_t version_ = 0;           // of the incumbents that it is of
  int patience_ = 1;
  std::size_t bytes_ = 0;  // of the graph, when last it was looked at
  std::size_t least_ = 0;  // of that, when last it started anew
};

}  // namespace sfumato::cuts

#include "sfumato/algorithms/l_plus_optimize.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "sfumato/search/cut_incumbents.hpp"
#include "sfumato/search/cut_pool.hpp"
#include "sfumato/search/cut_stack.hpp"

namespace sfumato {
namespace {

template <class Sum>
class Worker {
 public:
  using Incumbents = CutIncumbents<Sum>;
  using Pool = CutPool<Sum>;

  Worker(const CutProblem& problem, const CutTree& tree, Incumbents& incumbents, Control& control)
      : problem_(problem), tree_(tree), incumbents_(incumbents), control_(control), stack_(problem, tree) {
    follow({});
  }

  /// What all cuts cost at least; no cut can be valid if the roots are not.
  Sum root_bound() { return state().bound(); }
  bool impossible() const { return state().impossible(); }

  /// Straight down to a first cut; false if stopped. A value is locked if that costs at least little more, an eighth: what is
  /// still open will cost more than its bound, which few classes tell sooner than many.
  bool dive() {
    for (std::uint32_t v; (v = state().next()) != CutTree::none;) {
      if (!control_.examine()) return unwind(), false;
      stack_.specialise(v, Incumbents::unbounded);
      const bool possible = !state().impossible();
      const Sum finer = possible ? state().bound() + state().bound() / 8 : Incumbents::unbounded;
      stack_.undo();
      stack_.lock(v, finer);
      path_.push_back(1);
      if (state().impossible() && !possible) return unwind(), true;
      if (!possible || (!state().impossible() && state().bound() < finer)) {
        stack_.merge();
        continue;
      }
      stack_.undo();
      stack_.specialise(v, Incumbents::unbounded);
      path_.back() = 0;
    }
    offer(/*seed=*/true);
    unwind();
    return true;
  }

  /// Takes subtrees from the pool until all are done, or the search stops. Cuts above the limit are not asked for.
  void run(Pool& pool, Sum limit) {
    limit_ = limit;
    if (const auto found = incumbents_.found(); !found.empty()) follow(found.front().cut);
    for (typename Pool::Task task; pool.take(task);) {
      if (!task.path.empty() && excludes(task.bound, task.path)) continue;
      replay(task.path);
      if (!search(pool, task.bound)) pool.halt(open(task.bound));
      unwind();
    }
  }

 private:
  struct Frame {
    std::uint32_t value;
    Sum bound;       // of its state
    bool second;      // that branch is being searched
    bool other_open;  // the second branch is still to be searched, here
  };

  CutState<Sum>& state() { return stack_.state(); }
  const CutState<Sum>& state() const { return stack_.state(); }

  void replay(const CutPath& path) {
    stack_.replay(path);
    path_ = path;
  }

  void unwind() {
    for (; !path_.empty(); path_.pop_back()) stack_.undo();
    frames_.clear();
  }

  /// Searches all cuts of the state; false if stopped.
  bool search(Pool& pool, Sum inherited) {
    const std::size_t base = path_.size();
    Sum tested = inherited;
    for (;;) {
      if (control_.stopped()) return false;
      if (pool.hungry()) share(pool, base);
      make_room();
      const bool updated = problem_.update_bounds || frames_.empty() || path_.back() == 0;
      const std::uint32_t v = state().impossible() ? CutTree::none : state().next();
      if (!state().impossible()) {
        const bool exact = v == CutTree::none;
        tested = frames_.empty() ? inherited : frames_.back().bound;
        if (updated || exact) tested = std::max<Sum>(tested, state().bound() + planted());
      }
      if (v != CutTree::none && updated && !excludes(tested, path_)) tested = std::max(tested, state().bound_ahead());
      if (!state().impossible() && !excludes(tested, path_)) {
        if (v == CutTree::none) {
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
      stack_.lock(frames_.back().value, problem_.update_bounds ? ceiling() : Incumbents::unbounded);
  }

  /// Cheap cuts are looked for near the cheapest so far: what it decided is tried first. What divides nothing is specialised.
  /// (The paper specialises first.)
  bool locks_first(std::uint32_t v) const {
    return followed_[v] != 0 && problem_.bounds == CutBounds::strong && (problem_.top > 1 || state().divides(v));
  }

  void follow(const std::vector<std::uint32_t>& cut) {
    followed_.assign(tree_.size(), 0);
    for (const std::uint32_t v : cut) followed_[v] = 1;
  }

  /// Gives the uppermost open branch away.
  void share(Pool& pool, std::size_t base) {
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      if (frames_[i].second || !frames_[i].other_open) continue;
      CutPath path(path_.begin(), path_.begin() + static_cast<std::ptrdiff_t>(base + i + 1));
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

  /// When the graph of classes has outgrown the memory, it starts anew with those of the current state.
  void make_room() {
    if (--patience_ > 0) return;
    patience_ = 256;
    const auto threads = static_cast<std::size_t>(std::max(1, control_.limits().threads));
    if (stack_.bytes() >= control_.limits().memory / threads) stack_.clear();
  }

  /// Bounds from here on are excluded.
  Sum ceiling() {
    return std::min(limit_, incumbents_.last()) + 1;
  }

  bool excludes(Sum bound, const CutPath& path) {
    if (bound > limit_) return true;
    const Sum last = incumbents_.last();
    return bound > last || (bound == last && incumbents_.precedes(path));
  }

  /// A planted fault: the bound of each class is one unit too high.
  Sum planted() const {
    return problem_.fault == CutFault::bound_one_too_high ? static_cast<Sum>(state().undecided()) : 0;
  }

  void offer(bool seed) {
    if (problem_.fault == CutFault::cut_skipped && !path_.empty() && path_.back() == 0) return;
    const std::vector<std::uint32_t> cut = state().cut();
    if (state().bound() < incumbents_.first()) follow(cut);
    incumbents_.offer({state().bound(), seed, path_, cut});
  }

  const CutProblem& problem_;
  const CutTree& tree_;
  Incumbents& incumbents_;
  Control& control_;
  Sum limit_ = 0;
  CutStack<Sum> stack_;
  CutPath path_;
  std::vector<Frame> frames_;
  std::vector<std::uint8_t> followed_;  // values of the cheapest cut so far
  int patience_ = 1000;
};

template <class Sum>
class Search {
 public:
  Search(const CutProblem& problem, Control& control, Cost dearest)
      : problem_(problem), control_(control), dearest_(static_cast<Sum>(dearest)), tree_(problem.frequencies, problem.lowest, problem.highest), incumbents_(problem.top, control) {
    workers_.push_back(std::make_unique<Worker<Sum>>(problem, tree_, incumbents_, control));
  }

  CutResult solve() {
    Worker<Sum>& first = *workers_.front();
    if (first.impossible()) return done(true);
    raise(first.root_bound());
    if (!first.dive()) return done(false);
    // All cuts up to a limit, which grows until there are enough: little is looked at that the proof does not need.
    std::int64_t before = few_;
    for (Sum limit = std::max<Sum>(bound_, 1), step = std::max<Sum>(limit / 64, 1);; limit += step) {
      if (incumbents_.last() <= limit || limit >= dearest_) limit = Incumbents::unbounded;
      const std::int64_t start = control_.progress().examined;
      if (!pass(limit)) return done(false);
      if (incumbents_.last() <= limit || limit == Incumbents::unbounded) return done(true);
      const std::int64_t examined = control_.progress().examined - start;
      step = next_step(limit, step, static_cast<double>(examined) / static_cast<double>(before));
      before = std::max(examined, few_);
    }
  }

 private:
  using Incumbents = CutIncumbents<Sum>;

  /// As far as passes are expected to look at twice as many cuts, or to grow from few to `few_`; `growth`: that of the latest.
  static Sum next_step(Sum limit, Sum step, double growth) {
    if (growth <= 1) return std::min<Sum>(2 * step, std::max<Sum>(limit, 1));
    const double factor = std::clamp(std::log(2.0) / std::log(growth), 1.0 / 16, 2.0);
    return std::max({static_cast<Sum>(static_cast<double>(step) * factor), limit / 128, Sum{1}});
  }

  std::size_t threads() const { return static_cast<std::size_t>(std::max(1, control_.limits().threads)); }
  Sum first_cost() const { return incumbents_.first(); }

  void raise(Sum bound) {
    if (std::min(bound, first_cost()) == Incumbents::unbounded) return;  // nothing is valid: there is nothing to bound
    bound_ = std::max(bound_, std::min(bound, first_cost()));
    control_.tick(static_cast<Cost>(bound_));
  }

  /// One search of all cuts up to the limit; false if stopped. What was pruned costs more, or as much as the last one found.
  bool pass(Sum limit) {
    CutPool<Sum> pool(threads(), {{}, bound_});
    while (workers_.size() < threads())
      workers_.push_back(std::make_unique<Worker<Sum>>(problem_, tree_, incumbents_, control_));
    run_all(pool, limit);
    raise(std::min(pool.open(), limit == Incumbents::unbounded ? limit : limit + 1));
    return !pool.stopped();
  }

  /// Runs the workers to the end; an exception of one of them stops the others, and is thrown here.
  void run_all(CutPool<Sum>& pool, Sum limit) {
    const std::size_t count = threads();
    std::exception_ptr failure;
    std::mutex failing;
    const auto run = [&](std::size_t number) {
      try {
        workers_[number]->run(pool, limit);
      } catch (...) {
        const std::lock_guard lock(failing);
        if (!failure) failure = std::current_exception();
        pool.halt(0);
      }
    };
    std::vector<std::thread> threads;
    try {
      for (std::size_t number = 1; number < count; ++number) threads.emplace_back(run, number);
    } catch (const std::system_error&) {  // no more threads to be had: fewer will do
      pool.fewer(count - 1 - threads.size());
    }
    run(0);
    for (std::thread& thread : threads) thread.join();
    if (failure) std::rethrow_exception(failure);
  }

  CutResult done(bool complete) {
    CutResult result;
    for (const auto& found : incumbents_.found()) {
      result.cuts.push_back(levels(found.cut));
      result.costs.push_back(static_cast<Cost>(found.cost));
    }
    if (complete && !result.costs.empty()) raise(first_cost());
    result.complete = complete || (problem_.top == 1 && !result.costs.empty() && first_cost() == bound_);
    result.bound = static_cast<Cost>(bound_);
    control_.finish(result.bound);
    return result;
  }

  Cut levels(const std::vector<std::uint32_t>& values) const {
    Cut cut;
    for (std::size_t a = 0; a < tree_.attributes(); ++a) cut.emplace_back(problem_.frequencies.hierarchy(a).values());
    for (const std::uint32_t v : values)
      for (std::uint32_t i = 0; i < tree_[v].values; ++i) cut[tree_[v].attribute][tree_[v].value + i] = tree_[v].level;
    return cut;
  }

  static constexpr std::int64_t few_ = 64;  // cuts: as long as a pass looks at fewer, steps are doubled

  const CutProblem& problem_;
  Control& control_;
  Sum dearest_;
  CutTree tree_;
  Incumbents incumbents_;
  std::vector<std::unique_ptr<Worker<Sum>>> workers_;
  Sum bound_ = 0;
};

void require(const CutProblem& problem) {
  const Frequencies& frequencies = problem.frequencies;
  const bool some = problem.scheme != CutScheme::none && problem.scheme != CutScheme::all_records;
  if (some && !std::ranges::all_of(problem.models, [](const auto& model) { return model->share_limits() != nullptr; }))
    throw std::invalid_argument("to suppress what violates takes limits on the shares of values");
  if (problem.scheme == CutScheme::violating_records && problem.models.size() != 1)
    throw std::invalid_argument("to suppress the records that violate takes one limit on the shares of values");
  const bool values = problem.scheme == CutScheme::violating_values || problem.scheme == CutScheme::all_values;
  if (values && problem.loss.metric != CutMetric::values) throw std::invalid_argument("only a loss of values prices suppressed ones");
  if (problem.lowest.size() != frequencies.attributes() || problem.highest.size() != frequencies.attributes())
    throw std::invalid_argument("a lowest and a highest level per attribute");
  for (std::size_t a = 0; a < frequencies.attributes(); ++a)
    if (problem.lowest[a] > problem.highest[a] || problem.highest[a] > frequencies.hierarchy(a).height())
      throw std::invalid_argument("the lowest level is above the highest, or that above the hierarchy");
  if (problem.loss.metric == CutMetric::values && problem.loss.weight.size() != frequencies.attributes())
    throw std::invalid_argument("weights per attribute");
  if (problem.loss.metric == CutMetric::classification && problem.loss.target >= frequencies.sensitive().size())
    throw std::invalid_argument("a loss reads a column that is not there");
  for (const auto& model : problem.models) {
    if (model->populated()) throw std::invalid_argument("a model asks for a population, which no cut has");
    if (model->sensitive().value_or(0) >= frequencies.sensitive().size() && model->sensitive())
      throw std::invalid_argument("a model reads a sensitive attribute that is not there");
    if (problem.scheme == CutScheme::none && model->monotonicity() == Monotonicity::none)
      throw std::invalid_argument("what violates a model may be divided into what does not: suppress it instead");
  }
  if (problem.top == 0) throw std::invalid_argument("at least one cut");
}

/// Larger than what any cut can cost.
Cost dearest(const CutProblem& problem) {
  Cost each = problem.frequencies.records();  // DM
  if (problem.loss.metric == CutMetric::values) {
    each = problem.loss.record + problem.loss.value;
    for (const auto& levels : problem.loss.weight) {
      Cost most = 0;
      for (const auto& level : levels)
        for (const Cost weight : level) most = std::max(most, weight);
      each += most;
    }
  }
  return (problem.frequencies.records() + 1) * (each + 1);
}

}  // namespace

CutResult l_plus_optimize(const CutProblem& problem, Control& control) {
  require(problem);
  const Cost most = dearest(problem);
  if (most < Cost{1} << 58) return Search<std::int64_t>(problem, control, most).solve();
  return Search<Cost>(problem, control, most).solve();
}

}  // namespace sfumato

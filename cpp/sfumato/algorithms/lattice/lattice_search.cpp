#include "sfumato/algorithms/lattice/lattice_search.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "sfumato/algorithms/lattice/frontier.hpp"
#include "sfumato/search/evaluation.hpp"
#include "sfumato/search/lattice_checks.hpp"
#include "sfumato/search/planted.hpp"
#include "sfumato/search/threads.hpp"

namespace sfumato::lattice {
namespace {

/// Whether every level of x is at most that of y.
bool below(const Node& x, const Node& y) { return std::equal(x.begin(), x.end(), y.begin(), std::less_equal<>()); }

/// The latest evaluations of one thread. One of a node at or above the top of another box says something about that box
/// too.
class RecentEvaluations {
 public:
  void add(const Node& node, std::shared_ptr<const Evaluation> evaluation) {
    if (entries_.size() < most) entries_.emplace_back();
    entries_[next_] = {node, std::move(evaluation)};
    next_ = (next_ + 1) % most;
  }

  /// Whether some evaluation of a node at or above `top` satisfies the predicate.
  template <class Predicate>
  bool any_above(const Node& top, Predicate predicate) const {
    return std::any_of(entries_.begin(), entries_.end(),
                       [&](const Entry& entry) { return below(top, entry.node) && predicate(*entry.evaluation); });
  }

 private:
  struct Entry {
    Node node;
    std::shared_ptr<const Evaluation> evaluation;
  };

  static constexpr std::size_t most = 512;  // looking through them stays far cheaper than an evaluation
  std::vector<Entry> entries_;
  std::size_t next_ = 0;
};

/// What examining a box leads to.
enum class Verdict { open, excluded, stopped };

class Worker {
 public:
  Worker(const Problem& problem, const Packing& packing, BaseStore& store, Frontier& frontier, Control& control)
      : problem_(problem),
        evaluator_(packing, problem.models, problem.loss, problem.limit, store),
        store_(store),
        frontier_(frontier),
        control_(control) {}

  /// Goes straight down from the box of all nodes to a first incumbent; what it passes stays open.
  void dive() {
    Box box{problem_.bottom, problem_.top, 0, 0, nullptr, evaluator_.whole(problem_.bottom)};
    box.bound = evaluator_.at_least(*box.base, box.lo);
    control_.tick(box.bound);
    Verdict verdict = examine(box);
    std::vector<Box> halves;
    while (verdict == Verdict::open) {
      verdict = expand(box, halves);
      if (halves.empty()) break;
      if (halves.size() == 2) frontier_.push(std::move(halves.front()));
      box = std::move(halves.back());
      halves.clear();
    }
    if (verdict == Verdict::stopped) frontier_.halt(std::move(box));
  }

  void run(std::size_t number) {
    std::vector<Box> halves;
    for (Box box; frontier_.pop(number, box);) {
      if (expand(box, halves) == Verdict::stopped) return frontier_.halt(std::move(box));
      for (Box& half : halves) frontier_.push(std::move(half));
      halves.clear();
    }
  }

 private:
  /// Splits a box in two, the lower half last. If stopped, the box still describes what is open.
  Verdict expand(Box& box, std::vector<Box>& halves) {
    if (const Verdict verdict = tighten(box); verdict != Verdict::open) return verdict;
    if (box.lo == box.hi) return Verdict::excluded;  // a single node, evaluated
    merge(box);
    const auto [attribute, level] = best_split(box);
    Box lower = box;
    lower.hi[attribute] = level;
    const Verdict verdict = examine(lower);
    if (verdict == Verdict::stopped) return verdict;
    Box upper = std::move(box);
    upper.lo[attribute] = static_cast<std::uint16_t>(level + 1);
    raise_bound(upper);
    halves.push_back(std::move(upper));
    if (verdict == Verdict::open) halves.push_back(std::move(lower));
    return Verdict::open;
  }

  /// Cuts off levels that cannot beat the incumbent, and evaluates the new top, until nothing changes.
  Verdict tighten(Box& box) {
    for (;;) {
      const Incumbent incumbent = frontier_.incumbent();
      if (incumbent.excludes(box.bound, box.lo)) return Verdict::excluded;
      Box tight = box;
      for (std::size_t a = 0; a < box.lo.size(); ++a)
        while (tight.hi[a] > box.lo[a] && excludes_level(incumbent, box, a, tight.hi[a])) --tight.hi[a];
      if (tight.hi == box.hi) return Verdict::open;
      if (const Verdict verdict = examine(tight); verdict != Verdict::open) return verdict;
      box = std::move(tight);
    }
  }

  bool excludes_level(const Incumbent& incumbent, const Box& box, std::size_t a, std::uint16_t level) const {
    Node lo = box.lo;
    lo[a] = level;
    return incumbent.excludes(std::max(box.bound, lower_bound(*box.at_hi, lo) + box.classes), lo);
  }

  /// Evaluates the top of a box, unless an earlier evaluation excludes it: whether it holds valid nodes, and its bound.
  Verdict examine(Box& box) {
    const Incumbent incumbent = frontier_.incumbent();
    if (recent_.any_above(box.hi, [&](const Evaluation& above) {
          return !above.possible || (below(above.at, box.lo) && incumbent.excludes(lower_bound(above, box.lo), box.lo));
        }))
      return Verdict::excluded;
    if (!control_.examine()) return Verdict::stopped;
    if (problem_.log) frontier_.log(box.hi);
    const auto evaluation =
        std::make_shared<const Evaluation>(evaluator_.evaluate(*box.base, box.hi, incumbent.cost()));
    recent_.add(box.hi, evaluation);
    if (!evaluation->possible) return Verdict::excluded;
    if (evaluation->valid && (!is_planted(Fault::node_skipped) || box.lo != box.hi))
      frontier_.offer(evaluation->cost, box.hi, *evaluation);
    // A base a third smaller is worth the copy: everything below is evaluated from it. Classes are bounded from it too.
    const std::size_t tuples = box.base->tuples.size();
    const std::size_t few = evaluator_.looks_at_classes() ? tuples : tuples / 3 * 2;
    if (evaluation->kept < few && !store_.full()) box.base = evaluator_.without_hopeless(*box.base, *evaluation);
    box.at_hi = evaluation;
    raise_bound(box);
    return Verdict::open;
  }

  void raise_bound(Box& box) {
    box.classes = evaluator_.classes_at(*box.base, box.lo, box.at_hi->hopeless - box.base->suppressed);
    box.bound = std::max(box.bound, lower_bound(*box.at_hi, box.lo) + box.classes);
  }

  /// What every node at or above `lo` costs at least, if it is at or below the node evaluated.
  Cost lower_bound(const Evaluation& evaluation, const Node& lo) const {
    const Cost planted = is_planted(Fault::bound_one_too_high) ? 1 : 0;
    return evaluator_.at_least(evaluation, lo) + planted;
  }

  Cost floor(const Box& box, std::size_t a, std::size_t level) const {
    return box.at_hi->floor[problem_.frequencies.level_begin(a) + level];
  }

  /// How blurred an attribute is at a level: what its values cost, or if only classes cost, how few nodes there are.
  double blur(const Box& box, std::size_t a, std::size_t level) const {
    if (!problem_.loss.of_values())
      return -std::log(static_cast<double>(problem_.frequencies.hierarchy(a).level(level).nodes()));
    return static_cast<double>(floor(box, a, level));
  }

  /// An attribute and the highest level of the lower half, such that both halves gain: the upper one in its bound,
  /// the lower one in room below the old top.
  std::pair<std::size_t, std::uint16_t> best_split(const Box& box) const {
    std::pair<std::size_t, std::uint16_t> best{};
    double best_score = -1;
    for (std::size_t a = 0; a < box.lo.size(); ++a)
      for (std::uint16_t j = box.lo[a]; j < box.hi[a]; ++j) {
        const double up = blur(box, a, j + 1u) - blur(box, a, box.lo[a]);
        const double down = blur(box, a, box.hi[a]) - blur(box, a, j);
        if (const double score = up * down; score > best_score) best = {a, j}, best_score = score;
      }
    return best;
  }

  /// Rolls the base up to lo when that should shrink it: it costs an evaluation, and every later one costs less.
  /// How far tuples merge when the room for them shrinks depends on the data: the exponent is estimated on the way.
  void merge(Box& box) {
    const std::size_t before = box.base->tuples.size();
    if (before < 64 || store_.full()) return;
    double room = 0;  // logarithm of the share of possible tuples that remain
    for (std::size_t a = 0; a < box.lo.size(); ++a) {
      const Hierarchy& hierarchy = problem_.frequencies.hierarchy(a);
      room += std::log(static_cast<double>(hierarchy.level(box.lo[a]).nodes())) -
              std::log(static_cast<double>(hierarchy.level(box.base->at[a]).nodes()));
    }
    merging_ *= 1.005;  // forget slowly, so that a bad first try is not the last
    if (room * merging_ > std::log(0.4)) return;
    box.base = evaluator_.roll_up(*box.base, box.lo);
    const auto after = static_cast<double>(box.base->tuples.size());
    merging_ = (merging_ + std::log(after / static_cast<double>(before)) / room) / 2;
  }

  const Problem& problem_;
  Evaluator evaluator_;
  BaseStore& store_;
  Frontier& frontier_;
  Control& control_;
  RecentEvaluations recent_;
  double merging_ = 0.25;
};

/// A planted fault: a class that violates the model counts as hopeless, as if no part of it could ever satisfy it.
class HopelessIfViolated final : public ClassModel {
 public:
  explicit HopelessIfViolated(std::shared_ptr<const ClassModel> model) : model_(std::move(model)) {}

  std::optional<std::size_t> sensitive() const override { return model_->sensitive(); }
  Monotonicity monotonicity() const override { return model_->monotonicity(); }
  void mark(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> violated) const override {
    model_->mark(classes, histogram, violated);
  }
  void limit(const Classes&, const Histogram*, std::span<const std::uint8_t> violated,
             std::span<std::int64_t> publishable) const override {
    limit_each(violated, publishable, [](std::size_t) { return 0; });
  }

 private:
  std::shared_ptr<const ClassModel> model_;
};

}  // namespace

Result lattice_search(const Problem& posed, Control& control) {
  require_lattice(posed.frequencies, posed.bottom, posed.top);
  require_columns(posed.frequencies, posed.models);
  require_columns(posed.frequencies, posed.loss);
  Problem problem = posed;
  if (is_planted(Fault::hopeless_too_soon))
    for (auto& model : problem.models) model = std::make_shared<const HopelessIfViolated>(model);
  const Packing packing(problem.frequencies);
  BaseStore store(control.limits().memory);
  const auto threads = static_cast<std::size_t>(std::max(1, control.limits().threads));
  Frontier frontier(control, threads);
  std::vector<std::unique_ptr<Worker>> workers;
  for (std::size_t t = 0; t < threads; ++t)
    workers.push_back(std::make_unique<Worker>(problem, packing, store, frontier, control));
  workers.front()->dive();
  run_at_once(threads, [&](std::size_t number) { workers[number]->run(number); }, [&] { frontier.halt(); });
  return frontier.result();
}

}  // namespace sfumato::lattice

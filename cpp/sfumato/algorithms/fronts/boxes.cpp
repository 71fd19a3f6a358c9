// The front of one parameter by branch and bound over boxes of nodes, as LatticeSearch finds one optimum.
//
// Evaluating the top of a box gives steps: up to each strength, how many records are hopeless in the whole box, and so
// what attains that strength costs at least. A box is done when the front beats every step of it.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "sfumato/algorithms/fronts/open_boxes.hpp"
#include "sfumato/algorithms/fronts/walk.hpp"
#include "sfumato/search/planted.hpp"
#include "sfumato/search/threads.hpp"

namespace sfumato::fronts {

namespace {

enum class Verdict { open, excluded, stopped };

class BoxWorker {
 public:
  BoxWorker(const Problem& problem, const Packing& packing, BaseStore& store, OpenBoxes& open, Control& control)
      : problem_(problem),
        evaluator_(packing, problem.models, problem.loss, problem.limit, store),
        points_(packing, problem.models, problem.ratings, problem.loss, problem.limit, problem.spend_limit),
        bounds_(packing, problem.models, *problem.ratings.front(), problem.loss, problem.limit),
        store_(store),
        open_(open),
        control_(control) {}

  /// The box of all nodes.
  void begin() {
    Box box{problem_.bottom, problem_.top, evaluator_.whole(problem_.bottom), nullptr, 0, {}};
    const Verdict verdict = examine(box);
    if (verdict == Verdict::open) open_.push(std::move(box));
    if (verdict == Verdict::stopped) open_.halt();
  }

  void run() {
    for (Box box; open_.pop(box);) {
      if (expand(std::move(box)) == Verdict::stopped) open_.halt();
      open_.done();
    }
  }

 private:
  /// Splits a box in two; the half opened last comes first.
  Verdict expand(Box box) {
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
    look_at_classes(upper);
    open_.push(std::move(upper));
    if (verdict == Verdict::open) open_.push(std::move(lower));
    return Verdict::open;
  }

  /// Cuts off levels that add nothing to the front, and evaluates the new top, until nothing changes.
  Verdict tighten(Box& box) {
    for (;;) {
      Node hi = box.hi;
      const bool excluded = open_.with_front([&](const auto& front) {
        if (beats(front, box, box.lo)) return true;
        for (std::size_t a = 0; a < hi.size(); ++a) {
          Node lo = box.lo;
          for (; hi[a] > box.lo[a]; --hi[a]) {
            lo[a] = hi[a];
            if (!beats(front, box, lo)) break;
          }
        }
        return false;
      });
      if (excluded) return Verdict::excluded;
      if (hi == box.hi) return Verdict::open;
      box.hi = hi;
      if (const Verdict verdict = examine(box); verdict != Verdict::open) return verdict;
    }
  }

  /// Whether the front beats all that nodes of the box from `lo` on attain.
  bool beats(const LineFront<Rate>& front, const Box& box, const Node& lo) const {
    const auto& steps = box.at_hi->steps;
    return std::all_of(steps.rbegin(), steps.rend(), [&](const Step& step) { return beats(front, box, step, lo); });
  }

  bool beats(const LineFront<Rate>& front, const Box& box, const Step& step, const Node& lo) const {
    const Cost hopeless = problem_.loss.suppressed_by_classes() * (step.floor.hopeless - box.base->suppressed);
    const Cost planted = is_planted(Fault::bound_one_too_high) ? 1 : 0;
    const Cost floor = evaluator_.at_least(step.floor, lo) + std::max<Cost>(box.classes - hopeless, 0) + planted;
    return front.beats(step.strongest, floor);
  }

  /// Evaluates the top of a box: its points, and what all below attains and costs.
  Verdict examine(Box& box) {
    if (!control_.examine()) return Verdict::stopped;
    const auto& points = points_.at(*box.base, box.hi);
    Steps steps = bounds_.of(*box.base, points_);
    if (!is_planted(Fault::node_skipped) || box.lo != box.hi) open_.add(points, box.hi, box.beaten);
    if (steps.steps.empty()) return Verdict::excluded;
    box.at_hi = std::make_shared<const Steps>(std::move(steps));
    look_at_classes(box);
    rid(box);
    return Verdict::open;
  }

  void look_at_classes(Box& box) { box.classes = evaluator_.classes_at(*box.base, box.lo, 0); }

  /// Leaves out of the base what is hopeless for all that the front does not beat, if that is a third of it.
  void rid(Box& box) {
    const auto& steps = box.at_hi->steps;
    const std::size_t beaten = open_.with_front([&](const auto& front) {
      std::size_t first = 0;
      while (first < steps.size() && beats(front, box, steps[first], box.lo)) ++first;
      return first;
    });
    if (beaten == steps.size() || store_.full()) return;
    const std::vector<std::uint32_t> kept = box.at_hi->kept(beaten);
    if (kept.size() >= box.base->tuples.size() / 3 * 2) return;
    const Evaluation& floor = steps[beaten].floor;
    box.base = store_.keep({box.base->tuples.taken(kept), box.base->at, floor.hopeless, floor.floor});
    if (beaten > 0) box.beaten = steps[beaten - 1].strongest;
    look_at_classes(box);
  }

  /// An attribute and the highest level of the lower half, such that both halves gain.
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

  double blur(const Box& box, std::size_t a, std::size_t level) const {
    if (!problem_.loss.of_values())
      return -std::log(static_cast<double>(problem_.frequencies.hierarchy(a).level(level).nodes()));
    return static_cast<double>(box.base->costs[problem_.frequencies.level_begin(a) + level]);
  }

  /// Rolls the base up to lo when that should shrink it.
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
    if (room * merging_ > std::log(0.6)) return;
    box.base = evaluator_.roll_up(*box.base, box.lo);
    const auto after = static_cast<double>(box.base->tuples.size());
    merging_ = (merging_ + std::log(after / static_cast<double>(before)) / room) / 2;
  }

  const Problem& problem_;
  Evaluator evaluator_;
  NodePoints points_;
  NodeBounds bounds_;
  BaseStore& store_;
  OpenBoxes& open_;
  Control& control_;
  double merging_ = 0.25;
};

}  // namespace

Result front_by_boxes(const Problem& problem, Control& control) {
  const Packing packing(problem.frequencies);
  BaseStore store(control.limits().memory);
  OpenBoxes open;
  const auto threads = static_cast<std::size_t>(std::max(1, control.limits().threads));
  std::vector<std::unique_ptr<BoxWorker>> workers;
  for (std::size_t t = 0; t < threads; ++t)
    workers.push_back(std::make_unique<BoxWorker>(problem, packing, store, open, control));
  workers.front()->begin();
  run_at_once(threads, [&](std::size_t number) { workers[number]->run(); }, [&] { open.halt(); });
  return open.result();
}

}  // namespace sfumato::fronts

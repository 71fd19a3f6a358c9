#include "sfumato/algorithms/lattice/poka.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sfumato/search/evaluation.hpp"
#include "sfumato/search/lattice_checks.hpp"

namespace sfumato::lattice {
namespace {

/// The suppression limit, spent: the smallest classes of a node are suppressed, as many as the limit allows, whatever k
/// (Section 5.1).
///
/// Marks every class smaller than k, the smallest size such that the classes of at most that size have more records
/// than the limit. Classes are compared as k-anonymity compares them, by persons; the limit counts records. The caller
/// evaluates a node with it and reads k afterwards: for one thread.
class SpentLimit final : public ClassModel {
 public:
  explicit SpentLimit(std::int64_t limit) : limit_(limit) {}

  /// Of the node marked last; 0 if the limit allows everything to be suppressed.
  std::int64_t k() const { return k_; }

  // What it marks is all that a node suppresses; nothing is concluded about other nodes.
  Monotonicity monotonicity() const override { return Monotonicity::strongly_up; }

  void mark(const Classes& classes, const Histogram*, std::span<std::uint8_t> violated) const override {
    const auto persons = classes.persons();
    k_ = largest(persons, classes.sizes);
    for (std::size_t c = 0; c < classes.count(); ++c) violated[c] |= persons[c] < k_;
  }

 private:
  std::int64_t largest(std::span<const std::int64_t> persons, std::span<const std::int64_t> records) const {
    // Of the classes that the limit does not cover even one at a time, only the one of fewest persons matters.
    std::int64_t beyond = 0;
    small_.clear();
    for (std::size_t c = 0; c < persons.size(); ++c) {
      if (records[c] <= limit_)
        small_.emplace_back(persons[c], records[c]);
      else if (beyond == 0 || persons[c] < beyond)
        beyond = persons[c];
    }
    std::sort(small_.begin(), small_.end());
    std::int64_t spent = 0;
    for (const auto& [size, count] : small_) {
      if (beyond > 0 && size >= beyond) break;
      if ((spent += count) > limit_) return size;
    }
    return beyond;
  }

  std::int64_t limit_;
  mutable std::int64_t k_ = 0;
  mutable std::vector<std::pair<std::int64_t, std::int64_t>> small_;
};

using Key = std::uint64_t;  // a node's number in the lattice

/// k and loss of a node; k = 0 stands for the paper's NULL.
struct Value {
  Key key = 0;
  std::int64_t k = 0;
  Cost cost = 0;
  std::int64_t suppressed = 0;

  /// On equal (k, cost) the earlier one stays.
  bool better_than(const Value& other) const { return k > other.k || (k == other.k && cost < other.cost); }
};

class PokaSearch {
 public:
  PokaSearch(const PokaProblem& problem, Control& control)
      : problem_(problem),
        control_(control),
        packing_(problem.frequencies),
        spent_(std::make_shared<SpentLimit>(problem.limit)),
        models_{spent_},
        store_(control.limits().memory),
        evaluator_(packing_, models_, problem_.loss, problem.limit, store_),
        whole_(evaluator_.whole(problem.bottom)) {
    Key step = 1;
    for (std::size_t a = 0; a < problem.top.size(); ++a) {
      const Key levels = problem.top[a] - problem.bottom[a] + Key{1};
      if (step > (Key{1} << 62) / levels) throw OutOfRange(too_many_nodes);
      step_.push_back(step);
      step *= levels;
    }
  }

  /// Function 3.
  PokaResult run() {
    PokaResult result;
    Value base = evaluate(problem_.start);
    while (!stopped_ && base.k > 0) {
      result.points.push_back(point_of(base));
      control_.improved(base.cost);
      if (base.k <= 2) break;
      base_ = base, at_ = node_of(base.key);
      height_best_.clear();
      depth_best_.clear();
      base = depth_search(Node(at_), 0);
    }
    result.complete = !stopped_;
    if (problem_.keep)
      for (const auto& [key, value] : values_) result.nodes.push_back(point_of(value));
    std::sort(result.nodes.begin(), result.nodes.end(), [](const auto& x, const auto& y) { return x.node < y.node; });
    return result;
  }

 private:
  /// Function 1, with HBest. Whether the node itself may be returned follows from where it lies.
  Value height_search(Node node, bool use_node) {
    const Key key = key_of(node);
    if (const auto cached = height_best_.find(key); cached != height_best_.end()) return cached->second;
    Value best = use_node ? evaluate(node) : Value{};
    for (std::size_t a = 0; a < node.size() && !stopped_; ++a) {
      if (node[a] == problem_.top[a]) continue;
      ++node[a];
      Value above;
      if (below_base(node) && distance(node) > 1) {
        above = height_search(node, false);
      } else {
        const Value here = evaluate(node);
        if (here.k < base_.k && here.cost < base_.cost) above = height_search(node, true);
      }
      --node[a];
      if (above.better_than(best)) best = above;
    }
    return height_best_[key] = best;
  }

  /// Function 2, with DBest. `deep` is how far the node lies below the base.
  Value depth_search(Node node, std::uint32_t deep) {
    const Key key = key_of(node);
    if (const auto cached = depth_best_.find(key); cached != depth_best_.end()) return cached->second;
    Value best;
    for (std::size_t a = 0; a < node.size() && !stopped_; ++a) {
      if (node[a] == problem_.bottom[a]) continue;
      --node[a];
      const Value below =
          deep + 1 == problem_.depth ? height_search(node, problem_.depth == 1) : depth_search(node, deep + 1);
      ++node[a];
      if (below.better_than(best)) best = below;
    }
    return depth_best_[key] = best;
  }

  /// The paper's Evaluate; a node is evaluated once in a run, and counted once.
  Value evaluate(const Node& node) {
    const Key key = key_of(node);
    if (const auto cached = values_.find(key); cached != values_.end()) return cached->second;
    if (stopped_ || !control_.examine()) {
      stopped_ = true;
      return {};
    }
    const Evaluation evaluation = evaluator_.evaluate(*whole_, node);
    return values_[key] = {key, spent_->k(), evaluation.cost, evaluation.suppressed};
  }

  PokaPoint point_of(const Value& value) const { return {node_of(value.key), value.k, value.cost, value.suppressed}; }

  bool below_base(const Node& node) const {
    for (std::size_t a = 0; a < node.size(); ++a)
      if (node[a] > at_[a]) return false;
    return true;
  }

  /// Of a node below the base from it.
  std::uint32_t distance(const Node& node) const {
    std::uint32_t sum = 0;
    for (std::size_t a = 0; a < node.size(); ++a) sum += std::uint32_t{at_[a]} - node[a];
    return sum;
  }

  Key key_of(const Node& node) const {
    Key key = 0;
    for (std::size_t a = 0; a < node.size(); ++a) key += step_[a] * (node[a] - std::size_t{problem_.bottom[a]});
    return key;
  }

  Node node_of(Key key) const {
    Node node = problem_.bottom;
    for (std::size_t a = node.size(); a-- > 0; key %= step_[a])
      node[a] = static_cast<Node::value_type>(node[a] + key / step_[a]);
    return node;
  }

  const PokaProblem& problem_;
  Control& control_;
  Packing packing_;
  std::shared_ptr<SpentLimit> spent_;
  Models models_;
  BaseStore store_;
  Evaluator evaluator_;
  std::shared_ptr<const Base> whole_;
  std::vector<Key> step_;  // by attribute
  Value base_;             // the base node N
  Node at_;                // its levels
  bool stopped_ = false;
  std::unordered_map<Key, Value> values_, height_best_, depth_best_;
};

}  // namespace

PokaResult poka(const PokaProblem& problem, Control& control) {
  require_lattice(problem.frequencies, problem.bottom, problem.top);
  require_lattice(problem.frequencies, problem.bottom, problem.start);
  require_lattice(problem.frequencies, problem.start, problem.top);
  require_columns(problem.frequencies, problem.loss);
  if (problem.depth == 0) throw std::invalid_argument("the depth is at least 1");
  return PokaSearch(problem, control).run();
}

}  // namespace sfumato::lattice

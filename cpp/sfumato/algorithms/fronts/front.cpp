#include "sfumato/algorithms/fronts/front.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "sfumato/algorithms/fronts/node_points.hpp"
#include "sfumato/algorithms/fronts/walk.hpp"
#include "sfumato/search/lattice_checks.hpp"
#include "sfumato/search/planted.hpp"
#include "sfumato/search/threads.hpp"

namespace sfumato::fronts {

/// Any models, any ratings.
class Walk {
 public:
  Walk(const Problem& problem, Control& control)
      : problem_(problem),
        control_(control),
        packing_(problem.frequencies),
        store_(control.limits().memory),
        evaluator_(packing_, problem.models, problem.loss, problem.limit, store_),
        points_(packing_, problem.models, problem.ratings, problem.loss, problem.limit, problem.spend_limit),
        whole_(evaluator_.whole(problem.bottom)),
        skipping_(problem) {}

  Result complete() {
    order_ = outermost_first(problem_, packing_, *whole_);
    node_ = problem_.bottom;
    result_.complete = descend(0, whole_);
    return finished();
  }

  Result pruned();

  std::vector<NodePoint> at(const Node& node) {
    std::vector<NodePoint> attained;
    for (const NodePoints::Point& point : points_.at(*whole_, node))
      attained.push_back({point.strength, point.cost, node, point.suppressed});
    return attained;
  }

 private:
  /// All nodes with the levels of the outer attributes as they are; `base` is rolled up to these.
  bool descend(std::size_t depth, std::shared_ptr<const Base> base) {
    if (depth == order_.size()) return visit(*base);
    const std::size_t a = order_[depth];
    for (std::uint16_t level = problem_.bottom[a];; ++level) {
      node_[a] = level;
      if (level > problem_.bottom[a] && depth + 1 < order_.size()) base = evaluator_.roll_up(*base, node_);
      if (!descend(depth + 1, base)) return false;
      if (level == problem_.top[a]) break;
    }
    node_[a] = problem_.bottom[a];
    return true;
  }

  std::vector<std::size_t> strides() const;
  std::vector<std::uint32_t> highest_first(const std::vector<std::size_t>& stride) const;
  void go_to(std::size_t number, const std::vector<std::size_t>& stride);
  std::optional<Rate> least_above(std::size_t v, const std::vector<std::size_t>& stride,
                                  const std::vector<Rate>& most) const;

  /// The table rolled up to the node in the two attributes that shrink it most, and no further; kept for other nodes.
  const Base& near() {
    if (outer_.empty()) {
      outer_ = raised_alone(problem_, packing_, *whole_);
      std::ranges::sort(outer_);
      outer_.resize(std::min<std::size_t>(outer_.size(), 2));
    }
    Node at = problem_.bottom;
    for (const auto& [left, a] : outer_) at[a] = node_[a];
    if (store_.full() || at == problem_.bottom) return *whole_;
    auto& base = bases_[at];
    if (!base) base = evaluator_.roll_up(*whole_, at);
    return *base;
  }

  bool visit(const Base& base) {
    if (!control_.examine()) return false;
    if (skipping_.now()) return true;
    for (const NodePoints::Point& point : points_.at(base, node_)) add(point);
    return true;
  }

  void add(const NodePoints::Point& point) {
    front_.add(point.strength, point.cost, node_, point.suppressed);
    if (problem_.keep) result_.kept.push_back({point.strength, point.cost, node_, point.suppressed});
  }

  Result finished() {
    result_.points = std::move(front_.points());
    return std::move(result_);
  }

  const Problem& problem_;
  Control& control_;
  Packing packing_;
  BaseStore store_;
  Evaluator evaluator_;
  NodePoints points_;
  std::shared_ptr<const Base> whole_;
  Skipping skipping_;
  std::vector<std::pair<std::size_t, std::size_t>> outer_;  // classes left, and the attribute
  std::map<Node, std::shared_ptr<const Base>> bases_;
  std::vector<std::size_t> order_;
  Node node_;
  RateFront front_;
  Result result_;
};

/// From the top down, by height. What v attains is at most what any node above it attains, and it costs at least what
/// its values cost: so v has nothing to add if some point beats that. Strictly, for else nodes that tie would be lost.
Result Walk::pruned() {
  const std::vector<std::size_t> stride = strides();
  const auto order = highest_first(stride);
  std::vector<Rate> most(order.size());  // what a node attains at most; none if nothing
  for (const std::uint32_t v : order) {
    go_to(v, stride);
    const std::optional<Rate> least = least_above(v, stride, most);
    most[v] = least.value_or(Rate{});
    if (least && !least->some()) continue;
    Cost floor = is_planted(Fault::bound_one_too_high) ? 1 : 0;
    for (std::size_t a = 0; a < node_.size(); ++a)
      floor += whole_->costs[problem_.frequencies.level_begin(a) + node_[a]];
    if (least && front_.beats({*least}, floor)) continue;
    if (!control_.examine()) return finished();
    if (skipping_.now()) continue;
    most[v] = {0, 0};
    for (const NodePoints::Point& point : points_.at(near(), node_)) {
      add(point);
      most[v] = point.strength.front();
    }
  }
  result_.complete = true;
  return finished();
}

/// By attribute: how far apart two nodes are numbered that differ by one level of it.
std::vector<std::size_t> Walk::strides() const {
  std::vector<std::size_t> stride(problem_.bottom.size(), 1);
  for (std::size_t a = stride.size(); a-- > 1;) stride[a - 1] = stride[a] * (problem_.top[a] - problem_.bottom[a] + 1u);
  return stride;
}

/// The numbers of all nodes by height, highest first: a counting sort.
std::vector<std::uint32_t> Walk::highest_first(const std::vector<std::size_t>& stride) const {
  const auto nodes = static_cast<std::size_t>(nodes_of(problem_));
  std::size_t height = 0;
  for (std::size_t a = 0; a < stride.size(); ++a) height += problem_.top[a] - problem_.bottom[a];
  const auto below_top = [&](std::size_t number) {  // levels
    std::size_t sum = height;
    for (const std::size_t step : stride) sum -= number / step, number %= step;
    return sum;
  };
  std::vector<std::size_t> begin(height + 2, 0);
  for (std::size_t v = 0; v < nodes; ++v) ++begin[below_top(v) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::uint32_t> order(nodes);
  for (std::size_t v = 0; v < nodes; ++v) order[begin[below_top(v)]++] = static_cast<std::uint32_t>(v);
  return order;
}

void Walk::go_to(std::size_t number, const std::vector<std::size_t>& stride) {
  node_ = problem_.bottom;
  for (std::size_t a = 0; a < stride.size(); ++a) {
    node_[a] = static_cast<std::uint16_t>(problem_.bottom[a] + number / stride[a]);
    number %= stride[a];
  }
}

/// The least that the nodes right above this one attain at most; nothing at the top.
std::optional<Rate> Walk::least_above(std::size_t v, const std::vector<std::size_t>& stride,
                                      const std::vector<Rate>& most) const {
  std::optional<Rate> least;
  for (std::size_t a = 0; a < stride.size(); ++a) {
    if (node_[a] == problem_.top[a]) continue;
    const Rate above = most[v + stride[a]];
    if (!least || !above.some() || (least->some() && above < *least)) least = above;
  }
  return least;
}

namespace {

void require(const Problem& problem) {
  require_lattice(problem.frequencies, problem.bottom, problem.top);
  if (problem.ratings.empty() || problem.ratings.size() > 2) throw std::invalid_argument("one or two ratings");
  require_columns(problem.frequencies, problem.models);
  require_columns(problem.frequencies, problem.ratings);
  require_columns(problem.frequencies, problem.loss);
}

/// Strengths rise with generalization, and a node costs at least what its values cost.
bool prunable(const Problem& problem) {
  const Monotonicity least = problem.limit > 0 ? Monotonicity::strongly_up : Monotonicity::up;
  const auto rises = [&](const auto& part) { return part->monotonicity() >= least; };
  return problem.spend_limit && !problem.keep && problem.ratings.size() == 1 && problem.loss.of_classes().empty() &&
         problem.loss.saving(problem.frequencies) == 0 && std::ranges::all_of(problem.models, rises) &&
         std::ranges::all_of(problem.ratings, rises) && nodes_of(problem) <= most_bounded_nodes;
}

/// One parameter, of which it is known what nodes below another attain at most.
bool boxed(const Problem& problem) {
  if (problem.keep || problem.ratings.size() != 1) return false;
  const Rating& rating = *problem.ratings.front();
  return rating.bounds_parts() || (problem.limit == 0 && rating.monotonicity() >= Monotonicity::up);
}

Result rolled_up(const Problem& problem, Control& control) {
  if (auto result = front_by_sizes(problem, control)) return std::move(*result);
  return Walk(problem, control).complete();
}

/// The nodes with each level of one attribute are a lattice of their own: the next free thread takes the next one.
Result rolled_up_in_parts(const Problem& problem, Control& control) {
  const std::size_t attributes = problem.bottom.size();
  std::size_t divided = 0;
  const auto steps = [&](std::size_t a) { return problem.top[a] - problem.bottom[a]; };
  for (std::size_t a = 1; a < attributes; ++a)
    if (steps(a) > steps(divided)) divided = a;
  if (attributes == 0 || steps(divided) == 0) return rolled_up(problem, control);
  const auto parts = static_cast<std::size_t>(steps(divided)) + 1;
  std::vector<Result> results(parts);
  std::atomic<std::size_t> next = 0;
  const auto work = [&](std::size_t) {
    for (std::size_t part; (part = next++) < parts;) {
      Problem levels = problem;
      levels.bottom[divided] = levels.top[divided] = static_cast<std::uint16_t>(problem.bottom[divided] + part);
      results[part] = rolled_up(levels, control);
    }
  };
  run_at_once(std::min(parts, static_cast<std::size_t>(control.limits().threads)), work, [&] { control.cancel(); });
  RateFront front;
  Result result{true, {}, {}};
  for (const Result& part : results) {
    result.complete = result.complete && part.complete;
    for (const auto& [strength, cost, nodes, suppressed] : part.points)
      for (std::size_t i = 0; i < nodes.size(); ++i) front.add(strength, cost, nodes[i], suppressed[i]);
    result.kept.insert(result.kept.end(), part.kept.begin(), part.kept.end());
  }
  result.points = std::move(front.points());
  return result;
}

Result searched(const Problem& problem, Control& control) {
  if (problem.search == Search::bounded && !bounded(problem)) return front_by_boxes(problem, control);
  if (problem.search == Search::pruned) return Walk(problem, control).pruned();
  return control.limits().threads > 1 ? rolled_up_in_parts(problem, control) : rolled_up(problem, control);
}

/// The most general node belongs to every front that was stopped, however soon: it attains the most there is.
void add_top(const Problem& problem, Control& control, Result& result) {
  RateFront front;
  for (const auto& [strength, cost, nodes, suppressed] : result.points)
    for (std::size_t i = 0; i < nodes.size(); ++i) front.add(strength, cost, nodes[i], suppressed[i]);
  for (const NodePoint& point : Walk(problem, control).at(problem.top)) {
    const bool there = std::ranges::any_of(result.points, [&](const ParetoPoint& other) {
      return other.cost == point.cost && other.strength == point.strength &&
             std::ranges::find(other.nodes, point.node) != other.nodes.end();
    });
    if (!there) front.add(point.strength, point.cost, point.node, point.suppressed);
  }
  result.points = std::move(front.points());
}

}  // namespace

bool serves(Search search, const Problem& problem) {
  switch (search) {
    case Search::bounded: return bounded(problem) || boxed(problem);
    case Search::pruned: return prunable(problem);
    default: return true;
  }
}

Result front(const Problem& posed, Control& control) {
  require(posed);
  Problem problem = posed;
  if (is_planted(Fault::too_strict)) problem.limit = std::max<std::int64_t>(problem.limit - 1, 0);
  if (!serves(problem.search, problem)) throw std::invalid_argument("this search is not proved for this front");
  Result result = searched(problem, control);
  if (!result.complete) add_top(problem, control, result);
  return result;
}

SingleNodes::SingleNodes(Problem problem) : problem_(std::move(problem)), control_(Limits{}) {
  require(problem_);
  walk_ = std::make_unique<Walk>(problem_, control_);
}

SingleNodes::~SingleNodes() = default;

std::vector<NodePoint> SingleNodes::at(const Node& node) {
  if (node.size() != problem_.bottom.size()) throw std::invalid_argument("a node has one level per attribute");
  for (std::size_t a = 0; a < node.size(); ++a)
    if (node[a] < problem_.bottom[a] || node[a] > problem_.top[a])
      throw std::invalid_argument("a node of another lattice");
  return walk_->at(node);
}

}  // namespace sfumato::fronts

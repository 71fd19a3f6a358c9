#include "sfumato/algorithms/front.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "sfumato/algorithms/front_walk.hpp"
#include "sfumato/search/node_points.hpp"
#include "sfumato/search/threads.hpp"

namespace sfumato {

/// Any models, any ratings.
class FrontWalk {
 public:
  FrontWalk(const FrontProblem& problem, Control& control)
      : problem_(problem),
        control_(control),
        packing_(problem.frequencies),
        store_(control.limits().memory),
        evaluator_(packing_, problem.models, problem.loss, problem.limit, store_),
        points_(packing_, problem.models, problem.ratings, problem.loss, problem.limit, problem.spend_limit),
        whole_(evaluator_.whole(problem.bottom)),
        skipping_(problem) {}

  FrontResult complete() {
    order_ = outermost_first(problem_, packing_, *whole_);
    node_ = problem_.bottom;
    result_.complete = descend(0, whole_);
    return finished();
  }

  FrontResult pruned();

  std::vector<NodePoint> at(const Node& node) {
    std::vector<NodePoint> found;
    for (const NodePoints::Point& point : points_.at(*whole_, node))
      found.push_back({point.strength, point.cost, node, point.suppressed});
    return found;
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

  FrontResult finished() {
    result_.points = std::move(front_.points());
    return std::move(result_);
  }

  const FrontProblem& problem_;
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
  FrontResult result_;
};

/// From the top down, by height. What v attains is at most what any node above it attains, and it costs at least what
/// its values cost: so v has nothing to add if some point beats that. Strictly, for else nodes that tie would be lost.
FrontResult FrontWalk::pruned() {
  const std::size_t attributes = problem_.bottom.size();
  const auto nodes = static_cast<std::size_t>(nodes_of(problem_));
  std::vector<std::size_t> stride(attributes, 1);
  for (std::size_t a = attributes; a-- > 1;) stride[a - 1] = stride[a] * (problem_.top[a] - problem_.bottom[a] + 1u);
  const auto levels = [&](std::size_t index) {
    for (std::size_t a = 0; a < attributes; ++a) {
      node_[a] = static_cast<std::uint16_t>(problem_.bottom[a] + index / stride[a]);
      index %= stride[a];
    }
  };
  node_ = problem_.bottom;
  // Nodes by height, highest first: a counting sort.
  std::size_t height = 0;
  for (std::size_t a = 0; a < attributes; ++a) height += problem_.top[a] - problem_.bottom[a];
  const auto lowered = [&](std::size_t index) {  // levels below the top
    std::size_t sum = height;
    for (std::size_t a = 0; a < attributes; ++a) sum -= index / stride[a], index %= stride[a];
    return sum;
  };
  std::vector<std::size_t> begin(height + 2, 0);
  for (std::size_t v = 0; v < nodes; ++v) ++begin[lowered(v) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::uint32_t> order(nodes);
  for (std::size_t v = 0; v < nodes; ++v) order[begin[lowered(v)]++] = static_cast<std::uint32_t>(v);

  std::vector<Rate> most(nodes);  // what a node attains at most; none if nothing
  for (const std::uint32_t v : order) {
    levels(v);
    bool bounded = false;
    Rate least{};
    for (std::size_t a = 0; a < attributes; ++a) {
      if (node_[a] == problem_.top[a]) continue;
      const Rate above = most[v + stride[a]];
      if (!bounded || !above.some() || (least.some() && above < least)) least = above;
      bounded = true;
    }
    most[v] = least;
    if (bounded && !least.some()) continue;
    Cost floor = problem_.fault == FrontFault::bound_one_too_high ? 1 : 0;
    for (std::size_t a = 0; a < attributes; ++a) floor += whole_->costs[problem_.frequencies.level_begin(a) + node_[a]];
    if (bounded && front_.beats({least}, floor)) continue;
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

namespace {

void require(const FrontProblem& problem) {
  const Frequencies& frequencies = problem.frequencies;
  const std::size_t columns = frequencies.sensitive().size();
  if (problem.bottom.size() != frequencies.attributes() || problem.top.size() != frequencies.attributes())
    throw std::invalid_argument("a node has one level per attribute");
  for (std::size_t a = 0; a < frequencies.attributes(); ++a)
    if (problem.bottom[a] > problem.top[a] || problem.top[a] > frequencies.hierarchy(a).height())
      throw std::invalid_argument("the lattice's bottom is above its top, or its top above a hierarchy");
  if (problem.ratings.empty() || problem.ratings.size() > 2) throw std::invalid_argument("one or two ratings");
  const auto fits = [&](const auto& part) {
    if (part.populated() && frequencies.population().size() != frequencies.size())
      throw std::invalid_argument("a model asks for a population that is not there");
    if (part.sensitive() && *part.sensitive() >= columns)
      throw std::invalid_argument("a model reads a sensitive attribute that is not there");
  };
  for (const auto& model : problem.models) fits(*model);
  for (const auto& rating : problem.ratings) fits(*rating);
  for (const auto& [loss, factor] : problem.loss.of_classes())
    if (loss->reads() && *loss->reads() >= columns)
      throw std::invalid_argument("a loss reads a column that is not there");
}

/// Strengths rise with generalization, and a node costs at least what its values cost.
bool prunable(const FrontProblem& problem) {
  const Monotonicity least = problem.limit > 0 ? Monotonicity::strongly_up : Monotonicity::up;
  const auto rises = [&](const auto& part) { return part->monotonicity() >= least; };
  return problem.spend_limit && !problem.keep && problem.ratings.size() == 1 && problem.loss.of_classes().empty() &&
         problem.loss.saving(problem.frequencies) == 0 && std::ranges::all_of(problem.models, rises) &&
         std::ranges::all_of(problem.ratings, rises) && nodes_of(problem) <= most_bounded_nodes;
}

FrontResult rolled_up(const FrontProblem& problem, Control& control) {
  if (auto found = front_by_sizes(problem, control)) return std::move(*found);
  return FrontWalk(problem, control).complete();
}

/// The nodes with each level of one attribute are a lattice for itself: whoever has time takes the next.
FrontResult rolled_up_in_parts(const FrontProblem& problem, Control& control) {
  const std::size_t attributes = problem.bottom.size();
  std::size_t divided = 0;
  const auto steps = [&](std::size_t a) { return problem.top[a] - problem.bottom[a]; };
  for (std::size_t a = 1; a < attributes; ++a)
    if (steps(a) > steps(divided)) divided = a;
  if (attributes == 0 || steps(divided) == 0) return rolled_up(problem, control);
  const auto parts = static_cast<std::size_t>(steps(divided)) + 1;
  std::vector<FrontResult> found(parts);
  std::atomic<std::size_t> next = 0;
  const auto work = [&](std::size_t) {
    for (std::size_t part; (part = next++) < parts;) {
      FrontProblem levels = problem;
      levels.bottom[divided] = levels.top[divided] = static_cast<std::uint16_t>(problem.bottom[divided] + part);
      found[part] = rolled_up(levels, control);
    }
  };
  run_at_once(std::min(parts, static_cast<std::size_t>(control.limits().threads)), work, [&] { control.cancel(); });
  RateFront front;
  FrontResult result{true, {}, {}};
  for (const FrontResult& part : found) {
    result.complete = result.complete && part.complete;
    for (const auto& [strength, cost, nodes, suppressed] : part.points)
      for (std::size_t i = 0; i < nodes.size(); ++i) front.add(strength, cost, nodes[i], suppressed[i]);
    result.kept.insert(result.kept.end(), part.kept.begin(), part.kept.end());
  }
  result.points = std::move(front.points());
  return result;
}

}  // namespace

bool serves(FrontSearch search, const FrontProblem& problem) {
  switch (search) {
    case FrontSearch::bounded: return bounded(problem);
    case FrontSearch::pruned: return prunable(problem);
    default: return true;
  }
}

FrontResult front(const FrontProblem& posed, Control& control) {
  require(posed);
  FrontProblem problem = posed;
  if (problem.fault == FrontFault::too_strict) problem.limit = std::max<std::int64_t>(problem.limit - 1, 0);
  if (!serves(problem.search, problem)) throw std::invalid_argument("this search is not proved for this front");
  if (problem.search == FrontSearch::pruned) return FrontWalk(problem, control).pruned();
  return control.limits().threads > 1 ? rolled_up_in_parts(problem, control) : rolled_up(problem, control);
}

FrontNodes::FrontNodes(FrontProblem problem) : problem_(std::move(problem)), control_(Limits{}) {
  require(problem_);
  walk_ = std::make_unique<FrontWalk>(problem_, control_);
}

FrontNodes::~FrontNodes() = default;

std::vector<NodePoint> FrontNodes::at(const Node& node) {
  if (node.size() != problem_.bottom.size()) throw std::invalid_argument("a node has one level per attribute");
  for (std::size_t a = 0; a < node.size(); ++a)
    if (node[a] < problem_.bottom[a] || node[a] > problem_.top[a])
      throw std::invalid_argument("a node of another lattice");
  return walk_->at(node);
}

}  // namespace sfumato

#include "sfumato/algorithms/front.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "sfumato/search/node_points.hpp"
#include "sfumato/search/rolling.hpp"
#include "sfumato/search/size_points.hpp"

namespace sfumato {

namespace {

bool varies(const FrontProblem& problem, std::size_t a) { return problem.bottom[a] < problem.top[a]; }

/// The attributes with a choice of levels, from the outermost to the innermost. An attribute multiplies the work of all
/// that is inside of it by the sum, over its levels, of the shares of the data that remain: the least of these comes first.
std::vector<std::size_t> outermost_first(const FrontProblem& problem, const Packing& packing, const Base& whole) {
  std::vector<std::pair<double, std::size_t>> order;
  Groups groups(packing);
  groups.assign(whole.tuples, problem.bottom);
  const auto classes = static_cast<double>(std::max<std::size_t>(groups.count(), 1));
  for (std::size_t a = 0; a < problem.bottom.size(); ++a) {
    if (!varies(problem, a)) continue;
    Node raised = problem.bottom;
    raised[a] = problem.top[a];
    groups.assign(whole.tuples, raised);
    const int steps = problem.top[a] - problem.bottom[a];
    double work = 0;
    for (int step = 0; step <= steps; ++step)
      work += std::pow(static_cast<double>(groups.count()) / classes, static_cast<double>(step) / steps);
    order.emplace_back(work, a);
  }
  std::ranges::sort(order);
  std::vector<std::size_t> attributes;
  for (const auto& [work, a] : order) attributes.push_back(a);
  return attributes;
}

std::int64_t nodes_of(const FrontProblem& problem) {
  std::int64_t nodes = 1;
  for (std::size_t a = 0; a < problem.bottom.size(); ++a) {
    const std::int64_t levels = problem.top[a] - problem.bottom[a] + 1;
    if (nodes > std::numeric_limits<std::int64_t>::max() / levels) return std::numeric_limits<std::int64_t>::max();
    nodes *= levels;
  }
  return nodes;
}

/// Whether a planted fault leaves out the node that is now to be evaluated: one in the middle.
class Skipping {
 public:
  explicit Skipping(const FrontProblem& problem)
      : at_(problem.fault == FrontFault::node_skipped ? nodes_of(problem) / 2 : -1) {}
  bool now() { return number_++ == at_; }

 private:
  std::int64_t at_, number_ = 0;
};

}  // namespace

// --- any models, any ratings

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
  std::vector<std::size_t> order_;
  Node node_;
  RateFront front_;
  FrontResult result_;
};

/// From the top down, by height. What v attains is at most what any node above it attains, and it costs at least what its
/// values cost: so v has nothing to add if some point beats that. Strictly, for else nodes that tie would be lost.
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
    for (const NodePoints::Point& point : points_.at(*whole_, node_)) {
      add(point);
      most[v] = point.strength.front();
    }
  }
  result_.complete = true;
  return finished();
}

// --- sizes alone

namespace {

/// The classes of a node, from a roll-up's entries: `cells` for each entry, of which some may be empty.
struct Cells {
  std::span<const std::uint32_t> sizes;
  std::span<const std::uint32_t> labels;  // records with the second of two labels, if there are labels
  std::size_t cells = 1;
};

template <class Key, std::size_t width>
class SizeWalk {
 public:
  SizeWalk(const FrontProblem& problem, const ClassForm& form, const RollingPlan& plan, Control& control,
           std::vector<Cost> level_costs)
      : problem_(problem),
        form_(form),
        plan_(plan),
        control_(control),
        rolling_(problem.frequencies, problem.bottom, problem.top, plan),
        steps_(problem.limit),
        level_costs_(std::move(level_costs)),
        records_(problem.frequencies.records()),
        price_(problem.loss.suppressed()),
        never_saves_(problem.loss.saving() == 0),
        skipping_(problem),
        place_(problem.bottom.size(), none),
        sums_(2 * plan.bits() + 2) {
    for (std::size_t a = 0; a < problem.bottom.size(); ++a)
      for (std::size_t j = 0; j <= problem.frequencies.hierarchy(a).height(); ++j) {
        each_.emplace_back();
        for (std::size_t node = 0; node < problem.frequencies.hierarchy(a).level(j).nodes(); ++node)
          each_.back().push_back(problem.loss.each(a, j, node));
      }
  }

  FrontResult run() {
    result_.complete = rolling_.walk([this](const Node& node) {
      node_ = node;
      return unfold();
    });
    for (const SizeFront::Point& point : front_.points())
      result_.points.push_back({{Rate{point.size, 1}}, point.cost, point.nodes, point.suppressed});
    return std::move(result_);
  }

 private:
  /// From the entries' counts to classes: labels are no part of what classes differ by.
  bool unfold() {
    const auto counts = rolling_.counts();
    if (plan_.labels == nullptr) return unfold(0, {counts, {}, width});
    auto &sizes = sums_[0], &labels = sums_[1];
    sizes.resize(counts.size() / 2), labels.resize(counts.size() / 2);
    for (std::size_t c = 0; c < sizes.size(); ++c) {
      labels[c] = counts[2 * c + 1];
      sizes[c] = counts[2 * c] + labels[c];
    }
    return unfold(0, {sizes, labels, width / 2});
  }

  /// The nodes with every level of the lane attributes from this one on. Those before it left 2^bit cells inside of it.
  bool unfold(std::size_t lane, Cells cells, std::size_t stride = 1) {
    if (lane == plan_.lanes.size()) return visit(cells);
    const std::size_t a = plan_.lanes[lane];
    place_[a] = stride;
    if (!unfold(lane + 1, cells, 2 * stride)) return false;
    place_[a] = none;
    ++node_[a];
    auto &sizes = sums_[2 * lane + 2], &labels = sums_[2 * lane + 3];
    add_pairs(cells.sizes, stride, sizes);
    add_pairs(cells.labels, stride, labels);
    const bool going_on = unfold(lane + 1, {sizes, labels, cells.cells / 2}, stride);
    --node_[a];
    return going_on;
  }

  static void add_pairs(std::span<const std::uint32_t> counts, std::size_t stride, std::vector<std::uint32_t>& sums) {
    sums.resize(counts.size() / 2);
    for (std::size_t from = 0, to = 0; from < counts.size(); from += 2 * stride, to += stride)
      for (std::size_t i = 0; i < stride; ++i) sums[to + i] = counts[from + i] + counts[from + stride + i];
  }

  bool visit(const Cells& classes) {
    if (!control_.examine()) return false;
    if (skipping_.now()) return true;
    const auto& steps = steps_.of(classes.sizes);
    if (steps.empty()) return true;
    // With nothing suppressed. Where suppression never saves, no point of the node costs less.
    const Cost all = cost_of_all(classes);
    const Cost floor = all + (problem_.fault == FrontFault::bound_one_too_high ? 1 : 0);
    if (never_saves_ && !problem_.keep && front_.beats(steps.back().size, floor)) return true;
    lost_.assign(steps.size(), 0);
    if (steps.size() > 1) count_losses(classes, steps);
    Cost cost = all;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (!problem_.spend_limit || i + 1 == steps.size()) add(steps[i], cost);
      const Cost n = steps[i].size, m = steps[i].classes;
      cost += m * (n * price_ - form_.square * n * n - form_.records * n - form_.classes) - lost_[i];
    }
    return true;
  }

  Cost cost_of_all(const Cells& classes) const {
    const std::size_t n = classes.sizes.size();
    Cost sum = form_.records * records_;
    for (std::size_t a = 0; a < node_.size(); ++a) sum += level_costs_[problem_.frequencies.level_begin(a) + node_[a]];
    if (form_.classes != 0) sum += form_.classes * static_cast<Cost>(n - count_of_zeros(classes.sizes.data(), n));
    if (form_.square != 0) sum += form_.square * sum_of_squares(classes.sizes.data(), n);
    if (form_.minority != 0) sum += form_.minority * sum_of_minorities(classes.sizes.data(), classes.labels.data(), n);
    return sum;
  }

  /// What the classes of each step but the last cost, as far as sizes do not tell.
  void count_losses(const Cells& classes, const std::vector<SizeSteps::Step>& steps) {
    if (!problem_.loss.of_values() && form_.minority == 0) return;
    const auto largest = static_cast<std::uint32_t>(steps[steps.size() - 2].size);
    for (std::size_t c = 0; c < classes.sizes.size(); ++c) {
      const std::uint32_t size = classes.sizes[c];
      if (size - 1 >= largest) continue;  // too large, or empty
      Cost sum = 0;
      if (problem_.loss.of_values()) sum = size * each(c, classes.cells);
      if (form_.minority != 0) sum += form_.minority * std::min(classes.labels[c], size - classes.labels[c]);
      const auto step = std::ranges::lower_bound(steps, std::int64_t{size}, {}, &SizeSteps::Step::size);
      lost_[static_cast<std::size_t>(step - steps.begin())] += sum;
    }
  }

  /// What a record of class c costs, as far as values go. A lane's value is that of its place among the entry's cells.
  Cost each(std::size_t c, std::size_t cells) const {
    const std::size_t entry = c / cells, cell = c % cells;
    Cost sum = 0;
    for (std::size_t a = 0; a < node_.size(); ++a) {
      const std::size_t value = place_[a] == none ? rolling_.value(entry, a) : (cell / place_[a]) & 1;
      sum += each_[problem_.frequencies.level_begin(a) + node_[a]][value];
    }
    return sum;
  }

  void add(const SizeSteps::Step& step, Cost cost) {
    front_.add(step.size, cost, node_, step.below);
    if (problem_.keep) result_.kept.push_back({{Rate{step.size, 1}}, cost, node_, step.below});
  }

  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  const FrontProblem& problem_;
  ClassForm form_;
  RollingPlan plan_;
  Control& control_;
  Rolling<Key, width> rolling_;
  SizeSteps steps_;
  std::vector<Cost> level_costs_;
  Cost records_, price_;
  bool never_saves_;
  Skipping skipping_;
  Node node_;
  std::vector<std::size_t> place_;                // by attribute: the stride of its lane bit, if it is one
  std::vector<std::vector<std::uint32_t>> sums_;  // by lane, sizes and labels
  std::vector<std::vector<Cost>> each_;           // by level and node
  std::vector<Cost> lost_;                        // by step
  SizeFront front_;
  FrontResult result_;
};

/// Attributes of two values and two levels become lanes, as many as there is room for.
RollingPlan plan_of(const FrontProblem& problem, std::vector<std::size_t> order, const SizeLoss& loss) {
  constexpr std::size_t most_bits = 3;
  RollingPlan plan;
  if (loss.labels) plan.labels = &problem.frequencies.sensitive()[*loss.labels].codes;
  for (const std::size_t a : order) {
    const Hierarchy& hierarchy = problem.frequencies.hierarchy(a);
    const bool lane = problem.top[a] == problem.bottom[a] + 1 && hierarchy.level(problem.bottom[a]).nodes() == 2 &&
                      hierarchy.level(problem.top[a]).nodes() == 1 && plan.bits() < most_bits;
    (lane ? plan.lanes : plan.order).push_back(a);
  }
  return plan;
}

/// None if more than sizes matter, or a key has no room.
std::optional<FrontResult> by_sizes(const FrontProblem& problem, Control& control) {
  const Frequencies& frequencies = problem.frequencies;
  const bool sizes = problem.models.empty() && problem.ratings.size() == 1 && problem.ratings.front()->counts_persons();
  const auto loss = SizeLoss::of(problem.loss, frequencies);
  const std::size_t bits = key_bits(frequencies);
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  if (!sizes || !loss || frequencies.units() || !frequencies.population().empty() || bits > 128 ||
      frequencies.records() > most || frequencies.size() > most)
    return std::nullopt;
  const Packing packing(frequencies);
  BaseStore store(control.limits().memory);
  Evaluator evaluator(packing, problem.models, problem.loss, problem.limit, store);
  const auto whole = evaluator.whole(problem.bottom);
  const RollingPlan plan = plan_of(problem, outermost_first(problem, packing, *whole), *loss);
  const auto run = [&]<class Key, std::size_t width>() {
    return SizeWalk<Key, width>(problem, loss->form, plan, control, whole->costs).run();
  };
  const auto with = [&]<class Key>() {
    switch (plan.bits()) {
      case 0: return run.template operator()<Key, 1>();
      case 1: return run.template operator()<Key, 2>();
      case 2: return run.template operator()<Key, 4>();
      default: return run.template operator()<Key, 8>();
    }
  };
  __extension__ using Widest = unsigned __int128;
  if (bits <= 32) return with.template operator()<std::uint32_t>();
  if (bits <= 64) return with.template operator()<std::uint64_t>();
  return with.template operator()<Widest>();
}

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
    if (loss->reads() && *loss->reads() >= columns) throw std::invalid_argument("a loss reads a column that is not there");
}

}  // namespace

bool prunable(const FrontProblem& problem) {
  const Monotonicity least = problem.limit > 0 ? Monotonicity::strongly_up : Monotonicity::up;
  const auto rises = [&](const auto& part) { return part->monotonicity() >= least; };
  return problem.spend_limit && !problem.keep && problem.ratings.size() == 1 && problem.loss.of_classes().empty() &&
         problem.loss.saving() == 0 && std::ranges::all_of(problem.models, rises) &&
         std::ranges::all_of(problem.ratings, rises) && nodes_of(problem) <= std::int64_t{1} << 26;
}

FrontResult front(const FrontProblem& posed, Control& control) {
  require(posed);
  FrontProblem problem = posed;
  if (problem.fault == FrontFault::too_strict) problem.limit = std::max<std::int64_t>(problem.limit - 1, 0);
  if (problem.prune) {
    if (!prunable(problem)) throw std::invalid_argument("pruning is not proved for this front");
    return FrontWalk(problem, control).pruned();
  }
  if (auto found = by_sizes(problem, control)) return std::move(*found);
  return FrontWalk(problem, control).complete();
}

FrontNodes::FrontNodes(FrontProblem problem) : problem_(std::move(problem)), control_(Limits{}) {
  require(problem_);
  walk_ = std::make_unique<FrontWalk>(problem_, control_);
}

FrontNodes::~FrontNodes() = default;

std::vector<NodePoint> FrontNodes::at(const Node& node) {
  if (node.size() != problem_.bottom.size()) throw std::invalid_argument("a node has one level per attribute");
  for (std::size_t a = 0; a < node.size(); ++a)
    if (node[a] < problem_.bottom[a] || node[a] > problem_.top[a]) throw std::invalid_argument("a node of another lattice");
  return walk_->at(node);
}

}  // namespace sfumato

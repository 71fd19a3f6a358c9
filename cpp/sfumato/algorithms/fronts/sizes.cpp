#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sfumato/algorithms/fronts/roll_up.hpp"
#include "sfumato/algorithms/fronts/size_points.hpp"
#include "sfumato/algorithms/fronts/walk.hpp"
#include "sfumato/search/planted.hpp"

namespace sfumato::fronts {

namespace {

/// The classes of a node, from a roll-up's entries: `cells` for each entry, of which some may be empty.
struct Cells {
  std::span<const std::uint32_t> sizes;
  std::span<const std::uint32_t> labels;  // records with the second of two labels, if there are labels
  std::size_t cells = 1;
  Cost cost = 0;  // by sizes and labels: this grows when classes merge
};

class SizeWalk {
 public:
  SizeWalk(const Problem& problem, const ClassForm& form, const RollUpPlan& plan, Control& control,
           std::vector<Cost> level_costs)
      : problem_(problem),
        form_(form),
        plan_(plan),
        control_(control),
        rolling_(roll_up(problem.frequencies, problem.bottom, problem.top, plan)),
        steps_(problem.limit),
        level_costs_(std::move(level_costs)),
        records_(problem.frequencies.records()),
        price_(problem.loss.suppressed()),
        never_saves_(problem.loss.saving(problem.frequencies) == 0),
        skipping_(problem),
        bounded_(problem.search == Search::bounded),
        place_(problem.bottom.size(), none),
        sums_(2 * plan.bits() + 2) {
    for (std::size_t a = 0; a < problem.bottom.size(); ++a)
      for (std::size_t j = 0; j <= problem.frequencies.hierarchy(a).height(); ++j) {
        each_.emplace_back();
        for (std::size_t node = 0; node < problem.frequencies.hierarchy(a).level(j).nodes(); ++node)
          each_.back().push_back(problem.loss.each(a, j, node));
      }
  }

  Result run() {
    if (bounded_) look_ahead();
    const auto visit = [this](const Node& node) {
      node_ = node;
      return unfold(0, entered_);
    };
    const auto enter = [this](const Node& node, std::size_t fixed) {
      if (!bounded_ && fixed < plan_.order.size()) return true;
      node_ = node;
      entered_ = cells();
      return !bounded_ || !beaten(fixed, entered_);
    };
    result_.complete = rolling_->walk(visit, enter);
    for (const SizeFront::Point& point : front_.points())
      result_.points.push_back({{Rate{point.size, 1}}, point.cost, point.nodes, point.suppressed});
    return std::move(result_);
  }

 private:
  /// What nodes attain at most, whatever the levels of the innermost attribute and of the lanes: that is what the node
  /// with these at the top attains, for no class of it is smaller than one that it contains. And what they cost at
  /// least.
  void look_ahead() {
    Node bottom = problem_.bottom;
    RollUpPlan outer{plan_.order, {}, nullptr};
    for (const std::size_t a : plan_.lanes) bottom[a] = problem_.top[a];
    if (!outer.order.empty()) {
      bottom[outer.order.back()] = problem_.top[outer.order.back()];
      outer.order.pop_back();
    }
    std::size_t nodes = 1;
    stride_.assign(problem_.bottom.size(), 0);
    for (const std::size_t a : outer.order) {
      stride_[a] = nodes;
      nodes *= problem_.top[a] - problem_.bottom[a] + 1u;
    }
    most_.resize(nodes);
    const auto ahead = roll_up(problem_.frequencies, bottom, problem_.top, outer);
    const auto visit = [&](const Node& node) {
      const auto& steps = steps_.of(ahead->counts());
      if (!steps.empty()) most_[place_of(node, outer.order.size())] = steps.back().size;
      return !control_.stopped();
    };
    ahead->walk(visit, [](const Node&, std::size_t) { return true; });
    least_ = level_costs_;
    for (std::size_t a = 0; a < problem_.bottom.size(); ++a)
      for (std::size_t j = problem_.frequencies.level_begin(a) + problem_.top[a];
           j-- > problem_.frequencies.level_begin(a);)
        least_[j] = std::min(least_[j], least_[j + 1]);
  }

  /// Where `most_` holds the bound on nodes that have the levels of this one in the first `fixed` attributes of the
  /// order.
  std::size_t place_of(const Node& node, std::size_t fixed) const {
    std::size_t place = 0;
    for (std::size_t depth = 0; depth < plan_.order.size(); ++depth) {
      const std::size_t a = plan_.order[depth];
      const std::size_t level = depth < fixed ? node[a] : problem_.top[a];
      place += stride_[a] * (level - problem_.bottom[a]);
    }
    return place;
  }

  /// Whether the front has something against this node and all above it with the same levels in the first `fixed`
  /// attributes, whose classes are these, merged.
  bool beaten(std::size_t fixed, const Cells& classes) const {
    Cost floor = classes.cost + form_.records * records_ + too_high();
    for (std::size_t a = 0; a < node_.size(); ++a) floor += least_[problem_.frequencies.level_begin(a) + node_[a]];
    return front_.beats(most_[place_of(node_, fixed)], floor);
  }

  /// From the entries' counts to classes: labels are no part of what classes differ by.
  Cells cells() {
    const auto counts = rolling_->counts();
    const std::size_t width = std::size_t{1} << plan_.bits();
    if (plan_.labels == nullptr) return priced({counts, {}, width});
    auto &sizes = sums_[0], &labels = sums_[1];
    sizes.resize(counts.size() / 2), labels.resize(counts.size() / 2);
    for (std::size_t c = 0; c < sizes.size(); ++c) {
      labels[c] = counts[2 * c + 1];
      sizes[c] = counts[2 * c] + labels[c];
    }
    return priced({sizes, labels, width / 2});
  }

  /// The nodes with every level of the lane attributes from this one on. Those before it left 2^bit cells inside of it.
  bool unfold(std::size_t lane, Cells cells, std::size_t stride = 1) {
    if (lane == plan_.lanes.size()) return visit(cells);
    const std::size_t a = plan_.lanes[lane];
    place_[a] = stride;
    if (!unfold(lane + 1, cells, 2 * stride)) return false;
    place_[a] = none;
    ++node_[a];
    bool going_on = true;
    if (!bounded_ || !beaten(plan_.order.size(), cells)) {
      auto &sizes = sums_[2 * lane + 2], &labels = sums_[2 * lane + 3];
      add_pairs(cells.sizes, stride, sizes);
      add_pairs(cells.labels, stride, labels);
      const std::size_t n = cells.sizes.size() / 2;
      going_on = unfold(lane + 1,
                        priced({{sizes.data(), n}, {labels.data(), cells.labels.size() / 2}, cells.cells / 2}), stride);
    }
    --node_[a];
    return going_on;
  }

  static void add_pairs(std::span<const std::uint32_t> counts, std::size_t stride, std::vector<std::uint32_t>& sums) {
    if (sums.size() < counts.size() / 2) sums.resize(counts.size() / 2);
    switch (stride) {
      case 1: return add_neighbours(counts.data(), sums.data(), counts.size() / 2);
      case 2: return add_second_neighbours(counts.data(), sums.data(), counts.size() / 4);
      default: return add_fourth_neighbours(counts.data(), sums.data(), counts.size() / 8);
    }
  }

  bool visit(const Cells& classes) {
    if (!control_.examine()) return false;
    if (skipping_.now()) return true;
    const auto& steps = steps_.of(classes.sizes);
    if (steps.empty()) return true;
    // With nothing suppressed. Where suppression never saves, no point of the node costs less.
    const Cost all = cost_of_all(classes);
    if (never_saves_ && !problem_.keep && front_.beats(steps.back().size, all + too_high())) return true;
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
    return sum + classes.cost;
  }

  Cells priced(Cells classes) const {
    const std::size_t n = classes.sizes.size();
    if (form_.square != 0) classes.cost += form_.square * sum_of_squares(classes.sizes.data(), n);
    if (form_.minority != 0)
      classes.cost += form_.minority * sum_of_minorities(classes.sizes.data(), classes.labels.data(), n);
    return classes;
  }

  /// What the classes of each step but the last cost, as far as it does not follow from their sizes.
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
      const std::size_t value = place_[a] == none ? rolling_->value(entry, a) : (cell / place_[a]) & 1;
      sum += each_[problem_.frequencies.level_begin(a) + node_[a]][value];
    }
    return sum;
  }

  void add(const SizeSteps::Step& step, Cost cost) {
    front_.add(step.size, cost, node_, step.below);
    if (problem_.keep) result_.kept.push_back({{Rate{step.size, 1}}, cost, node_, step.below});
  }

  Cost too_high() const { return is_planted(Fault::bound_one_too_high) ? 1 : 0; }

  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  const Problem& problem_;
  ClassForm form_;
  RollUpPlan plan_;
  Control& control_;
  std::unique_ptr<RollUp> rolling_;
  SizeSteps steps_;
  std::vector<Cost> level_costs_;
  Cost records_, price_;
  bool never_saves_;
  Skipping skipping_;
  bool bounded_;
  Cells entered_;                    // of the node that the roll-up has come to
  std::vector<std::size_t> stride_;  // by attribute, for what follows
  std::vector<std::int64_t> most_;   // what nodes attain at most, by the levels of all of the order but the innermost
  std::vector<Cost> least_;          // what a level and those above it cost at least
  Node node_;
  std::vector<std::size_t> place_;                // by attribute: the stride of its lane bit, if it is one
  std::vector<std::vector<std::uint32_t>> sums_;  // by lane, sizes and labels
  std::vector<std::vector<Cost>> each_;           // by level and node
  std::vector<Cost> lost_;                        // by step
  SizeFront front_;
  Result result_;
};

/// Attributes of two values and two levels become lanes, as many as there is room for.
RollUpPlan plan_of(const Problem& problem, std::vector<std::size_t> order, const SizeLoss& loss) {
  constexpr std::size_t most_bits = 3;
  RollUpPlan plan;
  if (loss.labels) plan.labels = &problem.frequencies.sensitive()[*loss.labels].codes;
  for (const std::size_t a : order) {
    const Hierarchy& hierarchy = problem.frequencies.hierarchy(a);
    const bool lane = problem.top[a] == problem.bottom[a] + 1 && hierarchy.level(problem.bottom[a]).nodes() == 2 &&
                      hierarchy.level(problem.top[a]).nodes() == 1 && plan.bits() < most_bits;
    (lane ? plan.lanes : plan.order).push_back(a);
  }
  return plan;
}

/// The loss, if sizes are all that is rated, and there is room for keys and counts.
std::optional<SizeLoss> size_loss(const Problem& problem) {
  const Frequencies& frequencies = problem.frequencies;
  const bool sizes = problem.models.empty() && problem.ratings.size() == 1 && problem.ratings.front()->counts_persons();
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  if (!sizes || frequencies.units() || !frequencies.population().empty() || key_bits(frequencies) > 128 ||
      frequencies.records() > most || frequencies.size() > most)
    return std::nullopt;
  return SizeLoss::of(problem.loss, frequencies);
}

}  // namespace

bool bounded(const Problem& problem) {
  const auto loss = size_loss(problem);
  return loss && !problem.keep && loss->form.classes == 0 && loss->form.square >= 0 && loss->form.minority >= 0 &&
         problem.loss.saving(problem.frequencies) == 0 && nodes_of(problem) <= most_bounded_nodes;
}

std::optional<Result> front_by_sizes(const Problem& problem, Control& control) {
  const auto loss = size_loss(problem);
  if (!loss) return std::nullopt;
  const Frequencies& frequencies = problem.frequencies;
  const Packing packing(frequencies);
  BaseStore store(control.limits().memory);
  Evaluator evaluator(packing, problem.models, problem.loss, problem.limit, store);
  const auto whole = evaluator.whole(problem.bottom);
  const RollUpPlan plan = plan_of(problem, outermost_first(problem, packing, *whole), *loss);
  return SizeWalk(problem, loss->form, plan, control, whole->costs).run();
}

}  // namespace sfumato::fronts

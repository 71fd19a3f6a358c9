#include "sfumato/algorithms/cuts/l_plus_optimize.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "sfumato/algorithms/cuts/class_table.hpp"
#include "sfumato/algorithms/cuts/workers.hpp"
#include "sfumato/search/lattice_checks.hpp"

namespace sfumato::cuts {
namespace {

template <class Sum>
class Search {
 public:
  Search(const Problem& problem, Control& control, Cost dearest)
      : problem_(problem),
        control_(control),
        dearest_(static_cast<Sum>(dearest)),
        tree_(problem.frequencies, problem.lowest, problem.highest),
        depth_(tree_.depth()),
        shared_(problem, tree_),
        incumbents_(problem.top, control),
        workers_(problem_, tree_, shared_, incumbents_, control, control.limits().threads) {}

  Result solve() {
    const bool complete = search();
    workers_.finish();
    return result(complete);
  }

 private:
  /// Of the cheapest among the cuts that are nowhere deeper than `depth`, by one thread.
  Search(const Search& whole, std::uint32_t depth)
      : problem_(one_of(whole.problem_)),
        control_(whole.control_),
        dearest_(whole.dearest_),
        tree_(whole.tree_.down_to(depth)),
        depth_(depth),
        coarse_(true),
        shared_(whole.shared_, tree_),
        incumbents_(1, control_),
        workers_(problem_, tree_, shared_, incumbents_, control_, 1) {}

  static Problem one_of(Problem problem) {
    problem.top = 1;
    return problem;
  }

  /// False if stopped.
  bool search() {
    if (workers_.first().impossible()) return true;
    raise(workers_.first().root_bound());
    bool given_up = false;
    if (std::optional<ClassTable> table = worthwhile()) {
      if (tabulated(*table)) return true;
      if (control_.stopped()) return false;
      given_up = true;
    }
    workers_.begin([this, given_up](auto& worker) { worker.dive(given_up ? first_cost() : cheapest_coarse()); });
    // All cuts up to a limit, which grows until there are enough: little is looked at that the proof does not need.
    std::int64_t before = few_;
    for (Sum limit = std::max<Sum>(bound_, 1), step = std::max<Sum>(limit / 64, 1);; limit += step) {
      if (incumbents_.last() <= limit + step || limit >= dearest_) limit = Incumbents<Sum>::unbounded;
      const std::int64_t start = control_.progress().examined;
      if (!pass(limit)) return false;
      if (incumbents_.last() <= limit || limit == Incumbents<Sum>::unbounded) return true;
      const std::int64_t examined = control_.progress().examined - start;
      step = next_step(limit, step, static_cast<double>(examined) / static_cast<double>(before));
      before = std::max(examined, few_);
    }
  }

  /// The table of all classes, if that is worked out sooner than cuts are searched: not where violations exclude most
  /// of these.
  std::optional<ClassTable> worthwhile() {
    const bool one = problem_.top == 1 && problem_.bounds == Bounds::strong && problem_.update_bounds;
    if (coarse_ || !one || limited()) return std::nullopt;
    std::optional<ClassTable> table(std::in_place, problem_, tree_, *shared_.all(), control_);
    if (!table->pays(static_cast<Cost>(dearest_))) table.reset();
    return table;
  }

  /// Offers the cheapest cut of the table; false if it is not proved to be that.
  bool tabulated(ClassTable& table) {
    if (cheapest_coarse() == Incumbents<Sum>::unbounded) workers_.first().dive(Incumbents<Sum>::unbounded);
    const ClassTable::Solution solution = table.solve(static_cast<double>(first_cost()));
    if (!solution.cut.empty()) incumbents_.offer({static_cast<Sum>(solution.cost), true, {}, solution.cut});
    return solution.complete;
  }

  /// Whether a cut may suppress too much.
  bool limited() const {
    return problem_.limit < problem_.frequencies.records() * static_cast<std::int64_t>(problem_.models.size());
  }

  /// Offers the cheapest of coarse cuts, if these are of few tuples and so take little time, and returns what it costs.
  Sum cheapest_coarse() {
    const std::uint32_t depth = coarse_depth();
    if (depth == 0) return Incumbents<Sum>::unbounded;
    Search coarse(*this, depth);
    coarse.search();
    for (const auto& incumbent : coarse.incumbents_.all()) incumbents_.offer({incumbent.cost, true, {}, incumbent.cut});
    return coarse.first_cost();
  }

  /// The greatest depth that leaves a quarter of many tuples or fewer. (The paper's bounds are to be shown as they
  /// are.)
  std::uint32_t coarse_depth() const {
    const Tuples& tuples = *shared_.all();
    if (problem_.bounds != Bounds::strong || !problem_.update_bounds || tuples.size() < 16 * problem_.merging_from ||
        tuples.has_units())
      return 0;
    std::uint32_t depth = 0;
    while (depth + 1 < depth_ && 4 * tuples.left(tree_.down_to(depth + 1)) <= tuples.size()) ++depth;
    return depth;
  }

  /// As far as passes are expected to look at twice as many cuts, or to grow from few to `few_`; `growth`: that of the
  /// latest.
  static Sum next_step(Sum limit, Sum step, double growth) {
    if (growth <= 1) return std::min<Sum>(2 * step, std::max<Sum>(limit, 1));
    const double factor = std::clamp(std::log(2.0) / std::log(growth), 1.0 / 16, 2.0);
    return std::max({static_cast<Sum>(static_cast<double>(step) * factor), limit / 128, Sum{1}});
  }

  Sum first_cost() const { return incumbents_.first(); }

  void raise(Sum bound) {
    if (std::min(bound, first_cost()) == Incumbents<Sum>::unbounded)
      return;  // nothing is valid: there is nothing to bound
    bound_ = std::max(bound_, std::min(bound, first_cost()));
    if (!coarse_) control_.tick(static_cast<Cost>(bound_));
  }

  /// One search of all cuts up to the limit; false if stopped. What was pruned costs more, or as much as the last one
  /// found.
  bool pass(Sum limit) {
    TaskPool<Sum> pool({{}, bound_});
    workers_.run(pool, limit);
    raise(std::min(pool.open(), limit == Incumbents<Sum>::unbounded ? limit : limit + 1));
    return !pool.stopped();
  }

  Result result(bool complete) {
    Result result;
    for (const auto& incumbent : incumbents_.all()) {
      result.cuts.push_back(levels(incumbent.cut));
      result.costs.push_back(static_cast<Cost>(incumbent.cost));
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

  const Problem problem_;
  Control& control_;
  Sum dearest_;
  Tree tree_;
  std::uint32_t depth_;  // of the tree
  bool coarse_ = false;
  SharedTuples shared_;
  Incumbents<Sum> incumbents_;
  Workers<Sum> workers_;
  Sum bound_ = 0;
};

void require_weights(const Hierarchy& hierarchy, const std::vector<std::vector<Cost>>& weight) {
  if (weight.size() <= hierarchy.height()) throw std::invalid_argument("weights of every level");
  for (std::size_t j = 0; j <= hierarchy.height(); ++j)
    if (weight[j].size() < hierarchy.level(j).nodes() ||
        std::ranges::any_of(weight[j], [](Cost cost) { return cost < 0 || cost > Cost{1} << 90; }))
      throw std::invalid_argument("a weight for every node, none negative");
}

void require(const Problem& problem) {
  const Frequencies& frequencies = problem.frequencies;
  const bool some = problem.scheme != Scheme::none && problem.scheme != Scheme::all_records;
  if (some && !std::ranges::all_of(problem.models, [](const auto& model) { return model->share_limits() != nullptr; }))
    throw std::invalid_argument("to suppress what violates takes limits on the shares of values");
  if (problem.scheme == Scheme::violating_records && problem.models.size() != 1)
    throw std::invalid_argument("to suppress the records that violate takes one limit on the shares of values");
  const bool values = problem.scheme == Scheme::violating_values || problem.scheme == Scheme::all_values;
  if (values && problem.loss.metric != Metric::values)
    throw std::invalid_argument("only a loss of values prices suppressed ones");
  if (problem.lowest.size() != frequencies.attributes() || problem.highest.size() != frequencies.attributes())
    throw std::invalid_argument("a lowest and a highest level per attribute");
  for (std::size_t a = 0; a < frequencies.attributes(); ++a)
    if (problem.lowest[a] > problem.highest[a] || problem.highest[a] > frequencies.hierarchy(a).height())
      throw std::invalid_argument("the lowest level is above the highest, or that above the hierarchy");
  if (problem.loss.metric == Metric::values && problem.loss.weight.size() != frequencies.attributes())
    throw std::invalid_argument("weights per attribute");
  for (std::size_t a = 0; a < problem.loss.weight.size() && problem.loss.metric == Metric::values; ++a)
    require_weights(frequencies.hierarchy(a), problem.loss.weight[a]);
  if (problem.loss.record < 0 || problem.loss.value < 0) throw std::invalid_argument("prices are not negative");
  if (problem.loss.metric == Metric::classification && problem.loss.target >= frequencies.sensitive().size())
    throw std::invalid_argument("a loss reads a column that is not there");
  for (const auto& model : problem.models) {
    if (model->populated()) throw std::invalid_argument("a model asks for a population, which no cut has");
    if (model->sensitive().value_or(0) >= frequencies.sensitive().size() && model->sensitive())
      throw std::invalid_argument("a model reads a sensitive attribute that is not there");
    if (model->sensitive()) require_values(frequencies.sensitive()[*model->sensitive()], model->values());
    if (problem.scheme == Scheme::none && model->monotonicity() == Monotonicity::none)
      throw std::invalid_argument("what violates a model may be divided into what does not: suppress it instead");
  }
  if (problem.top == 0) throw std::invalid_argument("at least one cut");
}

/// Larger than what any cut can cost.
Cost dearest(const Problem& problem) {
  Cost each = problem.frequencies.records();  // DM
  if (problem.loss.metric == Metric::values) {
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

Result l_plus_optimize(const Problem& problem, Control& control) {
  require(problem);
  const Cost most = dearest(problem);
  if (most < Cost{1} << 58) return Search<std::int64_t>(problem, control, most).solve();
  return Search<Cost>(problem, control, most).solve();
}

}  // namespace sfumato::cuts

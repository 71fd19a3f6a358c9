#include "sfumato/algorithms/lattice/samarati.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "sfumato/search/lattice_checks.hpp"

namespace sfumato::lattice {
namespace {

class SamaratiSearch {
 public:
  SamaratiSearch(const SamaratiProblem& problem, Control& control)
      : problem_(problem),
        control_(control),
        packing_(problem.frequencies),
        sets_(packing_, problem_.models, control.limits().memory) {
    // Attributes with many values first: fixing their levels merges most.
    order_.resize(problem.top.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t x, std::size_t y) {
      return problem.frequencies.hierarchy(x).values() > problem.frequencies.hierarchy(y).values();
    });
    reach_.assign(order_.size() + 1, 0);
    for (std::size_t i = order_.size(); i-- > 0;)
      reach_[i] = reach_[i + 1] + problem.top[order_[i]] - problem.bottom[order_[i]];
  }

  SamaratiResult run() {
    whole_ = sets_.roll_up(*sets_.whole(), problem_.bottom);
    result_.complete = search();
    return sorted();
  }

 private:
  /// Validity is monotone: a height with a valid node has one at every height above. False if stopped.
  bool search() {
    std::size_t low = 0, high = reach_[0], visited = 1;
    if (!look(high, 0)) return false;
    if (result_.nodes.empty()) return true;  // not even the top is valid
    while (low < high) {
      const std::size_t height = (low + high) / 2;
      std::vector<Node> higher = std::exchange(result_.nodes, {});
      std::vector<Cost> costs = std::exchange(result_.costs, {});
      if (!look(height, 0)) {
        if (result_.nodes.empty()) result_.nodes = std::move(higher), result_.costs = std::move(costs);
        return false;
      }
      if (result_.nodes.empty()) {
        low = height + 1;
        result_.nodes = std::move(higher), result_.costs = std::move(costs);
      } else {
        high = height;
        visited = visited_;
      }
    }
    all_ = true;  // the others of the least height
    return look(high, visited);
  }

  /// Checks the nodes of a height, the first `skip` left out, until one is valid, or all of them. False if stopped.
  bool look(std::size_t height, std::size_t skip) {
    skip_ = skip;
    visited_ = 0;
    node_ = problem_.bottom;
    return descend(0, height, whole_) != Walk::stopped;
  }

  enum class Walk { on, done, stopped };

  /// Fixes the attributes from the i-th on, low levels first, so that they add up to `height`. The set is rolled up on
  /// the way down, so that the many nodes at the end are checked by small sets.
  Walk descend(std::size_t i, std::size_t height, const FrequencySet& set) {
    if (i == order_.size()) return visit(*set);
    const std::size_t a = order_[i];
    const std::size_t least = height > reach_[i + 1] ? height - reach_[i + 1] : 0;
    const std::size_t most = std::min<std::size_t>(height, problem_.top[a] - problem_.bottom[a]);
    for (std::size_t up = least; up <= most; ++up) {
      node_[a] = static_cast<std::uint16_t>(problem_.bottom[a] + up);
      const bool worth = up > 0 && i + few < order_.size() && !sets_.full();
      const Walk walk = descend(i + 1, height - up, worth ? sets_.roll_up(*set, node_) : set);
      if (walk != Walk::on) return walk;
    }
    node_[a] = problem_.bottom[a];
    return Walk::on;
  }

  Walk visit(const Tuples& set) {
    if (visited_++ < skip_) return Walk::on;
    if (!control_.examine()) return Walk::stopped;
    if (sets_.check(set, node_).violating > problem_.limit) return Walk::on;
    result_.nodes.push_back(node_);
    result_.costs.push_back(problem_.cost(node_));
    if (result_.costs.back() < reported_) control_.improved(reported_ = result_.costs.back());
    return all_ ? Walk::on : Walk::done;
  }

  SamaratiResult sorted() {
    std::vector<std::size_t> order(result_.nodes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
      return std::pair(result_.costs[x], result_.nodes[x]) < std::pair(result_.costs[y], result_.nodes[y]);
    });
    SamaratiResult result{result_.complete, {}, {}};
    for (const std::size_t i : order) {
      result.nodes.push_back(std::move(result_.nodes[i]));
      result.costs.push_back(result_.costs[i]);
    }
    return result;
  }

  static constexpr std::size_t few = 4;  // with fewer attributes to come, a smaller set would not pay for itself

  const SamaratiProblem& problem_;
  Control& control_;
  Packing packing_;
  FrequencySets sets_;
  std::vector<std::size_t> order_;  // of the attributes
  std::vector<std::size_t> reach_;  // levels that the attributes from the i-th on can add
  FrequencySet whole_;
  Node node_;
  std::size_t skip_ = 0, visited_ = 0;
  bool all_ = false;
  Cost reported_ = no_cost;
  SamaratiResult result_;
};

}  // namespace

SamaratiResult samarati(const SamaratiProblem& problem, Control& control) {
  require_lattice(problem.frequencies, problem.bottom, problem.top);
  require_columns(problem.frequencies, problem.models);
  return SamaratiSearch(problem, control).run();
}

}  // namespace sfumato::lattice

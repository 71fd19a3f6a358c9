// What every node at or below one attains at most, and what it costs at least for that.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sfumato/algorithms/fronts/node_points.hpp"
#include "sfumato/search/evaluation.hpp"

namespace sfumato::fronts {

/// Strengths up to one, from the step before on, and the floor of all that attains them: no part of the classes that
/// count as hopeless here can attain as much.
struct Step {
  Rate strongest;
  Evaluation floor;
};

/// A node's steps, from the weakest to the strongest; nothing at or below the node is stronger than the last.
struct Steps {
  std::vector<Step> steps;
  std::vector<std::uint32_t> dropped;  // by tuple: the first step at which it is hopeless, or their number

  /// The tuples that can be published at this step.
  std::vector<std::uint32_t> kept(std::size_t step) const {
    std::vector<std::uint32_t> kept;
    for (std::size_t i = 0; i < dropped.size(); ++i)
      if (dropped[i] > step) kept.push_back(static_cast<std::uint32_t>(i));
    return kept;
  }
};

/// Owns the working memory: for one thread.
class NodeBounds {
 public:
  NodeBounds(const Packing& packing, const Models& models, const Rating& rating, const Loss& loss, std::int64_t limit)
      : packing_(packing), models_(models), rating_(rating), loss_(loss), limit_(limit) {
    // Where nothing may be suppressed, all classes around one that satisfies a model do so too, if it rises at all.
    const Monotonicity least = limit > 0 ? Monotonicity::strongly_up : Monotonicity::up;
    strong_ = std::ranges::all_of(models, [&](const auto& model) { return model->monotonicity() >= least; });
    rises_ = rating.monotonicity() >= least;
    const Frequencies& frequencies = packing.frequencies();
    for (std::size_t a = 0; a < frequencies.attributes(); ++a)
      for (std::size_t j = 0; j <= frequencies.hierarchy(a).height(); ++j) {
        const auto& node = frequencies.hierarchy(a).level(j).node;
        auto& costs = each_.emplace_back(node.size());
        for (std::size_t v = 0; v < node.size(); ++v) costs[v] = loss.each(a, j, node[v]);
      }
  }

  /// The node that was evaluated last.
  Steps of(const Base& base, const NodePoints& node) {
    const Classes& classes = node.classes();
    attain(node);
    std::vector<std::uint32_t> order;
    std::int64_t hopeless = base.suppressed, forced = 0;
    drop_.assign(node.groups().count(), 0);  // what has no records, too
    for (std::size_t c = 0; c < classes.count(); ++c) {
      if (publishable_[c] == 0) {
        hopeless += classes.sizes[c];
        continue;
      }
      order.push_back(static_cast<std::uint32_t>(c));
      forced += classes.sizes[c] - publishable_[c];
    }
    const auto weaker = [&](std::uint32_t c, std::uint32_t d) { return most_[d] < most_[c]; };
    std::ranges::make_heap(order, weaker);
    Steps found;
    const std::int64_t together = limit_ / most_steps;  // hopeless records that are no step of their own
    std::int64_t begun = -1;
    while (!order.empty() && hopeless + forced <= limit_) {
      const Rate strongest = most_[order.front()];
      if (begun >= 0 && hopeless - begun < together) {
        found.steps.back().strongest = strongest;
      } else {
        found.steps.push_back({strongest, {}});
        Evaluation& floor = found.steps.back().floor;
        floor.hopeless = begun = hopeless, floor.forced = forced, floor.room = limit_ - hopeless;
        floor.fixed = loss_.suppressed() * hopeless, floor.at = base.at;
      }
      while (!order.empty() && most_[order.front()] == strongest) {
        const std::uint32_t c = order.front();
        std::ranges::pop_heap(order, weaker);
        order.pop_back();
        hopeless += classes.sizes[c];
        forced -= classes.sizes[c] - publishable_[c];
        drop_[c] = static_cast<std::uint32_t>(found.steps.size());
      }
    }
    for (const std::uint32_t c : order) drop_[c] = static_cast<std::uint32_t>(found.steps.size());
    price(base, node, found);
    return found;
  }

 private:
  static constexpr std::int64_t most_steps = 128;

  /// What parts of each class attain at most, and how many of its records they can be.
  void attain(const NodePoints& node) {
    const Classes& classes = node.classes();
    most_.assign(node.rates().begin(), node.rates().end());
    const Histogram* histogram = node.histogram(rating_.sensitive());
    if (!rises_) rating_.raise_to_parts(classes, histogram, most_);
    publishable_.assign(classes.sizes.begin(), classes.sizes.end());
    const auto& violated = node.violated();
    for (std::size_t c = 0; strong_ && c < publishable_.size(); ++c)
      if (violated[c]) publishable_[c] = 0;
    if (!strong_)
      for (const auto& model : models_)
        model->limit(classes, node.histogram(model->sensitive()), violated, publishable_);
    for (std::size_t c = 0; c < publishable_.size(); ++c)
      if (!most_[c].some() && most_[c].numerator <= 0) publishable_[c] = 0;
  }

  /// What the tuples that are not hopeless cost, step by step.
  void price(const Base& base, const NodePoints& node, Steps& found) {
    const auto ids = node.groups().ids();
    found.dropped.resize(ids.size());
    std::vector<std::vector<Cost>> lost(found.steps.size(), std::vector<Cost>(base.costs.size(), 0));
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const std::uint32_t step = found.dropped[i] = drop_[ids[i]];
      if (step < lost.size()) add(base, i, lost[step]);
    }
    for (std::size_t s = 0; s < lost.size(); ++s) {
      auto& floor = found.steps[s].floor.floor;
      floor = s > 0 ? found.steps[s - 1].floor.floor : base.costs;
      for (std::size_t j = 0; j < floor.size(); ++j) floor[j] -= lost[s][j];
    }
  }

  /// Adds what a tuple costs, by level from the base's up.
  void add(const Base& base, std::size_t tuple, std::vector<Cost>& costs) const {
    if (!loss_.of_values()) return;
    const Frequencies& frequencies = packing_.frequencies();
    const Cost records = base.tuples.counts[tuple];
    for (std::size_t p = 0; p < packing_.packs().size(); ++p) {
      const auto& attributes = packing_.packs()[p].attributes;
      std::uint32_t code = base.tuples.packs[p][tuple];
      for (std::size_t i = attributes.size(); i-- > 0;) {
        const std::size_t a = attributes[i];
        const auto radix = static_cast<std::uint32_t>(frequencies.hierarchy(a).values());
        const std::size_t begin = frequencies.level_begin(a);
        for (std::size_t j = base.at[a]; j <= frequencies.hierarchy(a).height(); ++j)
          costs[begin + j] += records * each_[begin + j][code % radix];
        code /= radix;
      }
    }
  }

  const Packing& packing_;
  const Models& models_;
  const Rating& rating_;
  const Loss& loss_;
  std::int64_t limit_;
  bool strong_ = false, rises_ = false;
  std::vector<std::vector<Cost>> each_;    // by level and value
  std::vector<Rate> most_;                 // by class
  std::vector<std::int64_t> publishable_;  // records, by class
  std::vector<std::uint32_t> drop_;        // by class: the first step at which it is hopeless
};

}  // namespace sfumato::fronts

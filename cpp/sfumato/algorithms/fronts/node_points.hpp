// The points of a lattice node: what it attains with its weakest classes suppressed, and at what cost.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "sfumato/algorithms/fronts/pareto.hpp"
#include "sfumato/algorithms/fronts/size_points.hpp"
#include "sfumato/loss/loss.hpp"
#include "sfumato/privacy/model.hpp"
#include "sfumato/privacy/rating.hpp"
#include "sfumato/search/evaluation.hpp"

namespace sfumato::fronts {

/// Any models, any ratings, any loss; owns the working memory, so each thread has its own.
class NodePoints {
 public:
  struct Point {
    Strength strength;
    Cost cost = 0;
    std::int64_t suppressed = 0;
  };

  NodePoints(const Packing& packing, const Models& models, const Ratings& ratings, const Loss& loss, std::int64_t limit,
             bool strictest)
      : packing_(packing),
        models_(models),
        ratings_(ratings),
        loss_(loss),
        limit_(limit),
        strictest_(strictest),
        groups_(packing),
        steps_(limit),
        rates_(ratings.size()) {}

  /// For each strength that occurs and can be attained within the limit, its point; or only those that none is as
  /// strict as.
  const std::vector<Point>& at(const Base& base, NodeView node) {
    points_.clear();
    tuples_ = &base.tuples, node_ = node;
    groups_.assign(base.tuples, node);
    classes_ = summary_.of(groups_, base.tuples);
    first_.clear();
    rate();
    suppressed_ = base.suppressed;
    cost_ = loss_.suppressed() * base.suppressed;
    for (std::size_t a = 0; a < node.size(); ++a) cost_ += base.costs[frequencies().level_begin(a) + node[a]];
    for (std::size_t c = 0; c < classes_.count() && !loss_.of_classes().empty(); ++c) cost_ += class_cost(c);
    for (std::size_t c = 0; c < classes_.count(); ++c)
      if (gone_[c]) suppress(c);
    if (suppressed_ > limit_ || alive_.empty()) return points_;
    if (ratings_.size() > 1)
      by_two();
    else if (ratings_.front()->counts_persons() && classes_.units.empty() && suppressed_ == 0 &&
             classes_.sizes.size() == alive_.size() && few())
      by_size();
    else
      by_one();
    if (strictest_) keep_strictest();
    return points_;
  }

  /// Of the node that was evaluated last: its classes, which of them violate a model, and what they attain by the first
  /// rating.
  const Groups& groups() const { return groups_; }
  const Classes& classes() const { return classes_; }
  const std::vector<std::uint8_t>& violated() const { return violated_; }
  const std::vector<Rate>& rates() const { return rates_.front(); }
  const Histogram* histogram(std::optional<std::size_t> column) const {
    return column ? &classes_.histograms[*column] : nullptr;
  }

 private:
  const Frequencies& frequencies() const { return packing_.frequencies(); }

  /// Rates the classes; those that violate a model, or satisfy one for no parameter, are gone.
  void rate() {
    gone_.assign(classes_.count(), 0);
    for (const auto& model : models_) model->mark(classes_, histogram(model->sensitive()), gone_);
    violated_ = gone_;
    for (std::size_t r = 0; r < ratings_.size(); ++r) {
      rates_[r].assign(classes_.count(), Rate{});
      ratings_[r]->rate(classes_, histogram(ratings_[r]->sensitive()), rates_[r]);
      for (std::size_t c = 0; c < classes_.count(); ++c) gone_[c] |= !rates_[r][c].some();
    }
    alive_.clear();
    for (std::size_t c = 0; c < classes_.count(); ++c)
      if (!gone_[c]) alive_.push_back(static_cast<std::uint32_t>(c));
  }

  bool few() const { return frequencies().records() <= std::numeric_limits<std::uint32_t>::max(); }

  /// Where sizes are what is rated, they are counted: no class is looked at that is too large to be suppressed.
  void by_size() {
    sizes_.assign(classes_.sizes.begin(), classes_.sizes.end());
    const auto& steps = steps_.of(sizes_);
    lost_.assign(steps.size(), 0);
    if (steps.size() > 1) {
      const std::int64_t largest = steps[steps.size() - 2].size;
      for (std::size_t c = 0; c < sizes_.size(); ++c) {
        if (sizes_[c] > largest) continue;
        const auto step = std::ranges::lower_bound(steps, std::int64_t{sizes_[c]}, {}, &SizeSteps::Step::size);
        lost_[static_cast<std::size_t>(step - steps.begin())] += lost(c);
      }
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
      points_.push_back({{Rate{steps[i].size, 1}}, cost_, steps[i].below});
      cost_ += lost_[i];
    }
  }

  /// Classes come off a heap, weakest first: only as many as the limit allows are ever sorted.
  void by_one() {
    const auto& rates = rates_.front();
    const auto weaker = [&](std::uint32_t c, std::uint32_t d) { return rates[d] < rates[c]; };
    std::ranges::make_heap(alive_, weaker);
    while (!alive_.empty() && suppressed_ <= limit_) {
      const Rate least = rates[alive_.front()];
      points_.push_back({{least}, cost_, suppressed_});
      while (!alive_.empty() && rates[alive_.front()] == least) {
        std::ranges::pop_heap(alive_, weaker);
        suppress(alive_.back());
        alive_.pop_back();
      }
    }
  }

  /// For each value of the first rating, those of the second: the same classes are published only once, for what they
  /// attain, so a point counts where the first rating's least is still among them.
  void by_two() {
    const std::vector<std::uint32_t> first = sorted_by(rates_[0]), second = sorted_by(rates_[1]);
    const auto gone = gone_;
    std::size_t begin = 0;
    while (begin < first.size() && suppressed_ <= limit_) {
      const Rate least = rates_[0][first[begin]];
      std::size_t end = begin;
      while (end < first.size() && rates_[0][first[end]] == least) ++end;
      const auto cost = cost_;
      const auto suppressed = suppressed_;
      const auto before = gone_;
      auto left = end - begin;  // published classes with the least value
      for (std::size_t i = 0; i < second.size() && left > 0 && suppressed_ <= limit_;) {
        if (gone_[second[i]]) {
          ++i;
          continue;
        }
        const Rate other = rates_[1][second[i]];
        points_.push_back({{least, other}, cost_, suppressed_});
        for (; i < second.size() && rates_[1][second[i]] == other; ++i) {
          if (gone_[second[i]]) continue;
          gone_[second[i]] = 1;
          left -= rates_[0][second[i]] == least;
          suppress(second[i]);
        }
      }
      gone_ = before, cost_ = cost, suppressed_ = suppressed;
      for (; begin < end; ++begin) {
        gone_[first[begin]] = 1;
        suppress(first[begin]);
      }
    }
  }

  std::vector<std::uint32_t> sorted_by(const std::vector<Rate>& rates) const {
    std::vector<std::uint32_t> sorted = alive_;
    std::ranges::sort(sorted, [&](std::uint32_t c, std::uint32_t d) { return rates[c] < rates[d]; });
    return sorted;
  }

  void keep_strictest() {
    std::vector<Point> strictest;
    for (const Point& point : points_)
      if (std::ranges::none_of(points_, [&](const Point& other) {
            return as_strict(other.strength, point.strength) && !as_strict(point.strength, other.strength);
          }))
        strictest.push_back(point);
    points_ = std::move(strictest);
  }

  void suppress(std::size_t c) {
    suppressed_ += classes_.sizes[c];
    cost_ += lost(c);
  }

  /// What suppressing a class adds to the cost.
  Cost lost(std::size_t c) {
    const Cost size = classes_.sizes[c];
    return size * loss_.suppressed() - class_cost(c) - (loss_.of_values() ? size * each(c) : 0);
  }

  Cost class_cost(std::size_t c) const {
    Cost sum = 0;
    for (const auto& [loss, factor] : loss_.of_classes())
      sum += factor * loss->of(classes_, histogram(loss->reads()), c);
    return sum;
  }

  /// What a published record of the class costs, as far as values go.
  Cost each(std::size_t c) {
    if (first_.empty()) first_ = groups_.representatives();
    Cost sum = 0;
    for (std::size_t p = 0; p < packing_.packs().size(); ++p) {
      const auto& attributes = packing_.packs()[p].attributes;
      std::size_t code = tuples_->packs[p][first_[c]];
      for (std::size_t i = attributes.size(); i-- > 0;) {
        const std::size_t a = attributes[i], radix = frequencies().hierarchy(a).values();
        sum += loss_.each(a, node_[a], frequencies().hierarchy(a).level(node_[a]).node[code % radix]);
        code /= radix;
      }
    }
    return sum;
  }

  const Packing& packing_;
  const Models& models_;
  const Ratings& ratings_;
  const Loss& loss_;
  std::int64_t limit_;
  bool strictest_;
  Groups groups_;
  Summary summary_;
  Classes classes_{};
  const Tuples* tuples_ = nullptr;
  NodeView node_;
  SizeSteps steps_;
  std::vector<std::uint32_t> sizes_;
  std::vector<Cost> lost_;                // by step
  std::vector<std::vector<Rate>> rates_;  // by rating and class
  std::vector<std::uint8_t> violated_;    // by class: by a model
  std::vector<std::uint8_t> gone_;        // by class: suppressed
  std::vector<std::uint32_t> alive_, first_;
  std::int64_t suppressed_ = 0;
  Cost cost_ = 0;
  std::vector<Point> points_;
};

}  // namespace sfumato::fronts

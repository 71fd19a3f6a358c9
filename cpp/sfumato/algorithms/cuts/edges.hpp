// What a variant becomes when its class is divided, cached: the variants of the parts, and what is settled.
//
// Values are decided in one order. When a value is specialised that is a node of a class, those of its nodes that come
// before are locked; so a variant is divided at one attribute only, and one edge is kept of each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sfumato/algorithms/cuts/class_graph.hpp"
#include "sfumato/algorithms/cuts/growing.hpp"

namespace sfumato::cuts {

template <class Sum>
class Edges {
 public:
  using Graph = ClassGraph<Sum>;

  static constexpr std::size_t few = 8;
  /// In one cache line, with its parts if they are few: variants that may still be divided, classes that nothing
  /// divides, tuples that count by themselves.
  struct alignas(64) Edge {
    Sum settles;              // what is settled costs, and what locked values make the rest dearer
    std::int64_t suppressed;  // suppressed at least, beyond what is of the class
    std::uint32_t open, settled, singles;
    std::uint32_t attribute : 31, impossible : 1;
    std::uint32_t parts[few];  // or where they begin, as two halves

    std::size_t count() const { return std::size_t{open} + settled + singles; }
    std::size_t begin() const { return parts[0] | std::uint64_t{parts[1]} << 32; }
  };

  explicit Edges(Graph& graph) : graph_(&graph) {}

  /// The variant divided at attribute a.
  const Edge& divide(std::uint32_t variant, std::size_t a) {
    if (const Edge* cached = find(variant, a)) return *cached;
    if (of_.size() <= variant) of_.resize(variant + 1 + variant / 2, 0);
    const Edge made = divided(variant, a);
    of_[variant] = static_cast<std::uint32_t>(edges_.size() + 1);
    edges_.push_back(made);
    return edges_.back();
  }

  /// Prefetches what dividing a variant reads, which lies in several places, each of which leads to the next one: step
  /// by step.
  static constexpr std::size_t prefetch_steps = 1 + Graph::prefetch_steps;
  void prefetch(std::uint32_t variant, std::size_t step) const {
    if (variant >= of_.size()) return step > 0 ? graph_->prefetch(variant, step - 1) : void();
    if (step == 0) return prefetch_line(of_.data() + variant);
    if (of_[variant] == 0) return graph_->prefetch(variant, step - 1);
    const Edge& edge = edges_[of_[variant] - 1];
    if (step == 1) return prefetch_line(&edge);
    if (step == 2) return edge.count() > few ? prefetch_line(parts_.data() + edge.begin()) : void();
    for (std::size_t i = 0; i < edge.open; ++i)
      step == 3 ? graph_->prefetch(part(edge, i)) : graph_->prefetch_key(part(edge, i));
  }

  std::uint32_t part(const Edge& of, std::size_t i) const {
    return of.count() > few ? parts_[of.begin() + i] : of.parts[i];
  }

  std::size_t bytes() const {
    return growing_bytes(edges_) + of_.capacity() * sizeof(std::uint32_t) + growing_bytes(parts_);
  }

 private:
  const Edge* find(std::uint32_t variant, std::size_t a) const {
    if (variant >= of_.size() || of_[variant] == 0) return nullptr;
    const Edge& cached = edges_[of_[variant] - 1];
    return cached.attribute == a ? &cached : nullptr;
  }

  Edge divided(std::uint32_t variant, std::size_t a) {
    const std::uint32_t c = (*graph_)[variant].of;
    const Locks locks = (*graph_)[variant].locks;
    const Sum excess = (*graph_)[variant].excess;
    const auto& division = graph_->divide(c, a);
    Edge made{division.alone + division.kept * excess,
              division.suppressed - graph_->least_suppressed(c),
              0,
              0,
              0,
              static_cast<std::uint32_t>(a) & 0x7FFFFFFF,
              division.impossible,
              {}};
    open_.clear();
    if (graph_->even())
      made.settles += division.kept * graph_->above_leaves(c, locks);
    else if (locks != 0)
      for (const std::uint32_t t : division.singles)
        made.settles += graph_->kept({t, true}) * graph_->dearer(c, locks, {t, true});
    settled_.clear();
    for (const std::uint32_t part_class : division.classes) {
      const Sum dearer = graph_->dearer(c, locks, {part_class, false});
      if (!graph_->excess_matters()) made.settles += graph_->records(part_class) * dearer;
      const Sum at = graph_->excess_matters() ? excess + dearer : excess;
      const std::uint32_t part = graph_->variant(part_class, locks, at);
      if (part == Graph::none) {
        made.settles += graph_->cost({part_class, false}) + graph_->kept({part_class, false}) * at;
        made.suppressed += graph_->suppressed({part_class, false});
        settled_.push_back(part_class);
      } else {
        made.suppressed += graph_->least_suppressed(part_class);
        open_.push_back(part);
      }
    }
    made.open = static_cast<std::uint32_t>(open_.size());
    made.settled = static_cast<std::uint32_t>(settled_.size());
    open_.insert(open_.end(), settled_.begin(), settled_.end());
    if (!graph_->even()) {
      made.singles = static_cast<std::uint32_t>(division.singles.size());
      open_.insert(open_.end(), division.singles.begin(), division.singles.end());
    }
    keep(made);
    return made;
  }

  void keep(Edge& of) {
    if (open_.size() <= few) {
      std::ranges::copy(open_, of.parts);
      return;
    }
    of.parts[0] = static_cast<std::uint32_t>(parts_.size());
    of.parts[1] = static_cast<std::uint32_t>(std::uint64_t{parts_.size()} >> 32);
    parts_.insert(parts_.end(), open_.begin(), open_.end());
  }

  Graph* graph_;
  std::vector<std::uint32_t> of_;  // by variant, plus one; 0: none yet
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> parts_;           // of edges that have many
  std::vector<std::uint32_t> open_, settled_;  // parts of the latest
};

}  // namespace sfumato::cuts

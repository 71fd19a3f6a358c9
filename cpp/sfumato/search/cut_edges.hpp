// What becomes of an offer when its class is divided, worked out once: the offers of the parts, and what is settled.
//
// Values are decided in one order. When a value is specialised that is a node of a class, those of its nodes that come
// before are locked; so an offer is divided at one attribute only, and one edge is kept of each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sfumato/search/cut_classes.hpp"

namespace sfumato {

template <class Sum>
class CutEdges {
 public:
  using Classes = CutClasses<Sum>;

  static constexpr std::size_t few = 8;
  /// In one line of memory, with its parts if they are few: offers that may still be divided, classes that nothing
  /// divides, tuples that count by themselves.
  struct alignas(64) Edge {
    Sum settles;        // what is settled costs, and what locked values make the rest dearer
    std::int64_t gone;  // suppressed at least, beyond what is of the class
    std::uint32_t open, settled, singles;
    std::uint32_t attribute : 31, impossible : 1;
    std::uint32_t parts[few];  // or where they begin, as two halves

    std::size_t count() const { return std::size_t{open} + settled + singles; }
    std::size_t begin() const { return parts[0] | std::uint64_t{parts[1]} << 32; }
  };

  explicit CutEdges(Classes& classes) : classes_(&classes) {}

  /// The offer divided at attribute a.
  const Edge& divide(std::uint32_t offer, std::size_t a) {
    if (const Edge* known = find(offer, a)) return *known;
    if (of_.size() <= offer) of_.resize(offer + 1 + offer / 2, 0);
    const Edge made = divided(offer, a);
    of_[offer] = static_cast<std::uint32_t>(edges_.size() + 1);
    edges_.push_back(made);
    return edges_.back();
  }

  /// Asks for what dividing an offer reads, which lies in several places, each of which tells the next one: step by
  /// step.
  static constexpr std::size_t fetches = 1 + Classes::fetches;
  void fetch(std::uint32_t offer, std::size_t step) const {
    if (offer >= of_.size()) return step > 0 ? classes_->fetch(offer, step - 1) : void();
    if (step == 0) return fetch_soon(of_.data() + offer);
    if (of_[offer] == 0) return classes_->fetch(offer, step - 1);
    const Edge& edge = edges_[of_[offer] - 1];
    if (step == 1) return fetch_soon(&edge);
    if (step == 2) return edge.count() > few ? fetch_soon(parts_.data() + edge.begin()) : void();
    for (std::size_t i = 0; i < edge.open; ++i)
      step == 3 ? classes_->fetch(part(edge, i)) : classes_->fetch_key(part(edge, i));
  }

  std::uint32_t part(const Edge& of, std::size_t i) const {
    return of.count() > few ? parts_[of.begin() + i] : of.parts[i];
  }

  std::size_t bytes() const {
    return edges_.capacity() * sizeof(Edge) + (of_.capacity() + parts_.capacity()) * sizeof(std::uint32_t);
  }

 private:
  const Edge* find(std::uint32_t offer, std::size_t a) const {
    if (offer >= of_.size() || of_[offer] == 0) return nullptr;
    const Edge& known = edges_[of_[offer] - 1];
    return known.attribute == a ? &known : nullptr;
  }

  Edge divided(std::uint32_t offer, std::size_t a) {
    const std::uint32_t c = (*classes_)[offer].of;
    const Locks locks = (*classes_)[offer].locks;
    const Sum excess = (*classes_)[offer].excess;
    const auto& division = classes_->divide(c, a);
    Edge made{division.alone + division.kept * excess,
              division.gone - classes_->least_gone(c),
              0,
              0,
              0,
              static_cast<std::uint32_t>(a) & 0x7FFFFFFF,
              division.impossible,
              {}};
    open_.clear();
    if (classes_->even())
      made.settles += division.kept * classes_->above_leaves(c, locks);
    else if (locks != 0)
      for (const std::uint32_t t : division.singles)
        made.settles += classes_->kept({t, true}) * classes_->dearer(c, locks, {t, true});
    settled_.clear();
    for (const std::uint32_t kid : division.kids) {
      const Sum dearer = classes_->dearer(c, locks, {kid, false});
      if (!classes_->excess_matters()) made.settles += classes_->records(kid) * dearer;
      const Sum at = classes_->excess_matters() ? excess + dearer : excess;
      const std::uint32_t part = classes_->offer(kid, locks, at);
      if (part == Classes::none) {
        made.settles += classes_->cost({kid, false}) + classes_->kept({kid, false}) * at;
        made.gone += classes_->gone({kid, false});
        settled_.push_back(kid);
      } else {
        made.gone += classes_->least_gone(kid);
        open_.push_back(part);
      }
    }
    made.open = static_cast<std::uint32_t>(open_.size());
    made.settled = static_cast<std::uint32_t>(settled_.size());
    open_.insert(open_.end(), settled_.begin(), settled_.end());
    if (!classes_->even()) {
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

  Classes* classes_;
  std::vector<std::uint32_t> of_;  // by offer, plus one; 0: none yet
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> parts_;           // of edges that have many
  std::vector<std::uint32_t> open_, settled_;  // parts of the latest
};

}  // namespace sfumato

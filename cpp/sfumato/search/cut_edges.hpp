// What becomes of an offer when its class is divided, worked out once: the offers of the parts, and what is settled.
//
// Values are decided in one order. When a value is specialised that is a node of a class, those of its nodes that come
// before are locked; so an offer is divided at one attribute only, and one edge is kept of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sfumato/search/cut_classes.hpp"

namespace sfumato {

template <class Sum>
class CutEdges {
 public:
  using Classes = CutClasses<Sum>;

  struct Edge {
    std::size_t begin;  // of the parts: offers that may still be divided, classes that nothing divides, tuples that count by themselves
    std::uint32_t open, settled, singles;
    std::uint32_t attribute;
    bool impossible;
    Sum settles;        // what is settled costs, and what locked values make the rest dearer
    std::int64_t gone;  // suppressed at least, beyond what is of the class
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
  std::uint32_t part(const Edge& of, std::size_t i) const { return parts_[of.begin + i]; }

  std::size_t bytes() const { return edges_.capacity() * sizeof(Edge) + (of_.capacity() + parts_.capacity()) * sizeof(std::uint32_t); }

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
    Edge made{parts_.size(), 0, 0, 0, static_cast<std::uint32_t>(a), division.impossible, division.alone + division.kept * excess,
              division.gone - classes_->least_gone(c)};
    if (classes_->even())
      made.settles += division.kept * classes_->above_leaves(c, locks);
    else if (locks != 0)
      for (const std::uint32_t t : division.singles) made.settles += classes_->kept({t, true}) * classes_->dearer(c, locks, {t, true});
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
        parts_.push_back(part);
      }
    }
    made.open = static_cast<std::uint32_t>(parts_.size() - made.begin);
    made.settled = static_cast<std::uint32_t>(settled_.size());
    parts_.insert(parts_.end(), settled_.begin(), settled_.end());
    if (!classes_->even()) {
      made.singles = static_cast<std::uint32_t>(division.singles.size());
      parts_.insert(parts_.end(), division.singles.begin(), division.singles.end());
    }
    return made;
  }

  Classes* classes_;
  std::vector<std::uint32_t> of_;  // by offer, plus one; 0: none yet
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> parts_, settled_;
};

}  // namespace sfumato

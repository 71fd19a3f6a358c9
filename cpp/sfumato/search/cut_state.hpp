// A cut under construction: each of its values is open, to be decided, or locked, to stay. Steps can be taken back.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "sfumato/search/cut_active.hpp"
#include "sfumato/search/cut_classes.hpp"
#include "sfumato/search/cut_edges.hpp"

namespace sfumato {

template <class Sum>
class CutState {
 public:
  using Classes = CutClasses<Sum>;
  using Piece = typename Classes::Piece;

  CutState(const CutProblem& problem, const CutTree& tree, Classes& classes)
      : problem_(&problem), tree_(&tree), classes_(&classes), edges_(classes), active_(tree, classes), open_((tree.size() + 63) / 64), rank_(tree.size()),
        by_rank_(tree.size()), kept_(tree.size(), 0), held_(tree.size(), 0) {
    std::iota(by_rank_.begin(), by_rank_.end(), 0u);
    std::ranges::stable_sort(by_rank_, [&](std::uint32_t v, std::uint32_t w) { return tree[v].records > tree[w].records; });
    if (problem.order == CutOrder::ascending) std::ranges::reverse(by_rank_);
    for (std::uint32_t r = 0; r < by_rank_.size(); ++r) rank_[by_rank_[r]] = r;
    for (std::uint32_t v = 0; v < tree.size(); ++v)
      if (tree[v].parent == CutTree::none) enter(v);
    if (classes.of_values() && classes.even())
      for (std::uint32_t t = 0; t < classes.tuples().size(); ++t)
        for (const std::uint32_t v : classes.tuples().key(t)) kept_[v] += classes.kept({t, true});
    for (const auto& piece : classes.roots()) insert(piece);
    refine(CutFew<Sum>::impossible);
  }

  /// No further cut of this state has only classes that may exist.
  bool impossible() const { return impossible_ || gone_ > problem_->limit; }
  /// What every cut of this state costs at least; exactly that when no value is open.
  Sum bound() const { return fixed_ + active_.bound(); }
  /// The same by what is known of deciding the nodes that classes have.
  Sum bound_ahead() {
    look_ahead(CutTree::none, false);
    return bound() + active_.foreseen();
  }
  /// How many classes may still be divided.
  std::size_t undecided() const { return active_.size(); }
  /// Whether the latest step divides a class, or would if it had not ended early.
  bool divided() const { return divided_; }

  /// Whether a class parts there.
  bool divides(std::uint32_t v) const {
    for (std::size_t i = 0; i < active_.size(); ++i)
      if (active_.node(i, (*tree_)[v].attribute) == v) return true;
    return false;
  }

  std::size_t bytes() const { return edges_.bytes(); }

  /// The open value to be decided next, or none.
  std::uint32_t next() const {
    for (std::size_t word = 0; word < open_.size(); ++word)
      if (open_[word] != 0) return by_rank_[word * 64 + static_cast<std::size_t>(std::countr_zero(open_[word]))];
    return CutTree::none;
  }

  /// The values of the cut, by attribute and along it, when no value is open.
  std::vector<std::uint32_t> cut() const {
    std::vector<std::uint32_t> cut = values_;
    std::ranges::sort(cut);
    return cut;
  }

  /// Steps end early once the bound has reached `ceiling`: classes that were not looked at keep theirs, which is valid for
  /// fewer cuts too. Such a state can only be left.
  void specialise(std::uint32_t v, Sum ceiling) {
    begin(v, false);
    look_ahead(v, false);  // its children are no nodes yet of the classes that are to be divided
    close(v);
    for (const std::uint32_t child : tree_->children(v)) enter(child);
    if (ahead() >= ceiling) divided_ = divides(v);
    const std::size_t a = (*tree_)[v].attribute;
    for (std::size_t i = 0; i < active_.size() && ahead() < ceiling && !impossible_; ++i) {
      if (active_.node(i, a) != v) continue;
      divided_ = true;
      const std::uint32_t offer = active_[i];
      const std::size_t parts = latest_.size();
      if (divide_class(i, a)) --i;
      refine(ceiling);
      classes_->learn(offer, a, false, edges_.divide(offer, a).settles + bounds_since(parts));
    }
    end(ceiling);
  }

  void lock(std::uint32_t v, Sum ceiling) {
    begin(v, true);
    values_.push_back(v);
    close(v);
    fixed_ += price(v);
    look_ahead(v, true);
    const std::size_t a = (*tree_)[v].attribute;
    if (known_to_reach(ceiling, v)) return;
    const std::uint32_t last = (*tree_)[v].end;
    for (std::size_t i = 0; i < active_.size() && ahead() < ceiling; ++i) {
      if (active_.node(i, a) < v || active_.node(i, a) >= last) continue;
      const std::uint32_t offer = active_[i];
      const std::size_t parts = latest_.size();
      const bool whole = active_.node(i, a) == v;
      if (lock_class(i, v)) --i;
      refine(ceiling);
      if (whole && latest_.size() > parts) classes_->learn(offer, a, true, bounds_since(parts));
    }
    end(ceiling);
  }

  /// Takes the latest step back.
  void undo() {
    const Step& step = steps_.back();
    if (step.explored && classes_->learns()) learn_again(step);
    active_.back(step.active);
    for (; settled_.size() > step.settled; settled_.pop_back()) keep(settled_.back(), -1);
    fixed_ = step.fixed;
    gone_ = step.gone;
    impossible_ = false;
    values_.resize(step.values);
    if (!step.locked)
      for (const std::uint32_t child : tree_->children(step.value)) close(child);
    open(step.value);
    latest_.clear();
    fresh_ = 0;
    steps_.pop_back();
  }

 private:
  struct Step {
    std::uint32_t value;
    bool locked;
    std::size_t active, settled, values;
    Sum fixed;  // what all but the active classes cost
    std::int64_t gone;
    bool explored;  // further steps were taken
  };
  struct Latest {
    std::uint32_t offer;
    std::size_t place;
  };

  /// Tightens the bound by the classes that the step has brought, as long as it is below `ceiling`.
  void refine(Sum ceiling) {
    for (; fresh_ < latest_.size() && ahead() < ceiling; ++fresh_) {
      classes_->refine(latest_[fresh_].offer);
      active_.recount(latest_[fresh_].place);
    }
  }

  /// What was divided or locked costs more if what it became is known to cost more by now.
  void learn_again(const Step& step) {
    const std::size_t a = (*tree_)[step.value].attribute;
    active_.for_each_gone(step.active, [&](std::uint32_t offer, const std::uint32_t* nodes) {
      if (nodes[a] != step.value) return;
      if (step.locked) {
        if (const std::uint32_t next = (*classes_)[offer].hint; next != Classes::none) classes_->learn(offer, a, true, (*classes_)[next].bound);
        return;
      }
      const auto& edge = edges_.divide(offer, a);
      Sum least = edge.settles;
      for (std::size_t i = 0; i < edge.open; ++i) least += (*classes_)[edges_.part(edge, i)].bound;
      classes_->learn(offer, a, false, least);
    });
  }

  Sum ahead() const { return bound() + active_.foreseen(); }

  /// What the classes cost at least that were brought after the first ones.
  Sum bounds_since(std::size_t first) const {
    Sum sum = 0;
    for (; first < latest_.size(); ++first) sum += (*classes_)[latest_[first].offer].bound;
    return sum;
  }

  void begin(std::uint32_t v, bool locked) {
    if (!steps_.empty()) steps_.back().explored = true;
    steps_.push_back({v, locked, active_.mark(), settled_.size(), values_.size(), fixed_, gone_, false});
    latest_.clear();
    fresh_ = 0;
    divided_ = false;
  }

  /// What is foreseen counts where it excludes all cuts of the state.
  void end(Sum ceiling) {
    if (ahead() >= ceiling) fixed_ += active_.foreseen();
  }

  /// Whether locking v reaches the ceiling by what classes below it became before.
  bool known_to_reach(Sum ceiling, std::uint32_t v) {
    const std::size_t a = (*tree_)[v].attribute;
    const std::uint32_t last = (*tree_)[v].end;
    for (std::size_t i = 0; classes_->learns() && i < active_.size() && ahead() < ceiling; ++i) {
      if (active_.node(i, a) <= v || active_.node(i, a) >= last) continue;
      const auto [leaf, locks, excess] = locking(i, v);
      const std::uint32_t next = classes_->hinted(active_[i], locks, excess);
      if (next == Classes::none) continue;
      active_.assume(i, next);
    }
    const Sum reached = ahead();
    active_.assume_nothing();
    if (reached < ceiling) return false;
    fixed_ += reached - bound();
    return true;
  }

  /// What is settled becomes dearer as well where a node is locked, but once: open values are not below each other, as nodes of
  /// classes may be.
  void look_ahead(std::uint32_t decided, bool locked) {
    active_.look_ahead(decided, locked, [&](std::uint32_t v) { return is_open(v) ? price(v) : 0; });
  }

  /// True if no part takes the place of the class, but another.
  bool divide_class(std::size_t place, std::size_t a) {
    const std::uint32_t offer = active_[place];
    const auto edge = edges_.divide(offer, a);
    if (edge.impossible) return impossible_ = true, false;
    fixed_ += edge.settles;
    gone_ += edge.gone;
    if (classes_->of_values()) {
      for (std::size_t i = 0; i < edge.settled; ++i) settle({edges_.part(edge, edge.open + i), false});
      for (std::size_t i = 0; i < edge.singles; ++i) settle({edges_.part(edge, edge.open + edge.settled + i), true});
    }
    for (std::size_t i = 0; i < edge.open; ++i) {
      const std::uint32_t part = edges_.part(edge, i);
      if (i == 0)
        active_.replace(place, part);
      else
        active_.push(part);
      latest_.push_back({part, i == 0 ? place : active_.size() - 1});
    }
    if (edge.open > 0) return false;
    active_.remove(place);
    return true;
  }

  /// What an active class becomes when a value that it has, or is below of, is locked.
  struct Locking {
    bool leaf;
    Locks locks;
    Sum excess;
  };
  Locking locking(std::size_t place, std::uint32_t v) {
    const std::size_t a = (*tree_)[v].attribute;
    const std::uint32_t node = active_.node(place, a);
    const auto& offer = (*classes_)[active_[place]];
    const Sum each = classes_->weight(v) - classes_->weight(node);
    const bool leaf = tree_->leaf(node);
    return {leaf, leaf ? offer.locks : classes_->locks().with(offer.locks, a), offer.excess + (classes_->excess_matters() ? each : 0)};
  }

  /// True if nothing divides the class any more, and another is in its place.
  bool lock_class(std::size_t place, std::uint32_t v) {
    const auto [leaf, locks, excess] = locking(place, v);
    const std::uint32_t offer = active_[place];
    if (leaf && excess == (*classes_)[offer].excess) return false;
    const std::uint32_t next = classes_->locked(offer, locks, excess);
    const std::size_t a = (*tree_)[v].attribute;
    const bool as_it_is = active_.node(place, a) == v;
    if (next == Classes::none) {
      const Piece of{(*classes_)[offer].of, false};
      if (as_it_is) classes_->learn(offer, a, true, classes_->cost(of) + classes_->kept(of) * excess);
      gone_ -= classes_->least_gone(of.id);
      settle_at(of, excess);
      active_.remove(place);
      return true;
    }
    active_.relock(place, next, leaf ? active_.none : a);
    latest_.push_back({next, place});
    return false;
  }

  /// What values cost more if v is locked, where it is settled how many records are published. If all records of active classes
  /// are, they are so at their nodes or above.
  Sum price(std::uint32_t v) const {
    Sum sum = 0;
    if (!classes_->of_values()) return sum;
    const Sum above = classes_->weight(v) - classes_->lightest(v);
    const bool published = !classes_->excess_matters(), even = classes_->even();
    for (std::uint32_t w = v; w < (*tree_)[v].end; ++w) {
      const std::int64_t active = active_.held(w);
      sum += (kept_[w] + (published ? active : 0)) * (classes_->weight(v) - classes_->weight(w)) - (held_[w] + (even ? active : 0)) * above;
    }
    return sum;
  }

  bool is_open(std::uint32_t v) const { return (open_[rank_[v] / 64] >> rank_[v] % 64 & 1) != 0; }
  void open(std::uint32_t v) { open_[rank_[v] / 64] |= std::uint64_t{1} << rank_[v] % 64; }
  void close(std::uint32_t v) { open_[rank_[v] / 64] &= ~(std::uint64_t{1} << rank_[v] % 64); }
  void enter(std::uint32_t v) {
    if (tree_->leaf(v))
      values_.push_back(v);
    else
      open(v);
  }

  void insert(const Piece& piece) {
    impossible_ |= classes_->impossible(piece);
    const std::uint32_t offer = piece.single ? Classes::none : classes_->offer(piece.id, 0, 0);
    if (offer == Classes::none) return settle_at(piece, 0);
    active_.push(offer);
    latest_.push_back({offer, active_.size() - 1});
    gone_ += classes_->least_gone(piece.id);
  }

  void settle_at(const Piece& piece, Sum excess) {
    fixed_ += classes_->cost(piece) + classes_->kept(piece) * excess;
    gone_ += classes_->gone(piece);
    settle(piece);
  }

  /// What nothing divides stays as it is: all that can still change is what its open values cost once they are locked.
  /// Where leaves are even, all tuples count as settled ones from the start, less those that are not alone.
  void settle(const Piece& piece) {
    if (!classes_->of_values() || (piece.single && classes_->even())) return;
    settled_.push_back(piece);
    keep(piece, 1);
  }

  /// Nodes whose value is locked already are counted in vain: no value above or below them is locked again.
  void keep(const Piece& piece, std::int64_t times) {
    const std::int64_t kept = times * classes_->kept(piece), held = classes_->even() ? times * classes_->scattered(piece.id) : 0;
    for (const std::uint32_t v : classes_->key(piece)) {
      kept_[v] += kept;
      held_[v] += held;
    }
  }

  const CutProblem* problem_;
  const CutTree* tree_;
  Classes* classes_;
  CutEdges<Sum> edges_;
  CutActive<Sum> active_;  // classes that may still be divided
  std::vector<std::uint64_t> open_;               // by rank
  std::vector<std::uint32_t> rank_, by_rank_;
  std::vector<std::int64_t> kept_;                // published records of settled tuples, by value as it is
  std::vector<std::int64_t> held_;                // of settled tuples that are not alone, by the nodes of their class, if leaves are even
  std::vector<std::uint32_t> values_;
  std::vector<Piece> settled_;
  std::vector<Latest> latest_;
  std::vector<Step> steps_;
  std::size_t fresh_ = 0;
  bool divided_ = false;
  Sum fixed_ = 0;  // what all but the active classes cost
  std::int64_t gone_ = 0;  // what is suppressed at least
  bool impossible_ = false;
};

}  // namespace sfumato

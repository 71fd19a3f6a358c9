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
      : problem_(&problem),
        tree_(&tree),
        classes_(&classes),
        edges_(classes),
        active_(tree, classes),
        open_((tree.size() + 63) / 64),
        rank_(tree.size()),
        by_rank_(tree.size()),
        kept_(tree.size(), 0),
        held_(tree.size(), 0) {
    rank_values();
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

  /// Steps end early once the bound has reached `ceiling`: classes that were not looked at keep theirs, which is valid
  /// for fewer cuts too. Such a state can only be left.
  void specialise(std::uint32_t v, Sum ceiling) {
    begin(v, false);
    look_ahead(v, false);  // its children are no nodes yet of the classes that are to be divided
    close(v);
    for (const std::uint32_t child : tree_->children(v)) enter(child);
    if (ahead() >= ceiling) divided_ = divides(v);
    const std::size_t a = (*tree_)[v].attribute;
    find(a, v, v + 1, false);
    for (std::size_t i = 0; i < found_.size() && ahead() < ceiling && !impossible_;) {
      fetch_divided(i);
      divided_ = true;
      const std::size_t before = active_.mark(), parts = latest_.size();
      const auto& edge = edges_.divide(active_[found_[i]], a);
      if ((impossible_ = edge.impossible != 0)) break;
      divide_class(found_[i], edge) ? found_removed(i) : void(++i);
      refine(ceiling);
      active_.learn(before, v, a, false, edge.settles + bounds_since(parts));
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
    find(a, v, (*tree_)[v].end, !classes_->excess_matters());  // else leaves become dearer
    lock_known(v, ceiling);
    for (std::size_t i = 0; i < found_.size() && ahead() < ceiling;) {
      fetch_locked(i);
      const std::size_t before = active_.mark(), parts = latest_.size();
      const bool whole = active_.node(found_[i], a) == v;
      lock_class(found_[i], v) ? found_removed(i) : void(++i);
      refine(ceiling);
      if (whole && latest_.size() > parts) active_.learn(before, v, a, true, bounds_since(parts));
    }
    end(ceiling);
  }

  /// Takes the latest step back.
  void undo() {
    const Step& step = steps_.back();
    active_.back(step.active, step.explored && classes_->learns(), step.value, (*tree_)[step.value].attribute,
                 step.locked);
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
      if (classes_->refine(latest_[fresh_].offer)) active_.recount(latest_[fresh_].place);
    }
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

  /// Finds the places of the classes that have a node of these in attribute a, leaves among them or not.
  void find(std::size_t a, std::uint32_t first, std::uint32_t last, bool parting) {
    found_.clear();
    for (std::size_t i = 0; i < active_.size(); ++i) {
      const std::uint32_t node = active_.node(i, a);
      if (node >= first && node < last && !(parting && tree_->leaf(node)))
        found_.push_back(static_cast<std::uint32_t>(i));
    }
  }

  /// The class in a place that was found is gone, and the last of all is there instead: it is next if it was found too.
  void found_removed(std::size_t& i) {
    if (found_.back() == active_.size())
      found_.pop_back();
    else
      ++i;
  }

  // Asks for what dividing or locking those that were found after the i-th will read.
  void fetch_divided(std::size_t i) const {
    constexpr std::size_t apart = 8;
    for (std::size_t step = 0, j = i + edges_.fetches * apart; step < edges_.fetches; ++step, j -= apart)
      if (j < found_.size()) edges_.fetch(active_[found_[j]], step);
  }
  void fetch_locked(std::size_t i) const {
    constexpr std::size_t apart = 8;
    for (std::size_t step = 0, j = i + classes_->fetches * apart; step < classes_->fetches; ++step, j -= apart) {
      if (j >= found_.size()) continue;
      if (const std::uint32_t hint = active_.hint(found_[j]); hint == Classes::none)
        classes_->fetch(active_[found_[j]], step);
      else if (step == 0)
        classes_->fetch(hint);
    }
  }

  /// Locks classes below v of which it is known what they become: that may reach the ceiling, and nothing is to be
  /// made. (Those that have v itself are foreseen.) What was found is left without them.
  void lock_known(std::uint32_t v, Sum ceiling) {
    if (!classes_->learns()) return;
    const std::size_t a = (*tree_)[v].attribute;
    std::size_t left = 0;
    for (std::size_t i = 0; i < found_.size() && ahead() < ceiling; ++i) {
      fetch_locked(i);
      const std::size_t place = found_[i];
      if (active_.node(place, a) != v && is_known(place, v))
        relock(place, active_.hint(place), v);
      else
        found_[left++] = found_[i];
    }
    found_.resize(left);
    refine(ceiling);
  }

  /// Whether the class in a place becomes what it became when last it was locked. That was under one lock more: if it
  /// is locked where this one is not, there is no other.
  bool is_known(std::size_t place, std::uint32_t v) {
    const std::uint32_t hint = active_.hint(place);
    if (hint == Classes::none) return false;
    if (!classes_->excess_matters()) return classes_->locks().has((*classes_)[hint].locks, (*tree_)[v].attribute);
    const auto [locks, excess] = locking(place, v);
    return (*classes_)[hint].locks == locks && (*classes_)[hint].excess == excess;
  }

  void relock(std::size_t place, std::uint32_t next, std::uint32_t v) {
    const std::size_t a = (*tree_)[v].attribute;
    active_.relock(place, next, a, tree_->leaf(active_.node(place, a)));
    latest_.push_back({next, place});
  }

  /// What is settled becomes dearer as well where a node is locked, but once: open values are not below each other, as
  /// nodes of classes may be.
  void look_ahead(std::uint32_t decided, bool locked) {
    active_.look_ahead(decided, locked, [&](std::uint32_t v) { return is_open(v) ? price(v) : 0; });
  }

  /// True if no part takes the place of the class, but another.
  bool divide_class(std::size_t place, const typename CutEdges<Sum>::Edge& edge) {
    fixed_ += edge.settles;
    gone_ += edge.gone;
    if (classes_->of_values()) {
      for (std::size_t i = 0; i < edge.settled; ++i) settle({edges_.part(edge, edge.open + i), false});
      for (std::size_t i = 0; i < edge.singles; ++i) settle({edges_.part(edge, edge.open + edge.settled + i), true});
    }
    for (std::size_t i = 0; i < edge.open; ++i) {
      const std::uint32_t part = edges_.part(edge, i);
      if (i == 0)
        active_.replace(place, part, edge.settles);
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
    Locks locks;
    Sum excess;
  };
  Locking locking(std::size_t place, std::uint32_t v) {
    const std::size_t a = (*tree_)[v].attribute;
    const std::uint32_t node = active_.node(place, a);
    const auto& offer = (*classes_)[active_[place]];
    const Sum each = classes_->excess_matters() ? classes_->weight(v) - classes_->weight(node) : 0;
    return {tree_->leaf(node) ? offer.locks : classes_->locks().with(offer.locks, a), offer.excess + each};
  }

  /// True if nothing divides the class any more, and another is in its place.
  bool lock_class(std::size_t place, std::uint32_t v) {
    if (is_known(place, v)) return relock(place, active_.hint(place), v), false;
    const auto [locks, excess] = locking(place, v);
    const std::uint32_t offer = active_[place];
    if (locks == (*classes_)[offer].locks && excess == (*classes_)[offer].excess) return false;
    if (const std::uint32_t next = classes_->locked(offer, locks, excess); next != Classes::none)
      return relock(place, next, v), false;
    const Piece of{(*classes_)[offer].of, false};
    const std::size_t a = (*tree_)[v].attribute;
    const bool whole = active_.node(place, a) == v;
    gone_ -= classes_->least_gone(of.id);
    settle_at(of, excess);
    active_.remove(place);
    if (whole) active_.learn(active_.mark() - 1, v, a, true, classes_->cost(of) + classes_->kept(of) * excess);
    return true;
  }

  /// What values cost more if v is locked, where it is settled how many records are published. If all records of active
  /// classes are, they are so at their nodes or above.
  Sum price(std::uint32_t v) const {
    Sum sum = 0;
    if (!classes_->of_values()) return sum;
    const Sum above = classes_->weight(v) - classes_->lightest(v);
    const bool published = !classes_->excess_matters(), even = classes_->even();
    for (std::uint32_t w = v; w < (*tree_)[v].end; ++w) {
      const std::int64_t active = active_.held(w);
      sum += (kept_[w] + (published ? active : 0)) * (classes_->weight(v) - classes_->weight(w)) -
             (held_[w] + (even ? active : 0)) * above;
    }
    return sum;
  }

  /// Values of many records that tell much of them come first: whatever is decided, bounds rise. (The paper takes those
  /// of most records. By both together, a quarter fewer cuts are looked at than by one of them alone.)
  void rank_values() {
    std::vector<double> worth(tree_->size());
    for (std::uint32_t v = 0; v < worth.size(); ++v)
      worth[v] =
          static_cast<double>((*tree_)[v].records) * (problem_->bounds == CutBounds::strong ? tree_->tells(v) : 1);
    std::iota(by_rank_.begin(), by_rank_.end(), 0u);
    std::ranges::stable_sort(by_rank_, [&](std::uint32_t v, std::uint32_t w) { return worth[v] > worth[w]; });
    if (problem_->order == CutOrder::ascending) std::ranges::reverse(by_rank_);
    for (std::uint32_t r = 0; r < by_rank_.size(); ++r) rank_[by_rank_[r]] = r;
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
    const std::int64_t kept = times * classes_->kept(piece),
                       held = classes_->even() ? times * classes_->scattered(piece.id) : 0;
    for (const std::uint32_t v : classes_->key(piece)) {
      kept_[v] += kept;
      held_[v] += held;
    }
  }

  const CutProblem* problem_;
  const CutTree* tree_;
  Classes* classes_;
  CutEdges<Sum> edges_;
  CutActive<Sum> active_;            // classes that may still be divided
  std::vector<std::uint64_t> open_;  // by rank
  std::vector<std::uint32_t> rank_, by_rank_;
  std::vector<std::int64_t> kept_;  // published records of settled tuples, by value as it is
  std::vector<std::int64_t>
      held_;  // of settled tuples that are not alone, by the nodes of their class, if leaves are even
  std::vector<std::uint32_t> values_;
  std::vector<Piece> settled_;
  std::vector<Latest> latest_;
  std::vector<std::uint32_t> found_;  // places of classes that a step divides or locks
  std::vector<Step> steps_;
  std::size_t fresh_ = 0;
  bool divided_ = false;
  Sum fixed_ = 0;          // what all but the active classes cost
  std::int64_t gone_ = 0;  // what is suppressed at least
  bool impossible_ = false;
};

}  // namespace sfumato

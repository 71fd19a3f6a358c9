// A cut under construction: each of its values is open, to be decided, or locked, to stay. Steps can be taken back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sfumato/algorithms/cuts/active_classes.hpp"
#include "sfumato/algorithms/cuts/class_graph.hpp"
#include "sfumato/algorithms/cuts/edges.hpp"
#include "sfumato/algorithms/cuts/open_values.hpp"

namespace sfumato::cuts {

template <class Sum>
class State {
 public:
  using Graph = ClassGraph<Sum>;
  using Part = typename Graph::Part;

  State(const Problem& problem, const Tree& tree, Graph& graph)
      : problem_(&problem),
        tree_(&tree),
        graph_(&graph),
        edges_(graph),
        active_(tree, graph),
        open_(problem, tree),
        kept_(tree.size(), 0),
        scattered_(tree.size(), 0) {
    for (std::uint32_t v = 0; v < tree.size(); ++v)
      if (tree[v].parent == Tree::none) enter(v);
    if (graph.of_values() && graph.even())
      for (std::uint32_t t = 0; t < graph.tuples().size(); ++t)
        for (const std::uint32_t v : graph.tuples().key(t)) kept_[v] += graph.kept({t, true});
    for (const auto& part : graph.roots()) insert(part);
    refine(BestDivision<Sum>::impossible);
  }

  /// No further cut of this state has only classes that may exist.
  bool impossible() const { return impossible_ || suppressed_ > problem_->limit; }
  /// What every cut of this state costs at least; exactly that when no value is open.
  Sum bound() const { return fixed_ + active_.bound(); }
  /// The same with what it is certain to rise by when the nodes of classes are decided.
  Sum bound_ahead() {
    look_ahead(Tree::none, false);
    return bound() + active_.certain_rise();
  }
  /// How many classes may still be divided.
  std::size_t undecided() const { return active_.size(); }
  /// Whether the latest step divides a class, or would if it had not ended early.
  bool divided() const { return divided_; }

  /// Whether specialising a value divides a class.
  bool divides(std::uint32_t v) const {
    for (std::size_t i = 0; i < active_.size(); ++i)
      if (active_.node(i, (*tree_)[v].attribute) == v) return true;
    return false;
  }

  std::size_t bytes() const {
    return edges_.bytes() + active_.bytes() + growing_bytes(settled_) + growing_bytes(added_) + growing_bytes(places_);
  }

  /// The open value to be decided next, or none.
  std::uint32_t next() const { return open_.next(); }

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
    open_.remove(v);
    for (const std::uint32_t child : tree_->children(v)) enter(child);
    if (ahead() >= ceiling) divided_ = divides(v);
    const std::size_t a = (*tree_)[v].attribute;
    find(a, v, v + 1, false);
    for (std::size_t i = 0; i < places_.size() && ahead() < ceiling && !impossible_;) {
      prefetch_divided(i);
      divided_ = true;
      const std::size_t before = active_.mark(), parts = added_.size();
      const auto& edge = edges_.divide(active_[places_[i]], a);
      if ((impossible_ = edge.impossible != 0)) break;
      divide_class(places_[i], edge) ? skip_removed(i) : void(++i);
      refine(ceiling);
      active_.learn(before, v, a, false, edge.settles + bounds_since(parts));
    }
    end(ceiling);
  }

  void lock(std::uint32_t v, Sum ceiling) {
    begin(v, true);
    values_.push_back(v);
    open_.remove(v);
    fixed_ += price(v);
    look_ahead(v, true);
    const std::size_t a = (*tree_)[v].attribute;
    find(a, v, (*tree_)[v].end, !graph_->excess_matters());  // else leaves become dearer
    lock_cached(v, ceiling);
    for (std::size_t i = 0; i < places_.size() && ahead() < ceiling;) {
      prefetch_locked(i);
      const std::size_t before = active_.mark(), parts = added_.size();
      const bool whole = active_.node(places_[i], a) == v;
      lock_class(places_[i], v) ? skip_removed(i) : void(++i);
      refine(ceiling);
      if (whole && added_.size() > parts) active_.learn(before, v, a, true, bounds_since(parts));
    }
    end(ceiling);
  }

  /// Takes the latest step back.
  void undo() {
    const Step& step = steps_.back();
    active_.back(step.active, step.explored && graph_->learns(), step.value, (*tree_)[step.value].attribute,
                 step.locked);
    for (; settled_.size() > step.settled; settled_.pop_back()) keep(settled_.back(), -1);
    fixed_ = step.fixed;
    suppressed_ = step.suppressed;
    impossible_ = false;
    values_.resize(step.values);
    if (!step.locked)
      for (const std::uint32_t child : tree_->children(step.value)) open_.remove(child);
    open_.add(step.value);
    added_.clear();
    first_unrefined_ = 0;
    steps_.pop_back();
  }

 private:
  struct Step {
    std::uint32_t value;
    bool locked;
    std::size_t active, settled, values;
    Sum fixed;  // what all but the active classes cost
    std::int64_t suppressed;
    bool explored;  // further steps were taken
  };
  struct Added {
    std::uint32_t variant;
    std::size_t place;
  };

  /// Tightens the bounds of the classes that the step has added, as long as the sum is below `ceiling`.
  void refine(Sum ceiling) {
    for (; first_unrefined_ < added_.size() && ahead() < ceiling; ++first_unrefined_) {
      if (graph_->refine(added_[first_unrefined_].variant)) active_.recount(added_[first_unrefined_].place);
    }
  }

  Sum ahead() const { return bound() + active_.certain_rise(); }

  /// What the classes cost at least that were added after the first ones.
  Sum bounds_since(std::size_t first) const {
    Sum sum = 0;
    for (; first < added_.size(); ++first) sum += (*graph_)[added_[first].variant].bound;
    return sum;
  }

  void begin(std::uint32_t v, bool locked) {
    if (!steps_.empty()) steps_.back().explored = true;
    steps_.push_back({v, locked, active_.mark(), settled_.size(), values_.size(), fixed_, suppressed_, false});
    added_.clear();
    first_unrefined_ = 0;
    divided_ = false;
  }

  /// The certain rise counts where it excludes all cuts of the state.
  void end(Sum ceiling) {
    if (ahead() >= ceiling) fixed_ += active_.certain_rise();
  }

  /// Sets `places_` to those of the classes that have one of these nodes in attribute a; leaves are left out if
  /// `parting`.
  void find(std::size_t a, std::uint32_t first, std::uint32_t last, bool parting) {
    places_.clear();
    for (std::size_t i = 0; i < active_.size(); ++i) {
      const std::uint32_t node = active_.node(i, a);
      if (node >= first && node < last && !(parting && tree_->leaf(node)))
        places_.push_back(static_cast<std::uint32_t>(i));
    }
  }

  /// The class in the i-th of `places_` has been removed, and the last of all is there instead: it is next if its own
  /// place is listed too.
  void skip_removed(std::size_t& i) {
    if (places_.back() == active_.size())
      places_.pop_back();
    else
      ++i;
  }

  // Prefetches what dividing or locking the classes after the i-th of `places_` will read.
  void prefetch_divided(std::size_t i) const {
    constexpr std::size_t apart = 8;
    for (std::size_t step = 0, j = i + edges_.prefetch_steps * apart; step < edges_.prefetch_steps; ++step, j -= apart)
      if (j < places_.size()) edges_.prefetch(active_[places_[j]], step);
  }
  void prefetch_locked(std::size_t i) const {
    constexpr std::size_t apart = 8;
    for (std::size_t step = 0, j = i + graph_->prefetch_steps * apart; step < graph_->prefetch_steps;
         ++step, j -= apart) {
      if (j >= places_.size()) continue;
      if (const std::uint32_t hint = active_.hint(places_[j]); hint == Graph::none)
        graph_->prefetch(active_[places_[j]], step);
      else if (step == 0)
        graph_->prefetch(hint);
    }
  }

  /// Locks those of the classes below v whose locked variant is cached: that may reach the ceiling before any variant
  /// has to be made. (The rise of those that have v itself is counted already.) `places_` is left without them.
  void lock_cached(std::uint32_t v, Sum ceiling) {
    if (!graph_->learns()) return;
    const std::size_t a = (*tree_)[v].attribute;
    std::size_t left = 0;
    for (std::size_t i = 0; i < places_.size() && ahead() < ceiling; ++i) {
      prefetch_locked(i);
      const std::size_t place = places_[i];
      if (active_.node(place, a) != v && is_cached(place, v))
        relock(place, active_.hint(place), v);
      else
        places_[left++] = places_[i];
    }
    places_.resize(left);
    refine(ceiling);
  }

  /// Whether the class in a place becomes the variant that it became when last it was locked. That was under one lock
  /// more: if it is locked where this one is not, no other is possible.
  bool is_cached(std::size_t place, std::uint32_t v) {
    const std::uint32_t hint = active_.hint(place);
    if (hint == Graph::none) return false;
    if (!graph_->excess_matters()) return graph_->locks().has((*graph_)[hint].locks, (*tree_)[v].attribute);
    const auto [locks, excess] = locking(place, v);
    return (*graph_)[hint].locks == locks && (*graph_)[hint].excess == excess;
  }

  void relock(std::size_t place, std::uint32_t next, std::uint32_t v) {
    const std::size_t a = (*tree_)[v].attribute;
    active_.relock(place, next, a, tree_->leaf(active_.node(place, a)));
    added_.push_back({next, place});
  }

  /// What is settled becomes dearer as well where a node is locked, but once: open values are not below each other, as
  /// nodes of classes may be.
  void look_ahead(std::uint32_t decided, bool locked) {
    active_.look_ahead(decided, locked, [&](std::uint32_t v) { return open_.has(v) ? price(v) : 0; });
  }

  /// True if no part of the class takes its place, but the last class of all.
  bool divide_class(std::size_t place, const typename Edges<Sum>::Edge& edge) {
    fixed_ += edge.settles;
    suppressed_ += edge.suppressed;
    if (graph_->of_values()) {
      for (std::size_t i = 0; i < edge.settled; ++i) settle({edges_.part(edge, edge.open + i), false});
      for (std::size_t i = 0; i < edge.singles; ++i) settle({edges_.part(edge, edge.open + edge.settled + i), true});
    }
    for (std::size_t i = 0; i < edge.open; ++i) {
      const std::uint32_t part = edges_.part(edge, i);
      if (i == 0)
        active_.replace(place, part, edge.settles);
      else
        active_.push(part);
      added_.push_back({part, i == 0 ? place : active_.size() - 1});
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
    const auto& variant = (*graph_)[active_[place]];
    const Sum each = graph_->excess_matters() ? graph_->weight(v) - graph_->weight(node) : 0;
    return {tree_->leaf(node) ? variant.locks : graph_->locks().with(variant.locks, a), variant.excess + each};
  }

  /// True if nothing divides the class any more, and another is in its place.
  bool lock_class(std::size_t place, std::uint32_t v) {
    if (is_cached(place, v)) return relock(place, active_.hint(place), v), false;
    const auto [locks, excess] = locking(place, v);
    const std::uint32_t variant = active_[place];
    if (locks == (*graph_)[variant].locks && excess == (*graph_)[variant].excess) return false;
    if (const std::uint32_t next = graph_->locked(variant, locks, excess); next != Graph::none)
      return relock(place, next, v), false;
    const Part of{(*graph_)[variant].of, false};
    const std::size_t a = (*tree_)[v].attribute;
    const bool whole = active_.node(place, a) == v;
    suppressed_ -= graph_->least_suppressed(of.id);
    settle_at(of, excess);
    active_.remove(place);
    if (whole) active_.learn(active_.mark() - 1, v, a, true, graph_->cost(of) + graph_->kept(of) * excess);
    return true;
  }

  /// What values cost more if v is locked, where it is settled how many records are published. If all records of active
  /// classes are, they are so at their nodes or above.
  Sum price(std::uint32_t v) const {
    Sum sum = 0;
    if (!graph_->of_values()) return sum;
    const Sum above = graph_->weight(v) - graph_->lightest(v);
    const bool published = !graph_->excess_matters(), even = graph_->even();
    for (std::uint32_t w = v; w < (*tree_)[v].end; ++w) {
      const std::int64_t active = active_.scattered(w);
      sum += (kept_[w] + (published ? active : 0)) * (graph_->weight(v) - graph_->weight(w)) -
             (scattered_[w] + (even ? active : 0)) * above;
    }
    return sum;
  }

  void enter(std::uint32_t v) {
    if (tree_->leaf(v))
      values_.push_back(v);
    else
      open_.add(v);
  }

  void insert(const Part& part) {
    impossible_ |= graph_->impossible(part);
    const std::uint32_t variant = part.single ? Graph::none : graph_->variant(part.id, 0, 0);
    if (variant == Graph::none) return settle_at(part, 0);
    active_.push(variant);
    added_.push_back({variant, active_.size() - 1});
    suppressed_ += graph_->least_suppressed(part.id);
  }

  void settle_at(const Part& part, Sum excess) {
    fixed_ += graph_->cost(part) + graph_->kept(part) * excess;
    suppressed_ += graph_->suppressed(part);
    settle(part);
  }

  /// What nothing divides stays as it is: all that can still change is what its open values cost once they are locked.
  /// Where leaves are even, all tuples count as settled ones from the start, less those that are not alone.
  void settle(const Part& part) {
    if (!graph_->of_values() || (part.single && graph_->even())) return;
    settled_.push_back(part);
    keep(part, 1);
  }

  /// Nodes whose value is locked already are counted in vain: no value above or below them is locked again.
  void keep(const Part& part, std::int64_t times) {
    const std::int64_t kept = times * graph_->kept(part),
                       scattered = graph_->even() ? times * graph_->scattered(part.id) : 0;
    for (const std::uint32_t v : graph_->key(part)) {
      kept_[v] += kept;
      scattered_[v] += scattered;
    }
  }

  const Problem* problem_;
  const Tree* tree_;
  Graph* graph_;
  Edges<Sum> edges_;
  ActiveClasses<Sum> active_;  // classes that may still be divided
  OpenValues open_;
  std::vector<std::int64_t> kept_;  // published records of settled tuples, by value as it is
  std::vector<std::int64_t>
      scattered_;  // of settled tuples that are not alone, by the nodes of their class, if leaves are even
  std::vector<std::uint32_t> values_;
  std::vector<Part> settled_;
  std::vector<Added> added_;
  std::vector<std::uint32_t> places_;  // places of classes that a step divides or locks
  std::vector<Step> steps_;
  std::size_t first_unrefined_ = 0;
  bool divided_ = false;
  Sum fixed_ = 0;                // what all but the active classes cost
  std::int64_t suppressed_ = 0;  // what is suppressed at least
  bool impossible_ = false;
};

}  // namespace sfumato::cuts

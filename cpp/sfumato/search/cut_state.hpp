// A cut under construction: each of its values is open, to be decided, or locked, to stay. Steps can be taken back.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "sfumato/search/cut_classes.hpp"

namespace sfumato {

/// The bit that marks a node as locked; nodes are numbered below it.
inline constexpr std::uint32_t locked_bit = 1u << 31;

template <class Sum>
class CutState {
 public:
  using Classes = CutClasses<Sum>;
  using Piece = typename Classes::Piece;

  CutState(const CutProblem& problem, const CutTree& tree, Classes& classes)
      : problem_(&problem), tree_(&tree), classes_(&classes), open_((tree.size() + 63) / 64), rank_(tree.size()),
        by_rank_(tree.size()), kept_(tree.size(), 0) {
    std::iota(by_rank_.begin(), by_rank_.end(), 0u);
    std::ranges::stable_sort(by_rank_, [&](std::uint32_t v, std::uint32_t w) { return tree[v].records > tree[w].records; });
    if (problem.order == CutOrder::ascending) std::ranges::reverse(by_rank_);
    for (std::uint32_t r = 0; r < by_rank_.size(); ++r) rank_[by_rank_[r]] = r;
    for (std::uint32_t v = 0; v < tree.size(); ++v)
      if (tree[v].parent == CutTree::none) enter(v);
    for (const auto& piece : classes.roots()) insert(piece);
    refine(CutFew<Sum>::impossible);
  }

  /// No further cut of this state has only classes that may exist.
  bool impossible() const { return impossible_ || gone_ > problem_->limit; }
  /// What every cut of this state costs at least; exactly that when no value is open.
  Sum bound() const { return bound_; }
  /// How many classes may still be divided.
  std::size_t undecided() const { return size_; }
  /// How many classes the latest step divided.
  std::size_t divided() const { return divided_; }

  /// Whether a class parts there.
  bool divides(std::uint32_t v) const {
    const std::uint32_t* const node = nodes((*tree_)[v].attribute);
    return std::find(node, node + size_, v) != node + size_;
  }

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
    leave(v);
    for (const std::uint32_t child : tree_->children(v)) enter(child);
    const std::size_t a = (*tree_)[v].attribute;
    for (std::size_t i = 0; i < size_; ++i) {
      if (nodes(a)[i] != v) continue;
      ++divided_;
      const auto [c, next, locks, excess, bound, refined] = (*classes_)[active_[i]];
      const auto& parts = classes_->divide(c, a);
      if (parts.impossible) {
        impossible_ = true;
        break;
      }
      bound_ += parts.alone + parts.kept * excess - bound;
      gone_ += parts.gone - classes_->least_gone(c);
      for (std::size_t j = 0; j < parts.singles; ++j) {
        const Piece single{classes_->part(parts, parts.kids + j), true};
        if (locks != 0) bound_ += classes_->kept(single) * classes_->dearer(c, locks, single);
        settle(single);
      }
      bool gone = true;  // no part has taken the place of the class
      for (std::size_t j = 0; j < parts.kids; ++j) {
        const std::uint32_t kid = classes_->part(parts, j);
        const Sum at = excess + dearer(kid, classes_->dearer(c, locks, {kid, false}));
        const std::uint32_t offer = classes_->offer(kid, locks, at);
        if (offer == Classes::none)
          settle_at({kid, false}, at);
        else if (std::exchange(gone, false))
          replace(i, offer);
        else
          push(offer);
      }
      if (gone) remove(i--);
      refine(ceiling);
      if (bound_ >= ceiling) break;
    }
  }

  void lock(std::uint32_t v, Sum ceiling) {
    begin(v, true);
    values_.push_back(v);
    close(v);
    const std::size_t a = (*tree_)[v].attribute;
    if (classes_->of_values())
      for (std::uint32_t leaf = v; leaf < (*tree_)[v].end; ++leaf)
        bound_ += kept_[leaf] * (classes_->weight(v) - classes_->weight(leaf));
    for (std::size_t i = 0; i < size_ && bound_ < ceiling; ++i) {
      if (!tree_->below(nodes(a)[i], v)) continue;
      if (lock_class(i, v)) --i;
      refine(ceiling);
    }
  }

  /// Takes the latest step back.
  void undo() {
    const Step& step = steps_.back();
    for (; writes_.size() > step.writes; writes_.pop_back()) set(writes_.back().place, writes_.back().before);
    for (; settled_.size() > step.settled; settled_.pop_back()) keep(settled_.back(), -1);
    size_ = step.size;
    bound_ = step.bound;
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
    std::size_t size, writes, settled, values;
    Sum bound;
    std::int64_t gone;
  };
  struct Latest {
    std::uint32_t id;
    Sum counted;  // in the bound: refining one class may refine another
  };
  struct Write {
    std::size_t place;
    std::uint32_t before;
  };

  /// Tightens the bound by the classes that the step has brought, as long as it is below `ceiling`.
  void refine(Sum ceiling) {
    for (; fresh_ < latest_.size() && bound_ < ceiling; ++fresh_) {
      const auto& [c, counted] = latest_[fresh_];
      bound_ += classes_->refine(c) - counted;
    }
  }

  void begin(std::uint32_t v, bool locked) {
    steps_.push_back({v, locked, size_, writes_.size(), settled_.size(), values_.size(), bound_, gone_});
    latest_.clear();
    fresh_ = divided_ = 0;
  }

  /// True if nothing divides the class any more, and another is in its place.
  bool lock_class(std::size_t place, std::uint32_t v) {
    const std::size_t a = (*tree_)[v].attribute;
    const std::uint32_t node = nodes(a)[place];
    const auto [c, next, locks, excess, bound, refined] = (*classes_)[active_[place]];
    const Sum at = excess + dearer(c, classes_->weight(v) - classes_->weight(node));
    if (tree_->leaf(node) && at == excess) return false;
    bound_ -= bound;
    gone_ -= classes_->least_gone(c);
    const std::uint32_t offer = classes_->offer(c, tree_->leaf(node) ? locks : classes_->locks().with(locks, a), at, bound);
    if (offer == Classes::none) {
      settle_at({c, false}, at);
      remove(place);
    } else {
      replace(place, offer);
    }
    return offer == Classes::none;
  }

  /// Published records of a class cost so much more each: its excess, or a sum if all of them are published.
  Sum dearer(std::uint32_t c, Sum each) {
    if (classes_->excess_matters()) return each;
    bound_ += classes_->records(c) * each;
    return 0;
  }

  void open(std::uint32_t v) { open_[rank_[v] / 64] |= std::uint64_t{1} << rank_[v] % 64; }
  void close(std::uint32_t v) { open_[rank_[v] / 64] &= ~(std::uint64_t{1} << rank_[v] % 64); }
  void leave(std::uint32_t v) { close(v); }
  void enter(std::uint32_t v) {
    if (tree_->leaf(v))
      values_.push_back(v);
    else
      open(v);
  }

  void insert(const Piece& piece) {
    impossible_ |= classes_->impossible(piece);
    const std::uint32_t offer = piece.single ? Classes::none : classes_->offer(piece.id, 0, 0);
    if (offer == Classes::none)
      settle_at(piece, 0);
    else
      push(offer);
  }

  void push(std::uint32_t offer) {
    if (size_ == active_.size()) {
      active_.push_back(offer);
      if (active_.size() > room_) widen();
      set(size_, offer);
    } else {
      write(size_, offer);
    }
    ++size_;
    count(offer);
  }

  void replace(std::size_t place, std::uint32_t offer) {
    write(place, offer);
    count(offer);
  }

  void count(std::uint32_t offer) {
    latest_.push_back({offer, (*classes_)[offer].bound});
    bound_ += latest_.back().counted;
    gone_ += classes_->least_gone((*classes_)[offer].of);
  }

  void remove(std::size_t place) {
    write(place, active_[size_ - 1]);
    --size_;
  }

  void write(std::size_t place, std::uint32_t offer) {
    writes_.push_back({place, active_[place]});
    set(place, offer);
  }

  void set(std::size_t place, std::uint32_t offer) {
    active_[place] = offer;
    const auto& of = (*classes_)[offer];
    const auto key = classes_->key({of.of, false});
    std::uint32_t* node = nodes_.data() + place;
    for (std::size_t a = 0; a < key.size(); ++a, node += room_) *node = key[a] | (classes_->locks().has(of.locks, a) ? locked_bit : 0);
  }

  /// The nodes of the active classes in one attribute.
  const std::uint32_t* nodes(std::size_t a) const { return nodes_.data() + a * room_; }

  void widen() {
    const std::size_t room = 2 * active_.size();
    std::vector<std::uint32_t> wider(tree_->attributes() * room);
    for (std::size_t a = 0; a < tree_->attributes(); ++a) std::copy_n(nodes(a), room_, wider.data() + a * room);
    nodes_.swap(wider);
    room_ = room;
  }

  void settle_at(const Piece& piece, Sum excess) {
    bound_ += classes_->cost(piece) + classes_->kept(piece) * excess;
    gone_ += classes_->gone(piece);
    settle(piece);
  }

  /// What nothing divides stays as it is: all that can still change is what its open values cost once they are locked.
  void settle(const Piece& piece) {
    if (!classes_->of_values()) return;
    settled_.push_back(piece);
    keep(piece, 1);
  }

  /// Nodes whose value is locked already are counted in vain: no value above or below them is locked again.
  void keep(const Piece& piece, std::int64_t times) {
    const std::int64_t kept = times * classes_->kept(piece);
    for (const std::uint32_t v : classes_->key(piece)) kept_[v] += kept;
  }

  const CutProblem* problem_;
  const CutTree* tree_;
  Classes* classes_;
  std::vector<std::uint64_t> open_;               // by rank
  std::vector<std::uint32_t> rank_, by_rank_;
  std::vector<std::int64_t> kept_;                // records of settled tuples, by value as it is
  std::vector<std::uint32_t> active_, values_;  // active: classes that may still be divided, as offers
  std::vector<Piece> settled_;
  std::vector<std::uint32_t> nodes_;  // of the active classes, by attribute, `room_` apart
  std::size_t room_ = 0;
  std::vector<Latest> latest_;
  std::vector<Write> writes_;
  std::vector<Step> steps_;
  std::size_t size_ = 0, fresh_ = 0, divided_ = 0;
  Sum bound_ = 0;
  std::int64_t gone_ = 0;  // what is suppressed at least
  bool impossible_ = false;
};

}  // namespace sfumato

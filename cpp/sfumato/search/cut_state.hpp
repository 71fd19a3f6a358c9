// A cut under construction: each of its values is open, to be decided, or locked, to stay. Steps can be taken back.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "sfumato/search/cut_classes.hpp"

namespace sfumato {

template <class Sum>
class CutState {
 public:
  using Classes = CutClasses<Sum>;

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
  }

  /// No further cut of this state has only classes that may exist.
  bool impossible() const { return impossible_ || gone_ > problem_->limit; }
  /// What every cut of this state costs at least; exactly that when no value is open.
  Sum bound() const { return bound_; }
  /// How many classes may still be divided.
  std::size_t undecided() const { return size_; }
  /// How many classes the latest step divided.
  std::size_t divided() const { return divided_; }

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
    for (std::size_t i = 0; i < size_ && !impossible_; ++i) {
      const std::uint32_t c = active_[i];
      if (classes_->key(c)[a] != v) continue;
      ++divided_;
      const auto& parts = classes_->divide(c, a);
      if (parts.impossible) {
        impossible_ = true;
        break;
      }
      bound_ += parts.alone - classes_->bound(c);
      gone_ += parts.gone - classes_->gone(c);
      for (std::size_t j = 0; j < parts.singles; ++j) settle(classes_->part(parts, parts.kids + j));
      for (std::size_t j = 1; j < parts.kids; ++j) push(classes_->part(parts, j));
      if (parts.kids > 0)
        replace(i, classes_->part(parts, 0));
      else
        remove(i--);
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
      const std::uint32_t c = active_[i], node = classes_->key(c)[a];
      if (!tree_->below(node, v) || (!classes_->of_values() && tree_->leaf(node))) continue;
      const auto piece = classes_->lock(c, v);
      bound_ -= classes_->bound(c);
      gone_ -= classes_->gone(c);
      if (piece.single) {
        settle_alone(piece.id);
        remove(i--);
      } else {
        replace(i, piece.id);
      }
    }
  }

  /// Tightens the bound by the classes that the latest step brought, as long as it is below `ceiling`.
  void refine(Sum ceiling) {
    for (; fresh_ < latest_.size() && bound_ < ceiling; ++fresh_) {
      const auto& [c, counted] = latest_[fresh_];
      bound_ += classes_->refine(c) - counted;
    }
  }

  /// Takes the latest step back.
  void undo() {
    const Step& step = steps_.back();
    for (; writes_.size() > step.writes; writes_.pop_back()) active_[writes_.back().place] = writes_.back().before;
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

  void begin(std::uint32_t v, bool locked) {
    steps_.push_back({v, locked, size_, writes_.size(), settled_.size(), values_.size(), bound_, gone_});
    latest_.clear();
    fresh_ = divided_ = 0;
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

  void insert(const typename Classes::Piece& piece) {
    impossible_ |= classes_->impossible(piece);
    if (piece.single) {
      settle_alone(piece.id);
    } else {
      push(piece.id);
    }
  }

  void push(std::uint32_t c) {
    if (size_ == active_.size())
      active_.push_back(c);
    else
      write(size_, c);
    ++size_;
    count(c);
  }

  void replace(std::size_t place, std::uint32_t c) {
    write(place, c);
    count(c);
  }

  void count(std::uint32_t c) {
    latest_.push_back({c, classes_->bound(c)});
    bound_ += latest_.back().counted;
    gone_ += classes_->gone(c);
  }

  void remove(std::size_t place) {
    write(place, active_[size_ - 1]);
    --size_;
  }

  void write(std::size_t place, std::uint32_t c) {
    writes_.push_back({place, active_[place]});
    active_[place] = c;
  }

  void settle_alone(std::uint32_t t) {
    bound_ += classes_->tuple_cost(t);
    gone_ += classes_->tuple_gone(t);
    settle(t);
  }

  /// A tuple alone stays alone: all that can still change is what its open values cost once they are locked.
  void settle(std::uint32_t t) {
    if (!classes_->of_values()) return;
    settled_.push_back(t);
    keep(t, 1);
  }

  void keep(std::uint32_t t, std::int64_t times) {
    const std::int64_t kept = times * classes_->tuple_kept(t);
    for (const std::uint32_t v : classes_->tuple_key(t))
      if ((v & locked_bit) == 0) kept_[v] += kept;
  }

  const CutProblem* problem_;
  const CutTree* tree_;
  Classes* classes_;
  std::vector<std::uint64_t> open_;               // by rank
  std::vector<std::uint32_t> rank_, by_rank_;
  std::vector<std::int64_t> kept_;                // records of settled tuples, by value as it is
  std::vector<std::uint32_t> active_, settled_, values_;
  std::vector<Latest> latest_;
  std::vector<Write> writes_;
  std::vector<Step> steps_;
  std::size_t size_ = 0, fresh_ = 0, divided_ = 0;
  Sum bound_ = 0;
  std::int64_t gone_ = 0;  // what is suppressed at least
  bool impossible_ = false;
};

}  // namespace sfumato

// The classes of a cut that may still be divided, as offers, with the nodes of each, and what deciding these nodes is known to
// bring. What was written can be taken back.
//
// What is known of a node is the sum over the classes that have it as their next, and is kept up to date as classes come and go:
// nobody asks all of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sfumato/search/cut_classes.hpp"

namespace sfumato {

template <class Sum>
class CutActive {
 public:
  using Classes = CutClasses<Sum>;
  /// The bit that marks a node as locked; nodes are numbered below it.
  static constexpr std::uint32_t locked_bit = 1u << 31;

  CutActive(const CutTree& tree, Classes& classes)
      : classes_(&classes), width_(tree.attributes()), known_(classes.learns() ? tree.size() : 0), held_(classes.of_values() ? tree.size() : 0) {}

  std::size_t size() const { return size_; }
  std::uint32_t operator[](std::size_t place) const { return offers_[place]; }
  std::uint32_t node(std::size_t place, std::size_t a) const { return rows_[place * width_ + a]; }

  /// Puts an offer of another class into a place.
  void replace(std::size_t place, std::uint32_t offer) {
    note(place, Kind::replaced);
    forget(place);
    hold(place, -1);
    put(place, offer);
  }

  /// Puts an offer of the same class into a place, under one lock more, or (none) at another excess.
  static constexpr std::size_t none = SIZE_MAX;
  void relock(std::size_t place, std::uint32_t offer, std::size_t attribute) {
    note(place, Kind::relocked);
    forget(place);
    offers_[place] = offer;
    if (attribute != none) row(place)[attribute] |= locked_bit;
    count(place);
  }

  void push(std::uint32_t offer) {
    if (size_ == offers_.size()) {
      offers_.push_back(offer);
      shares_.emplace_back();
      records_.emplace_back();
      rows_.resize(rows_.size() + width_);
    }
    note(size_, Kind::pushed);
    put(size_++, offer);
  }

  /// The last one takes the place.
  void remove(std::size_t place) {
    note(place, Kind::removed);
    forget(place);
    hold(place, -1);
    if (place == --size_) return;
    offers_[place] = offers_[size_];
    shares_[place] = shares_[size_];
    records_[place] = records_[size_];
    std::copy_n(row(size_), width_, row(place));
  }

  /// How much has been written; `back` returns to it.
  std::size_t mark() const { return written_.size(); }
  void back(std::size_t mark) {
    for (; written_.size() > mark; written_.pop_back()) {
      const Written& latest = written_.back();
      if (latest.kind == Kind::removed) {  // where the last one was, nothing has changed
        shares_[size_] = shares_[latest.place];
        records_[size_] = records_[latest.place];
        ++size_;
      } else {
        forget(latest.place);
        if (latest.kind != Kind::relocked) hold(latest.place, -1);
        if (latest.kind == Kind::pushed) --size_;
      }
      offers_[latest.place] = latest.offer;
      std::copy_n(before_.data() + (written_.size() - 1) * width_, width_, row(latest.place));
      if (latest.kind == Kind::pushed) continue;
      if (latest.kind != Kind::relocked) hold_anew(latest.place);
      count(latest.place);
    }
    before_.resize(mark * width_);
  }

  /// Looks ahead while `decided` (or none) is specialised or locked. `price`: what it costs, apart from the classes, to lock a node.
  template <class Price>
  void look_ahead(std::uint32_t decided, bool locked, const Price& price) {
    decided_ = decided;
    locked_ = locked;
    foreseen_ = 0;
    for (std::size_t i = 0; i < listed_.size();) {
      Known& of = known_[listed_[i]];
      if (of.divides == 0 && of.locks_up == 0) {
        of = {};
        listed_[i] = listed_.back();
        listed_.pop_back();
        continue;
      }
      of.price = price(listed_[i]);
      foreseen_ += least(listed_[i++]);
    }
  }

  /// What the classes cost at least.
  Sum bound() const { return bound_; }

  /// Counts a class anew, of which more is known.
  void recount(std::size_t place) {
    forget(place);
    count(place);
  }

  /// Calls `take` with each offer that was there at the mark and no longer is, and its nodes.
  template <class Take>
  void for_each_gone(std::size_t mark, const Take& take) const {
    for (std::size_t i = mark; i < written_.size(); ++i)
      if (written_[i].kind != Kind::pushed) take(written_[i].offer, before_.data() + i * width_);
  }

  /// Foresees what another offer of the class in a place brings, as if it were there.
  void assume(std::size_t place, std::uint32_t offer) {
    forget(place);
    assumed_.push_back({place, share(place, offer)});
    add(assumed_.back().second, 1);
  }
  void assume_nothing() {
    for (; !assumed_.empty(); assumed_.pop_back()) {
      add(assumed_.back().second, -1);
      add(shares_[assumed_.back().first], 1);
    }
  }

  /// What would be published of the classes that have this node, if each of their tuples were alone.
  std::int64_t held(std::uint32_t v) const { return held_[v]; }

  /// What the bound of all classes rises by at least: each node is specialised, or it is locked or below a value that is, for all
  /// classes that have it.
  Sum foreseen() const { return foreseen_; }

 private:
  enum class Kind : std::uint8_t { replaced, relocked, pushed, removed };
  struct Written {
    std::size_t place;
    std::uint32_t offer;  // that was there
    Kind kind;
  };
  /// What is counted of a class: its bound, and what is known of deciding its next node.
  struct Share {
    std::uint32_t node = CutTree::none;
    Sum bound = 0, divides = 0, locks_up = 0;
  };
  struct Known {
    Sum divides = 0, locks_up = 0, price = 0;
    bool listed = false;
  };

  /// The class in a place, or (-1) no longer, counts at its nodes.
  void hold(std::size_t place, std::int64_t times) {
    if (held_.empty()) return;
    for (std::size_t a = 0; a < width_; ++a) held_[node(place, a) & ~locked_bit] += times * records_[place];
  }
  void hold_anew(std::size_t place) {
    records_[place] = (*classes_)[offers_[place]].scattered;
    hold(place, 1);
  }

  std::uint32_t* row(std::size_t place) { return rows_.data() + place * width_; }

  void note(std::size_t place, Kind kind) {
    written_.push_back({place, offers_[place], kind});
    before_.insert(before_.end(), row(place), row(place) + width_);
  }

  void put(std::size_t place, std::uint32_t offer) {
    offers_[place] = offer;
    const auto& of = (*classes_)[offer];
    const auto key = classes_->key({of.of, false});
    std::uint32_t* const nodes = row(place);
    for (std::size_t a = 0; a < key.size(); ++a) nodes[a] = key[a] | (classes_->locks().has(of.locks, a) ? locked_bit : 0);
    hold_anew(place);
    count(place);
  }

  void count(std::size_t place) {
    shares_[place] = share(place, offers_[place]);
    add(shares_[place], 1);
  }

  Share share(std::size_t place, std::uint32_t offer) {
    const auto& of = (*classes_)[offer];
    if (of.divides == 0 && of.locks_up == 0) return {CutTree::none, of.bound};
    const std::uint32_t node = rows_[place * width_ + of.attribute];
    if (!std::exchange(known_[node].listed, true)) listed_.push_back(node);
    return {node, of.bound, of.divides, of.locks_up};
  }

  void forget(std::size_t place) { add(shares_[place], -1); }

  void add(const Share& share, int times) {
    bound_ += times * share.bound;
    if (share.node == CutTree::none) return;
    foreseen_ -= least(share.node);
    known_[share.node].divides += times * share.divides;
    known_[share.node].locks_up += times * share.locks_up;
    foreseen_ += least(share.node);
  }

  Sum least(std::uint32_t v) const {
    const Known& of = known_[v];
    if (v == decided_) return locked_ ? of.locks_up : of.divides;
    return std::min(of.divides, of.locks_up + of.price);
  }

  Classes* classes_;
  std::size_t width_, size_ = 0;
  std::vector<std::uint32_t> offers_, rows_;
  std::vector<Share> shares_;
  std::vector<std::int64_t> records_;  // what would be published of a class if its tuples were alone
  std::vector<std::pair<std::size_t, Share>> assumed_;
  std::vector<Written> written_;
  std::vector<std::uint32_t> before_;  // nodes that were there
  std::vector<Known> known_;           // by node
  std::vector<std::int64_t> held_;     // by node, if the loss is one of values
  std::vector<std::uint32_t> listed_;  // nodes of which something is known, or was
  std::uint32_t decided_ = CutTree::none;
  bool locked_ = false;
  Sum bound_ = 0, foreseen_ = 0;
};

}  // namespace sfumato

// The classes of a cut that may still be divided, as offers, with the nodes of each, and what deciding these nodes is
// known to bring. What was written can be taken back.
//
// What is known of a node is the sum over the classes that have it as their next, and is kept up to date as classes
// come and go: nobody asks all of them.
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
      : classes_(&classes),
        width_(tree.attributes()),
        known_(classes.learns() ? tree.size() : 0),
        held_(classes.of_values() ? tree.size() : 0) {}

  std::size_t size() const { return size_; }
  std::uint32_t operator[](std::size_t place) const { return shares_[place].offer; }
  std::uint32_t node(std::size_t place, std::size_t a) const { return rows_[place * width_ + a]; }

  /// What the offer in a place became when last it was locked, or none.
  std::uint32_t hint(std::size_t place) const { return shares_[place].hint; }

  /// Puts an offer of another class into a place. `settled`: what is settled costs of the class that was there.
  void replace(std::size_t place, std::uint32_t offer, Sum settled) {
    note(place, Kind::replaced, settled);
    keep_row(place);
    take_away(place);
    put(place, offer);
  }

  /// Adds one more part of the class that was replaced last.
  void push(std::uint32_t offer) {
    if (!written_.empty()) ++written_.back().pushed;
    if (size_ == shares_.size()) {
      shares_.emplace_back();
      rows_.resize(rows_.size() + width_);
    }
    put(size_++, offer);
  }

  /// Puts an offer of the same class into a place, under one lock more if its node is no leaf.
  void relock(std::size_t place, std::uint32_t offer, std::size_t a, bool leaf) {
    shares_[place].hint = offer;
    note(place, Kind::relocked);
    add(shares_[place], -1);
    if (!leaf) row(place)[a] |= locked_bit;
    count(place, offer);
  }

  /// The last one takes the place.
  void remove(std::size_t place) {
    note(place, Kind::removed);
    keep_row(place);
    take_away(place);
    move(--size_, place);
  }

  /// How much has been written. `back` returns to it, where v of attribute a was divided (or locked); if that was
  /// `explored`, the classes that had it learn what all that they became is known to cost by now.
  std::size_t mark() const { return written_.size(); }
  void back(std::size_t mark, bool explored, std::uint32_t v, std::size_t a, bool locked) {
    for (; written_.size() > mark; written_.pop_back()) {
      const Written& latest = written_.back();
      const std::size_t place = latest.place;
      if (latest.kind == Kind::removed) {
        move(place, size_++);
      } else {
        Sum least = latest.settled + shares_[place].bound;
        for (std::uint32_t i = 0; i < latest.pushed; ++i) {
          least += shares_[--size_].bound;
          take_away(size_);
        }
        if (latest.kind == Kind::relocked) {
          add(shares_[place], -1);
          row(place)[a] &= ~locked_bit;
        } else {
          take_away(place);
        }
        if (explored && (latest.kind == Kind::replaced || node(place, a) == v))
          learn(written_.size() - 1, v, a, locked, least);
      }
      shares_[place] = latest.was;
      add(shares_[place], 1);
      if (latest.kind == Kind::relocked) continue;
      std::copy_n(before_.end() - static_cast<std::ptrdiff_t>(width_), width_, row(place));
      before_.resize(before_.size() - width_);
      hold(place, 1);
    }
  }

  /// What the class that was in a place, before that was written, is known to cost if it is divided (or locked) at its
  /// node v. Mostly that is nothing new, and its offer need not be looked up.
  void learn(std::size_t written, std::uint32_t v, std::size_t a, bool locked, Sum least) {
    Share& was = written_[written].was;
    if ((was.node == CutTree::none || was.node == v) && least - was.bound <= (locked ? was.locks_up : was.divides))
      return;
    if (classes_->learn(was.offer, a, locked, least)) was = share(was.offer, v);
  }

  /// Looks ahead while `decided` (or none) is specialised or locked. `price`: what it costs, apart from the classes, to
  /// lock a node.
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
    add(shares_[place], -1);
    count(place, shares_[place].offer);
  }

  /// What would be published of the classes that have this node, if each of their tuples were alone.
  std::int64_t held(std::uint32_t v) const { return held_[v]; }

  /// What the bound of all classes rises by at least: each node is specialised, or it is locked or below a value that
  /// is, for all classes that have it.
  Sum foreseen() const { return foreseen_; }

 private:
  enum class Kind : std::uint8_t { replaced, relocked, removed };
  /// What is counted of a class: its bound, and what is known of deciding its next node, if that is known. (All of it
  /// is known of the offer as well, but that may lie anywhere.)
  struct Share {
    Sum bound = 0, divides = 0, locks_up = 0;
    std::int64_t records = 0;  // what would be published of the class if its tuples were alone
    std::uint32_t node = CutTree::none, offer = 0, hint = 0;
  };
  struct Written {
    Share was;
    Sum settled;  // what is settled costs of what it became
    std::uint32_t place;
    std::uint32_t pushed;  // further parts
    Kind kind;
  };
  struct Known {
    Sum divides = 0, locks_up = 0, price = 0;
    bool listed = false;
  };

  /// The class in a place, or (-1) no longer, counts at its nodes.
  void hold(std::size_t place, std::int64_t times) {
    if (held_.empty()) return;
    for (std::size_t a = 0; a < width_; ++a) held_[node(place, a) & ~locked_bit] += times * shares_[place].records;
  }

  std::uint32_t* row(std::size_t place) { return rows_.data() + place * width_; }

  void note(std::size_t place, Kind kind, Sum settled = 0) {
    written_.push_back({shares_[place], settled, static_cast<std::uint32_t>(place), 0, kind});
  }
  void keep_row(std::size_t place) { before_.insert(before_.end(), row(place), row(place) + width_); }

  void move(std::size_t from, std::size_t to) {
    if (from == to) return;
    shares_[to] = shares_[from];
    std::copy_n(row(from), width_, row(to));
  }

  void put(std::size_t place, std::uint32_t offer) {
    const auto& of = (*classes_)[offer];
    const auto key = classes_->key({of.of, false});
    std::uint32_t* const nodes = row(place);
    for (std::size_t a = 0; a < key.size(); ++a)
      nodes[a] = key[a] | (classes_->locks().has(of.locks, a) ? locked_bit : 0);
    count(place, offer);
    hold(place, 1);
  }

  void take_away(std::size_t place) {
    add(shares_[place], -1);
    hold(place, -1);
  }

  void count(std::size_t place, std::uint32_t offer) {
    shares_[place] = share(offer, node(place, (*classes_)[offer].attribute));
    add(shares_[place], 1);
  }

  /// `next`: the node that something may be known of.
  Share share(std::uint32_t offer, std::uint32_t next) const {
    const auto& of = (*classes_)[offer];
    const bool known = of.divides != 0 || of.locks_up != 0;
    return {of.bound, of.divides, of.locks_up, of.scattered, known ? next : CutTree::none, offer, of.hint};
  }

  void add(const Share& share, int times) {
    bound_ += times * share.bound;
    if (share.node == CutTree::none) return;
    Known& of = known_[share.node];
    if (!std::exchange(of.listed, true)) listed_.push_back(share.node);
    foreseen_ -= least(share.node);
    of.divides += times * share.divides;
    of.locks_up += times * share.locks_up;
    foreseen_ += least(share.node);
  }

  Sum least(std::uint32_t v) const {
    const Known& of = known_[v];
    if (v == decided_) return locked_ ? of.locks_up : of.divides;
    return std::min(of.divides, of.locks_up + of.price);
  }

  Classes* classes_;
  std::size_t width_, size_ = 0;
  std::vector<std::uint32_t> rows_;  // nodes by place
  std::vector<Share> shares_;
  std::vector<Written> written_;
  std::vector<std::uint32_t> before_;  // nodes of what was replaced or removed
  std::vector<Known> known_;           // by node
  std::vector<std::int64_t> held_;     // by node, if the loss is one of values
  std::vector<std::uint32_t> listed_;  // nodes of which something is known, or was
  std::uint32_t decided_ = CutTree::none;
  bool locked_ = false;
  Sum bound_ = 0, foreseen_ = 0;
};

}  // namespace sfumato

// The classes of a cut that may still be divided, as variants, with the nodes of each, and how much the bound is
// certain to rise when these nodes are decided. Changes are journalled and can be taken back.
//
// The rise of a node is the sum over the classes that have it as their next one, and is kept up to date as classes come
// and go, so that they need not all be gone through.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sfumato/algorithms/cuts/class_graph.hpp"

namespace sfumato::cuts {

template <class Sum>
class ActiveClasses {
 public:
  using Graph = ClassGraph<Sum>;
  /// The bit that marks a node as locked; nodes are numbered below it.
  static constexpr std::uint32_t locked_bit = 1u << 31;

  ActiveClasses(const Tree& tree, Graph& graph)
      : graph_(&graph),
        width_(tree.attributes()),
        rise_of_(graph.learns() ? tree.size() : 0),
        scattered_of_(graph.of_values() ? tree.size() : 0) {}

  std::size_t bytes() const {
    return growing_bytes(rows_) + growing_bytes(entries_) + growing_bytes(journal_) + growing_bytes(before_);
  }
  std::size_t size() const { return size_; }
  std::uint32_t operator[](std::size_t place) const { return entries_[place].variant; }
  std::uint32_t node(std::size_t place, std::size_t a) const { return rows_[place * width_ + a]; }

  /// What the variant in a place became when last it was locked, or none.
  std::uint32_t hint(std::size_t place) const { return entries_[place].hint; }

  /// Puts a variant of another class into a place. `settled`: what the settled parts of the class cost that was there.
  void replace(std::size_t place, std::uint32_t variant, Sum settled) {
    record(place, Kind::replaced, settled);
    keep_row(place);
    take_away(place);
    put(place, variant);
  }

  /// Adds one more part of the class that was replaced last.
  void push(std::uint32_t variant) {
    if (!journal_.empty()) ++journal_.back().pushed;
    if (size_ == entries_.size()) {
      entries_.emplace_back();
      rows_.resize(rows_.size() + width_);
    }
    put(size_++, variant);
  }

  /// Puts a variant of the same class into a place, under one lock more if its node is no leaf.
  void relock(std::size_t place, std::uint32_t variant, std::size_t a, bool leaf) {
    entries_[place].hint = variant;
    record(place, Kind::relocked);
    add(entries_[place], -1);
    if (!leaf) row(place)[a] |= locked_bit;
    count(place, variant);
  }

  /// The last one takes the place.
  void remove(std::size_t place) {
    record(place, Kind::removed);
    keep_row(place);
    take_away(place);
    move(--size_, place);
  }

  /// The length of the journal. `back` returns to it, where v of attribute a was divided (or locked); if that was
  /// `explored`, the classes that had v learn what all of their parts cost at least, as far as that has been learnt by
  /// then.
  std::size_t mark() const { return journal_.size(); }
  void back(std::size_t mark, bool explored, std::uint32_t v, std::size_t a, bool locked) {
    for (; journal_.size() > mark; journal_.pop_back()) {
      const Change& latest = journal_.back();
      const std::size_t place = latest.place;
      if (latest.kind == Kind::removed) {
        move(place, size_++);
      } else {
        Sum least = latest.settled + entries_[place].bound;
        for (std::uint32_t i = 0; i < latest.pushed; ++i) {
          least += entries_[--size_].bound;
          take_away(size_);
        }
        if (latest.kind == Kind::relocked) {
          add(entries_[place], -1);
          row(place)[a] &= ~locked_bit;
        } else {
          take_away(place);
        }
        if (explored && (latest.kind == Kind::replaced || node(place, a) == v))
          learn(journal_.size() - 1, v, a, locked, least);
      }
      entries_[place] = latest.was;
      add(entries_[place], 1);
      if (latest.kind == Kind::relocked) continue;
      std::copy_n(before_.end() - static_cast<std::ptrdiff_t>(width_), width_, row(place));
      before_.resize(before_.size() - width_);
      count_scattered(place, 1);
    }
  }

  /// Records what the class that was in a place before a change costs at least if it is divided (or locked) at its node
  /// v. Mostly that is nothing new, and its variant need not be looked up.
  void learn(std::size_t change, std::uint32_t v, std::size_t a, bool locked, Sum least) {
    Entry& was = journal_[change].was;
    if ((was.node == Tree::none || was.node == v) &&
        least - was.bound <= (locked ? was.rise_if_locked : was.rise_if_divided))
      return;
    if (graph_->learn(was.variant, a, locked, least)) was = entry_of(was.variant, v);
  }

  /// Looks ahead while `decided` (or none) is specialised or locked. `price`: what it costs, apart from the classes, to
  /// lock a node.
  template <class Price>
  void look_ahead(std::uint32_t decided, bool locked, const Price& price) {
    decided_ = decided;
    locked_ = locked;
    certain_rise_ = 0;
    for (std::size_t i = 0; i < listed_.size();) {
      NodeRise& rise = rise_of_[listed_[i]];
      if (rise.if_divided == 0 && rise.if_locked == 0) {
        rise = {};
        listed_[i] = listed_.back();
        listed_.pop_back();
        continue;
      }
      rise.price = price(listed_[i]);
      certain_rise_ += least(listed_[i++]);
    }
  }

  /// What the classes cost at least.
  Sum bound() const { return bound_; }

  /// Counts a class anew whose bound or rise has changed.
  void recount(std::size_t place) {
    add(entries_[place], -1);
    count(place, entries_[place].variant);
  }

  /// What would be published of the classes that have this node, if each of their tuples were alone.
  std::int64_t scattered(std::uint32_t v) const { return scattered_of_[v]; }

  /// What the bound of all classes rises by at least: each node is specialised, or it is locked or below a value that
  /// is, for all classes that have it.
  Sum certain_rise() const { return certain_rise_; }

 private:
  enum class Kind : std::uint8_t { replaced, relocked, removed };
  /// What is counted of a class: its bound, and how much that rises if its next node is decided, if that is known. (All
  /// of it is in the variant as well, but that may lie anywhere in memory.)
  struct Entry {
    Sum bound = 0, rise_if_divided = 0, rise_if_locked = 0;
    std::int64_t records = 0;  // what would be published of the class if its tuples were alone
    std::uint32_t node = Tree::none, variant = 0, hint = 0;
  };
  struct Change {
    Entry was;
    Sum settled;  // what the settled ones of its parts cost
    std::uint32_t place;
    std::uint32_t pushed;  // further parts
    Kind kind;
  };
  struct NodeRise {
    Sum if_divided = 0, if_locked = 0, price = 0;
    bool listed = false;
  };

  /// The class in a place, or (-1) no longer, counts at its nodes.
  void count_scattered(std::size_t place, std::int64_t times) {
    if (scattered_of_.empty()) return;
    for (std::size_t a = 0; a < width_; ++a)
      scattered_of_[node(place, a) & ~locked_bit] += times * entries_[place].records;
  }

  std::uint32_t* row(std::size_t place) { return rows_.data() + place * width_; }

  void record(std::size_t place, Kind kind, Sum settled = 0) {
    journal_.push_back({entries_[place], settled, static_cast<std::uint32_t>(place), 0, kind});
  }
  void keep_row(std::size_t place) { before_.insert(before_.end(), row(place), row(place) + width_); }

  void move(std::size_t from, std::size_t to) {
    if (from == to) return;
    entries_[to] = entries_[from];
    std::copy_n(row(from), width_, row(to));
  }

  void put(std::size_t place, std::uint32_t variant) {
    const auto& of = (*graph_)[variant];
    const auto key = graph_->key({of.of, false});
    std::uint32_t* const nodes = row(place);
    for (std::size_t a = 0; a < key.size(); ++a)
      nodes[a] = key[a] | (graph_->locks().has(of.locks, a) ? locked_bit : 0);
    count(place, variant);
    count_scattered(place, 1);
  }

  void take_away(std::size_t place) {
    add(entries_[place], -1);
    count_scattered(place, -1);
  }

  void count(std::size_t place, std::uint32_t variant) {
    entries_[place] = entry_of(variant, node(place, (*graph_)[variant].attribute));
    add(entries_[place], 1);
  }

  /// `next`: the node that a rise may be known of.
  Entry entry_of(std::uint32_t variant, std::uint32_t next) const {
    const auto& of = (*graph_)[variant];
    const bool rises = of.rise_if_divided != 0 || of.rise_if_locked != 0;
    return {of.bound, of.rise_if_divided, of.rise_if_locked, of.scattered, rises ? next : Tree::none, variant, of.hint};
  }

  void add(const Entry& entry, int times) {
    bound_ += times * entry.bound;
    if (entry.node == Tree::none) return;
    NodeRise& rise = rise_of_[entry.node];
    if (!std::exchange(rise.listed, true)) listed_.push_back(entry.node);
    certain_rise_ -= least(entry.node);
    rise.if_divided += times * entry.rise_if_divided;
    rise.if_locked += times * entry.rise_if_locked;
    certain_rise_ += least(entry.node);
  }

  Sum least(std::uint32_t v) const {
    const NodeRise& rise = rise_of_[v];
    if (v == decided_) return locked_ ? rise.if_locked : rise.if_divided;
    return std::min(rise.if_divided, rise.if_locked + rise.price);
  }

  Graph* graph_;
  std::size_t width_, size_ = 0;
  std::vector<std::uint32_t> rows_;  // nodes by place
  std::vector<Entry> entries_;
  std::vector<Change> journal_;
  std::vector<std::uint32_t> before_;       // nodes of what was replaced or removed
  std::vector<NodeRise> rise_of_;           // by node
  std::vector<std::int64_t> scattered_of_;  // by node, if the loss is one of values
  std::vector<std::uint32_t> listed_;       // nodes that have a rise, or had one
  std::uint32_t decided_ = Tree::none;
  bool locked_ = false;
  Sum bound_ = 0, certain_rise_ = 0;
};

}  // namespace sfumato::cuts

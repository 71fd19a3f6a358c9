// The tuples of a class in groups: of those that differ in locked attributes alone, or of those below one child of a
// node.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sfumato/algorithms/cuts/tuples.hpp"

namespace sfumato::cuts {

/// Groups of tuples that differ in locked attributes alone.
class TupleGroups {
 public:
  explicit TupleGroups(const Tuples& tuples) : tuples_(&tuples) {}

  /// Groups tuples that are equal in these attributes; false if there are more groups than `most`, and so too many to
  /// go on.
  bool group(std::span<const std::uint32_t> members, std::span<const std::size_t> attributes, std::size_t most) {
    slots_.assign(std::bit_ceil(2 * (std::min(members.size(), most) + 1)), 0);
    of_.resize(members.size());
    first_.clear();
    records_.clear();
    if (tuples_->packed()) {
      std::uint64_t mask = 0;
      for (const std::size_t a : attributes) mask |= tuples_->bits(a);
      return group_codes(members, mask, most);
    }
    for (std::size_t i = 0; i < members.size(); ++i) {
      of_[i] = place(members[i], attributes);
      if (first_.size() > most) return false;
      records_[of_[i]] += tuples_->records(members[i]);
    }
    return true;
  }

  std::size_t size() const { return first_.size(); }
  /// The group of the i-th tuple.
  std::uint32_t of(std::size_t i) const { return of_[i]; }
  std::uint32_t first(std::size_t g) const { return first_[g]; }
  std::int64_t records(std::size_t g) const { return records_[g]; }
  std::span<const std::int64_t> records() const { return records_; }

 private:
  bool group_codes(std::span<const std::uint32_t> members, std::uint64_t mask, std::size_t most) {
    constexpr std::size_t later = 16, soon = 8;  // first the code is prefetched, which gives the slot, then the slot
    codes_.clear();
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i + later < members.size()) {
        tuples_->prefetch(members[i + later]);
        tuples_->prefetch_kind_counts(members[i + soon]);
        prefetch_line(slots_.data() + slot_of(tuples_->code(members[i + soon]) & mask));
      }
      of_[i] = place_code(members[i], mask);
      if (first_.size() > most) return false;
      records_[of_[i]] += tuples_->records(members[i]);
    }
    return true;
  }

  std::size_t slot_of(std::uint64_t code) const { return code * 0x9E3779B97F4A7C15ull >> 32 & (slots_.size() - 1); }

  std::uint32_t place_code(std::uint32_t t, std::uint64_t mask) {
    const std::uint64_t code = tuples_->code(t) & mask;
    std::size_t at = slot_of(code);
    for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1))
      if (codes_[slots_[at] - 1] == code) return slots_[at] - 1;
    codes_.push_back(code);
    return add(at, t);
  }

  std::uint32_t place(std::uint32_t t, std::span<const std::size_t> attributes) {
    const auto key = tuples_->key(t);
    std::uint64_t hash = 0;
    for (const std::size_t a : attributes) hash = (hash ^ key[a]) * 0x9E3779B97F4A7C15ull, hash ^= hash >> 32;
    std::size_t at = hash & (slots_.size() - 1);
    for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
      const auto same = tuples_->key(first_[slots_[at] - 1]);
      if (std::ranges::all_of(attributes, [&](std::size_t a) { return same[a] == key[a]; })) return slots_[at] - 1;
    }
    return add(at, t);
  }

  std::uint32_t add(std::size_t slot, std::uint32_t t) {
    first_.push_back(t);
    records_.push_back(0);
    slots_[slot] = static_cast<std::uint32_t>(first_.size());
    return slots_[slot] - 1;
  }

  const Tuples* tuples_;
  std::vector<std::uint32_t> slots_, of_, first_;
  std::vector<std::uint64_t> codes_;  // of the groups, if they have them
  std::vector<std::int64_t> records_;
};

/// The tuples of a class, those below one child of a node side by side.
class ChildGroups {
 public:
  ChildGroups(const Tuples& tuples, const Tree& tree) : tuples_(&tuples), tree_(&tree), slot_(tree.size(), 0) {}

  /// Groups these tuples below node v of attribute a.
  void group(std::span<const std::uint32_t> members, std::size_t a, std::uint32_t v) {
    const auto child_of = tree_->steps(v);
    children_.clear();
    ends_.clear();
    group_of_.resize(members.size());
    each_prefetched(
        members, [&](std::uint32_t t) { tuples_->prefetch(t); },
        [&](std::size_t i, std::uint32_t t) {
          const std::uint32_t child = child_of[tuples_->leaf(t, a)];
          if (slot_[child] == 0) {
            children_.push_back(child);
            ends_.push_back(0);
            slot_[child] = static_cast<std::uint32_t>(children_.size());
          }
          group_of_[i] = slot_[child] - 1;
          ++ends_[group_of_[i]];
        });
    for (const std::uint32_t child : children_) slot_[child] = 0;
    std::uint32_t begin = 0;
    for (std::uint32_t& end : ends_) begin += std::exchange(end, begin);
    grouped_.resize(members.size());
    for (std::size_t i = 0; i < members.size(); ++i) grouped_[ends_[group_of_[i]]++] = members[i];
  }

  std::span<const std::uint32_t> tuples() const { return grouped_; }
  /// Where each group ends among them.
  std::span<const std::uint32_t> ends() const { return ends_; }

 private:
  const Tuples* tuples_;
  const Tree* tree_;
  std::vector<std::uint32_t> slot_;  // by node: its group, plus one; 0 while it has none
  std::vector<std::uint32_t> children_, ends_, group_of_, grouped_;
};

}  // namespace sfumato::cuts

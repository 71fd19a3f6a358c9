// Goes through all generalised tuples that cover a record, lattice node by lattice node: attribute after attribute is
// generalised, and groups of records that have become equal go on as one. Of an order, blocks of cells stand for
// intervals.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "sfumato/algorithms/local/levels.hpp"
#include "sfumato/algorithms/local/shares.hpp"
#include "sfumato/algorithms/local/space.hpp"
#include "sfumato/cost.hpp"

namespace sfumato::local {

/// A priced item in a group; those of all groups stand together, the dearest first.
struct PricedEntry {
  std::uint32_t group, item, copies;
};

/// Records that are equal once the attributes so far are generalised.
struct TupleGroups {
  std::vector<std::uint32_t> item;     // by group: one of its items
  std::vector<std::int64_t> size;      // its records
  std::vector<std::int64_t> each;      // what a record costs, as far as attributes are generalised
  std::vector<double> cap;             // the most that tuples above one of its records may cost, if capped
  std::vector<double> down;            // joined from the groups that it becomes part of
  std::vector<std::uint32_t> of_item;  // the group of each item, if tracked
  std::vector<PricedEntry> entries;    // as many of the dearest records of each group as are priced

  std::size_t count() const { return item.size(); }
};

class TupleWalk {
 public:
  __extension__ using Key = unsigned __int128;

  /// The walk over some of the attributes; the others are as if they were not there.
  TupleWalk(const Space& space, std::vector<std::size_t> attributes)
      : space_(space),
        order_(std::move(attributes)),
        shares_(space.problem()),
        groups_(order_.size() + 1),
        key_(order_.size() + 1) {
    std::ranges::sort(order_, [&](std::size_t a, std::size_t b) { return space.places(a) > space.places(b); });
    unsigned bits = 0;
    for (const std::size_t a : order_) {
      shift_.push_back(bits), bits += static_cast<unsigned>(std::bit_width(space.places(a)));
      levels_.push_back(levels_of(space, a));
      lattice_ *= static_cast<double>(levels_.back().size());
    }
    fits_ = bits <= 128;
  }

  /// Whether the walk can be done at all: tuples are distinguished by keys of 128 bits.
  bool fits() const { return fits_; }
  double lattice() const { return lattice_; }

  /// Which items have their dearest records in `entries`, and how many records of a group, in shares that a class can
  /// have; none by default.
  void price(std::vector<std::uint32_t> dearest_first, std::int64_t most) {
    dearest_first_ = std::move(dearest_first), most_ = most;
  }
  void track_items() { track_ = true; }

  /// By item: tuples are left out that cost at least so much for every record below them; nothing is said about these.
  /// Not together with `track_items`.
  void cap(std::vector<double> caps) { cap_ = std::move(caps); }

  /// Calls `visit` with the groups of every lattice node, which may set `down`; then `join` with the value of a group
  /// so far and that of a group that it is part of. False if `go` said stop; else `down` is by item.
  template <class Visit, class Join, class Go>
  bool run(double start, std::vector<double>& down, Visit visit, Join join, Go go) {
    begin(start);
    if (!descend(0, start, visit, join, go)) return false;
    down.resize(space_.items());
    for (std::size_t i = 0; i < down.size(); ++i) down[i] = groups_[0].down[first_[i]];
    return true;
  }

 private:
  /// Items with equal values are one group.
  void begin(double start) {
    TupleGroups& top = groups_[0];
    reset(top);
    key_[0].clear();
    first_.resize(space_.items());
    restart(space_.items());
    for (std::uint32_t i = 0; i < space_.items(); ++i) {
      Key key = 0;
      for (std::size_t j = 0; j < order_.size(); ++j) key |= Key{place(j, i)} << shift_[j];
      first_[i] = find(key, top, key_[0], i, 0);
      top.size[first_[i]] += space_.problem().counts[i];
    }
    top.down.assign(top.count(), start);
    if (!cap_.empty()) {
      top.cap.assign(top.count(), 0);
      for (std::uint32_t i = 0; i < space_.items(); ++i) top.cap[first_[i]] = std::max(top.cap[first_[i]], cap_[i]);
    }
    if (track_) top.of_item = first_;
    if (most_ > 0) {
      shares_.start(top.count(), most_);
      for (const std::uint32_t i : dearest_first_) enter(top, first_[i], i, space_.problem().counts[i]);
    }
  }

  std::uint32_t place(std::size_t j, std::uint32_t item) const {
    return space_.place(order_[j], space_.leaf(order_[j], item));
  }

  static void reset(TupleGroups& groups) {
    groups.item.clear(), groups.size.clear(), groups.each.clear(), groups.entries.clear();
  }

  void enter(TupleGroups& groups, std::uint32_t group, std::uint32_t item, std::int64_t copies) {
    const std::int64_t taken = shares_.take(group, item, copies);
    if (taken == 0) return;
    groups.entries.push_back({group, item, static_cast<std::uint32_t>((taken + shares_.unit() - 1) / shares_.unit())});
  }

  template <class Visit, class Join, class Go>
  bool descend(std::size_t j, double start, Visit& visit, Join& join, Go& go) {
    if (j == order_.size()) {
      visit(groups_[j]);
      return go();
    }
    TupleGroups& from = groups_[j];
    std::vector<std::uint32_t> becomes;
    for (std::size_t level = 0; level < levels_[j].size(); ++level) {
      merge(j, level, becomes);
      groups_[j + 1].down.assign(groups_[j + 1].count(), start);
      if (!descend(j + 1, start, visit, join, go)) return false;
      const auto& values = groups_[j + 1].down;
      for (std::size_t g = 0; g < becomes.size(); ++g)
        if (becomes[g] != left_out_) from.down[g] = join(from.down[g], values[becomes[g]]);
    }
    return true;
  }

  /// The groups with one more attribute generalised.
  void merge(std::size_t j, std::size_t level, std::vector<std::uint32_t>& becomes) {
    const TupleGroups& from = groups_[j];
    TupleGroups& to = groups_[j + 1];
    const BlockLevel& blocks = levels_[j][level];
    reset(to);
    key_[j + 1].clear();
    becomes.resize(from.count());
    restart(from.count());
    for (std::size_t g = 0; g < from.count(); ++g) {
      const std::uint32_t own = place(j, from.item[g]);
      const Key key = key_[j][g] ^ (Key{own ^ blocks.block[own]} << shift_[j]);
      becomes[g] = find(key, to, key_[j + 1], from.item[g], from.each[g] + blocks.cost[own]);
      to.size[becomes[g]] += from.size[g];
    }
    if (!cap_.empty()) leave_out(j, from, becomes);
    if (track_) {
      to.of_item.resize(from.of_item.size());
      for (std::size_t i = 0; i < to.of_item.size(); ++i) to.of_item[i] = becomes[from.of_item[i]];
    }
    if (most_ > 0) {
      shares_.start(to.count(), most_);
      for (const PricedEntry& entry : from.entries)
        if (becomes[entry.group] != left_out_) enter(to, becomes[entry.group], entry.item, entry.copies);
    }
  }

  /// Leaves out groups that cost too much already, together with all that they may yet become equal with: those that
  /// are equal in the attributes so far. So no group that stays lacks a record.
  void leave_out(std::size_t j, const TupleGroups& from, std::vector<std::uint32_t>& becomes) {
    TupleGroups& to = groups_[j + 1];
    auto& keys = key_[j + 1];
    to.cap.assign(to.count(), 0);
    for (std::size_t g = 0; g < from.count(); ++g) to.cap[becomes[g]] = std::max(to.cap[becomes[g]], from.cap[g]);
    kept_.resize(to.count());
    if (j + 1 == order_.size()) {
      for (std::size_t g = 0; g < to.count(); ++g) kept_[g] = static_cast<double>(to.each[g]) < to.cap[g];
    } else {
      const Key so_far = (Key{1} << shift_[j + 1]) - 1;
      family_.resize(to.count());
      families_.clear(), family_cap_.clear();
      restart(to.count());
      for (std::size_t g = 0; g < to.count(); ++g) {
        family_[g] = find(keys[g] & so_far, families_, [&] { family_cap_.push_back(0); });
        family_cap_[family_[g]] = std::max(family_cap_[family_[g]], to.cap[g]);
      }
      for (std::size_t g = 0; g < to.count(); ++g) kept_[g] = static_cast<double>(to.each[g]) < family_cap_[family_[g]];
    }
    std::uint32_t count = 0;
    number_.assign(to.count(), left_out_);
    for (std::size_t g = 0; g < to.count(); ++g) {
      if (!kept_[g]) continue;
      number_[g] = count;
      to.item[count] = to.item[g], to.size[count] = to.size[g], to.each[count] = to.each[g], to.cap[count] = to.cap[g];
      keys[count++] = keys[g];
    }
    to.item.resize(count), to.size.resize(count), to.each.resize(count), to.cap.resize(count), keys.resize(count);
    for (std::uint32_t& group : becomes) group = number_[group];
  }

  void restart(std::size_t expected) {
    const std::size_t room = std::bit_ceil(2 * expected + 2);
    if (table_.size() < room) table_.assign(room, {}), round_ = 0;
    mask_ = room - 1;
    if (++round_ == 0) table_.assign(table_.size(), {}), round_ = 1;
  }

  std::uint32_t find(Key key, TupleGroups& groups, std::vector<Key>& keys, std::uint32_t item, std::int64_t each) {
    return find(key, keys, [&] { groups.item.push_back(item), groups.size.push_back(0), groups.each.push_back(each); });
  }

  /// The place of a key among those since the last restart; `added` is called where it is new.
  template <class Added>
  std::uint32_t find(Key key, std::vector<Key>& keys, Added added) {
    const std::uint64_t low = static_cast<std::uint64_t>(key), high = static_cast<std::uint64_t>(key >> 64);
    const std::uint64_t hash = low * 0x9e3779b97f4a7c15u ^ high * 0xbf58476d1ce4e5b9u;
    for (std::size_t at = (hash ^ hash >> 32) & mask_;; at = (at + 1) & mask_) {
      Slot& slot = table_[at];
      if (slot.round != round_) {
        slot = {round_, static_cast<std::uint32_t>(keys.size())};
        keys.push_back(key);
        added();
        return slot.group;
      }
      if (keys[slot.group] == key) return slot.group;
    }
  }

  struct Slot {
    std::uint32_t round = 0, group = 0;
  };

  static constexpr std::uint32_t left_out_ = std::numeric_limits<std::uint32_t>::max();
  const Space& space_;
  std::vector<std::size_t> order_;
  Shares shares_;
  std::vector<TupleGroups> groups_;  // by number of attributes that are generalised
  std::vector<std::vector<Key>> key_;
  std::vector<unsigned> shift_;
  bool fits_ = true, track_ = false;
  double lattice_ = 1;
  std::vector<std::vector<BlockLevel>> levels_;
  std::vector<std::uint32_t> first_, dearest_first_;
  std::int64_t most_ = 0;
  std::vector<double> cap_, family_cap_;
  std::vector<Key> families_;
  std::vector<std::uint32_t> family_, number_;
  std::vector<std::uint8_t> kept_;
  std::vector<Slot> table_;
  std::size_t mask_ = 0;
  std::uint32_t round_ = 0;
};

}  // namespace sfumato::local

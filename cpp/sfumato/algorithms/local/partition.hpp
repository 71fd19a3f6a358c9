// The classes of a local recoding, with a journal: what a move changes is kept or taken back as a whole.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "sfumato/algorithms/local/space.hpp"

namespace sfumato::local {

class Partition {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// Some records of an item, and where they are.
  struct Place {
    std::uint32_t slot, copies;
  };

  explicit Partition(const Space& space) : space_(space), places_(space.items()) {
    for (std::size_t a = 0; a < space.attributes(); ++a) holders_.emplace_back(space.shelves(a));
  }

  Cost total() const { return total_; }
  std::span<const std::uint32_t> live() const { return live_; }
  std::int64_t size(std::uint32_t slot) const { return size_[slot]; }
  std::int64_t each(std::uint32_t slot) const { return each_[slot]; }
  std::span<const std::uint32_t> tuple(std::uint32_t slot) const {
    return std::span(tuple_).subspan(slot * space_.attributes(), space_.attributes());
  }
  const Members& members(std::uint32_t slot) const { return members_[slot]; }
  const std::vector<Place>& places(std::uint32_t item) const { return places_[item]; }

  /// A class of records that are nowhere yet; not to be taken back.
  void add(const Members& members) {
    const std::uint32_t slot = open();
    for (const Member& member : members) put(member.item, member.copies, slot);
    settle(slot);
    commit();
  }

  /// A class without records.
  std::uint32_t open() {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(size_.size()));
      size_.push_back(0), each_.push_back(0), members_.emplace_back(), live_at_.push_back(none), marked_.push_back(0);
      tuple_.resize(tuple_.size() + space_.attributes(), 0);
      held_at_.resize(tuple_.size(), 0);
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    opened_.push_back(slot);
    touch(slot);
    return slot;
  }

  void move(std::uint32_t item, std::uint32_t copies, std::uint32_t from, std::uint32_t to) {
    moves_.push_back({item, copies, from, to});
    touch(from), touch(to);
    shift(item, copies, from, to);
  }

  /// The classes that were changed since the last commit.
  std::span<const std::uint32_t> touched() const { return touched_; }

  /// Publishes a changed class at the lowest tuple that covers it.
  void settle(std::uint32_t slot) {
    if (size_[slot] == 0) return;
    const auto own = std::span(tuple_).subspan(slot * space_.attributes(), space_.attributes());
    space_.tighten(members_[slot], own);
    price(slot, space_.each(own));
  }

  /// Publishes a class at a tuple that covers all that is to come.
  void publish(std::uint32_t slot, std::span<const std::uint32_t> tuple) {
    std::ranges::copy(tuple, tuple_.begin() + static_cast<std::ptrdiff_t>(slot * space_.attributes()));
    price(slot, space_.each(tuple));
  }

  void commit() {
    for (const std::uint32_t slot : touched_) {
      marked_[slot] = 0;
      const bool was = live_at_[slot] != none, is = size_[slot] > 0;
      if (was) relist(slot, is);
      if (!was && is) {
        live_at_[slot] = static_cast<std::uint32_t>(live_.size());
        live_.push_back(slot);
        for (std::size_t a = 0; a < space_.attributes(); ++a) list(a, tuple(slot)[a], slot);
      }
      if (was && !is) {
        live_[live_at_[slot]] = live_.back();
        live_at_[live_.back()] = live_at_[slot];
        live_.pop_back();
        live_at_[slot] = none;
      }
      if (!is) free_.push_back(slot);
    }
    forget();
  }

  void rollback() {
    for (auto moved = moves_.rbegin(); moved != moves_.rend(); ++moved)
      shift(moved->item, moved->copies, moved->to, moved->from);
    for (std::size_t i = 0; i < touched_.size(); ++i) {
      const std::uint32_t slot = touched_[i];
      marked_[slot] = 0;
      each_[slot] = old_each_[i];
      std::copy_n(old_.begin() + static_cast<std::ptrdiff_t>(i * space_.attributes()), space_.attributes(),
                  tuple_.begin() + static_cast<std::ptrdiff_t>(slot * space_.attributes()));
    }
    for (const std::uint32_t slot : opened_) free_.push_back(slot);
    if (!touched_.empty()) total_ = old_total_;
    forget();
  }

  /// Calls with every class of the last commit whose tuple covers an item: those published on its path in the attribute
  /// where they are fewest.
  template <class Call>
  void homes(std::uint32_t item, Call call) const {
    std::size_t best = 0, fewest = std::numeric_limits<std::size_t>::max();
    for (std::size_t a = 0; a < space_.attributes(); ++a) {
      const std::uint32_t top = space_.top_shelf(a);
      std::size_t count = holders_[a][top].size();
      for (std::uint32_t s = space_.shelf(a, space_.leaf(a, item)); s != top; s = space_.shelf_above(a, s))
        count += holders_[a][s].size();
      if (count < fewest) best = a, fewest = count;
    }
    for (std::uint32_t s = space_.shelf(best, space_.leaf(best, item));; s = space_.shelf_above(best, s)) {
      for (const std::uint32_t slot : holders_[best][s])
        if (size_[slot] > 0 && space_.covers(tuple(slot), item)) call(slot);
      if (s == space_.top_shelf(best)) break;
    }
  }

 private:
  struct Move {
    std::uint32_t item, copies, from, to;
  };

  void touch(std::uint32_t slot) {
    if (marked_[slot]) return;
    if (touched_.empty()) old_total_ = total_;
    marked_[slot] = 1;
    touched_.push_back(slot);
    old_each_.push_back(each_[slot]);
    const auto own = tuple(slot);
    old_.insert(old_.end(), own.begin(), own.end());
  }

  void forget() { moves_.clear(), touched_.clear(), opened_.clear(), old_each_.clear(), old_.clear(); }

  void price(std::uint32_t slot, std::int64_t each) {
    total_ += Cost{size_[slot]} * (each - each_[slot]);
    each_[slot] = each;
  }

  void shift(std::uint32_t item, std::uint32_t copies, std::uint32_t from, std::uint32_t to) {
    take(item, copies, from);
    put(item, copies, to);
  }

  void take(std::uint32_t item, std::uint32_t copies, std::uint32_t slot) {
    auto& members = members_[slot];
    const auto member = std::ranges::find(members, item, &Member::item);
    if ((member->copies -= copies) == 0) *member = members.back(), members.pop_back();
    auto& places = places_[item];
    const auto place = std::ranges::find(places, slot, &Place::slot);
    if ((place->copies -= copies) == 0) *place = places.back(), places.pop_back();
    size_[slot] -= copies;
    total_ -= Cost{copies} * each_[slot];
  }

  void put(std::uint32_t item, std::uint32_t copies, std::uint32_t slot) {
    auto& places = places_[item];
    const auto place = std::ranges::find(places, slot, &Place::slot);
    if (place == places.end()) {
      places.push_back({slot, copies});
      members_[slot].push_back({item, copies});
    } else {
      place->copies += copies;
      std::ranges::find(members_[slot], item, &Member::item)->copies += copies;
    }
    size_[slot] += copies;
    total_ += Cost{copies} * each_[slot];
  }

  /// Moves a class that was there from its old nodes' lists to its new ones', if it stays.
  void relist(std::uint32_t slot, bool stays) {
    const std::size_t i = static_cast<std::size_t>(std::ranges::find(touched_, slot) - touched_.begin());
    for (std::size_t a = 0; a < space_.attributes(); ++a) {
      const std::uint32_t before = old_[i * space_.attributes() + a], now = tuple(slot)[a];
      if (stays && before == now) continue;
      auto& holders = holders_[a][space_.shelf(a, before)];
      const std::uint32_t at = held_at(a, slot);
      holders[at] = holders.back();
      held_at(a, holders[at]) = at;
      holders.pop_back();
      if (stays) list(a, now, slot);
    }
  }

  void list(std::size_t a, std::uint32_t node, std::uint32_t slot) {
    auto& holders = holders_[a][space_.shelf(a, node)];
    held_at(a, slot) = static_cast<std::uint32_t>(holders.size());
    holders.push_back(slot);
  }

  std::uint32_t& held_at(std::size_t a, std::uint32_t slot) { return held_at_[slot * space_.attributes() + a]; }

  const Space& space_;
  Cost total_ = 0, old_total_ = 0;
  std::vector<std::int64_t> size_, each_;   // by slot
  std::vector<std::uint32_t> tuple_;        // of each slot, one after the other
  std::vector<Members> members_;            // by slot
  std::vector<std::vector<Place>> places_;  // by item
  std::vector<std::uint32_t> live_, live_at_, free_;
  std::vector<std::vector<std::vector<std::uint32_t>>> holders_;  // by attribute and shelf: the classes published there
  std::vector<std::uint32_t> held_at_;                            // by slot and attribute: its place in such a list
  std::vector<Move> moves_;
  std::vector<std::uint32_t> touched_, opened_, old_;
  std::vector<std::int64_t> old_each_;
  std::vector<std::uint8_t> marked_;
};

}  // namespace sfumato::local

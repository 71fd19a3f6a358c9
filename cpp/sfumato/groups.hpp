// Equivalence classes at a lattice node: tuples with equal generalised values get equal class numbers.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "sfumato/narrow.hpp"
#include "sfumato/packing.hpp"
#include "sfumato/tuples.hpp"
#include "sfumato/wide.hpp"

namespace sfumato {

SFUMATO_WIDE inline void put_parts(const std::uint32_t* __restrict code, const std::uint32_t* __restrict table,
                                   std::uint32_t* __restrict key, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) key[i] = table[code[i]];
}

SFUMATO_WIDE inline void put_parts(const std::uint32_t* __restrict code, const std::uint64_t* __restrict table,
                                   std::uint64_t* __restrict key, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) key[i] = table[code[i]];
}

SFUMATO_WIDE inline void add_parts(const std::uint32_t* __restrict code, const std::uint32_t* __restrict table,
                                   std::uint32_t* __restrict key, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) key[i] += table[code[i]];
}

SFUMATO_WIDE inline void add_parts(const std::uint32_t* __restrict code, const std::uint64_t* __restrict table,
                                   std::uint64_t* __restrict key, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) key[i] += table[code[i]];
}

/// Working memory for grouping; one per thread.
class Groups {
 public:
  explicit Groups(const Packing& packing) : packing_(&packing) {}

  /// Numbers the classes at `node` in order of first appearance. With `cells`, different sensitive values stay apart.
  void assign(const Tuples& tuples, NodeView node, bool cells = false) {
    require_at_most(tuples.size(), most_combinations, too_many_combinations);
    parts_.clear();
    std::uint64_t range = 1;
    bool narrow = true;  // all keys fit in 32 bits
    const auto add = [&](Part part) {
      if (part.range <= 1) return;
      if (part.range > std::numeric_limits<std::uint32_t>::max() / range) narrow = false;
      if (narrow) range *= part.range;
      parts_.push_back(part);
    };
    for (std::size_t p = 0; p < packing_->packs().size(); ++p)
      add({packing_->range(packing_->packs()[p], node), &packing_->packs()[p], &tuples.packs[p]});
    if (cells)
      for (const auto& column : tuples.sensitive) add({column.values, nullptr, &column.codes});
    if (narrow)
      number<std::uint32_t>(tuples, node, narrow_);
    else
      number<std::uint64_t>(tuples, node, wide_);
  }

  std::size_t count() const { return count_; }
  std::span<const std::uint32_t> ids() const { return ids_; }                      // per tuple
  std::span<const std::int64_t> sizes() const { return {sizes_.data(), count_}; }  // per class

  /// The tuples that were assigned, one of each class.
  Tuples merged(const Tuples& tuples) const { return tuples.merged(ids(), representatives(), sizes()); }

  /// The same with sensitive values as lanes, if there is room; classes must have been distinguished without them.
  std::optional<Tuples> merged_to_lanes(const Tuples& tuples) const {
    return tuples.merged_to_lanes(ids(), representatives(), sizes());
  }

  /// The first tuple of each class.
  std::vector<std::uint32_t> representatives() const {
    std::vector<std::uint32_t> first(count_);
    for (std::size_t i = ids_.size(); i-- > 0;) first[ids_[i]] = static_cast<std::uint32_t>(i);
    return first;
  }

 private:
  struct Part {
    std::uint64_t range;
    const Packing::Pack* pack;  // none: a sensitive column, taken as it is
    const std::vector<std::uint32_t>* column;
  };

  /// A place for one class: taken in this round if its mark has reached the epoch, then the class is mark - epoch.
  template <class Key>
  struct Slot {
    Key key;
    std::uint32_t mark;
  };

  template <class Key>
  struct Keys {
    std::vector<Key> key;
    std::vector<Key> table;
    std::vector<Slot<Key>> slots;       // hashed
    std::vector<std::uint32_t> direct;  // marks by key
    std::uint32_t epoch = 1, direct_epoch = 1;
  };

  template <class Key>
  void number(const Tuples& tuples, NodeView node, Keys<Key>& keys) {
    const std::size_t n = tuples.size();
    const bool put =
        !parts_.empty() && parts_.front().pack != nullptr;  // the first part, in place of adding it to zeros
    put ? keys.key.resize(n) : keys.key.assign(n, 0);
    std::uint64_t range = 1;
    for (const Part& part : parts_) {
      // Any number of attributes: when the next factor would overflow, the classes so far become the key.
      if (part.range > std::numeric_limits<Key>::max() / range) {
        label(tuples, keys, range);
        std::copy(ids_.begin(), ids_.end(), keys.key.begin());
        range = std::max<std::uint64_t>(count_, 1);
      }
      if (part.pack != nullptr) {
        packing_->fill<Key>(*part.pack, node, static_cast<Key>(range), keys.table);
        if (put && &part == &parts_.front())
          put_parts(part.column->data(), keys.table.data(), keys.key.data(), n);
        else
          add_parts(part.column->data(), keys.table.data(), keys.key.data(), n);
      } else {
        for (std::size_t i = 0; i < n; ++i) keys.key[i] += (*part.column)[i] * static_cast<Key>(range);
      }
      range *= part.range;
    }
    label(tuples, keys, range);
  }

  /// Turns keys below `range` into class numbers, and adds up their records.
  template <class Key>
  void label(const Tuples& tuples, Keys<Key>& keys, std::uint64_t range) {
    const std::size_t n = tuples.size();
    ids_.resize(n);
    sizes_.resize(n + 1);
    const Key* const key = keys.key.data();
    if (range <= direct_limit) {
      renew(keys.direct, keys.direct_epoch, static_cast<std::size_t>(range), n);
      auto* const marks = keys.direct.data();
      const auto home = [=](std::size_t i) { return marks + key[i]; };
      place(tuples, keys.direct_epoch, home, home);
    } else {
      const std::size_t capacity = std::bit_ceil(2 * n + 2);
      renew(keys.slots, keys.epoch, capacity, n);
      auto* const slots = keys.slots.data();
      const int shift = 64 - std::countr_zero(capacity);
      const std::uint32_t epoch = keys.epoch;
      const auto home = [=](std::size_t i) {
        return slots + ((std::uint64_t{key[i]} * 0x9E3779B97F4A7C15ull) >> shift);
      };
      place(tuples, keys.epoch, home, [=](std::size_t i) {
        auto* slot = home(i);
        while (slot->mark >= epoch && slot->key != key[i]) slot = slot + 1 == slots + capacity ? slots : slot + 1;
        slot->key = key[i];
        return &slot->mark;
      });
    }
  }

  /// Gives every tuple the class of its slot, a new one if the slot is free. No branch: whether a class is new is a
  /// coin toss for the predictor. `home` is where a tuple's slot should be: fetched a little ahead, since tables are
  /// large.
  template <class Home, class MarkOf>
  void place(const Tuples& tuples, std::uint32_t& epoch_after, Home home, MarkOf mark_of) {
    constexpr std::size_t ahead = 16;
    const std::size_t n = tuples.size();
    const std::uint32_t epoch = epoch_after;
    const std::int64_t* const records = tuples.counts.data();
    std::uint32_t* const ids = ids_.data();
    std::int64_t* const sizes = sizes_.data();
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (i + ahead < n) __builtin_prefetch(home(i + ahead), 1);
      std::uint32_t* const mark = mark_of(i);
      const bool fresh = *mark < epoch;
      const std::uint32_t id = fresh ? count : *mark - epoch;
      *mark = epoch + id;
      sizes[id] = (fresh ? 0 : sizes[id]) + records[i];
      ids[i] = id;
      count += fresh;
    }
    count_ = count;
    epoch_after = epoch + count;
  }

  /// Frees all slots without touching them, by keeping the marks below the epoch.
  template <class Slots>
  static void renew(Slots& slots, std::uint32_t& epoch, std::size_t capacity, std::size_t n) {
    if (epoch > std::numeric_limits<std::uint32_t>::max() - n - 1) {
      slots.clear();
      epoch = 1;
    }
    if (slots.size() < capacity) slots.resize(capacity);
  }

  static constexpr std::uint64_t direct_limit = 1u << 18;  // above that, a hash table is kinder to the caches

  const Packing* packing_;
  std::vector<Part> parts_;
  Keys<std::uint32_t> narrow_;
  Keys<std::uint64_t> wide_;
  std::vector<std::uint32_t> ids_;
  std::vector<std::int64_t> sizes_;
  std::size_t count_ = 0;
};

}  // namespace sfumato

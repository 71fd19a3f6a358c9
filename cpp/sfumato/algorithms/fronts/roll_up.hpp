// Nested depth-first roll-up of a whole lattice: the classes of every node, each from those of the node below it.
//
// Classes are entries of sorted arrays. An attribute that is the least significant part of the order is raised by
// merging neighbours, in place: its codes are depth-first, so what gets one label stands together. When its levels have
// been visited one by one, a stable counting pass makes it the most significant part, and the next attribute the least:
// no entry is hashed or compared twice. Keys are bit fields, one per attribute, so that raising a value subtracts a
// number.
//
// Attributes of two values are no part of the key but lanes: an entry has a count for every combination of their
// values, and one addition of vectors merges all of them. The last lane bit may be a label, by which classes do not
// differ.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sfumato/frequencies.hpp"
#include "sfumato/narrow.hpp"
#include "sfumato/packing.hpp"

namespace sfumato::fronts {

inline std::size_t bits_for(std::size_t values) { return values > 1 ? std::bit_width(values - 1) : 0; }

/// How many bits a key of the table's quasi-identifiers takes.
inline std::size_t key_bits(const Frequencies& frequencies) {
  std::size_t bits = 0;
  for (std::size_t a = 0; a < frequencies.attributes(); ++a) bits += bits_for(frequencies.hierarchy(a).values());
  return bits;
}

/// What a roll-up is made of: attributes from the outermost to the innermost, and those that are lanes.
struct RollUpPlan {
  std::vector<std::size_t> order;
  std::vector<std::size_t> lanes;                      // lane bits from the lowest; after the label's, if there is one
  const std::vector<std::uint32_t>* labels = nullptr;  // zeros and ones by combination, or none: then lane bit 0

  std::size_t bits() const { return lanes.size() + (labels != nullptr ? 1 : 0); }
};

/// A roll-up, whatever its keys and its lanes are.
class RollUp {
 public:
  using Visit = std::function<bool(const Node&)>;
  using Enter = std::function<bool(const Node&, std::size_t)>;

  virtual ~RollUp() = default;

  /// Calls visit(node) for every node from bottom to top, lanes at the bottom, until that is false. Leaves out what is
  /// not worth it: calls enter(node, fixed) before it goes on to a node and those above it that have the same levels in
  /// the first `fixed` attributes of the order. If all are fixed, false also stands for the higher levels of the
  /// innermost. In the outermost, the most general nodes come first.
  virtual bool walk(const Visit& visit, const Enter& enter) = 0;

  /// Counts of the node's entries, for each as many as there are lanes.
  virtual std::span<const std::uint32_t> counts() const = 0;

  /// Which of its level's nodes an entry has in an attribute that is no lane.
  virtual std::size_t value(std::size_t entry, std::size_t a) const = 0;
};

/// `width`: counts per entry, 2 to the plan's bits.
template <class Key, std::size_t width>
class NestedRollUp final : public RollUp {
 public:
  NestedRollUp(const Frequencies& frequencies, const Node& bottom, const Node& top, RollUpPlan plan)
      : frequencies_(frequencies), bottom_(bottom), top_(top), plan_(std::move(plan)) {
    std::size_t shift = 0;
    for (std::size_t a = 0; a < frequencies.attributes(); ++a) {
      const bool lane = std::ranges::find(plan_.lanes, a) != plan_.lanes.end();
      const std::size_t bits = lane ? 0 : bits_for(frequencies.hierarchy(a).values());
      fields_.push_back({shift, static_cast<std::size_t>((std::uint64_t{1} << bits) - 1)});
      shift += bits;
    }
    arrays_.resize(std::max<std::size_t>(plan_.order.size(), 1));
    load();
    for (std::size_t depth = 1; depth < arrays_.size(); ++depth) arrays_[depth].resize(arrays_[0].count);
  }

  bool walk(const Visit& visit, const Enter& enter) override {
    node_ = bottom_;
    depth_ = 0;
    if (plan_.order.empty()) return !enter(node_, 0) || visit(node_);
    if (plan_.order.size() == 1) return innermost(visit, enter);
    const std::size_t a = plan_.order.front();
    const Entries whole = arrays_.front();
    for (std::uint16_t level = top_[a];; --level) {
      arrays_.front() = whole;
      raise(arrays_.front(), a, bottom_[a], level);
      if (!inwards(0, level, visit, enter)) return false;
      if (level == bottom_[a]) return true;
    }
  }

  std::span<const std::uint32_t> counts() const override {
    const Entries& entries = arrays_[depth_];
    return {reinterpret_cast<const std::uint32_t*>(entries.lanes.data()), entries.count * width};
  }

  std::size_t value(std::size_t entry, std::size_t a) const override {
    return digit(arrays_.back().key[entry], fields_[a]);
  }

 private:
  struct Field {
    std::size_t shift, mask;
  };

  struct Lanes {
    std::uint32_t count[width];
  };

  struct Entries {
    std::vector<Key> key;
    std::vector<Lanes> lanes;
    std::size_t count = 0;

    void resize(std::size_t n) { key.resize(n), lanes.resize(n); }
  };

  static std::size_t digit(Key key, Field field) {
    return field.mask == 0 ? 0 : static_cast<std::size_t>(key >> field.shift) & field.mask;
  }

  std::uint32_t node_of(std::size_t a, std::size_t i) const {
    return frequencies_.hierarchy(a).level(bottom_[a]).node[frequencies_.codes(a)[i]];
  }

  /// The table at the bottom, sorted with the outermost attribute least significant.
  void load() {
    Entries& first = arrays_.front();
    first.resize(frequencies_.size());
    first.count = frequencies_.size();
    for (std::size_t i = 0; i < first.count; ++i) {
      Key key = 0;
      for (std::size_t a = 0; a < fields_.size(); ++a)
        if (fields_[a].mask != 0) key |= static_cast<Key>(node_of(a, i)) << fields_[a].shift;
      std::size_t lane = 0;
      for (std::size_t l = plan_.lanes.size(); l-- > 0;) lane = 2 * lane + node_of(plan_.lanes[l], i);
      if (plan_.labels != nullptr) lane = 2 * lane + (*plan_.labels)[i];
      first.key[i] = key;
      first.lanes[i] = {};
      first.lanes[i].count[lane] = narrow<std::uint32_t>(frequencies_.counts()[i], too_many_records);
    }
    Entries spare;
    spare.resize(first.count);
    const auto pass = [&](std::size_t a) {
      if (fields_[a].mask == 0) return;
      sort_by(first, a, spare);
      std::swap(first, spare);
    };
    for (const std::size_t a : plan_.order) pass(a);
    for (std::size_t a = 0; a < fields_.size(); ++a)  // those that stay as they are
      if (std::ranges::find(plan_.order, a) == plan_.order.end()) pass(a);
    delta_.assign(1, 0);
    merge(first, {0, 0});
  }

  bool descend(std::size_t depth, const Visit& visit, const Enter& enter) {
    if (depth + 1 == plan_.order.size()) return innermost(visit, enter);
    const std::size_t a = plan_.order[depth];
    for (std::uint16_t level = bottom_[a];; ++level) {
      if (level > bottom_[a]) raise(arrays_[depth], a, level - 1u, level);
      if (!inwards(depth, level, visit, enter)) return false;
      if (level == top_[a]) return true;
    }
  }

  /// The nodes with this level of the attribute at this depth, which is no other's any more.
  bool inwards(std::size_t depth, std::uint16_t level, const Visit& visit, const Enter& enter) {
    const std::size_t a = plan_.order[depth];
    node_[a] = level;
    depth_ = depth;
    bool going_on = true;
    if (enter(node_, depth + 1)) {
      sort_by(arrays_[depth], a, arrays_[depth + 1]);
      going_on = descend(depth + 1, visit, enter);
    }
    node_[a] = bottom_[a];
    return going_on;
  }

  bool innermost(const Visit& visit, const Enter& enter) {
    const std::size_t depth = plan_.order.size() - 1, a = plan_.order[depth];
    depth_ = depth;
    bool going_on = true;
    for (std::uint16_t level = bottom_[a]; going_on; ++level) {
      if (level > bottom_[a]) raise(arrays_[depth], a, level - 1u, level);
      node_[a] = level;
      if (!enter(node_, depth + 1)) break;
      going_on = visit(node_);
      if (level == top_[a]) break;
    }
    node_[a] = bottom_[a];
    return going_on;
  }

  /// Generalises an attribute from a level to a higher one; it is the least significant part of the order.
  void raise(Entries& entries, std::size_t a, std::size_t from, std::size_t to) {
    if (fields_[a].mask == 0 || from == to) return;  // one value: nothing merges
    const Level& lower = frequencies_.hierarchy(a).level(from);
    const Level& upper = frequencies_.hierarchy(a).level(to);
    delta_.assign(fields_[a].mask + 1, 0);
    for (std::size_t v = 0; v < lower.node.size(); ++v)
      delta_[lower.node[v]] = static_cast<Key>(lower.node[v] - upper.node[v]) << fields_[a].shift;
    merge(entries, fields_[a]);
  }

  /// No branch: whether two neighbours merge is a coin toss for the predictor.
  void merge(Entries& entries, Field field) const {
    if (entries.count == 0) return;
    Key* const key = entries.key.data();
    Lanes* const lanes = entries.lanes.data();
    const Key* const delta = delta_.data();
    Key last = key[0] - delta[static_cast<std::size_t>(key[0] >> field.shift) & field.mask];
    Lanes sum{};
    std::size_t w = 0;
    for (std::size_t i = 0; i < entries.count; ++i) {
      const Key k = key[i] - delta[static_cast<std::size_t>(key[i] >> field.shift) & field.mask];
      const std::uint32_t same = k == last ? ~0u : 0u;
      w += same + 1;  // one further if they differ
      const Lanes here = lanes[i];
      for (std::size_t l = 0; l < width; ++l) sum.count[l] = (sum.count[l] & same) + here.count[l];
      key[w] = k;
      lanes[w] = sum;
      last = k;
    }
    entries.count = w + 1;
  }

  /// Copies the entries, sorted by an attribute that was the least significant part and becomes the most significant.
  void sort_by(const Entries& from, std::size_t a, Entries& to) {
    const Field field = fields_[a];
    begin_.assign(field.mask + 2, 0);
    for (std::size_t i = 0; i < from.count; ++i) ++begin_[digit(from.key[i], field) + 1];
    for (std::size_t d = 1; d < begin_.size(); ++d) begin_[d] += begin_[d - 1];
    for (std::size_t i = 0; i < from.count; ++i) {
      const std::uint32_t place = begin_[digit(from.key[i], field)]++;
      to.key[place] = from.key[i];
      to.lanes[place] = from.lanes[i];
    }
    to.count = from.count;
  }

  const Frequencies& frequencies_;
  Node bottom_, top_, node_;
  RollUpPlan plan_;
  std::vector<Field> fields_;    // by attribute
  std::vector<Entries> arrays_;  // by depth; each is rolled up in place
  std::vector<Key> delta_;
  std::vector<std::uint32_t> begin_;
  std::size_t depth_ = 0;  // at which the node's entries are
};

/// The roll-up with the shortest keys that there is room for: at most 128 bits, and three lane bits.
inline std::unique_ptr<RollUp> roll_up(const Frequencies& frequencies, const Node& bottom, const Node& top,
                                       const RollUpPlan& plan) {
  const auto with = [&]<class Key>(Key) -> std::unique_ptr<RollUp> {
    switch (plan.bits()) {
      case 0: return std::make_unique<NestedRollUp<Key, 1>>(frequencies, bottom, top, plan);
      case 1: return std::make_unique<NestedRollUp<Key, 2>>(frequencies, bottom, top, plan);
      case 2: return std::make_unique<NestedRollUp<Key, 4>>(frequencies, bottom, top, plan);
      default: return std::make_unique<NestedRollUp<Key, 8>>(frequencies, bottom, top, plan);
    }
  };
  const std::size_t bits = key_bits(frequencies);
  __extension__ using Widest = unsigned __int128;
  if (bits <= 32) return with(std::uint32_t{});
  if (bits <= 64) return with(std::uint64_t{});
  return with(Widest{});
}

}  // namespace sfumato::fronts

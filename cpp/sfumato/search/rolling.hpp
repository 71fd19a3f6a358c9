// Nested depth-first roll-up of a whole lattice: the classes of every node, each from those of the node below it.
//
// Classes are entries of sorted arrays. An attribute that is the least significant part of the order is raised by merging
// neighbours, in place: its codes are depth-first, so what gets one label stands together. When its levels are dealt with
// one by one, a stable counting pass makes it the most significant part, and the next attribute the least: no entry is
// hashed or compared twice. Keys are bit fields, one per attribute, so that raising a value subtracts a number.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sfumato/frequencies.hpp"
#include "sfumato/packing.hpp"

namespace sfumato {

/// The classes of a node: sizes, and how many records of each have the second of two labels, if there are labels.
struct RolledClasses {
  std::span<const std::uint32_t> sizes;
  std::span<const std::uint32_t> labels;
};

inline std::size_t bits_for(std::size_t values) { return values > 1 ? std::bit_width(values - 1) : 0; }

/// How many bits a key of the table's quasi-identifiers takes.
inline std::size_t key_bits(const Frequencies& frequencies) {
  std::size_t bits = 0;
  for (std::size_t a = 0; a < frequencies.attributes(); ++a) bits += bits_for(frequencies.hierarchy(a).values());
  return bits;
}

template <class Key>
class Rolling {
 public:
  /// `order`: the attributes from the outermost to the innermost. labels: a column of zeros and ones, or none.
  Rolling(const Frequencies& frequencies, const Node& bottom, const Node& top, std::vector<std::size_t> order,
          const std::vector<std::uint32_t>* labels)
      : frequencies_(frequencies), bottom_(bottom), top_(top), order_(std::move(order)), labelled_(labels != nullptr) {
    std::size_t shift = 0;
    for (std::size_t a = 0; a < frequencies.attributes(); ++a) {
      const std::size_t bits = bits_for(frequencies.hierarchy(a).values());
      fields_.push_back({shift, static_cast<std::size_t>((std::uint64_t{1} << bits) - 1)});
      shift += bits;
    }
    arrays_.resize(order_.size() + 1);
    for (Entries& entries : arrays_) entries.resize(frequencies.size(), labelled_);
    load(labels);
  }

  /// Calls visit(node) for every node from bottom to top, with `classes` and `key` telling of it, until that is false.
  template <class Visit>
  bool walk(Visit visit) {
    node_ = bottom_;
    return descend(0, visit);
  }

  RolledClasses classes() const {
    const Entries& entries = arrays_[current_];
    return {{entries.size.data(), entries.count}, {entries.label.data(), labelled_ ? entries.count : 0}};
  }

  /// Which of its level's nodes class c has in attribute a.
  std::size_t value(std::size_t c, std::size_t a) const { return digit(arrays_[current_].key[c], fields_[a]); }

 private:
  struct Field {
    std::size_t shift, mask;
  };

  struct Entries {
    std::vector<Key> key;
    std::vector<std::uint32_t> size, label;
    std::size_t count = 0;

    void resize(std::size_t n, bool labelled) { key.resize(n), size.resize(n), label.resize(labelled ? n : 0); }
  };

  static std::size_t digit(Key key, Field field) {
    return field.mask == 0 ? 0 : static_cast<std::size_t>(key >> field.shift) & field.mask;
  }

  /// The table at the bottom, sorted with the outermost attribute least significant.
  void load(const std::vector<std::uint32_t>* labels) {
    Entries& first = arrays_.front();
    first.count = frequencies_.size();
    for (std::size_t i = 0; i < first.count; ++i) {
      Key key = 0;
      for (std::size_t a = 0; a < fields_.size(); ++a)
        if (fields_[a].mask != 0)
          key |= static_cast<Key>(frequencies_.hierarchy(a).level(bottom_[a]).node[frequencies_.codes(a)[i]]) << fields_[a].shift;
      first.key[i] = key;
      first.size[i] = static_cast<std::uint32_t>(frequencies_.counts()[i]);
      if (labelled_) first.label[i] = (*labels)[i] != 0 ? first.size[i] : 0;
    }
    std::vector<std::size_t> rest;  // attributes that stay as they are
    for (std::size_t a = 0; a < fields_.size(); ++a)
      if (std::find(order_.begin(), order_.end(), a) == order_.end()) rest.push_back(a);
    Entries spare;
    spare.resize(first.count, labelled_);
    const auto pass = [&](std::size_t a) {
      sort_by(first, a, spare);
      std::swap(first, spare);
    };
    for (const std::size_t a : order_) pass(a);
    for (const std::size_t a : rest) pass(a);
    delta_.assign(1, 0);
    merge(first, {0, 0});
  }

  template <class Visit>
  bool descend(std::size_t depth, Visit& visit) {
    if (depth == order_.size()) {
      current_ = depth;
      return visit(node_);
    }
    const std::size_t a = order_[depth];
    Entries& entries = arrays_[depth];
    for (std::uint16_t level = bottom_[a];; ++level) {
      if (level > bottom_[a]) raise(entries, a, level);
      node_[a] = level;
      if (depth + 1 == order_.size()) {  // the innermost: nothing is to be sorted any more
        current_ = depth;
        if (!visit(node_)) return false;
      } else {
        sort_by(entries, a, arrays_[depth + 1]);
        if (!descend(depth + 1, visit)) return false;
      }
      if (level == top_[a]) return true;
    }
  }

  /// Generalises an attribute from the level below; it is the least significant part of the order.
  void raise(Entries& entries, std::size_t a, std::size_t level) {
    if (fields_[a].mask == 0) return;  // one value: nothing merges
    const Level& lower = frequencies_.hierarchy(a).level(level - 1);
    const Level& upper = frequencies_.hierarchy(a).level(level);
    delta_.assign(fields_[a].mask + 1, 0);
    for (std::size_t v = 0; v < lower.node.size(); ++v)
      delta_[lower.node[v]] = static_cast<Key>(lower.node[v] - upper.node[v]) << fields_[a].shift;
    merge(entries, fields_[a]);
  }

  void merge(Entries& entries, Field field) {
    if (entries.count == 0) return;
    entries.count = labelled_ ? merged<true>(entries, field) : merged<false>(entries, field);
  }

  /// No branch: whether two neighbours merge is a coin toss for the predictor.
  template <bool labelled>
  std::size_t merged(Entries& entries, Field field) const {
    Key* const key = entries.key.data();
    std::uint32_t* const size = entries.size.data();
    std::uint32_t* const label = entries.label.data();
    const Key* const delta = delta_.data();
    Key last = key[0] - delta[digit(key[0], field)];
    std::uint32_t records = 0, marked = 0;
    std::size_t w = 0;
    for (std::size_t i = 0; i < entries.count; ++i) {
      const Key k = key[i] - delta[static_cast<std::size_t>(key[i] >> field.shift) & field.mask];
      const std::uint32_t same = k == last ? ~0u : 0u;
      w += same + 1;  // one further if they differ
      records = (records & same) + size[i];
      if constexpr (labelled) {
        marked = (marked & same) + label[i];
        label[w] = marked;
      }
      key[w] = k;
      size[w] = records;
      last = k;
    }
    return w + 1;
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
      to.size[place] = from.size[i];
      if (labelled_) to.label[place] = from.label[i];
    }
    to.count = from.count;
  }

  const Frequencies& frequencies_;
  Node bottom_, top_, node_;
  std::vector<std::size_t> order_;
  bool labelled_;
  std::vector<Field> fields_;    // by attribute
  std::vector<Entries> arrays_;  // by depth; each is rolled up in place
  std::size_t current_ = 0;
  std::vector<Key> delta_;
  std::vector<std::uint32_t> begin_;
};

}  // namespace sfumato

// Tuples: records that no cut can tell apart, with their sensitive values counted; those of most records come first.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "sfumato/search/cut_tree.hpp"
#include "sfumato/search/eight.hpp"
#include "sfumato/search/key_table.hpp"

namespace sfumato {

/// So many records of one kind: of one combination of sensitive values and labels.
struct Cell {
  std::uint32_t kind;
  std::uint32_t count;  // more of them take several cells
};

class CutTuples {
 public:
  /// Records of one kind are equal in these columns.
  CutTuples(const Frequencies& frequencies, const CutTree& tree, std::span<const std::size_t> columns) : keys_(frequencies.attributes()) {
    const std::size_t attributes = frequencies.attributes();
    std::vector<std::uint32_t> kind_of = number_kinds(frequencies, columns);
    std::vector<std::uint32_t> tuple_of(frequencies.size());
    std::vector<std::uint32_t> key(attributes);
    std::vector<std::vector<std::uint32_t>> members;
    KeyTable found(attributes);
    for (std::uint32_t i = 0; i < frequencies.size(); ++i) {
      for (std::size_t a = 0; a < attributes; ++a) key[a] = tree.of_value(a, frequencies.codes(a)[i]);
      const auto [id, fresh] = found.place(key);
      if (fresh) members.emplace_back();
      members[id].push_back(i);
    }
    counter_.assign(kinds_, 0);
    for (const std::uint32_t id : by_size(frequencies, members)) {
      keys_.append(found[id]);
      for (const std::uint32_t i : members[id]) {
        count(kind_of[i], frequencies.counts()[i]);
        tuple_of[i] = static_cast<std::uint32_t>(size());
      }
      close();
    }
    pack(tree);
    lay_out(tree);
    if (const auto& units = frequencies.units()) take_units(*units, tuple_of);
  }

  std::size_t size() const { return heads_.size() - 1; }
  std::span<const std::uint32_t> key(std::uint32_t t) const { return keys_[t]; }
  /// The key in one number, if it fits: two tuples are equal in attributes if their codes are in the bits of these.
  bool packed() const { return !codes_.empty(); }
  std::uint64_t code(std::uint32_t t) const { return codes_[t]; }
  std::uint64_t bits(std::size_t a) const { return bits_[a]; }
  std::int64_t records(std::uint32_t t) const { return heads_[t].records; }
  std::span<const Cell> cells(std::uint32_t t) const { return {cells_.data() + heads_[t].cells, heads_[t + 1].cells - heads_[t].cells}; }
  /// The leaves of all tuples in one attribute.
  std::span<const std::uint32_t> leaves(std::size_t a) const { return {leaves_.data() + a * size(), size()}; }

  /// The least and the greatest leaf of these tuples in each attribute.
  void span(std::span<const std::uint32_t> members, std::span<std::uint32_t> low, std::span<std::uint32_t> high) const {
    if (narrow_.empty()) return span_wide(members, low, high);
    for (std::size_t first = 0; first < low.size(); first += Eight::count) {
      Eight lowest = Eight::all(Eight::most), highest;
      for (const std::uint32_t t : members) {
        const Eight leaf = Eight::at(narrow_.data() + t * stride_ + first);
        lowest = least(lowest, leaf);
        highest = greatest(highest, leaf);
      }
      std::int16_t from[Eight::count], to[Eight::count];
      lowest.put(from);
      highest.put(to);
      for (std::size_t i = 0; i < Eight::count && first + i < low.size(); ++i) {
        low[first + i] = static_cast<std::uint32_t>(from[i]);
        high[first + i] = static_cast<std::uint32_t>(to[i]);
      }
    }
  }
  std::size_t kinds() const { return kinds_; }
  /// Whether there are so few that all of them are looked at sooner than those that occur are remembered.
  bool few() const { return few_; }
  /// The value that records of a kind have in a sensitive column.
  std::uint32_t value(std::uint32_t kind, std::size_t column) const { return values_[kind * columns_ + column]; }

  bool has_units() const { return !own_.empty(); }
  std::int64_t own_units(std::uint32_t t) const { return own_[t]; }
  std::span<const std::uint32_t> shared_units(std::uint32_t t) const { return shared_[t]; }
  std::size_t most_units() const { return units_; }

  std::size_t bytes() const {
    return keys_.bytes() + cells_.capacity() * sizeof(Cell) + heads_.capacity() * sizeof(Head) + leaves_.capacity() * sizeof(std::uint32_t) +
           narrow_.capacity() * sizeof(std::int16_t) + codes_.capacity() * sizeof(std::uint64_t);
  }

 private:
  struct Head {
    std::size_t cells = 0;
    std::int64_t records = 0;
  };

  static std::vector<std::uint32_t> by_size(const Frequencies& frequencies, const std::vector<std::vector<std::uint32_t>>& members) {
    std::vector<std::int64_t> size(members.size(), 0);
    std::vector<std::uint32_t> order(members.size());
    for (std::uint32_t id = 0; id < members.size(); ++id) {
      for (const std::uint32_t i : members[id]) size[id] += frequencies.counts()[i];
      order[id] = id;
    }
    std::ranges::stable_sort(order, [&](std::uint32_t one, std::uint32_t other) { return size[one] > size[other]; });
    return order;
  }

  /// Kinds are all combinations of the columns' values if these are few, else those that occur.
  std::vector<std::uint32_t> number_kinds(const Frequencies& frequencies, std::span<const std::size_t> columns) {
    columns_ = frequencies.sensitive().size();
    std::vector<std::uint32_t> kind_of(frequencies.size(), 0);
    kinds_ = 1;
    for (const std::size_t s : columns) kinds_ = std::min<std::size_t>(kinds_ * frequencies.sensitive()[s].values, few_kinds + 1);
    few_ = kinds_ <= few_kinds;
    if (!few_) return number_occurring(frequencies, columns);
    std::uint32_t stride = 1;
    values_.assign(kinds_ * columns_, 0);
    for (const std::size_t s : columns) {
      const SensitiveColumn& column = frequencies.sensitive()[s];
      for (std::size_t i = 0; i < frequencies.size(); ++i) kind_of[i] += stride * column.codes[i];
      for (std::uint32_t kind = 0; kind < kinds_; ++kind) values_[kind * columns_ + s] = kind / stride % column.values;
      stride *= column.values;
    }
    return kind_of;
  }

  std::vector<std::uint32_t> number_occurring(const Frequencies& frequencies, std::span<const std::size_t> columns) {
    std::map<std::vector<std::uint32_t>, std::uint32_t> known;
    std::vector<std::uint32_t> kind_of(frequencies.size()), values(columns_, 0);
    kinds_ = 0;
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
      for (const std::size_t s : columns) values[s] = frequencies.sensitive()[s].codes[i];
      const auto [place, fresh] = known.try_emplace(values, static_cast<std::uint32_t>(kinds_));
      if (fresh) {
        values_.insert(values_.end(), values.begin(), values.end());
        ++kinds_;
      }
      kind_of[i] = place->second;
    }
    return kind_of;
  }

  void count(std::uint32_t kind, std::int64_t records) {
    if (counter_[kind] == 0) touched_.push_back(kind);
    counter_[kind] += records;
  }

  /// What was counted becomes a tuple.
  void close() {
    std::int64_t size = 0;
    for (const std::uint32_t kind : touched_) {
      size += counter_[kind];
      for (std::int64_t rest = counter_[kind]; rest > 0; rest -= cells_.back().count)
        cells_.push_back({kind, static_cast<std::uint32_t>(std::min<std::int64_t>(rest, UINT32_MAX))});
      counter_[kind] = 0;
    }
    touched_.clear();
    heads_.back().records = size;
    heads_.push_back({cells_.size(), 0});
  }

  void span_wide(std::span<const std::uint32_t> members, std::span<std::uint32_t> low, std::span<std::uint32_t> high) const {
    std::ranges::copy(key(members.front()), low.begin());
    std::ranges::copy(key(members.front()), high.begin());
    for (const std::uint32_t t : members.subspan(1)) {
      const auto leaf = key(t);
      for (std::size_t a = 0; a < leaf.size(); ++a) low[a] = std::min(low[a], leaf[a]);
      for (std::size_t a = 0; a < leaf.size(); ++a) high[a] = std::max(high[a], leaf[a]);
    }
  }

  void lay_out(const CutTree& tree) {
    const std::size_t attributes = tree.attributes();
    leaves_.resize(attributes * size());
    for (std::uint32_t t = 0; t < size(); ++t)
      for (std::size_t a = 0; a < attributes; ++a) leaves_[a * size() + t] = key(t)[a];
    if (tree.size() > Eight::most) return;
    stride_ = (attributes + Eight::count - 1) / Eight::count * Eight::count;
    narrow_.assign(stride_ * size(), 0);
    for (std::uint32_t t = 0; t < size(); ++t)
      for (std::size_t a = 0; a < attributes; ++a) narrow_[t * stride_ + a] = static_cast<std::int16_t>(key(t)[a]);
  }

  void pack(const CutTree& tree) {
    int shift = 0;
    std::vector<int> shifts;
    for (std::size_t a = 0; a < tree.attributes(); ++a) {
      const int width = std::bit_width(tree.first(a + 1) - tree.first(a));
      shifts.push_back(shift);
      shift += width;
      if (shift > 64) return;
      bits_.push_back((~std::uint64_t{0} >> (64 - width)) << shifts[a]);
    }
    codes_.assign(size(), 0);
    for (std::uint32_t t = 0; t < size(); ++t)
      for (std::size_t a = 0; a < tree.attributes(); ++a) codes_[t] |= std::uint64_t{key(t)[a] - tree.first(a)} << shifts[a];
  }

  void take_units(const Units& units, std::span<const std::uint32_t> tuple_of) {
    const Units moved = units.moved(tuple_of, size());
    own_ = moved.own();
    shared_.resize(size());
    units_ = moved.shared();
    for (std::uint32_t u = 0; u < moved.shared(); ++u)
      for (const std::uint32_t t : moved.places(u)) shared_[t].push_back(u);
  }

  KeyTable keys_;
  static constexpr std::size_t few_kinds = 64;
  std::size_t kinds_ = 0, columns_ = 0;
  bool few_ = false;
  std::vector<std::uint32_t> values_;  // by kind and column
  std::vector<std::uint64_t> codes_, bits_;
  std::vector<Cell> cells_;
  std::vector<Head> heads_{{}};  // the last one ends the cells
  std::vector<std::int64_t> counter_;
  std::vector<std::uint32_t> leaves_;  // by attribute and tuple
  std::vector<std::int16_t> narrow_;   // by tuple and attribute, if all nodes are narrow; tuples lie `stride_` apart
  std::size_t stride_ = 0;
  std::vector<std::uint32_t> touched_;
  std::vector<std::int64_t> own_;  // units; none if every record is one
  std::vector<std::vector<std::uint32_t>> shared_;
  std::size_t units_ = 0;
};

}  // namespace sfumato

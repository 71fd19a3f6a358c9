// Tuples: records that no cut can tell apart, with their sensitive values counted; those of most records come first.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
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

/// Calls `take` with each place and tuple of a class, and `fetch` with tuples that come a little later: what is known of a tuple
/// lies anywhere in memory, and is asked for before it is needed.
template <class Fetch, class Take>
void each_fetched(std::span<const std::uint32_t> members, const Fetch& fetch, const Take& take) {
  constexpr std::size_t later = 16;
  std::size_t i = 0;
  for (; i + later < members.size(); ++i) {
    fetch(members[i + later]);
    take(i, members[i]);
  }
  for (; i < members.size(); ++i) take(i, members[i]);
}

/// Asks for memory that is read soon.
inline void fetch_soon([[maybe_unused]] const void* at) {
#ifdef __GNUC__
  __builtin_prefetch(at);
#endif
}

class CutTuples {
 public:
  /// Records of one kind are equal in these columns.
  CutTuples(const Frequencies& frequencies, const CutTree& tree, std::span<const std::size_t> columns) : keys_(frequencies.attributes()) {
    const std::size_t attributes = frequencies.attributes();
    const std::vector<std::uint32_t> kind_of = number_kinds(frequencies, columns);
    std::vector<std::uint32_t> key_of(frequencies.size()), tuple_of(frequencies.size()), key(attributes);
    KeyTable found(attributes);
    for (std::uint32_t i = 0; i < frequencies.size(); ++i) {
      for (std::size_t a = 0; a < attributes; ++a) key[a] = tree.of_value(a, frequencies.codes(a)[i]);
      key_of[i] = found.place(key).first;
    }
    gather(found, key_of, [&](std::uint32_t i) { return frequencies.counts()[i]; }, [&](std::uint32_t i) {
      count(kind_of[i], frequencies.counts()[i]);
      tuple_of[i] = static_cast<std::uint32_t>(size());
    });
    pack(tree);
    lay_out(tree);
    if (const auto& units = frequencies.units()) take_units(*units, tuple_of);
  }

  /// Tuples of a tree of fewer leaves: those that it no longer tells apart are one. (Of records that are all units.)
  CutTuples(const CutTuples& finer, const CutTree& tree)
      : keys_(tree.attributes()), kinds_(finer.kinds_), columns_(finer.columns_), few_(finer.few_), values_(finer.values_) {
    std::vector<std::uint32_t> key_of(finer.size());
    KeyTable found(tree.attributes());
    std::vector<std::uint32_t> key(tree.attributes());
    for (std::uint32_t t = 0; t < finer.size(); ++t) {
      for (std::size_t a = 0; a < key.size(); ++a) key[a] = tree.lowest(finer.keys_[t][a]);
      key_of[t] = found.place(key).first;
    }
    gather(found, key_of, [&](std::uint32_t t) { return finer.records(t); }, [&](std::uint32_t t) {
      for (const Cell& cell : finer.cells(t)) count(cell.kind, cell.count);
    });
    pack(tree);
    lay_out(tree);
  }

  /// Whether about half of them or fewer are left without these attributes, by a sixteenth of all keys that would be left.
  bool merge(std::span<const std::size_t> attributes) const {
    if (!packed()) return false;
    std::uint64_t mask = ~std::uint64_t{0};
    for (const std::size_t a : attributes) mask &= ~bits_[a];
    std::vector<std::uint64_t> some;
    for (const std::uint64_t code : codes_)
      if (const std::uint64_t hash = (code & mask) * 0x9E3779B97F4A7C15ull; hash >> 60 == 0) some.push_back(hash);
    const std::size_t all = some.size();
    std::ranges::sort(some);
    return 2 * static_cast<std::size_t>(std::unique(some.begin(), some.end()) - some.begin()) <= all;
  }

  std::size_t size() const { return heads_.size(); }
  std::span<const std::uint32_t> key(std::uint32_t t) const { return keys_[t]; }
  /// The key in one number, if it fits: two tuples are equal in attributes if their codes are in the bits of these.
  bool packed() const { return !codes_.empty(); }
  std::uint64_t code(std::uint32_t t) const { return codes_[t]; }
  std::uint64_t bits(std::size_t a) const { return bits_[a]; }
  std::int64_t records(std::uint32_t t) const { return heads_[t].records; }
  std::span<const Cell> cells(std::uint32_t t) const {
    const Head& head = heads_[t];
    return head.count == 1 ? std::span(&head.only, 1) : std::span(cells_.data() + head.cells, head.count);
  }
  void fetch_cells(std::uint32_t t) const { fetch_soon(heads_.data() + t); }
  void fetch_code(std::uint32_t t) const { fetch_soon(codes_.data() + t); }
  /// The leaves of all tuples in one attribute.
  std::span<const std::uint32_t> leaves(std::size_t a) const { return {leaves_.data() + a * size(), size()}; }

  /// The least and the greatest leaf of these tuples in each attribute.
  void span(std::span<const std::uint32_t> members, std::span<std::uint32_t> low, std::span<std::uint32_t> high) const {
    if (narrow_.empty()) return span_wide(members, low, high);
    for (std::size_t first = 0; first < low.size(); first += Eight::count) {
      Eight lowest = Eight::all(Eight::most), highest;
      each_fetched(members, [&](std::uint32_t t) { fetch_soon(narrow_.data() + t * stride_ + first); }, [&](std::size_t, std::uint32_t t) {
        const Eight leaf = Eight::at(narrow_.data() + t * stride_ + first);
        lowest = least(lowest, leaf);
        highest = greatest(highest, leaf);
      });
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
    std::size_t cells;
    std::int64_t records;
    std::size_t count;  // of cells
    Cell only;          // if it is one
  };

  /// Keys in the order of their nodes in one attribute, else as they were.
  static void sort_by(const KeyTable& found, std::size_t a, std::vector<std::uint32_t>& order) {
    std::vector<std::uint32_t> begin, sorted(order.size());
    for (const std::uint32_t id : order) {
      const std::size_t node = found[id][a];
      if (begin.size() < node + 2) begin.resize(node + 2, 0);
      ++begin[node + 1];
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    for (const std::uint32_t id : order) sorted[begin[found[id][a]]++] = id;
    order.swap(sorted);
  }

  /// Makes a tuple of all rows that have one key, those of most records first, and among these neighbours side by side, as they
  /// are in most classes. `take` counts a row.
  template <class Records, class Take>
  void gather(const KeyTable& found, std::span<const std::uint32_t> key_of, const Records& records, const Take& take) {
    std::vector<std::int64_t> size(found.size(), 0);
    std::vector<std::uint32_t> end(found.size() + 1, 0), order(found.size()), rows(key_of.size());
    for (std::uint32_t i = 0; i < key_of.size(); ++i) {
      size[key_of[i]] += records(i);
      ++end[key_of[i] + 1];
    }
    std::partial_sum(end.begin(), end.end(), end.begin());
    for (std::uint32_t i = 0; i < key_of.size(); ++i) rows[end[key_of[i]]++] = i;
    std::iota(order.begin(), order.end(), 0u);
    for (std::size_t a = keys_.width(); a-- > 0;) sort_by(found, a, order);
    std::ranges::stable_sort(order, [&](std::uint32_t one, std::uint32_t other) { return size[one] > size[other]; });
    counter_.assign(kinds_, 0);
    heads_.reserve(found.size());
    for (const std::uint32_t id : order) {
      keys_.append(found[id]);
      for (std::uint32_t at = id == 0 ? 0 : end[id - 1]; at < end[id]; ++at) take(rows[at]);
      close();
    }
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
    const std::size_t first = cells_.size();
    for (const std::uint32_t kind : touched_) {
      size += counter_[kind];
      for (std::int64_t rest = counter_[kind]; rest > 0; rest -= cells_.back().count)
        cells_.push_back({kind, static_cast<std::uint32_t>(std::min<std::int64_t>(rest, UINT32_MAX))});
      counter_[kind] = 0;
    }
    touched_.clear();
    heads_.push_back({first, size, cells_.size() - first, cells_.back()});
    if (heads_.back().count == 1) cells_.pop_back();
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
  std::vector<Head> heads_;
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

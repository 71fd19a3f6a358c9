// Tuples: records that no cut can separate, with their sensitive values counted; those of most records come first.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include "sfumato/algorithms/cuts/int16x8.hpp"
#include "sfumato/algorithms/cuts/kinds.hpp"
#include "sfumato/algorithms/cuts/prefetch.hpp"
#include "sfumato/algorithms/cuts/tree.hpp"
#include "sfumato/narrow.hpp"

namespace sfumato::cuts {

class Tuples {
 public:
  /// Records of one kind are equal in these columns.
  Tuples(const Frequencies& frequencies, const Tree& tree, std::span<const std::size_t> columns) {
    const std::vector<std::uint32_t> kind_of = kinds_.number(frequencies, columns);
    std::vector<std::uint32_t> tuple_of(frequencies.size());
    Nodes nodes(tree.attributes(), std::vector<std::uint32_t>(frequencies.size()));
    for (std::size_t a = 0; a < nodes.size(); ++a)
      std::ranges::transform(frequencies.codes(a), nodes[a].begin(),
                             [&](std::uint32_t code) { return tree.of_value(a, code); });
    gather(
        tree, nodes, frequencies.size(), [&](std::uint32_t i) { return frequencies.counts()[i]; }, [](std::uint32_t) {},
        [&](std::uint32_t i) {
          count(kind_of[i], frequencies.counts()[i]);
          tuple_of[i] = static_cast<std::uint32_t>(size());
        });
    if (const auto& units = frequencies.units()) take_units(*units, tuple_of);
  }

  /// Tuples of a tree of fewer leaves: those that it no longer distinguishes are one. (Of records that are all units.)
  Tuples(const Tuples& finer, const Tree& tree) : kinds_(finer.kinds_) {
    Nodes nodes(tree.attributes(), std::vector<std::uint32_t>(finer.size()));
    for (std::size_t a = 0; a < nodes.size(); ++a)
      for (std::uint32_t t = 0; t < finer.size(); ++t) nodes[a][t] = tree.lowest(finer.leaf(t, a));
    gather(
        tree, nodes, finer.size(), [&](std::uint32_t t) { return finer.records(t); },
        [&](std::uint32_t t) { finer.prefetch(t); },
        [&](std::uint32_t t) {
          for (const KindCount& cell : finer.kind_counts(t)) count(cell.kind, cell.count);
        });
  }

  /// Whether about half of them or fewer are left without these attributes, by a sixteenth of all keys that would be
  /// left.
  bool merge(std::span<const std::size_t> attributes) const {
    if (!packed()) return false;
    std::uint64_t mask = ~std::uint64_t{0};
    for (const std::size_t a : attributes) mask &= ~bits_[a];
    std::vector<std::uint64_t> some;
    for (const Head& head : heads_)
      if (const std::uint64_t hash = (head.code & mask) * 0x9E3779B97F4A7C15ull; hash >> 60 == 0) some.push_back(hash);
    const std::size_t all = some.size();
    std::ranges::sort(some);
    return 2 * static_cast<std::size_t>(std::unique(some.begin(), some.end()) - some.begin()) <= all;
  }

  /// About how many are left in a tree of fewer leaves, by a sixteenth of their keys.
  std::size_t left(const Tree& tree) const {
    std::vector<std::uint64_t> some;
    for (std::uint32_t t = 0; t < size(); ++t) {
      std::uint64_t hash = 0;
      for (std::size_t a = 0; a < width_; ++a)
        hash = (hash ^ tree.lowest(leaf(t, a))) * 0x9E3779B97F4A7C15ull, hash ^= hash >> 32;
      if (hash % 16 == 0) some.push_back(hash);
    }
    std::ranges::sort(some);
    return 16 * static_cast<std::size_t>(std::unique(some.begin(), some.end()) - some.begin());
  }

  std::size_t size() const { return heads_.size(); }
  std::span<const std::uint32_t> key(std::uint32_t t) const { return {keys_.data() + t * width_, width_}; }
  /// The key in one number, if it fits: two tuples are equal in attributes if their codes are in the bits of these.
  bool packed() const { return !bits_.empty(); }
  std::uint64_t code(std::uint32_t t) const { return heads_[t].code; }
  std::uint64_t bits(std::size_t a) const { return bits_[a]; }
  std::int64_t records(std::uint32_t t) const {
    const KindCount& only = heads_[t].only;
    return only.count != UINT32_MAX || only.kind < many ? only.count : all_records(t);
  }
  std::span<const KindCount> kind_counts(std::uint32_t t) const {
    const KindCount& only = heads_[t].only;
    if (only.kind < many) return {&only, 1};
    const KindCount* const first = kind_counts_.data() + (only.kind - many);
    return {first + 1, first->kind};
  }
  /// What is read of a tuple first, and when that is there, its counts by kind.
  void prefetch(std::uint32_t t) const { prefetch_line(heads_.data() + t); }
  void prefetch_kind_counts(std::uint32_t t) const {
    if (heads_[t].only.kind >= many) prefetch_line(kind_counts_.data() + (heads_[t].only.kind - many));
  }
  /// The leaf of a tuple in one attribute.
  std::uint32_t leaf(std::uint32_t t, std::size_t a) const {
    return narrow_stride_ == 0 ? keys_[t * width_ + a] : static_cast<std::uint32_t>(narrow(t)[a]);
  }

  /// The least and the greatest leaf of these tuples in each attribute.
  void span(std::span<const std::uint32_t> members, std::span<std::uint32_t> low, std::span<std::uint32_t> high) const {
    if (narrow_stride_ == 0) return span_wide(members, low, high);
    for (std::size_t first = 0; first < low.size(); first += Int16x8::lanes) {
      Int16x8 lowest = Int16x8::broadcast(Int16x8::max), highest;
      each_prefetched(
          members, [&](std::uint32_t t) { prefetch_line(narrow(t) + first); },
          [&](std::size_t, std::uint32_t t) {
            const Int16x8 leaf = Int16x8::load(narrow(t) + first);
            lowest = lesser(lowest, leaf);
            highest = greater(highest, leaf);
          });
      std::int16_t from[Int16x8::lanes], to[Int16x8::lanes];
      lowest.store(from);
      highest.store(to);
      for (std::size_t i = 0; i < Int16x8::lanes && first + i < low.size(); ++i) {
        low[first + i] = static_cast<std::uint32_t>(from[i]);
        high[first + i] = static_cast<std::uint32_t>(to[i]);
      }
    }
  }
  std::size_t kinds() const { return kinds_.size(); }
  bool few_kinds() const { return kinds_.few(); }
  /// The value that records of a kind have in a sensitive column.
  std::uint32_t value(std::uint32_t kind, std::size_t column) const { return kinds_.value(kind, column); }

  bool has_units() const { return !own_.empty(); }
  std::int64_t own_units(std::uint32_t t) const { return own_[t]; }
  std::span<const std::uint32_t> shared_units(std::uint32_t t) const { return shared_[t]; }
  std::size_t most_units() const { return units_; }

  std::size_t bytes() const {
    return kind_counts_.capacity() * sizeof(KindCount) + heads_.capacity() * sizeof(Head) +
           keys_.capacity() * sizeof(std::uint32_t) + narrow_.capacity() * sizeof(std::int16_t);
  }

 private:
  /// What is read of a tuple first; two of them are in one cache line.
  struct alignas(32) Head {
    std::int16_t leaf[Int16x8::lanes];  // if all nodes are narrow, and attributes so few
    std::uint64_t code;                 // if the key fits
    KindCount only;  // if there is one; else the place of the cells, from `many` on, and how many records they are
  };
  static constexpr std::uint32_t many = 1u << 31;

  using Nodes = std::vector<std::vector<std::uint32_t>>;  // by attribute and row

  /// A row, and a number that rows of the same nodes have in common.
  struct Coded {
    std::uint64_t code;
    std::uint32_t row;
  };

  /// So many rows in the order of their nodes, by the first attribute first.
  std::vector<Coded> in_order(const Tree& tree, const Nodes& nodes, std::size_t number) {
    std::vector<Coded> rows(number);
    for (std::uint32_t i = 0; i < number; ++i) rows[i] = {0, i};
    if (!share_bits(tree)) return in_wide_order(nodes, std::move(rows));
    for (std::size_t a = 0; a < nodes.size(); ++a)
      for (std::size_t i = 0; i < number; ++i)
        rows[i].code |= std::uint64_t{nodes[a][i] - tree.first(a)} << std::countr_zero(bits_[a]);
    if (!std::ranges::is_sorted(rows, {}, &Coded::code)) sort(rows);  // most tables come in order
    return rows;
  }

  /// Attributes that come first have the higher bits; false if there are too few.
  bool share_bits(const Tree& tree) {
    int shift = 0;
    bits_.assign(tree.attributes(), 0);
    for (std::size_t a = tree.attributes(); a-- > 0;) {
      const int width = std::bit_width(tree.first(a + 1) - tree.first(a));
      if (shift + width > 64) return bits_.clear(), false;
      bits_[a] = (~std::uint64_t{0} >> (64 - width)) << shift;
      shift += width;
    }
    return true;
  }

  /// By some bits after the other, the lowest first.
  static void sort(std::vector<Coded>& rows) {
    constexpr int width = 11;
    constexpr std::uint64_t mask = (1u << width) - 1;
    std::uint64_t used = 0;
    for (const Coded& row : rows) used |= row.code;
    std::vector<Coded> sorted(rows.size());
    for (int shift = 0; shift < 64 && used >> shift != 0; shift += width) {
      std::vector<std::uint32_t> begin(mask + 2, 0);
      for (const Coded& row : rows) ++begin[(row.code >> shift & mask) + 1];
      std::partial_sum(begin.begin(), begin.end(), begin.begin());
      for (const Coded& row : rows) sorted[begin[row.code >> shift & mask]++] = row;
      rows.swap(sorted);
    }
  }

  /// The same where the nodes of a row are no one number: they are counted instead.
  static std::vector<Coded> in_wide_order(const Nodes& nodes, std::vector<Coded> rows) {
    const auto before = [&](const Coded& one, const Coded& other) {
      for (const auto& node : nodes)
        if (node[one.row] != node[other.row]) return node[one.row] < node[other.row];
      return false;
    };
    std::ranges::stable_sort(rows, before);
    for (std::size_t i = 1; i < rows.size(); ++i)
      rows[i].code = rows[i - 1].code + (before(rows[i - 1], rows[i]) ? 1 : 0);
    return rows;
  }

  /// The places of the sizes, greatest first, equal ones as they are. Most are small, and counted.
  static std::vector<std::uint32_t> falling(std::span<const std::int64_t> sizes) {
    constexpr std::int64_t large = 1024;
    const auto slot = [](std::int64_t size) {
      return static_cast<std::size_t>(std::max<std::int64_t>(large - size, 0));
    };
    std::vector<std::uint32_t> begin(large + 2, 0), order(sizes.size());
    for (const std::int64_t size : sizes) ++begin[slot(size) + 1];
    const auto many = static_cast<std::ptrdiff_t>(begin[1]);
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    for (std::uint32_t i = 0; i < sizes.size(); ++i) order[begin[slot(sizes[i])]++] = i;
    std::stable_sort(order.begin(), order.begin() + many,
                     [&](std::uint32_t i, std::uint32_t j) { return sizes[i] > sizes[j]; });
    return order;
  }

  /// Makes a tuple of all of so many rows that have the same nodes, those of most records first, and among these
  /// neighbours side by side, as they are in most classes. `take` counts a row, which `prefetch` has requested.
  template <class Records, class Fetch, class Take>
  void gather(const Tree& tree, const Nodes& nodes, std::size_t number, const Records& records, const Fetch& prefetch,
              const Take& take) {
    constexpr std::size_t later = 16;
    const std::vector<Coded> rows = in_order(tree, nodes, number);
    std::vector<std::uint32_t> begin, first;
    std::vector<std::int64_t> sizes;
    for (std::uint32_t at = 0; at < rows.size(); ++at) {
      if (at + later < rows.size()) prefetch(rows[at + later].row);
      if (at == 0 || rows[at - 1].code != rows[at].code) {
        begin.push_back(at);
        sizes.push_back(0);
      }
      sizes.back() += records(rows[at].row);
    }
    begin.push_back(static_cast<std::uint32_t>(rows.size()));
    counter_.assign(kinds(), 0);
    heads_.reserve(sizes.size());
    first.reserve(sizes.size());
    for (const std::uint32_t i : falling(sizes)) {
      first.push_back(rows[begin[i]].row);
      for (std::uint32_t at = begin[i]; at < begin[i + 1]; ++at) {
        if (at + later < rows.size()) prefetch(rows[at + later].row);  // tuples of one size follow each other
        take(rows[at].row);
      }
      close(rows[begin[i]].code);
    }
    lay_out(tree, nodes, first);
  }

  void count(std::uint32_t kind, std::int64_t records) {
    if (counter_[kind] == 0) touched_.push_back(kind);
    counter_[kind] += records;
  }

  /// What was counted becomes a tuple.
  void close(std::uint64_t code) {
    std::int64_t size = 0;
    const std::size_t first = kind_counts_.size();
    kind_counts_.emplace_back();  // it says how many follow
    for (const std::uint32_t kind : touched_) {
      size += counter_[kind];
      for (std::int64_t rest = counter_[kind]; rest > 0; rest -= kind_counts_.back().count)
        kind_counts_.push_back({kind, static_cast<std::uint32_t>(std::min<std::int64_t>(rest, UINT32_MAX))});
      counter_[kind] = 0;
    }
    touched_.clear();
    const std::size_t count = kind_counts_.size() - first - 1;
    if (std::max<std::size_t>(kind_counts_.size(), kinds()) >= many)
      throw OutOfRange("More than 2,147,483,647 different records are too many for cuts; use coarser starting levels.");
    if (count == 1) {
      heads_.push_back({{}, code, kind_counts_.back()});
      return kind_counts_.resize(first);
    }
    kind_counts_[first].kind = static_cast<std::uint32_t>(count);
    heads_.push_back({{},
                      code,
                      {many + static_cast<std::uint32_t>(first),
                       static_cast<std::uint32_t>(std::min<std::int64_t>(size, UINT32_MAX))}});
  }

  /// The records of a tuple, if they are more than its head can say.
  std::int64_t all_records(std::uint32_t t) const {
    std::int64_t size = 0;
    for (const KindCount& cell : kind_counts(t)) size += cell.count;
    return size;
  }

  const std::int16_t* narrow(std::uint32_t t) const {
    return narrow_stride_ == Int16x8::lanes ? heads_[t].leaf : narrow_.data() + t * narrow_stride_;
  }

  void span_wide(std::span<const std::uint32_t> members, std::span<std::uint32_t> low,
                 std::span<std::uint32_t> high) const {
    std::ranges::copy(key(members.front()), low.begin());
    std::ranges::copy(key(members.front()), high.begin());
    for (const std::uint32_t t : members.subspan(1)) {
      const auto leaf = key(t);
      for (std::size_t a = 0; a < leaf.size(); ++a) low[a] = std::min(low[a], leaf[a]);
      for (std::size_t a = 0; a < leaf.size(); ++a) high[a] = std::max(high[a], leaf[a]);
    }
  }

  /// `first`: a row of each tuple.
  void lay_out(const Tree& tree, const Nodes& nodes, std::span<const std::uint32_t> first) {
    width_ = nodes.size();
    keys_.resize(width_ * size());
    const bool small = tree.size() <= Int16x8::max;
    narrow_stride_ = small ? (width_ + Int16x8::lanes - 1) / Int16x8::lanes * Int16x8::lanes : 0;
    const bool beside = narrow_stride_ == Int16x8::lanes;
    if (!beside) narrow_.assign(narrow_stride_ * size(), 0);
    for (std::size_t a = 0; a < width_; ++a)
      for (std::size_t t = 0; t < size(); ++t) {
        const std::uint32_t node =
            packed() ? tree.first(a) + static_cast<std::uint32_t>((code(static_cast<std::uint32_t>(t)) & bits_[a]) >>
                                                                  std::countr_zero(bits_[a]))
                     : nodes[a][first[t]];
        keys_[t * width_ + a] = node;
        if (small) (beside ? heads_[t].leaf : narrow_.data() + t * narrow_stride_)[a] = static_cast<std::int16_t>(node);
      }
  }

  void take_units(const Units& units, std::span<const std::uint32_t> tuple_of) {
    const Units moved = units.moved(tuple_of, size());
    own_ = moved.own();
    shared_.resize(size());
    units_ = moved.shared();
    for (std::uint32_t u = 0; u < moved.shared(); ++u)
      for (const std::uint32_t t : moved.places(u)) shared_[t].push_back(u);
  }

  Kinds kinds_;
  std::vector<std::uint64_t> bits_;
  std::vector<KindCount> kind_counts_;
  std::vector<Head> heads_;
  std::vector<std::int64_t> counter_;
  std::vector<std::uint32_t> keys_;   // by tuple and attribute
  std::vector<std::int16_t> narrow_;  // by tuple and attribute, if all nodes are narrow but heads too small; tuples lie
                                      // `narrow_stride_` apart
  std::size_t width_ = 0, narrow_stride_ = 0;
  std::vector<std::uint32_t> touched_;
  std::vector<std::int64_t> own_;  // units; none if every record is one
  std::vector<std::vector<std::uint32_t>> shared_;
  std::size_t units_ = 0;
};

}  // namespace sfumato::cuts

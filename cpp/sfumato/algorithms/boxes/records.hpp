// The records of a search of boxes: one tuple for each occupied cell of the space; what a set of them costs at least.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "sfumato/algorithms/boxes/problem.hpp"
#include "sfumato/search/planted.hpp"

namespace sfumato::boxes {

/// Numbers of records: where costs are 32 bits wide they are too, so that sums are one word of the processor.
template <class Int>
using RecordCount = std::conditional_t<sizeof(Int) == 4, std::int32_t, std::int64_t>;

/// Sums over a set of tuples, enough to bound what it costs.
template <class Int>
struct alignas(16) RecordSums {
  RecordCount<Int> records = 0;
  RecordCount<Int> small = 0;  // records of tuples that are no class by themselves, for want of records
  RecordCount<Int> large = 0;  // tuples that have enough
  Int alone = 0;               // what the tuples cost at least, each for itself

  RecordSums& operator+=(const RecordSums& other) {
    records += other.records, small += other.small, large += other.large, alone += other.alone;
    return *this;
  }
};

template <class Int>
inline constexpr Int impossible =
    sizeof(Int) == 4 ? (Int{1} << 30) - 1 : Int{1} << (sizeof(Int) > 8 ? 124 : 60);  // two fit

/// A sum in which what is impossible stays so.
template <class Int>
Int saturated_sum(Int one, Int other) {
  return one >= impossible<Int> || other >= impossible<Int> ? impossible<Int> : one + other;
}

/// Lanes are wide enough for the number of cells of any axis, so a cell is never cut off; tuples have numbers of 32
/// bits. Lanes of a tuple or a box: the low cell of each axis, then the largest number of a lane less the high cell.
/// The lanes of a set are the minima of its members' lanes. Two sets of records that boxes cut out are equal if their
/// lanes are: the box that the lanes describe lies in the box that cut the set out, so it holds no other record.
template <class Int, class Lane>
class Records {
 public:
  static constexpr Lane most = std::numeric_limits<Lane>::max();
  static constexpr std::size_t block = 16 / sizeof(Lane);  // lanes that the processor takes at once
  using Count = RecordCount<Int>;

  explicit Records(const Problem& problem) : problem_(problem), axes_(problem.axes.size()) {
    if (std::ranges::any_of(problem.axes, [](const Axis& axis) { return axis.cells > most; }))
      throw std::length_error("an axis has more cells than its lanes can tell apart");
    for (std::size_t a = 0; a < axes_; ++a)
      if (std::ranges::any_of(problem.cells[a], [&](std::uint32_t cell) { return cell >= problem.axes[a].cells; }))
        throw std::out_of_range("a combination lies in no cell of an axis");
    width_ = (2 * axes_ + block - 1) / block * block;
    stride_ = (sizeof(RecordSums<Int>) + width_ * sizeof(Lane) + sizeof(Unit) - 1) / sizeof(Unit);
    collect();
    const Count least = least_of(problem);
    const Int cheapest = cheapest_pair();
    for (std::size_t t = 0; t < size(); ++t) {
      RecordSums<Int>& sums = sums_of(rows_.data() + t * stride_);
      const Count n = sums.records;
      (n < least ? sums.small : sums.large) = n < least ? n : 1;
      sums.alone = alone(t, n, least, cheapest);
      if (problem.suppress) sums.alone = std::min<Int>(sums.alone, n * static_cast<Int>(problem.suppressed));
    }
  }

  /// At most two more than there are records: see `with_search`. Records are as many as a Count holds.
  static Count least_of(const Problem& problem) {
    return static_cast<Count>(problem.least + is_planted(Fault::least_one_too_high));
  }

  /// Sums and lanes side by side, in so many units: what is read together lies together.
  struct alignas(16) Unit {
    std::byte bytes[16];
  };
  std::size_t stride() const { return stride_; }
  static RecordSums<Int>& sums_of(Unit* row) { return *reinterpret_cast<RecordSums<Int>*>(row); }
  static const RecordSums<Int>& sums_of(const Unit* row) { return *reinterpret_cast<const RecordSums<Int>*>(row); }
  static Lane* lanes_of(Unit* row) { return reinterpret_cast<Lane*>(row + sizeof(RecordSums<Int>) / sizeof(Unit)); }
  static const Lane* lanes_of(const Unit* row) {
    return reinterpret_cast<const Lane*>(row + sizeof(RecordSums<Int>) / sizeof(Unit));
  }
  const Unit* row(std::size_t t) const { return rows_.data() + t * stride_; }

  std::size_t size() const { return begin_.size() - 1; }
  std::size_t axes() const { return axes_; }
  std::size_t width() const { return width_; }  // lanes of a tuple, a multiple of `block`
  const Lane* lanes(std::size_t t) const { return lanes_of(row(t)); }
  std::uint32_t low(const Lane* lanes, std::size_t a) const { return lanes[a]; }
  std::uint32_t high(const Lane* lanes, std::size_t a) const { return most - lanes[axes_ + a]; }
  void set(Lane* lanes, std::size_t a, std::uint32_t low,
           std::uint32_t high) const {  // less than the cells of the axis
    lanes[a] = static_cast<Lane>(low);
    lanes[axes_ + a] = static_cast<Lane>(most - high);
  }
  const RecordSums<Int>& sums(std::size_t t) const { return sums_of(row(t)); }
  std::span<const std::uint32_t> combinations(std::size_t t) const {
    return {order_.data() + begin_[t], begin_[t + 1] - begin_[t]};
  }
  std::vector<std::uint32_t> everything() const {
    std::vector<std::uint32_t> tuples(size());
    std::iota(tuples.begin(), tuples.end(), 0u);
    return tuples;
  }
  /// The cells of all tuples on an axis, side by side.
  const Lane* column(std::size_t a) const { return columns_.data() + a * size(); }
  const Problem& problem() const { return problem_; }

  /// Written with vectors, for compilers do not see that a row of minima is one instruction.
  template <std::size_t Blocks>
  static void widen_by(Lane* lanes, const Lane* other) {
    typedef Lane Together __attribute__((vector_size(16)));
    for (std::size_t w = 0; w < Blocks * block; w += block) {
      Together one, two;
      std::memcpy(&one, lanes + w, sizeof one);
      std::memcpy(&two, other + w, sizeof two);
      one = one < two ? one : two;
      std::memcpy(lanes + w, &one, sizeof one);
    }
  }
  void widen(Lane* lanes, const Lane* other) const {
    for (std::size_t w = 0; w < width_; w += block) widen_by<1>(lanes + w, other + w);
  }
  void copy(Lane* lanes, const Lane* other) const {
    for (std::size_t w = 0; w < width_; w += block) std::memcpy(lanes + w, other + w, 16);
  }

  /// What values cost a record of a box: the sum or the product of its prices. Int is chosen so that this fits for all
  /// records together, see `with_search`; so does any price.
  Int price(const Lane* lanes) const {
    Int total = problem_.metric == Metric::product ? 1 : 0;
    for (const Attribute& attribute : problem_.attributes) {
      const Int one = static_cast<Int>(attribute.price[place(attribute, lanes)]);
      total = problem_.metric == Metric::product ? total * one : total + one;
    }
    return total;
  }

  /// Whether the box is as wide as the problem requires.
  bool wide(const Lane* lanes) const {
    return std::ranges::all_of(problem_.attributes, [&](const Attribute& attribute) {
      if (!attribute.reach.empty()) return high(lanes, attribute.axis) >= attribute.reach[low(lanes, attribute.axis)];
      return attribute.wide.empty() || attribute.wide[place(attribute, lanes)];
    });
  }

  /// Looks at all pairs of tuples for what small ones cost at least, where values are paid for: a class that holds
  /// tuple t holds `least` records, and the box of the class, so also its price, holds the box of t and each of its
  /// others. So the price is at least that of the box of t and the dearest of its nearest others that make a class.
  /// False if too many. Where `stopped` says so it ends early: what is done by then holds.
  template <class Stopped>
  bool tighten(Stopped stopped) {
    const bool product = problem_.metric == Metric::product;
    if (!product && problem_.metric != Metric::sum) return false;
    if (size() > most_paired || std::ranges::any_of(problem_.attributes, [](const auto& one) { return one.axes > 1; }))
      return false;
    const Count least = least_of(problem_);
    std::vector<std::vector<Int>> prices(problem_.attributes.size());  // by attribute and cell: with the cell of t
    std::vector<const Int*> own(prices.size());
    std::vector<std::pair<Int, Count>> nearest;  // a heap, the dearest first
    for (std::size_t t = 0, before = 0; t < size() && !stopped(); ++t) {
      const Count n = sums(t).records;
      if (n >= least) continue;
      for (std::size_t a = 0; a < own.size(); ++a) {
        const std::size_t axis = problem_.attributes[a].axis;
        if (prices[a].empty() || lanes(t)[axis] != lanes(before)[axis])
          prices_with(problem_.attributes[a], lanes(t)[axis], prices[a]);
        own[a] = prices[a].data();
      }
      before = t;
      nearest.clear();
      Count records = n;
      for (std::size_t u = 0; u < size(); ++u) {
        if (u == t) continue;
        const Int dearest = records >= least ? nearest.front().first : impossible<Int>;
        Int price = product ? 1 : 0;
        for (std::size_t a = 0; a < own.size() && price < dearest; ++a) {
          const Int one = own[a][lanes(u)[problem_.attributes[a].axis]];
          price = product ? price * one : price + one;
        }
        if (price >= dearest) continue;
        nearest.emplace_back(price, sums(u).records);
        std::ranges::push_heap(nearest);
        records += sums(u).records;
        while (records - nearest.front().second >= least) {
          records -= nearest.front().second;
          std::ranges::pop_heap(nearest);
          nearest.pop_back();
        }
      }
      if (records < least) continue;
      Int dearer = static_cast<Int>(n) * nearest.front().first;
      if (problem_.suppress) dearer = std::min<Int>(dearer, n * static_cast<Int>(problem_.suppressed));
      Int& alone = sums_of(rows_.data() + t * stride_).alone;
      alone = std::max(alone, dearer);
    }
    return true;
  }

  /// Whether records are only counted, and a set that may be one class at most is that class or nothing: what it costs
  /// follows from its lanes. Not where records may be suppressed, boxes have widths, or labels matter.
  bool plain() const {
    return problem_.counts_only && !problem_.suppress && problem_.metric != Metric::minority &&
           std::ranges::all_of(problem_.attributes, [](const auto& one) { return !one.limited(); });
  }
  Count most_classes(const RecordSums<Int>& sums) const { return sums.large + sums.small / least_of(problem_); }
  Int as_a_class(const RecordSums<Int>& sums, const Lane* lanes) const {
    return static_cast<Int>(sums.records) *
           (problem_.metric == Metric::square ? static_cast<Int>(sums.records) : price(lanes));
  }

  /// A lower bound on what any partition of such records costs; impossible if there is none.
  ///
  /// A class has `least` records or more. Small tuples share classes, so at most ⌊small / least⌋ classes have none of
  /// the large ones; the others have one each at least. So there are at most q = large + ⌊small / least⌋ classes, and
  /// n² over q classes is least where they are equal. Suppressing x records costs N each and leaves (n - x)²/q: with N
  /// ≥ n that is no gain for q ≥ 2, and for q = 1 the parabola has its lowest point at x = n - N/2.
  ///
  /// Large tuples are classes of c² at least each. Of the small records, ⌊small / least⌋ classes of `least` have the
  /// most that can be had so cheaply: a record more, in whichever class of c ≥ least records, adds 2c + 1, and x of
  /// them in one class 2cx + x². So those that are over cost twice `least` each, and the squares of even shares.
  Int bound(const RecordSums<Int>& sums) const {
    const Count n = sums.records, least = least_of(problem_);
    if (n == 0) return 0;
    const Count q = sums.large + sums.small / least;
    if (q == 0) return problem_.suppress ? n * static_cast<Int>(problem_.suppressed) : impossible<Int>;
    Int bound = sums.alone;
    if (problem_.metric == Metric::square) {
      Int balanced = squares(n, q);
      if (problem_.suppress && q == 1) {
        const Int all = static_cast<Int>(problem_.suppressed);
        if (2 * n > all) balanced = n * all - (all * all + 3) / 4;
      }
      bound = std::max(bound, balanced);
      if (!problem_.suppress) {
        const Count groups = sums.small / least, over = sums.small % least;
        const Int k = static_cast<Int>(least), large = sums.alone - k * sums.small;
        bound = std::max(bound, large + groups * k * k + 2 * k * over + squares(over, q));
      }
    }
    return bound + is_planted(Fault::bound_one_too_high);
  }

 private:
  static constexpr std::size_t most_paired = 40'000;

  /// What a box of a cell and another one costs, by the other one.
  void prices_with(const Attribute& attribute, std::uint32_t cell, std::vector<Int>& prices) const {
    const Axis& axis = problem_.axes[attribute.axis];
    prices.resize(axis.cells);
    if (!axis.tree) {
      for (std::uint32_t other = 0; other < axis.cells; ++other)
        prices[other] =
            static_cast<Int>(attribute.price[length_of(axis, std::min(cell, other), std::max(cell, other))]);
      return;
    }
    // Nodes from the root down: those below write over what those above wrote.
    const auto begin = prices.begin();
    for (std::uint32_t at = 0, below = 0;; at = below) {
      std::fill(begin + axis.first[at], begin + axis.last[at] + 1, static_cast<Int>(attribute.price[at]));
      below = axis.child(at, cell, cell);
      if (below == at) return;
    }
  }

  /// The least sum of squares of q whole numbers that are n together.
  static Int squares(Count n, Count q) {
    const Int share = n / q, rest = n % q;
    return static_cast<Int>(q) * share * share + rest * (2 * share + 1);
  }

  std::size_t place(const Attribute& attribute, const Lane* lanes) const {
    if (attribute.axes > 1) {
      std::size_t values = 0;
      for (std::size_t a = attribute.axis; a < attribute.axis + attribute.axes; ++a) {
        if (low(lanes, a) == 1) return 1;
        values += high(lanes, a);
      }
      return values;
    }
    const Axis& axis = problem_.axes[attribute.axis];
    const std::uint32_t from = low(lanes, attribute.axis), to = high(lanes, attribute.axis);
    return axis.tree ? axis.node(from, to) : length_of(axis, from, to);
  }

  Int alone(std::size_t t, Count n, Count least, Int cheapest) const {
    switch (problem_.metric) {
      case Metric::square: return static_cast<Int>(n) * std::max(n, least);
      case Metric::minority: return static_cast<Int>(n - majority(t));
      default: return static_cast<Int>(n) * (n < least ? std::max(price(lanes(t)), cheapest) : price(lanes(t)));
    }
  }

  /// What a record pays at least where two tuples share a box: some attribute has two cells or more.
  Int cheapest_pair() const {
    if (problem_.metric == Metric::product) return 2;
    if (problem_.metric != Metric::sum) return 0;
    Int least = impossible<Int>;
    for (const Attribute& attribute : problem_.attributes) {
      const Axis& axis = problem_.axes[attribute.axis];
      const std::size_t places =
          axis.tree ? axis.first.size() : attribute.price.size();  // no more than there are prices
      for (std::size_t at = 0; at < places; ++at) {
        const bool several = axis.tree ? axis.first[at] < axis.last[at] : at > 1;
        if (several) least = std::min(least, static_cast<Int>(attribute.price[at]));
      }
    }
    return least < impossible<Int> ? least : 0;
  }

  std::int64_t majority(std::size_t t) const {
    const SensitiveColumn& column = problem_.frequencies.sensitive()[problem_.target];
    std::vector<std::int64_t> labels(column.values, 0);
    for (const std::uint32_t i : combinations(t)) labels[column.codes[i]] += problem_.frequencies.counts()[i];
    return std::ranges::max(labels);
  }

  /// Combinations in the same cell become one tuple.
  void collect() {
    order_.resize(problem_.frequencies.size());
    std::iota(order_.begin(), order_.end(), 0);
    const auto cells = [&](std::uint32_t i, std::uint32_t j) {
      for (const auto& column : problem_.cells)
        if (column[i] != column[j]) return column[i] < column[j] ? -1 : 1;
      return 0;
    };
    std::ranges::stable_sort(order_, [&](std::uint32_t i, std::uint32_t j) { return cells(i, j) < 0; });
    for (std::size_t at = 0; at < order_.size(); ++at) {
      const std::uint32_t i = order_[at];
      if (at == 0 || cells(order_[at - 1], i) != 0) {
        begin_.push_back(static_cast<std::uint32_t>(at));  // combinations are fewer than 2^32: see the constructor
        rows_.resize(rows_.size() + stride_);
        Unit* fresh = rows_.data() + rows_.size() - stride_;
        sums_of(fresh) = {};
        std::fill_n(lanes_of(fresh), width_, most);
        for (std::size_t a = 0; a < axes_; ++a) {
          set(lanes_of(fresh), a, problem_.cells[a][i], problem_.cells[a][i]);
        }
      }
      sums_of(rows_.data() + rows_.size() - stride_).records += static_cast<Count>(problem_.frequencies.counts()[i]);
    }
    begin_.push_back(static_cast<std::uint32_t>(order_.size()));
    for (std::size_t a = 0; a < axes_; ++a)
      for (std::size_t t = 0; t < size(); ++t) columns_.push_back(lanes(t)[a]);
  }

  const Problem& problem_;
  std::size_t axes_, width_ = 0, stride_ = 0;
  std::vector<std::uint32_t> order_, begin_;
  std::vector<Unit> rows_;
  std::vector<Lane> columns_;
};

}  // namespace sfumato::boxes

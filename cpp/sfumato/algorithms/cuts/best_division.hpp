// The best division of a class of few tuples, by itself: what it costs at least in every cut.
//
// Tuples that differ in locked attributes alone are one here. Every part of such a class is a set of its tuples, and so
// a number of a few bits: no part is looked up or kept.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "sfumato/algorithms/cuts/groups.hpp"
#include "sfumato/algorithms/cuts/int16x8.hpp"
#include "sfumato/algorithms/cuts/prices.hpp"
#include "sfumato/algorithms/cuts/tree.hpp"
#include "sfumato/algorithms/cuts/tuples.hpp"
#include "sfumato/algorithms/cuts/weights.hpp"

namespace sfumato::cuts {

template <class Sum>
class BestDivision {
 public:
  static constexpr std::size_t most = 12;  // tuples
  static constexpr Sum impossible = Sum{1} << (8 * sizeof(Sum) - 4);

  BestDivision(const Tree& tree, const Tuples& tuples, const Weights<Sum>& weights, Prices<Sum>& prices)
      : tree_(&tree),
        tuples_(&tuples),
        weights_(&weights),
        prices_(&prices),
        row_of_(tuples.kinds(), 0),
        cached_(std::size_t{1} << most, Sum{-1}) {
    simple_ = prices.simple() && !tuples.has_units();
    registers_per_row_ = (tuples.kinds() + Int16x8::lanes - 1) / Int16x8::lanes;
    if (!tuples.few_kinds()) return;
    for (std::uint32_t kind = 0; kind < tuples.kinds(); ++kind) kinds_.push_back(row_of_[kind] = kind);
  }

  /// F = min(what the class costs as it is, over all attributes the sum of its parts' F). `open`: the attributes that
  /// divide it; `fixed`: the price of all others.
  Sum solve(std::span<const std::uint32_t> members, const TupleGroups& groups, std::span<const std::size_t> open,
            Sum fixed) {
    members_ = members;
    open_ = open;
    fixed_ = fixed;
    count_ = groups.size();
    order(groups);
    take_counts(groups);
    take_leaves(groups);
    for (std::size_t i = 0; i < count_; ++i) {
      price_[i] = fixed;
      for (std::size_t o = 0; o < open.size(); ++o) price_[i] += (*weights_)[leaf_[o * most + i]];
      plain_[i] = small_ ? prices_->plain({}, {}, sizes_[i])
                         : prices_->plain(kinds_, {rows_.data() + i * kinds_.size(), kinds_.size()}, sizes_[i]);
      ClassCost<Sum> alone;
      alone.records = sizes_[i];
      least_[i] = prices_->at_least(alone, price_[i], plain_[i], {sizes_ + i, 1});
    }
    const Sum least = best((std::uint32_t{1} << count_) - 1);
    for (; !visited_.empty(); visited_.pop_back()) cached_[visited_.back()] = -1;
    return least;
  }

 private:
  /// Groups of most records first, so that the sizes of every part fall.
  void order(const TupleGroups& groups) {
    for (std::uint32_t g = 0; g < count_; ++g) {
      std::size_t at = g;
      for (; at > 0 && groups.records(group_[at - 1]) < groups.records(g); --at) group_[at] = group_[at - 1];
      group_[at] = g;
    }
    for (std::uint32_t i = 0; i < count_; ++i) {
      place_[group_[i]] = i;
      sizes_[i] = groups.records(group_[i]);
    }
  }

  /// The leaves of the groups: by attribute, and by group if they are narrow.
  void take_leaves(const TupleGroups& groups) {
    leaf_.resize(open_.size() * most);
    stride_ = (open_.size() + Int16x8::lanes - 1) / Int16x8::lanes * Int16x8::lanes;
    nodes_.resize(open_.size());
    narrow_.resize(stride_ * most);
    wide_ = tree_->size() > Int16x8::max;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::uint32_t t = groups.first(group_[i]);
      for (std::size_t o = 0; o < open_.size(); ++o) leaf_[o * most + i] = tuples_->leaf(t, open_[o]);
      if (wide_) continue;
      for (std::size_t o = 0; o < open_.size(); ++o)
        narrow_[i * stride_ + o] = static_cast<std::int16_t>(leaf_[o * most + i]);
    }
  }

  /// How many records of each kind the groups have.
  void take_counts(const TupleGroups& groups) {
    small_ = simple_ && std::accumulate(sizes_, sizes_ + count_, std::int64_t{0}) <= Int16x8::max;
    if (small_) return take_small_counts(groups);
    if (!tuples_->few_kinds()) number_kinds();
    rows_.assign(count_ * kinds_.size(), 0);
    for (std::size_t i = 0; i < members_.size(); ++i) {
      std::int64_t* const row = rows_.data() + place_[groups.of(i)] * kinds_.size();
      for (const KindCount& cell : tuples_->kind_counts(members_[i])) row[row_of_[cell.kind]] += cell.count;
    }
    sum_.resize(kinds_.size());
    if (tuples_->has_units()) {
      place_of_.clear();
      for (std::size_t i = 0; i < members_.size(); ++i) place_of_.push_back(place_[groups.of(i)]);
    }
  }

  void take_small_counts(const TupleGroups& groups) {
    small_rows_.assign(count_ * registers_per_row_ * Int16x8::lanes, 0);
    for (std::size_t i = 0; i < members_.size(); ++i) {
      std::int16_t* const row = small_rows_.data() + place_[groups.of(i)] * registers_per_row_ * Int16x8::lanes;
      for (const KindCount& cell : tuples_->kind_counts(members_[i]))
        row[cell.kind] = static_cast<std::int16_t>(row[cell.kind] + static_cast<std::int16_t>(cell.count));
    }
  }

  /// The kinds that occur in the class.
  void number_kinds() {
    kinds_.clear();
    for (const std::uint32_t t : members_)
      for (const KindCount& cell : tuples_->kind_counts(t)) {
        if (row_of_[cell.kind] < kinds_.size() && kinds_[row_of_[cell.kind]] == cell.kind) continue;
        row_of_[cell.kind] = static_cast<std::uint32_t>(kinds_.size());
        kinds_.push_back(cell.kind);
      }
  }

  Sum best(std::uint32_t part) {
    if (cached_[part] >= 0) return cached_[part];
    visited_.push_back(part);
    return cached_[part] = solve_part(part);
  }

  Sum solve_part(std::uint32_t part) {
    std::int64_t sizes[most], records = 0;
    std::size_t count = 0;
    Sum plain = 0, least_price = impossible, at_least = 0;
    for (std::uint32_t rest = part; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(rest));
      records += sizes[count++] = sizes_[i];
      plain += plain_[i];
      at_least += least_[i];
      least_price = std::min(least_price, price_[i]);
    }
    const ClassCost<Sum> of = measured(part, records);
    if (of.impossible) return impossible;
    if (count == 1) return of.kept * least_price + of.fixed;
    join(part);
    Sum least = of.fixed;
    Sum price = fixed_;
    for (const std::uint32_t v : nodes_) price += (*weights_)[v];
    least += of.kept * price;
    if (count == 2) {
      const std::uint32_t one = part & -part, other = part & ~one;
      if (at_least >= least) return least;
      const Sum first = best(one);
      return first + least_[std::countr_zero(other)] < least ? std::min(least, first + best(other)) : least;
    }
    const Sum floor = std::max(at_least, prices_->at_least(of, least_price, plain, {sizes, count}));
    if (least <= floor) return least;
    std::uint32_t joined[64];
    const std::size_t kept = std::min<std::size_t>(open_.size(), 64);
    std::copy_n(nodes_.begin(), kept, joined);
    for (std::size_t o = 0; o < open_.size() && least > floor; ++o) {
      const std::uint32_t v = o < kept ? joined[o] : joined_at(o, part);
      if (!tree_->leaf(v)) least = std::min(least, divided(o, v, part, at_least, least));
    }
    return least;
  }

  ClassCost<Sum> measured(std::uint32_t part, std::int64_t records) {
    if (small_) {
      for (std::size_t j = 0; j < registers_per_row_; ++j) {
        const std::int16_t* const rows = small_rows_.data() + j * Int16x8::lanes;
        Int16x8 sum;
        for (std::uint32_t rest = part; rest != 0; rest &= rest - 1)
          sum = sum + Int16x8::load(rows + static_cast<std::size_t>(std::countr_zero(rest)) * registers_per_row_ *
                                               Int16x8::lanes);
        registers_[j] = sum;
      }
      return prices_->measure({registers_.data(), registers_per_row_}, records);
    }
    std::ranges::fill(sum_, 0);
    for (std::uint32_t rest = part; rest != 0; rest &= rest - 1) {
      const std::int64_t* const row = rows_.data() + static_cast<std::size_t>(std::countr_zero(rest)) * sum_.size();
      for (std::size_t j = 0; j < sum_.size(); ++j) sum_[j] += row[j];
    }
    return prices_->measure(kinds_, sum_, records, members_of(part));
  }

  /// Sets `nodes_` to the lowest ones above a part.
  void join(std::uint32_t part) {
    if (wide_) {
      for (std::size_t o = 0; o < open_.size(); ++o) nodes_[o] = joined_at(o, part);
      return;
    }
    for (std::size_t first = 0; first < open_.size(); first += Int16x8::lanes) {
      Int16x8 lowest = Int16x8::broadcast(Int16x8::max), highest;
      for (std::uint32_t rest = part; rest != 0; rest &= rest - 1) {
        const Int16x8 leaf =
            Int16x8::load(narrow_.data() + static_cast<std::size_t>(std::countr_zero(rest)) * stride_ + first);
        lowest = lesser(lowest, leaf);
        highest = greater(highest, leaf);
      }
      std::int16_t low[Int16x8::lanes], high[Int16x8::lanes];
      lowest.store(low);
      highest.store(high);
      for (std::size_t i = 0; i < Int16x8::lanes && first + i < open_.size(); ++i)
        nodes_[first + i] = low[i] == high[i]
                                ? static_cast<std::uint32_t>(low[i])
                                : tree_->join(static_cast<std::uint32_t>(low[i]), static_cast<std::uint32_t>(high[i]));
    }
  }

  /// The tuples of a part, if units are to be counted.
  std::span<const std::uint32_t> members_of(std::uint32_t part) {
    chosen_.clear();
    if (tuples_->has_units())
      for (std::size_t i = 0; i < members_.size(); ++i)
        if ((part >> place_of_[i] & 1) != 0) chosen_.push_back(members_[i]);
    return chosen_;
  }

  std::uint32_t joined_at(std::size_t o, std::uint32_t part) const {
    std::uint32_t low = Tree::none, high = 0;
    for (std::uint32_t rest = part; rest != 0; rest &= rest - 1) {
      const std::uint32_t leaf = leaf_[o * most + static_cast<std::size_t>(std::countr_zero(rest))];
      low = std::min(low, leaf);
      high = std::max(high, leaf);
    }
    return low == high ? low : tree_->join(low, high);
  }

  /// The sum of the parts' F when v is specialised, or some sum from `enough` on. `rest`: what the groups cost at
  /// least.
  Sum divided(std::size_t o, std::uint32_t v, std::uint32_t part, Sum rest, Sum enough) {
    Sum sum = 0;
    const auto child_of = tree_->steps(v);
    const std::uint32_t* const leaf = leaf_.data() + o * most;
    while (part != 0 && sum + rest < enough) {
      const std::uint32_t child = child_of[leaf[std::countr_zero(part)]];
      std::uint32_t same = 0;
      for (std::uint32_t others = part; others != 0; others &= others - 1) {
        const int i = std::countr_zero(others);
        if (child_of[leaf[i]] != child) continue;
        same |= others & -others;
        rest -= least_[i];
      }
      part &= ~same;
      sum += best(same);
    }
    return sum + rest;
  }

  const Tree* tree_;
  const Tuples* tuples_;
  const Weights<Sum>* weights_;
  Prices<Sum>* prices_;
  std::span<const std::uint32_t> members_;
  std::span<const std::size_t> open_;  // attributes in which the tuples may still part
  std::size_t count_ = 0;
  std::uint32_t group_[most], place_[most];  // by place, and back
  std::int64_t sizes_[most];
  Sum price_[most], plain_[most], least_[most];  // least: what a group costs at least
  std::vector<std::uint32_t> row_of_, kinds_, chosen_, place_of_, visited_;
  std::vector<std::int64_t> rows_, sum_;  // records by place and kind
  std::vector<std::uint32_t> leaf_;       // by open attribute and place
  std::vector<std::int16_t> narrow_;      // by place and open attribute
  std::vector<std::uint32_t> nodes_;      // by open attribute
  std::vector<Sum> cached_;               // F by part; -1 while it is not
  std::vector<std::int16_t> small_rows_;  // records by place and kind, if they are few and simple to judge
  std::array<Int16x8, Prices<Sum>::most_registers> registers_;  // records by kind, of a part
  std::size_t stride_ = 0, registers_per_row_ = 0;
  bool wide_ = false, simple_ = false, small_ = false;
  Sum fixed_ = 0;  // price of the other attributes
};

}  // namespace sfumato::cuts

// The best division of a class of few tuples, by itself: what it costs at least in every cut.
//
// Every part of such a class is a set of its tuples, and so a number of a few bits: no part is looked up or kept.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sfumato/search/cut_prices.hpp"
#include "sfumato/search/cut_tree.hpp"
#include "sfumato/search/cut_tuples.hpp"

namespace sfumato {

/// A tuple as a class of its own.
template <class Sum>
struct Settled {
  Sum cost;   // its open values at their lowest
  Sum alone;  // if it suppresses nothing, apart from its values
  Sum price;  // of its values, the open ones at their lowest
  std::int64_t kept, gone;
  bool impossible;
};

template <class Sum>
class CutFew {
 public:
  static constexpr std::size_t most = 10;  // tuples
  static constexpr Sum impossible = Sum{1} << (8 * sizeof(Sum) - 4);

  CutFew(const CutTree& tree, const CutTuples& tuples, const std::vector<Sum>& weight, CutPrices<Sum>& prices)
      : tree_(&tree), tuples_(&tuples), weight_(&weight), prices_(&prices), known_(std::size_t{1} << most) {}

  /// F = min(what the class costs as it is, over all attributes the sum of its parts' F); `key` is the class's.
  Sum solve(std::span<const std::uint32_t> members, std::span<const std::uint32_t> key,
            const std::vector<Settled<Sum>>& settled) {
    members_ = members;
    settled_ = &settled;
    fixed_ = 0;
    open_.clear();
    for (std::size_t a = 0; a < key.size(); ++a)
      if ((key[a] & locked_bit) != 0 || tree_->leaf(key[a]))
        fixed_ += (*weight_)[key[a] & ~locked_bit];
      else
        open_.push_back(a);
    leaf_.resize(open_.size() * most);
    for (std::size_t o = 0; o < open_.size(); ++o)
      for (std::size_t i = 0; i < members.size(); ++i) leaf_[o * most + i] = tuples_->key(members[i])[open_[o]];
    std::fill_n(known_.begin(), std::size_t{1} << members.size(), Sum{-1});
    return best((std::uint32_t{1} << members.size()) - 1);
  }

 private:
  Sum best(std::uint32_t part) {
    if (std::has_single_bit(part)) {
      const auto& alone = (*settled_)[members_[static_cast<std::size_t>(std::countr_zero(part))]];
      return alone.impossible ? impossible : alone.cost;
    }
    if (known_[part] >= 0) return known_[part];
    return known_[part] = worked_out(part);
  }

  Sum worked_out(std::uint32_t part) {
    std::uint32_t ids[most];
    std::size_t count = 0;
    Sum alone = 0, least_price = impossible, singles = 0;
    for (std::uint32_t rest = part; rest != 0; rest &= rest - 1) {
      ids[count] = members_[static_cast<std::size_t>(std::countr_zero(rest))];
      const auto& tuple = (*settled_)[ids[count++]];
      alone += tuple.alone;
      singles += tuple.impossible ? impossible / static_cast<Sum>(most) : tuple.cost;
      least_price = std::min(least_price, tuple.price);
    }
    const Measured<Sum> of = prices_->measure({ids, count});
    if (of.impossible) return impossible;
    std::uint32_t node[64];
    const std::size_t open = std::min<std::size_t>(open_.size(), 64);
    Sum price = fixed_;
    for (std::size_t o = 0; o < open_.size(); ++o) {
      const std::uint32_t join = joined(o, part);
      if (o < open) node[o] = join;
      price += (*weight_)[join];
    }
    Sum least = of.kept * price + of.fixed;
    if (count == 2) return std::min(least, singles);
    const Sum floor = prices_->at_least(of, least_price, alone, {ids, count});
    for (std::size_t o = 0; o < open_.size() && least > floor; ++o) {
      const std::uint32_t v = o < open ? node[o] : joined(o, part);
      if (!tree_->leaf(v)) least = std::min(least, divided(o, v, part, least));
    }
    return least;
  }

  std::uint32_t joined(std::size_t o, std::uint32_t part) const {
    std::uint32_t low = CutTree::none, high = 0;
    for (std::uint32_t rest = part; rest != 0; rest &= rest - 1) {
      const std::uint32_t leaf = leaf_[o * most + static_cast<std::size_t>(std::countr_zero(rest))];
      low = std::min(low, leaf);
      high = std::max(high, leaf);
    }
    return low == high ? low : tree_->join(low, high);
  }

  /// The sum of the parts' F when v is specialised, or some sum from `enough` on.
  Sum divided(std::size_t o, std::uint32_t v, std::uint32_t part, Sum enough) {
    Sum sum = 0;
    while (part != 0 && sum < enough) {
      const std::uint32_t child = tree_->step(v, leaf_[o * most + static_cast<std::size_t>(std::countr_zero(part))]);
      std::uint32_t same = 0;
      for (std::uint32_t rest = part; rest != 0; rest &= rest - 1)
        if (tree_->below(leaf_[o * most + static_cast<std::size_t>(std::countr_zero(rest))], child))
          same |= rest & -rest;
      part &= ~same;
      sum += best(same);
    }
    return sum;
  }

  const CutTree* tree_;
  const CutTuples* tuples_;
  const std::vector<Sum>* weight_;
  CutPrices<Sum>* prices_;
  const std::vector<Settled<Sum>>* settled_ = nullptr;
  std::span<const std::uint32_t> members_;
  std::vector<std::size_t> open_;     // attributes in which the tuples may still part
  std::vector<std::uint32_t> leaf_;   // by open attribute and tuple
  std::vector<Sum> known_;            // F by part; -1 while it is not known
  Sum fixed_ = 0;                     // price of the other attributes
};

}  // namespace sfumato

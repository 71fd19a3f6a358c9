// Tuples as classes of their own: what they cost, and what is suppressed of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sfumato/algorithms/cuts/prices.hpp"
#include "sfumato/algorithms/cuts/tuples.hpp"
#include "sfumato/algorithms/cuts/weights.hpp"

namespace sfumato::cuts {

template <class Sum>
struct TupleCost {
  Sum cost = 0;            // its values as they are
  std::int64_t kept = -1;  // records that are published; -1 if not yet computed
  std::int64_t suppressed = 0;
  bool impossible = false;
};

template <class Sum>
class TupleCosts {
 public:
  TupleCosts(const Tuples& tuples, const Weights<Sum>& weights, Prices<Sum>& prices)
      : tuples_(&tuples), weights_(&weights), prices_(&prices), cost_(tuples.size()) {}

  void prefetch(std::uint32_t t) const { prefetch_line(cost_.data() + t); }

  const TupleCost<Sum>& operator[](std::uint32_t t) {
    TupleCost<Sum>& of = cost_[t];
    if (of.kept < 0) {
      const ClassCost<Sum> own = prices_->measure({&t, 1});
      Sum price = 0;
      for (const std::uint32_t v : tuples_->key(t)) price += (*weights_)[v];
      of = {own.kept * price + own.fixed, own.kept, own.suppressed, own.impossible};
    }
    return of;
  }

  std::size_t bytes() const { return cost_.capacity() * sizeof(TupleCost<Sum>); }

 private:
  const Tuples* tuples_;
  const Weights<Sum>* weights_;
  Prices<Sum>* prices_;
  std::vector<TupleCost<Sum>> cost_;
};

}  // namespace sfumato::cuts

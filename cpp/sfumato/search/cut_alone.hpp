// Tuples as classes of their own: what they cost, and what is suppressed of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sfumato/search/cut_prices.hpp"
#include "sfumato/search/cut_tuples.hpp"

namespace sfumato {

template <class Sum>
struct Alone {
  Sum cost = 0;            // its values as they are
  std::int64_t kept = -1;  // records that are published; -1: not yet judged
  std::int64_t gone = 0;
  bool impossible = false;
};

template <class Sum>
class CutAlone {
 public:
  CutAlone(const CutTuples& tuples, const std::vector<Sum>& weight, CutPrices<Sum>& prices)
      : tuples_(&tuples), weight_(&weight), prices_(&prices), alone_(tuples.size()) {}

  void fetch(std::uint32_t t) const { fetch_soon(alone_.data() + t); }

  const Alone<Sum>& operator[](std::uint32_t t) {
    Alone<Sum>& of = alone_[t];
    if (of.kept < 0) {
      const Measured<Sum> found = prices_->measure({&t, 1});
      Sum price = 0;
      for (const std::uint32_t v : tuples_->key(t)) price += (*weight_)[v];
      of = {found.kept * price + found.fixed, found.kept, found.gone, found.impossible};
    }
    return of;
  }

  std::size_t bytes() const { return alone_.capacity() * sizeof(Alone<Sum>); }

 private:
  const CutTuples* tuples_;
  const std::vector<Sum>* weight_;
  CutPrices<Sum>* prices_;
  std::vector<Alone<Sum>> alone_;
};

}  // namespace sfumato

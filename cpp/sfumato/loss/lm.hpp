// LM: each published value costs the share of other leaves it could stand for.
// Iyengar, "Transforming data to satisfy privacy constraints", KDD 2002.
#pragma once

#include "sfumato/loss/separable.hpp"

namespace sfumato {

/// unit[a]: cost of one leaf too many in attribute a; the caller chooses the common denominator.
inline SeparableLoss lm(const Frequencies& frequencies, std::vector<Cost> unit, Cost suppressed) {
  std::vector<std::vector<std::vector<std::int64_t>>> weight(frequencies.attributes());
  for (std::size_t a = 0; a < weight.size(); ++a)
    for (std::size_t j = 0; j <= frequencies.hierarchy(a).height(); ++j) {
      std::vector<std::int64_t> others = frequencies.hierarchy(a).level(j).leaves;
      for (std::int64_t& leaves : others) --leaves;
      weight[a].push_back(std::move(others));
    }
  return {std::move(weight), std::move(unit), suppressed};
}

}  // namespace sfumato

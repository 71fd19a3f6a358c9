// What every search over a full-domain lattice requires of its input.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "sfumato/loss/loss.hpp"
#include "sfumato/packing.hpp"
#include "sfumato/privacy/model.hpp"

namespace sfumato {

/// The lattice from bottom to top fits the table's hierarchies.
inline void require_lattice(const Frequencies& frequencies, const Node& bottom, const Node& top) {
  if (bottom.size() != frequencies.attributes() || top.size() != frequencies.attributes())
    throw std::invalid_argument("a node has one level per attribute");
  for (std::size_t a = 0; a < frequencies.attributes(); ++a)
    if (bottom[a] > top[a] || top[a] > frequencies.hierarchy(a).height())
      throw std::invalid_argument("the lattice's bottom is above its top, or its top above a hierarchy");
}

/// A model knows all values of a column.
inline void require_values(const SensitiveColumn& column, std::size_t values) {
  if (std::ranges::any_of(column.codes, [values](std::uint32_t code) { return code >= values; }))
    throw std::invalid_argument("a model does not know all values");
}

/// The table has what models, or ratings, read.
template <class Parts>
void require_columns(const Frequencies& frequencies, const Parts& parts) {
  for (const auto& part : parts) {
    if (part->populated() && frequencies.population().size() != frequencies.size())
      throw std::invalid_argument("a model asks for a population that is not there");
    if (part->sensitive() && *part->sensitive() >= frequencies.sensitive().size())
      throw std::invalid_argument("a model reads a sensitive attribute that is not there");
    if (part->sensitive()) require_values(frequencies.sensitive()[*part->sensitive()], part->values());
  }
}

/// The table has what losses of classes read, and losses of values know all its nodes.
inline void require_columns(const Frequencies& frequencies, const Loss& loss) {
  if (!loss.fits(frequencies)) throw std::invalid_argument("a loss of values has a weight for every node");
  for (const auto& [part, factor] : loss.of_classes())
    if (part->reads() && *part->reads() >= frequencies.sensitive().size())
      throw std::invalid_argument("a loss reads a column that is not there");
}

}  // namespace sfumato

// Attributes joined into packs, so that a tuple's key at any lattice node costs a few table look-ups.
//
// A pack's code is the mixed-radix number of its attributes' values. As long as a pack has few codes, one table per
// node, small enough for the first-level cache, maps all its attributes at once: three look-ups instead of eight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sfumato/frequencies.hpp"

namespace sfumato {

/// A node of the full-domain lattice: one level per attribute.
using Node = std::vector<std::uint16_t>;
using NodeView = std::span<const std::uint16_t>;

class Packing {
 public:
  /// Largest number of codes in a pack of several attributes.
  static constexpr std::size_t table_limit = 4096;

  explicit Packing(const Frequencies& frequencies) : frequencies_(&frequencies) {
    for (std::size_t a = 0; a < frequencies.attributes(); ++a) place(a);
  }

  struct Pack {
    std::vector<std::size_t> attributes;
    std::size_t codes = 1;
  };

  const std::vector<Pack>& packs() const { return packs_; }
  const Frequencies& frequencies() const { return *frequencies_; }

  /// The pack code of every combination of the frequency table.
  std::vector<std::uint32_t> column(const Pack& pack) const {
    std::vector<std::uint32_t> column(frequencies_->size(), 0);
    for (const std::size_t a : pack.attributes) {
      const auto radix = static_cast<std::uint32_t>(frequencies_->hierarchy(a).values());
      const auto& codes = frequencies_->codes(a);
      for (std::size_t i = 0; i < column.size(); ++i) column[i] = column[i] * radix + codes[i];
    }
    return column;
  }

  /// Number of different keys a pack can have at a node.
  std::uint64_t range(const Pack& pack, NodeView node) const {
    std::uint64_t range = 1;
    for (const std::size_t a : pack.attributes) range *= frequencies_->hierarchy(a).level(node[a]).nodes();
    return range;
  }

  /// table[code]: the pack's part of a key at this node, times `stride`.
  template <class Key>
  void fill(const Pack& pack, NodeView node, Key stride, std::vector<Key>& table) const {
    table.assign(pack.codes, 0);
    std::size_t filled = 1;
    std::uint64_t rest = range(pack, node);
    // Outer attributes first: expanding back to front leaves the shorter table readable while it is replaced.
    for (const std::size_t a : pack.attributes) {
      const Level& level = frequencies_->hierarchy(a).level(node[a]);
      rest /= level.nodes();
      const Key step = static_cast<Key>(rest) * stride;
      const std::size_t radix = level.node.size();
      for (std::size_t code = filled; code-- > 0;) {
        const Key outer = table[code];
        for (std::size_t value = radix; value-- > 0;)
          table[code * radix + value] = outer + static_cast<Key>(level.node[value]) * step;
      }
      filled *= radix;
    }
  }

  /// Adds to value_counts[a][v] the records per pack code; uses up `records`.
  /// The innermost attribute is summed out first, so that each further one walks a shorter row.
  void marginals(const Pack& pack, std::vector<std::int64_t>& records,
                 std::vector<std::vector<std::int64_t>>& value_counts) const {
    std::size_t outer = pack.codes;
    for (std::size_t p = pack.attributes.size(); p-- > 0;) {
      auto& counts = value_counts[pack.attributes[p]];
      const std::size_t radix = counts.size();
      outer /= radix;
      for (std::size_t code = 0; code < outer; ++code) {
        std::int64_t sum = 0;
        for (std::size_t value = 0; value < radix; ++value) {
          const std::int64_t here = records[code * radix + value];
          counts[value] += here;
          sum += here;
        }
        records[code] = sum;
      }
    }
  }

 private:
  /// First fit: an attribute joins the first pack that stays within the limit, or opens one.
  void place(std::size_t a) {
    const std::size_t values = frequencies_->hierarchy(a).values();
    if (values == 0) return;  // an empty table has no values and needs no key
    for (Pack& pack : packs_)
      if (pack.codes * values <= table_limit) {
        pack.attributes.push_back(a);
        pack.codes *= values;
        return;
      }
    packs_.push_back({{a}, values});
  }

  const Frequencies* frequencies_;
  std::vector<Pack> packs_;
};

}  // namespace sfumato

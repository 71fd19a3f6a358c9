// An attribute's generalization levels over the values that occur in the data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sfumato/narrow.hpp"

namespace sfumato {

/// One level: every occurring value's node, and how many leaves of the whole hierarchy lie below each node.
struct Level {
  std::vector<std::uint32_t> node;   // per value; monotone, since codes are given depth-first
  std::vector<std::int64_t> leaves;  // per node; absent values count as well

  std::size_t nodes() const { return leaves.size(); }
};

class Hierarchy {
 public:
  static constexpr std::uint64_t most_levels = std::numeric_limits<std::uint16_t>::max();  // above the values

  explicit Hierarchy(std::vector<Level> levels) : levels_(std::move(levels)) {
    if (levels_.empty()) throw std::invalid_argument("a hierarchy needs at least one level");
    require_at_most(height(), most_levels, too_many_levels);
    for (const Level& level : levels_) {
      if (level.node.size() != values()) throw std::invalid_argument("every level must name a node for every value");
      if (level.nodes() > values()) throw std::invalid_argument("a level has more nodes than there are values");
      for (const std::uint32_t node : level.node)
        if (node >= level.nodes()) throw std::invalid_argument("a level names a node it does not have");
    }
  }

  std::size_t values() const { return levels_.front().node.size(); }
  std::size_t height() const { return levels_.size() - 1; }
  const Level& level(std::size_t j) const { return levels_[j]; }

 private:
  std::vector<Level> levels_;
};

}  // namespace sfumato

// The levels of an attribute, as lower bounds go through them: each maps every value to a block of values.
//
// Of a tree, blocks are its nodes, depth by depth. Of an order, blocks stand for intervals: each interval lies within a
// block that costs no more than it does. So each class at a tuple lies below a tuple of blocks that costs no more, and
// what holds for these, holds for the class. Intervals of few cells are blocks themselves, exactly: those of n cells
// make n levels, which begin at different cells. Longer ones are taken together: those of more than m and up to n cells
// lie within blocks of parts · s cells that begin at multiples of s, where (parts - 1) · s >= n - 1: an interval begins
// less than s cells after some multiple of s. These make `parts` levels, and a block costs what m + 1 cells cost.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "sfumato/algorithms/local/space.hpp"

namespace sfumato::local {

/// By place of a leaf: the block that it lies in, and what a record costs there at least.
struct BlockLevel {
  std::vector<std::uint32_t> block;
  std::vector<std::int64_t> cost;
};

inline std::vector<BlockLevel> tree_levels(const Space& space, std::size_t a) {
  std::uint32_t deepest = 0;
  for (std::uint32_t v = 0; v < space.places(a); ++v) deepest = std::max(deepest, space.depth(a, v));
  std::vector<BlockLevel> levels;
  std::vector<std::uint32_t> node(space.places(a));
  std::iota(node.begin(), node.end(), 0u);
  for (std::uint32_t depth = deepest;; --depth) {
    for (std::uint32_t& v : node)
      if (space.depth(a, v) > depth) v = space.parent(a, v);
    auto& level = levels.emplace_back(BlockLevel{node, {}});
    for (const std::uint32_t v : node) level.cost.push_back(space.cost(a, v));
    if (depth == 0) return levels;
  }
}

inline std::vector<BlockLevel> order_levels(const Space& space, std::size_t a) {
  constexpr std::uint32_t exact = 6, parts = 3;
  const std::uint32_t places = static_cast<std::uint32_t>(space.places(a)), cells = places - space.missing(a);
  const auto& cost = space.problem().trees[a].cost;
  std::vector<BlockLevel> levels;
  // Blocks of `length` cells, one of which begins at `start`; the missing value keeps to itself.
  const auto add = [&](std::uint32_t length, std::uint32_t start, std::int64_t each) {
    auto& level = levels.emplace_back();
    for (std::uint32_t cell = 0; cell < cells; ++cell) level.block.push_back((cell + length - start) / length);
    level.cost.assign(cells, each);
    if (cells < places) level.block.push_back(cells + 1), level.cost.push_back(cost[0]);
  };
  for (std::uint32_t done = 0; done < cells;) {
    const std::uint32_t next = std::min(cells, done < exact ? done + 1 : done + done / 2);
    const bool alone = next == done + 1;
    const std::uint32_t starts = next == cells ? 1 : alone ? next : parts;
    const std::uint32_t step = next == cells ? cells : alone ? 1 : (next - 1 + parts - 2) / (parts - 1);
    for (std::uint32_t start = 0; start < starts; ++start) add(starts * step, start * step, cost[done]);
    done = next;
  }
  if (cells < places && cells > 0)
    levels.push_back({std::vector<std::uint32_t>(places, 0), std::vector(places, cost.back())});
  return levels;
}

inline std::vector<BlockLevel> levels_of(const Space& space, std::size_t a) {
  return space.ordered(a) ? order_levels(space, a) : tree_levels(space, a);
}

}  // namespace sfumato::local

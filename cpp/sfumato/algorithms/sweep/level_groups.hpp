// Tuples of leaves, grouped by what they are published as at given depths of their hierarchies.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace sfumato::sweep {

/// The nodes above the values of an attribute, by depth; the root is at depth 0.
struct Depths {
  std::vector<std::uint32_t> leaf;               // the depth of each value's leaf
  std::vector<std::vector<std::uint32_t>> node;  // by depth and value: number along the depth; any below the leaf
};

class LevelGroups {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// columns[a][t]: the value of attribute a in tuple t.
  LevelGroups(std::vector<Depths> attributes, std::vector<std::vector<std::uint32_t>> columns)
      : attributes_(std::move(attributes)), columns_(std::move(columns)) {
    for (const Depths& attribute : attributes_) {
      shallowest_.push_back(*std::min_element(attribute.leaf.begin(), attribute.leaf.end()));
      auto& widths = widths_.emplace_back();
      for (const auto& node : attribute.node)
        widths.push_back(*std::max_element(node.begin(), node.end()) + std::uint64_t{1});
    }
  }

  std::uint32_t node(std::size_t a, std::size_t depth, std::uint32_t tuple) const {
    return attributes_[a].node[depth][columns_[a][tuple]];
  }

  /// Numbers the groups of these tuples from 0 in the order of their first; ids()[i] is that of tuples[i], or none if a
  /// leaf of it is not that deep.
  std::size_t group(std::span<const std::uint16_t> depths, std::span<const std::uint32_t> tuples) {
    keys_.assign(tuples.size(), 0);
    ids_.assign(tuples.size(), 0);
    std::uint64_t room = 1;
    for (std::size_t a = 0; a < attributes_.size(); ++a) {
      const std::uint64_t width = widths_[a][depths[a]];
      if (depths[a] > shallowest_[a]) leave_out(a, depths[a], tuples);
      if (width == 1) continue;
      if (room > (std::uint64_t{1} << 62) / width) {  // the numbers of the groups so far do as well
        room = number();
        for (std::size_t i = 0; i < keys_.size(); ++i)
          if (ids_[i] != none) keys_[i] = ids_[i];
      }
      const std::uint32_t* node = attributes_[a].node[depths[a]].data();
      const std::uint32_t* value = columns_[a].data();
      for (std::size_t i = 0; i < tuples.size(); ++i) keys_[i] = keys_[i] * width + node[value[tuples[i]]];
      room *= width;
    }
    return number();
  }

  std::span<const std::uint32_t> ids() const { return ids_; }

 private:
  void leave_out(std::size_t a, std::uint32_t depth, std::span<const std::uint32_t> tuples) {
    for (std::size_t i = 0; i < tuples.size(); ++i)
      if (attributes_[a].leaf[columns_[a][tuples[i]]] < depth) ids_[i] = none;
  }

  std::size_t number() {
    const std::size_t room = std::bit_ceil(keys_.size() * 2 + 2);
    const int shift = 64 - std::countr_zero(room);
    if (slots_.size() < room) slots_.assign(room, {0, none});
    std::uint32_t groups = 0;
    used_.clear();
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (ids_[i] == none) continue;
      std::size_t place = (keys_[i] * 0x9e3779b97f4a7c15u) >> shift;
      while (slots_[place].second != none && slots_[place].first != keys_[i]) place = (place + 1) & (room - 1);
      if (slots_[place].second == none) {
        slots_[place] = {keys_[i], groups++};
        used_.push_back(static_cast<std::uint32_t>(place));
      }
      ids_[i] = slots_[place].second;
    }
    for (const std::uint32_t place : used_) slots_[place].second = none;
    return groups;
  }

  std::vector<Depths> attributes_;
  std::vector<std::vector<std::uint32_t>> columns_;
  std::vector<std::uint32_t> shallowest_;
  std::vector<std::vector<std::uint64_t>> widths_;  // by attribute and depth: its nodes
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> ids_, used_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> slots_;
};

}  // namespace sfumato::sweep

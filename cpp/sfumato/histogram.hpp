// Records per value of one sensitive attribute, class by class: as cells of values that occur, or as lanes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sfumato/wide.hpp"

namespace sfumato {

/// As cells: class c owns begin[c] … begin[c + 1]. As lanes, if `width` is not 0: class c owns the `width` counts from
/// lanes[c * width] on, one for each value, the last ones unused. Lanes are added up and compared as vectors.
struct Histogram {
  std::vector<std::size_t> begin;
  std::vector<std::uint32_t> value;
  std::vector<std::int64_t> count;
  LineVector<std::uint32_t> lanes{};
  std::size_t width = 0;

  const std::uint32_t* lanes_of(std::size_t c) const { return lanes.data() + c * width; }

  /// Calls with every value that occurs in a class, and its records.
  template <class Call>
  void each(std::size_t c, Call call) const {
    if (width == 0) {
      for (std::size_t j = begin[c]; j < begin[c + 1]; ++j) call(value[j], count[j]);
    } else {
      for (std::size_t v = 0; v < width; ++v)
        if (const std::int64_t records = lanes_of(c)[v]; records != 0) call(static_cast<std::uint32_t>(v), records);
    }
  }

  /// How many values occur in a class.
  std::size_t values(std::size_t c) const {
    if (width == 0) return begin[c + 1] - begin[c];
    std::uint32_t values = 0;
    for (std::size_t v = 0; v < width; ++v) values += lanes_of(c)[v] != 0;
    return values;
  }

  /// The records of a class's most frequent value.
  std::int64_t largest(std::size_t c) const {
    if (width == 0) {
      std::int64_t largest = 0;
      for (std::size_t j = begin[c]; j < begin[c + 1]; ++j) largest = std::max(largest, count[j]);
      return largest;
    }
    std::uint32_t largest = 0;
    for (std::size_t v = 0; v < width; ++v) largest = std::max(largest, lanes_of(c)[v]);
    return largest;
  }

  /// The records of a class, but no more than `most` of each value.
  std::int64_t capped(std::size_t c, std::int64_t most) const {
    if (width == 0) {
      std::int64_t capped = 0;
      for (std::size_t j = begin[c]; j < begin[c + 1]; ++j) capped += std::min(most, count[j]);
      return capped;
    }
    const auto cap =
        static_cast<std::uint32_t>(std::min<std::int64_t>(most, std::numeric_limits<std::uint32_t>::max()));
    std::uint32_t capped = 0;  // records of a lane, and so of all lanes, are no more than that holds
    for (std::size_t v = 0; v < width; ++v) capped += std::min(cap, lanes_of(c)[v]);
    return capped;
  }

  /// The counts of the values that occur in a class.
  void counts(std::size_t c, std::vector<std::int64_t>& out) const {
    out.clear();
    each(c, [&](std::uint32_t, std::int64_t records) { out.push_back(records); });
  }

  /// The same as cells.
  Histogram as_cells(std::size_t classes) const {
    Histogram cells{{0}, {}, {}};
    for (std::size_t c = 0; c < classes; ++c) {
      each(c, [&](std::uint32_t v, std::int64_t records) { cells.value.push_back(v), cells.count.push_back(records); });
      cells.begin.push_back(cells.value.size());
    }
    return cells;
  }
};

/// So many values have room in this many lanes; 0 if they are too many for that.
inline std::size_t lanes_for(std::uint32_t values) {
  for (const std::size_t width : {2u, 4u, 8u, 16u, 32u, 64u})
    if (values <= width) return width;
  return 0;
}

}  // namespace sfumato

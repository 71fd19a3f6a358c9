// Distinct combinations, packed: what searches group, cut down and merge.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "sfumato/frequencies.hpp"
#include "sfumato/histogram.hpp"
#include "sfumato/wide.hpp"
#include "sfumato/units.hpp"

namespace sfumato {

/// Adds up rows of `width` counts, by their groups.
SFUMATO_WIDE inline void add_lanes(const std::uint32_t* __restrict counts, const std::uint32_t* __restrict group,
                                   std::size_t rows, std::size_t width, std::uint32_t* __restrict sums) {
  const auto add = [=]<std::size_t lanes>() __attribute__((always_inline)) {
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t l = 0; l < lanes; ++l) sums[group[i] * lanes + l] += counts[i * lanes + l];
  };
  switch (width) {
    case 2: return add.template operator()<2>();
    case 4: return add.template operator()<4>();
    case 8: return add.template operator()<8>();
    case 16: return add.template operator()<16>();
    case 32: return add.template operator()<32>();
    default: return add.template operator()<64>();
  }
}

/// Records by value of a sensitive attribute, `width` counts for each tuple.
struct LaneColumn {
  std::size_t width;
  LineVector<std::uint32_t> counts;

  void add_up(std::span<const std::uint32_t> group, std::size_t groups, LineVector<std::uint32_t>& sums) const {
    sums.assign(groups * width, 0);
    add_lanes(counts.data(), group.data(), group.size(), width, sums.data());
  }
};

/// The columns that some model or loss looks at are `sensitive`, and tuples differ by their values too; or `lanes`.
struct Tuples {
  std::vector<std::vector<std::uint32_t>> packs;
  std::vector<SensitiveColumn> sensitive;
  std::vector<std::int64_t> counts;
  std::optional<Units> units = std::nullopt;  // without them, every record is a unit of its own
  std::vector<std::int64_t> population{};     // of each combination, if models ask; tuples of it alone count 0, and come last
  std::vector<LaneColumn> lanes{};

  std::size_t size() const { return counts.size(); }

  std::size_t bytes() const {
    return size() * (sizeof(std::int64_t) + sizeof(std::uint32_t) * (packs.size() + sensitive.size())) +
           (units ? units->bytes() : 0) + population.size() * sizeof(std::int64_t) + lane_counts() * sizeof(std::uint32_t);
  }

  /// The chosen ones alone, in their order.
  Tuples taken(std::span<const std::uint32_t> chosen) const {
    Tuples taken = columns(chosen);
    taken.counts = picked(counts, chosen);
    if (!population.empty()) taken.population = picked(population, chosen);
    for (const auto& [width, rows] : lanes) {
      auto& to = taken.lanes.emplace_back(width, LineVector<std::uint32_t>(chosen.size() * width)).counts;
      for (std::size_t j = 0; j < chosen.size(); ++j) std::copy_n(rows.data() + chosen[j] * width, width, to.data() + j * width);
    }
    if (units) {
      std::vector<std::uint32_t> place(size(), Units::nowhere);
      for (std::size_t j = 0; j < chosen.size(); ++j) place[chosen[j]] = static_cast<std::uint32_t>(j);
      taken.units = units->moved(place, chosen.size());
    }
    return taken;
  }

  /// One for each group: `group` is that of each tuple, `first` one tuple and `sizes` the records of each group.
  Tuples merged(std::span<const std::uint32_t> group, std::span<const std::uint32_t> first,
                std::span<const std::int64_t> sizes) const {
    Tuples merged = columns(first);
    merged.counts.assign(sizes.begin(), sizes.end());
    if (units) merged.units = units->moved(group, first.size());
    if (!population.empty()) merged.population.assign(first.size(), 0);
    for (std::size_t i = 0; i < population.size(); ++i) merged.population[group[i]] += population[i];
    for (const LaneColumn& column : lanes)
      column.add_up(group, first.size(), merged.lanes.emplace_back(column.width, LineVector<std::uint32_t>()).counts);
    return merged;
  }

  /// The same, for groups that differ in quasi-identifiers alone: their sensitive values become lanes, if there is room.
  std::optional<Tuples> merged_to_lanes(std::span<const std::uint32_t> group, std::span<const std::uint32_t> first,
                                        std::span<const std::int64_t> sizes) const {
    constexpr std::size_t most = std::size_t{1} << 24;
    std::size_t width = 0;
    for (const auto& [values, codes] : sensitive) {
      if (lanes_for(values) == 0) return std::nullopt;
      width += lanes_for(values);
    }
    const std::int64_t records = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
    if (width == 0 || width * first.size() > most || records > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    Tuples merged = this->merged(group, first, sizes);
    merged.sensitive.clear();
    for (const auto& [values, codes] : sensitive) {
      const std::size_t room = lanes_for(values);
      auto& rows = merged.lanes.emplace_back(room, LineVector<std::uint32_t>(first.size() * room, 0)).counts;
      for (std::size_t i = 0; i < size(); ++i) rows[group[i] * room + codes[i]] += static_cast<std::uint32_t>(counts[i]);
    }
    return merged;
  }

 private:
  std::size_t lane_counts() const {
    std::size_t sum = 0;
    for (const LaneColumn& column : lanes) sum += column.counts.size();
    return sum;
  }

  template <class T>
  static std::vector<T> picked(const std::vector<T>& column, std::span<const std::uint32_t> chosen) {
    std::vector<T> picked;
    picked.reserve(chosen.size());
    for (const std::uint32_t i : chosen) picked.push_back(column[i]);
    return picked;
  }

  /// What the chosen ones are, without how many.
  Tuples columns(std::span<const std::uint32_t> chosen) const {
    Tuples taken;
    for (const auto& column : packs) taken.packs.push_back(picked(column, chosen));
    for (const auto& column : sensitive) taken.sensitive.push_back({column.values, picked(column.codes, chosen)});
    return taken;
  }
};

}  // namespace sfumato

// Distinct combinations, packed: what searches group, cut down and merge.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <ranges>
#include <span>
#include <vector>

#include "sfumato/frequencies.hpp"
#include "sfumato/histogram.hpp"
#include "sfumato/units.hpp"
#include "sfumato/wide.hpp"

namespace sfumato {

/// Adds up rows of `width` counts, by their groups.
template <class Count, class Sum>
[[gnu::always_inline]] inline void add_rows(const Count* __restrict counts, const std::uint32_t* __restrict group,
                                            std::size_t rows, std::size_t width, Sum* __restrict sums) {
  const auto add = [=]<std::size_t lanes>() __attribute__((always_inline)) {
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t l = 0; l < lanes; ++l)
        sums[group[i] * lanes + l] = static_cast<Sum>(sums[group[i] * lanes + l] + counts[i * lanes + l]);
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

SFUMATO_WIDE inline void add_lanes(const std::uint32_t* __restrict counts, const std::uint32_t* __restrict group,
                                   std::size_t rows, std::size_t width, std::uint32_t* __restrict sums) {
  add_rows(counts, group, rows, width, sums);
}
SFUMATO_WIDE inline void add_lanes(const std::uint16_t* __restrict counts, const std::uint32_t* __restrict group,
                                   std::size_t rows, std::size_t width, std::uint32_t* __restrict sums) {
  add_rows(counts, group, rows, width, sums);
}
SFUMATO_WIDE inline void add_lanes(const std::uint16_t* __restrict counts, const std::uint32_t* __restrict group,
                                   std::size_t rows, std::size_t width, std::uint16_t* __restrict sums) {
  add_rows(counts, group, rows, width, sums);
}

/// Records by value of a sensitive attribute, `width` counts for each tuple: in half the memory while no tuple has more
/// records than that holds.
class LaneColumn {
 public:
  LaneColumn(std::size_t width, std::size_t tuples, bool few) : width_(width), few_(few) {
    few ? short_.assign(tuples * width, 0) : long_.assign(tuples * width, 0);
  }

  static bool few(std::span<const std::int64_t> records) {
    return records.empty() || *std::ranges::max_element(records) <= std::numeric_limits<std::uint16_t>::max();
  }

  std::size_t width() const { return width_; }
  std::size_t bytes() const { return short_.size() * sizeof(std::uint16_t) + long_.size() * sizeof(std::uint32_t); }

  void add(std::size_t tuple, std::size_t value, std::int64_t records) {
    const std::size_t at = tuple * width_ + value;
    few_ ? short_[at] = static_cast<std::uint16_t>(short_[at] + records)
         : long_[at] += static_cast<std::uint32_t>(records);
  }

  LaneColumn taken(std::span<const std::uint32_t> chosen) const {
    LaneColumn taken(width_, 0, few_);
    few_ ? take(short_, chosen, taken.short_) : take(long_, chosen, taken.long_);
    return taken;
  }

  void add_up(std::span<const std::uint32_t> group, std::size_t groups, LineVector<std::uint32_t>& sums) const {
    sums.assign(groups * width_, 0);
    few_ ? add_lanes(short_.data(), group.data(), group.size(), width_, sums.data())
         : add_lanes(long_.data(), group.data(), group.size(), width_, sums.data());
  }

  LaneColumn merged(std::span<const std::uint32_t> group, std::size_t groups, bool few) const {
    if (!few) {
      LaneColumn merged(width_, 0, few);
      add_up(group, groups, merged.long_);
      return merged;
    }
    LaneColumn merged(width_, groups, few);
    add_lanes(short_.data(), group.data(), group.size(), width_, merged.short_.data());
    return merged;
  }

 private:
  template <class Count>
  void take(const LineVector<Count>& from, std::span<const std::uint32_t> chosen, LineVector<Count>& to) const {
    to.resize(chosen.size() * width_);
    for (std::size_t j = 0; j < chosen.size(); ++j)
      std::copy_n(from.data() + chosen[j] * width_, width_, to.data() + j * width_);
  }

  std::size_t width_;
  bool few_;  // then all counts are in `short_`
  LineVector<std::uint16_t> short_;
  LineVector<std::uint32_t> long_;
};

/// The columns that some model or loss looks at are `sensitive`, and tuples differ by their values too; or `lanes`.
struct Tuples {
  std::vector<std::vector<std::uint32_t>> packs;
  std::vector<SensitiveColumn> sensitive;
  std::vector<std::int64_t> counts;
  std::optional<Units> units = std::nullopt;  // without them, every record is a unit of its own
  std::vector<std::int64_t>
      population{};  // of each combination, if models ask; tuples of it alone count 0, and come last
  std::vector<LaneColumn> lanes{};

  std::size_t size() const { return counts.size(); }

  std::size_t bytes() const {
    return size() * (sizeof(std::int64_t) + sizeof(std::uint32_t) * (packs.size() + sensitive.size())) +
           (units ? units->bytes() : 0) + population.size() * sizeof(std::int64_t) + lane_bytes();
  }

  /// The chosen ones alone, in their order.
  Tuples taken(std::span<const std::uint32_t> chosen) const {
    Tuples taken = columns(chosen);
    taken.counts = picked(counts, chosen);
    if (!population.empty()) taken.population = picked(population, chosen);
    for (const LaneColumn& column : lanes) taken.lanes.push_back(column.taken(chosen));
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
    const bool few = LaneColumn::few(sizes);
    for (const LaneColumn& column : lanes) merged.lanes.push_back(column.merged(group, first.size(), few));
    return merged;
  }

  /// The same, for groups that differ in quasi-identifiers alone: their sensitive values become lanes, if there is
  /// room.
  std::optional<Tuples> merged_to_lanes(std::span<const std::uint32_t> group, std::span<const std::uint32_t> first,
                                        std::span<const std::int64_t> sizes) const {
    constexpr std::size_t most = std::size_t{1} << 24;
    std::size_t width = 0;
    for (const auto& [values, codes] : sensitive) {
      if (lanes_for(values) == 0) return std::nullopt;
      width += lanes_for(values);
    }
    const std::int64_t records = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
    if (width == 0 || width * first.size() > most || records > std::numeric_limits<std::uint32_t>::max())
      return std::nullopt;
    Tuples merged = this->merged(group, first, sizes);
    merged.sensitive.clear();
    const bool few = LaneColumn::few(sizes);
    for (const auto& [values, codes] : sensitive) {
      LaneColumn& column = merged.lanes.emplace_back(lanes_for(values), first.size(), few);
      for (std::size_t i = 0; i < size(); ++i) column.add(group[i], codes[i], counts[i]);
    }
    return merged;
  }

 private:
  std::size_t lane_bytes() const {
    std::size_t sum = 0;
    for (const LaneColumn& column : lanes) sum += column.bytes();
    return sum;
  }

  template <class T>
  static std::vector<T> picked(const std::vector<T>& column, std::span<const std::uint32_t> chosen) {
    const auto values = chosen | std::views::transform([&](std::uint32_t i) -> const T& { return column[i]; });
    return {values.begin(), values.end()};
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

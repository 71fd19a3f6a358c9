// Distinct combinations, packed: what searches group, cut down and merge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sfumato/frequencies.hpp"
#include "sfumato/units.hpp"

namespace sfumato {

/// `sensitive` holds the columns that some model or loss looks at.
struct Tuples {
  std::vector<std::vector<std::uint32_t>> packs;
  std::vector<SensitiveColumn> sensitive;
  std::vector<std::int64_t> counts;
  std::optional<Units> units = std::nullopt;  // without them, every record is a unit of its own
  std::vector<std::int64_t> population{};     // of each combination, if models ask; tuples of it alone count 0, and come last

  std::size_t size() const { return counts.size(); }

  std::size_t bytes() const {
    return size() * (sizeof(std::int64_t) + sizeof(std::uint32_t) * (packs.size() + sensitive.size())) +
           (units ? units->bytes() : 0) + population.size() * sizeof(std::int64_t);
  }

  /// The chosen ones alone, in their order.
  Tuples taken(std::span<const std::uint32_t> chosen) const {
    Tuples taken = columns(chosen);
    taken.counts = picked(counts, chosen);
    if (!population.empty()) taken.population = picked(population, chosen);
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
    return merged;
  }

 private:
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

// The frequency table: distinct combinations of quasi-identifiers (and sensitive values) with their counts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sfumato/hierarchy.hpp"
#include "sfumato/narrow.hpp"
#include "sfumato/units.hpp"

namespace sfumato {

struct SensitiveColumn {
  std::uint32_t values;              // number of different values in the table
  std::vector<std::uint32_t> codes;  // per combination
};

class Frequencies {
 public:
  /// codes[a][i]: value of attribute a in combination i. Without units, every record is a unit of its own.
  /// population[i]: how many of the population have combination i, if models ask for that. Combinations that only the
  /// population has count 0 and come last.
  Frequencies(std::vector<Hierarchy> hierarchies, std::vector<std::vector<std::uint32_t>> codes,
              std::vector<SensitiveColumn> sensitive, std::vector<std::int64_t> counts,
              std::optional<Units> units = std::nullopt, std::vector<std::int64_t> population = {})
      : hierarchies_(std::move(hierarchies)),
        codes_(std::move(codes)),
        sensitive_(std::move(sensitive)),
        counts_(std::move(counts)),
        units_(std::move(units)),
        population_(std::move(population)) {
    require_at_most(size(), most_combinations, too_many_combinations);
    records_ = counted(counts_);
    counted(population_);
    if (units_ && units_->size() != size()) throw std::invalid_argument("units of other combinations");
    if (!population_.empty() && population_.size() != size())
      throw std::invalid_argument("a population of other combinations");
    if (!std::is_partitioned(counts_.begin(), counts_.end(), [](std::int64_t count) { return count > 0; }))
      throw std::invalid_argument("combinations without records come last");
    if (codes_.size() != hierarchies_.size()) throw std::invalid_argument("one column of codes per hierarchy");
    for (std::size_t a = 0; a < codes_.size(); ++a) {
      if (codes_[a].size() != size()) throw std::invalid_argument("every column needs a code per combination");
      for (const std::uint32_t code : codes_[a])
        if (code >= hierarchies_[a].values()) throw std::invalid_argument("a code without a value");
    }
    level_begin_.push_back(0);
    for (const Hierarchy& hierarchy : hierarchies_)
      level_begin_.push_back(level_begin_.back() + hierarchy.height() + 1);
    for (const SensitiveColumn& column : sensitive_) {
      if (column.codes.size() != size()) throw std::invalid_argument("every column needs a code per combination");
      for (const std::uint32_t code : column.codes)
        if (code >= column.values) throw std::invalid_argument("a code without a value");
    }
  }

  std::size_t size() const { return counts_.size(); }
  std::size_t attributes() const { return hierarchies_.size(); }
  std::int64_t records() const { return records_; }

  const Hierarchy& hierarchy(std::size_t a) const { return hierarchies_[a]; }
  const std::vector<std::uint32_t>& codes(std::size_t a) const { return codes_[a]; }
  /// Levels of all attributes in one row: attribute a's level j is number level_begin(a) + j.
  std::size_t level_begin(std::size_t a) const { return level_begin_[a]; }
  std::size_t levels() const { return level_begin_.back(); }
  const std::vector<SensitiveColumn>& sensitive() const { return sensitive_; }
  const std::vector<std::int64_t>& counts() const { return counts_; }
  const std::optional<Units>& units() const { return units_; }
  const std::vector<std::int64_t>& population() const { return population_; }

 private:
  /// All together. Sums of records must fit, whatever is added up.
  static std::int64_t counted(const std::vector<std::int64_t>& counts) {
    std::int64_t records = 0;
    for (const std::int64_t count : counts) {
      if (count < 0) throw std::invalid_argument("nothing occurs less than never");
      if (count >= most_records - records) throw OutOfRange(too_many_records);
      records += count;
    }
    return records;
  }

  std::vector<Hierarchy> hierarchies_;
  std::vector<std::vector<std::uint32_t>> codes_;
  std::vector<SensitiveColumn> sensitive_;
  std::vector<std::int64_t> counts_;
  std::int64_t records_ = 0;
  std::optional<Units> units_;
  std::vector<std::int64_t> population_;
  std::vector<std::size_t> level_begin_;
};

}  // namespace sfumato

// Kinds of records: combinations of sensitive values and labels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "sfumato/frequencies.hpp"

namespace sfumato::cuts {

/// So many records of one kind.
struct KindCount {
  std::uint32_t kind;
  std::uint32_t count;  // more of them take several cells
};

class Kinds {
 public:
  /// Numbers the kinds of all rows, which differ in these columns. Kinds are all combinations of the columns' values if
  /// these are few, else those that occur.
  std::vector<std::uint32_t> number(const Frequencies& frequencies, std::span<const std::size_t> columns) {
    columns_ = frequencies.sensitive().size();
    std::vector<std::uint32_t> kind_of(frequencies.size(), 0);
    size_ = 1;
    for (const std::size_t s : columns)
      size_ = std::min<std::size_t>(size_ * frequencies.sensitive()[s].values, most_listed + 1);
    all_ = size_ <= most_listed;
    if (!all_) return number_occurring(frequencies, columns);
    std::uint32_t stride = 1;
    values_.assign(size_ * columns_, 0);
    for (const std::size_t s : columns) {
      const SensitiveColumn& column = frequencies.sensitive()[s];
      for (std::size_t i = 0; i < frequencies.size(); ++i) kind_of[i] += stride * column.codes[i];
      for (std::uint32_t kind = 0; kind < size_; ++kind) values_[kind * columns_ + s] = kind / stride % column.values;
      stride *= column.values;
    }
    return kind_of;
  }

  std::size_t size() const { return size_; }
  /// Whether they are so few that all are gone through sooner than those that occur are listed.
  bool few() const { return all_; }
  /// The value that records of a kind have in a sensitive column.
  std::uint32_t value(std::uint32_t kind, std::size_t column) const { return values_[kind * columns_ + column]; }

 private:
  std::vector<std::uint32_t> number_occurring(const Frequencies& frequencies, std::span<const std::size_t> columns) {
    std::map<std::vector<std::uint32_t>, std::uint32_t> number;
    std::vector<std::uint32_t> kind_of(frequencies.size()), values(columns_, 0);
    size_ = 0;
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
      for (const std::size_t s : columns) values[s] = frequencies.sensitive()[s].codes[i];
      const auto [place, fresh] = number.try_emplace(values, static_cast<std::uint32_t>(size_));
      if (fresh) {
        values_.insert(values_.end(), values.begin(), values.end());
        ++size_;
      }
      kind_of[i] = place->second;
    }
    return kind_of;
  }

  static constexpr std::size_t most_listed = 64;
  std::size_t size_ = 0, columns_ = 0;
  bool all_ = false;                   // all combinations are kinds
  std::vector<std::uint32_t> values_;  // by kind and column
};

}  // namespace sfumato::cuts

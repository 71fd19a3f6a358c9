// What searches require of numbers that come in columns, and of the models that read them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "sfumato/frequencies.hpp"
#include "sfumato/narrow.hpp"
#include "sfumato/privacy/model.hpp"

namespace sfumato {

/// A column has one number for each row, all below some end.
inline void require_below(const std::vector<std::uint32_t>& column, std::size_t rows, std::size_t end) {
  if (column.size() != rows) throw std::invalid_argument("a column has one number for each row");
  if (std::ranges::any_of(column, [end](std::uint32_t number) { return number >= end; }))
    throw std::invalid_argument("a column has a number that stands for nothing");
}

/// Each row stands for so many records, and sums of them fit.
inline void require_rows(const std::vector<std::int64_t>& counts, std::int64_t least) {
  std::int64_t records = 0;
  for (const std::int64_t count : counts) {
    if (count < least) throw std::invalid_argument("a row stands for too few records");
    if (count >= most_records - records) throw OutOfRange(too_many_records);
    records += count;
  }
}

/// Models know all values of the columns that they read, and ask for no population.
inline void require_models(const Models& models, const std::vector<SensitiveColumn>& columns, std::size_t rows) {
  for (const SensitiveColumn& column : columns) require_below(column.codes, rows, column.values);
  for (const auto& model : models) {
    if (model->populated()) throw std::invalid_argument("a model asks for a population that is not there");
    if (!model->sensitive()) continue;
    if (*model->sensitive() >= columns.size())
      throw std::invalid_argument("a model reads a sensitive attribute that is not there");
    require_below(columns[*model->sensitive()].codes, rows, model->values());
  }
}

}  // namespace sfumato

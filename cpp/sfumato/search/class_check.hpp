// Whether single classes satisfy models, for searches that make one class after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sfumato/frequencies.hpp"
#include "sfumato/privacy/model.hpp"

namespace sfumato {

/// Owns the working memory: for one thread.
class ClassCheck {
 public:
  /// columns: those that the models read, by row.
  ClassCheck(const Models& models, const std::vector<SensitiveColumn>& columns)
      : models_(models), columns_(columns), histograms_(columns.size()) {}

  /// Whether a class of so many records satisfies all models. `rows`: calls its argument with each row of the class,
  /// and how many records of it are in the class.
  template <class Rows>
  bool holds(std::int64_t size, const Rows& rows) {
    if (models_.empty()) return true;
    for (std::size_t s = 0; s < histograms_.size(); ++s) count(columns_[s], rows, histograms_[s]);
    const std::int64_t sizes[] = {size};
    std::uint8_t violated = 0;
    for (const auto& model : models_) {
      model->mark({sizes, histograms_}, model->sensitive() ? &histograms_[*model->sensitive()] : nullptr,
                  {&violated, 1});
      if (violated) return false;
    }
    return true;
  }

 private:
  template <class Rows>
  void count(const SensitiveColumn& column, const Rows& rows, Histogram& histogram) {
    records_.assign(column.values, 0);
    rows([&](std::uint32_t row, std::int64_t records) { records_[column.codes[row]] += records; });
    histogram.begin.assign(1, 0), histogram.value.clear(), histogram.count.clear();
    for (std::uint32_t v = 0; v < column.values; ++v)
      if (records_[v] > 0) histogram.value.push_back(v), histogram.count.push_back(records_[v]);
    histogram.begin.push_back(histogram.value.size());
  }

  const Models& models_;
  const std::vector<SensitiveColumn>& columns_;
  std::vector<Histogram> histograms_;
  std::vector<std::int64_t> records_;  // by value
};

}  // namespace sfumato

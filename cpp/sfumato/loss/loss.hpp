// A loss as searches see it: a sum of losses of values and losses of classes, in common whole units.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "sfumato/loss/class_loss.hpp"
#include "sfumato/loss/separable.hpp"

namespace sfumato {

class Loss {
 public:
  struct OfClasses {
    std::shared_ptr<const ClassLoss> loss;
    Cost factor = 1;
  };

  Loss(SeparableLoss values) : values_{std::move(values)} {}  // NOLINT: a separable loss is one
  Loss(std::vector<SeparableLoss> values, std::vector<OfClasses> classes)
      : values_(std::move(values)), classes_(std::move(classes)) {}

  const std::vector<OfClasses>& of_classes() const { return classes_; }
  bool of_values() const { return !values_.empty(); }

  /// Whether every node of the table's hierarchies has a weight in each loss of values.
  bool fits(const Frequencies& frequencies) const {
    return std::ranges::all_of(values_, [&](const SeparableLoss& loss) { return loss.fits(frequencies); });
  }

  /// Cost of one suppressed record.
  Cost suppressed() const { return suppressed_by_values() + suppressed_by_classes(); }

  /// The part of it that losses of values ask for.
  Cost suppressed_by_values() const {
    Cost price = 0;
    for (const SeparableLoss& loss : values_) price += loss.suppressed();
    return price;
  }

  /// What publishing a node of attribute a's level j costs, as far as values go.
  Cost each(std::size_t a, std::size_t j, std::size_t node) const {
    Cost sum = 0;
    for (const SeparableLoss& loss : values_) sum += loss.each(a, j, node);
    return sum;
  }

  /// The part of it that losses of classes ask for.
  Cost suppressed_by_classes() const {
    Cost price = 0;
    for (const auto& [loss, factor] : classes_) price += factor * loss->suppressed();
    return price;
  }

  /// What a value costs a record at most, at each level of each attribute.
  void dearest(const Frequencies& frequencies, std::vector<Cost>& costs) const {
    costs.assign(frequencies.levels(), 0);
    for (const SeparableLoss& loss : values_) loss.add_dearest(frequencies, costs);
  }

  /// What suppressing a record can save at most. Losses of classes never gain by it.
  Cost saving(const Frequencies& frequencies) const {
    std::vector<Cost> costs;
    dearest(frequencies, costs);
    Cost saving = -suppressed_by_values();
    for (std::size_t a = 0; a < frequencies.attributes(); ++a) {
      const auto first = costs.begin() + static_cast<std::ptrdiff_t>(frequencies.level_begin(a));
      saving += *std::max_element(first, first + static_cast<std::ptrdiff_t>(frequencies.hierarchy(a).height()) + 1);
    }
    return std::max<Cost>(saving, 0);
  }

  /// What the records cost at each level of each attribute, as far as values go.
  void level_costs(const Frequencies& frequencies, const std::vector<std::vector<std::int64_t>>& value_counts,
                   std::vector<Cost>& costs) const {
    costs.assign(frequencies.levels(), 0);
    for (const SeparableLoss& loss : values_) loss.add_level_costs(frequencies, value_counts, costs);
  }

 private:
  std::vector<SeparableLoss> values_;
  std::vector<OfClasses> classes_;
};

}  // namespace sfumato

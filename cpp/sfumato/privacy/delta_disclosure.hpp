// delta-disclosure privacy: in every class, every value of the input has between e^-delta and e^delta times its share.
// Brickell and Shmatikov, "The cost of privacy", KDD 2008.
#pragma once

#include <stdexcept>

#include "sfumato/privacy/model.hpp"
#include "sfumato/privacy/share_limits.hpp"

namespace sfumato {

class DeltaDisclosure final : public ClassModel {
 public:
  /// By value, the least and the largest share; `values` of them have to occur in every class.
  DeltaDisclosure(std::size_t sensitive, std::vector<Ratio> least, std::vector<Ratio> most, std::size_t values)
      : sensitive_(sensitive), least_(std::move(least)), most_(std::move(most)), values_(values) {
    if (least_.size() != most_.size()) throw std::invalid_argument("a least and a largest share for each value");
  }

  std::optional<std::size_t> sensitive() const override { return sensitive_; }
  std::size_t values() const override { return most_.size(); }

  void mark(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> violated) const override {
    for (std::size_t c = 0; c < classes.count(); ++c) {
      bool within = histogram->values(c) == values_;
      histogram->each(c, [&](std::uint32_t value, std::int64_t records) {
        within = within && least_[value].reached(records, classes.sizes[c]) &&
                 most_[value].admits(records, classes.sizes[c]);
      });
      violated[c] |= !within;
    }
  }

  /// A value that the class does not have is in no part of it.
  void limit(const Classes& classes, const Histogram* histogram, std::span<const std::uint8_t> violated,
             std::span<std::int64_t> publishable) const override {
    limit_each(violated, publishable, [&](std::size_t c) -> std::int64_t {
      if (histogram->values(c) != values_) return 0;
      return most_within(classes.sizes[c], *histogram, c, most_);
    });
  }

 private:
  std::size_t sensitive_;
  std::vector<Ratio> least_, most_;
  std::size_t values_;
};

}  // namespace sfumato

// (tau, l)-diversity: the k most frequent values of a class together have at most psi(k) of it, for every k.
// H. Tian, W. Zhang, "Extending l-diversity for better data anonymization", ITNG 2009, Definition 4.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "sfumato/privacy/induced.hpp"
#include "sfumato/privacy/model.hpp"

namespace sfumato {

class TauLDiversity final : public ClassModel {
 public:
  /// node: what each value of the table stands for. A suppressed value may be any, like the root.
  TauLDiversity(std::size_t sensitive, InducedLimits limits, std::vector<std::uint32_t> node)
      : sensitive_(sensitive),
        limits_(std::make_shared<const InducedLimits>(std::move(limits))),
        node_(std::make_shared<const std::vector<std::uint32_t>>(std::move(node))) {
    if (std::ranges::any_of(*node_, [&](std::uint32_t v) { return v >= limits_->nodes(); }))
      throw std::invalid_argument("a value without a node");
  }

  std::optional<std::size_t> sensitive() const override { return sensitive_; }
  std::size_t values() const override { return node_->size(); }

  void mark(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> violated) const override {
    InducedClass state(*limits_);
    for (std::size_t c = 0; c < classes.count(); ++c) {
      if (violated[c]) continue;
      state.clear();
      histogram->each(c, [&](std::uint32_t value, std::int64_t records) { state.add((*node_)[value], records); });
      if (const std::int64_t unknown = classes.sizes[c] - state.size(); unknown > 0) state.add(0, unknown);
      violated[c] |= !state.diverse();
    }
  }

  /// One record of each value is the evenest part there is, and k of m values have k/m of it.
  void limit(const Classes& classes, const Histogram* histogram, std::span<const std::uint8_t> violated,
             std::span<std::int64_t> publishable) const override {
    InducedClass state(*limits_);
    limit_each(violated, publishable, [&](std::size_t c) -> std::int64_t {
      state.clear();
      histogram->each(c, [&](std::uint32_t value, std::int64_t records) { state.add((*node_)[value], records); });
      return state.size() == classes.sizes[c] && state.hopeless() ? 0 : publishable[c];
    });
  }

 private:
  std::size_t sensitive_;
  std::shared_ptr<const InducedLimits> limits_;
  std::shared_ptr<const std::vector<std::uint32_t>> node_;  // by value
};

}  // namespace sfumato

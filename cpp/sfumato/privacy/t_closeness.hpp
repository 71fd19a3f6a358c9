// t-closeness: the earth mover's distance between a class's sensitive values and the input's is at most t.
// Li, Li, Venkatasubramanian, "t-closeness: privacy beyond k-anonymity and l-diversity", ICDE 2007.
#pragma once

#include <utility>
#include <variant>

#include "sfumato/privacy/emd.hpp"
#include "sfumato/privacy/model.hpp"
#include "sfumato/ratio.hpp"

namespace sfumato {

class TCloseness final : public ClassModel {
 public:
  using Distance = std::variant<EqualDistance, OrderedDistance, HierarchicalDistance>;

  /// `limit` is t in the distance's own units, per record of a class.
  TCloseness(std::size_t sensitive, Ratio limit, Distance distance)
      : sensitive_(sensitive), limit_(limit), distance_(std::move(distance)) {}

  std::optional<std::size_t> sensitive() const override { return sensitive_; }

  void mark(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> violated) const override {
    std::visit([&](auto distance) {  // a copy: it owns working memory
      for (std::size_t c = 0; c < classes.count(); ++c)
        violated[c] |= distance(classes.sizes[c], *histogram, c) > limit_.floor(classes.sizes[c]);
    }, distance_);
  }

  /// Whatever part is published, the input's records of values that the class does not have must move to one it has.
  void mark_hopeless(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> hopeless) const override {
    std::visit([&](auto distance) {
      for (std::size_t c = 0; c < classes.count(); ++c) hopeless[c] |= distance.least(*histogram, c) > limit_.floor(1);
    }, distance_);
  }

 private:
  std::size_t sensitive_;
  Ratio limit_;
  Distance distance_;
};

}  // namespace sfumato

// t-closeness: the earth mover's distance between a class's sensitive values and the input's is at most t.
// Li, Li, Venkatasubramanian, "t-closeness: privacy beyond k-anonymity and l-diversity", ICDE 2007.
#pragma once

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "sfumato/privacy/emd.hpp"
#include "sfumato/privacy/model.hpp"
#include "sfumato/ratio.hpp"

namespace sfumato {

class TCloseness final : public ClassModel {
 public:
  using Distance = std::variant<TreeDistance, OrderedDistance>;

  /// `limit` is t in the distance's own units, per record of a class.
  TCloseness(std::size_t sensitive, Ratio limit, Distance distance)
      : sensitive_(sensitive), limit_(limit), distance_(std::move(distance)) {}

  std::optional<std::size_t> sensitive() const override { return sensitive_; }
  std::size_t values() const override {
    return std::visit([](const auto& distance) { return distance.values(); }, distance_);
  }

  void mark(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> violated) const override {
    visit([&]<class Int>(auto distance, Int) {
      std::vector<std::int64_t> shared;
      const bool all = distance.share_all(classes, *histogram, shared);
      for (std::size_t c = 0; c < classes.count(); ++c) {
        if (violated[c]) continue;
        const std::int64_t n = classes.sizes[c];
        if (!all) distance.read(*histogram, c, n);
        violated[c] = distance.whole() * n - (all ? shared[c] : distance.template shared<Int>(n)) > limit_.floor(n);
      }
    });
  }

  /// Whatever part is published, the input's records of values that the class does not have must move to one it has.
  /// And a part of r records shares with the input what lies in the same places, out of `whole` per record: it cannot
  /// share more than if it had all records of the class to choose from, and must share all but the limit.
  void limit(const Classes& classes, const Histogram* histogram, std::span<const std::uint8_t> violated,
             std::span<std::int64_t> publishable) const override {
    visit([&]<class Int>(auto distance, Int) {
      const Cost allowed = limit_.floor(1), must_share = distance.whole() - allowed - 1;
      const std::int64_t fewest = distance.fewest(allowed);
      limit_each(violated, publishable, [&](std::size_t c) -> std::int64_t {
        std::int64_t most = classes.sizes[c];
        if (most < fewest) return 0;  // it has no more values than records
        distance.read(*histogram, c, most);
        if (distance.least() > allowed) return 0;
        for (int round = 0; round < 16 && most > 0 && must_share > 0; ++round) {
          const Int shared = static_cast<Int>(distance.template shared<Int>(most));
          if (shared >= static_cast<Int>(must_share) * most) break;
          most = static_cast<std::int64_t>(shared / static_cast<Int>(must_share));
        }
        return most;
      });
    });
  }

 private:
  /// Calls with a copy of the distance, which owns working memory, and with integers as wide as need be.
  template <class Call>
  void visit(Call call) const {
    std::visit(
        [&](const auto& distance) {
          if (distance.whole() <= narrow_ / std::max<Cost>(distance.records(), 1))
            call(distance, std::int64_t{});
          else
            call(distance, Cost{});
        },
        distance_);
  }

  static constexpr Cost narrow_ = Cost{1} << 62;
  std::size_t sensitive_;
  Ratio limit_;
  Distance distance_;
};

}  // namespace sfumato

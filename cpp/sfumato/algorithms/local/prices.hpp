// Better prices: an ascent of the dual of set partitioning. In rounds, one walk makes the prices good and collects the
// tuples that are nearly tight; on these alone, cheap steps then raise and lower prices. At the end the prices become
// integers, and a walk checks them one by one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "sfumato/algorithms/local/bound.hpp"

namespace sfumato::local {

class Prices {
 public:
  /// Starts from good prices; `judge` may have recorded its answers.
  Prices(const Space& space, GroupJudge& judge, std::vector<double> good, std::size_t memory)
      : space_(space),
        judge_(judge),
        walk_(space, all_attributes(space)),
        k_(space.problem().least),
        shares_(space.problem()),
        one_(space.problem()),
        room_(memory / (2 * sizeof(std::uint32_t))),
        price_(good),
        best_(std::move(good)) {
    if (judge_.reads_models()) walk_.track_items();
    best_sum_ = sum(best_);
    one_.start(1, k_);
  }

  double best() const { return best_sum_; }

  /// One walk: divides each price by the worst overdraft of a tuple above it, so that all are good; keeps the best.
  /// With r(t) = (Σ of the k largest prices, weighted as shares allow) / (k c(t)) and m_i the largest r(t) above i, the
  /// prices p_i / m_i below t add up to at most r(t)^-1 times the k largest old ones: they are good. Tuples that cost
  /// twice the largest price below them or more have r(t) <= 1/2 and are left out: m_i is taken to be 1/2 at least.
  /// Collects the tuples with r(t) at least `near`.
  template <class Go>
  bool normalise(double near, Go go) {
    sort();
    tuples_.clear(), entry_item_.clear(), entry_copies_.clear();
    std::vector<double> worst;
    const double k = static_cast<double>(k_ * shares_.unit());
    judge_.restart();
    cap([&](std::size_t i) { return 2 * price_[i]; });
    const bool whole = walk_.run(
        0, worst,
        [&](TupleGroups& groups) {
          const auto hopeful = judge_.of(groups);
          sum_.assign(groups.count(), 0), shares_.start(groups.count(), k_);
          for (const PricedEntry& entry : groups.entries)
            sum_[entry.group] +=
                static_cast<double>(shares_.take(entry.group, entry.item, entry.copies)) * price_[entry.item];
          bool any = false;
          for (std::size_t g = 0; g < groups.count(); ++g) {
            if (!hopeful[g] || groups.each[g] == 0) {
              sum_[g] = 0;
              continue;
            }
            groups.down[g] = sum_[g] / (k * static_cast<double>(groups.each[g]));
            sum_[g] = groups.down[g] >= near ? groups.down[g] : 0;
            any |= sum_[g] > 0;
          }
          if (any && entry_item_.size() < room_) collect(groups);
        },
        [](double one, double other) { return std::max(one, other); }, go);
    if (!whole) return false;
    for (std::size_t i = 0; i < price_.size(); ++i) price_[i] /= std::max(worst[i], 0.5);
    const double now = sum(price_);
    if (now > best_sum_) best_sum_ = now, best_ = price_;
    return true;
  }

  /// Steps on the collected tuples, fewer where there are many: p_i grows while it is not paid for, and shrinks where
  /// tuples are overdrawn. The steps become shorter, from a share `rate` of a price to a tenth of that.
  template <class Go>
  void ascend(double rate, Go go) {
    const std::size_t n = price_.size();
    const int steps = static_cast<int>(std::clamp(4e8 / static_cast<double>(entry_item_.size() + 1), 30.0, 100.0));
    const double last = rate / 10;
    std::vector<double> covered(n), mean(n, 0), square(n, 0);
    for (int step = 0; step < steps && go(); ++step) {
      std::ranges::fill(covered, 0.0);
      for (std::size_t t = 0; t + 1 < tuples_.size(); ++t) overdraw(t, covered);
      const double now = rate * std::pow(last / rate, static_cast<double>(step) / steps);
      const double warm1 = 1 - std::pow(0.8, step + 1), warm2 = 1 - std::pow(0.95, step + 1);
      for (std::size_t i = 0; i < n; ++i) {
        if (price_[i] == 0) continue;
        const double slope = 1 - covered[i] / static_cast<double>(space_.problem().counts[i]);
        mean[i] = 0.8 * mean[i] + 0.2 * slope;
        square[i] = 0.95 * square[i] + 0.05 * slope * slope;
        price_[i] *= std::exp(now * (mean[i] / warm1) / (std::sqrt(square[i] / warm2) + 1e-3));
      }
    }
  }

  void restart() { price_ = best_; }

  /// The best prices as integers, in 2^shift of the cost's units, if a walk finds every tuple's to be good: their sum
  /// in the cost's units, rounded down. -1 if stopped or not good.
  template <class Go>
  Cost certify(Go go) {
    double most = 1;
    for (const double p : best_) most = std::max(most, p);
    int shift = 0;
    while (shift < 40 && std::ldexp(most, shift + 1) < 0x1p52) ++shift;
    std::vector<std::int64_t> whole(best_.size());
    for (std::size_t i = 0; i < whole.size(); ++i)
      whole[i] = static_cast<std::int64_t>(std::ldexp(best_[i] * (1 - 0x1p-44), shift));
    price_ = best_;
    sort();
    std::ranges::stable_sort(order_, [&](std::uint32_t one, std::uint32_t other) { return whole[one] > whole[other]; });
    walk_.price(order_, k_);
    bool good = true;
    std::vector<double> unused;
    std::vector<Cost> together;
    judge_.restart();
    // Where no price is above c(t), the k largest are not above k c(t). These comparisons are exact: both sides have at
    // most 52 bits.
    cap([&](std::size_t i) { return std::ldexp(static_cast<double>(whole[i]), -shift); });
    const bool done = walk_.run(
        0, unused,
        [&](TupleGroups& groups) {
          const auto hopeful = judge_.of(groups);
          together.assign(groups.count(), 0), shares_.start(groups.count(), k_);
          for (const PricedEntry& entry : groups.entries)
            together[entry.group] += Cost{shares_.take(entry.group, entry.item, entry.copies)} * whole[entry.item];
          for (std::size_t g = 0; g < groups.count(); ++g)
            good &= !hopeful[g] || together[g] <= ((Cost{k_ * shares_.unit()} * groups.each[g]) << shift);
        },
        [](double, double) { return 0.0; }, go);
    if (!done || !good) return -1;
    Cost total = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) total += Cost{space_.problem().counts[i]} * whole[i];
    return total >> shift;
  }

 private:
  double sum(std::span<const double> prices) const {
    double total = 0;
    for (std::size_t i = 0; i < prices.size(); ++i)
      total += prices[i] * static_cast<double>(space_.problem().counts[i]);
    return total;
  }

  template <class Of>
  void cap(Of of) {
    if (!space_.problem().models.empty()) return;  // what models say of groups is about all of their records
    std::vector<double> caps(price_.size());
    for (std::size_t i = 0; i < caps.size(); ++i) caps[i] = of(i);
    walk_.cap(std::move(caps));
  }

  /// Items with a price, the dearest first.
  void sort() {
    order_.clear();
    for (std::uint32_t i = 0; i < price_.size(); ++i)
      if (price_[i] > 0) order_.push_back(i);
    std::ranges::sort(order_, [&](std::uint32_t one, std::uint32_t other) {
      return std::pair(-price_[one], one) < std::pair(-price_[other], other);
    });
    walk_.price(order_, 2 * k_);
  }

  struct Near {
    double limit;  // k c(t), times what a record weighs
    std::size_t begin;
  };

  void collect(const TupleGroups& groups) {
    if (!tuples_.empty()) tuples_.pop_back();
    place_.assign(groups.count(), none_);
    for (const PricedEntry& entry : groups.entries)
      if (sum_[entry.group] > 0) ++(place_[entry.group] == none_ ? place_[entry.group] = 0 : place_[entry.group]);
    std::size_t end = entry_item_.size();
    for (std::size_t g = 0; g < groups.count(); ++g) {
      if (place_[g] == none_) continue;
      tuples_.push_back({static_cast<double>(k_ * shares_.unit()) * static_cast<double>(groups.each[g]), end});
      const std::size_t size = place_[g];
      place_[g] = end;
      end += size;
    }
    tuples_.push_back({0, end});
    entry_item_.resize(end), entry_copies_.resize(end);
    for (const PricedEntry& entry : groups.entries) {
      if (sum_[entry.group] <= 0) continue;
      entry_item_[place_[entry.group]] = entry.item;
      entry_copies_[place_[entry.group]++] = entry.copies;
    }
  }

  /// Counts the records that overdraw a tuple: those of its k largest prices, if these are too high together.
  void overdraw(std::size_t t, std::vector<double>& covered) {
    const std::size_t begin = tuples_[t].begin, end = tuples_[t + 1].begin;
    for (std::size_t i = begin + 1; i < end; ++i)  // nearly in order
      for (std::size_t j = i; j > begin && price_[entry_item_[j]] > price_[entry_item_[j - 1]]; --j) {
        std::swap(entry_item_[j], entry_item_[j - 1]);
        std::swap(entry_copies_[j], entry_copies_[j - 1]);
      }
    double total = 0;
    taken_.clear();
    for (std::size_t i = begin; i < end && !one_.empty(0); ++i) {
      taken_.push_back(static_cast<double>(one_.take(0, entry_item_[i], entry_copies_[i])));
      total += taken_.back() * price_[entry_item_[i]];
    }
    one_.restart(std::span(entry_item_).subspan(begin, taken_.size()));
    if (total <= tuples_[t].limit) return;
    for (std::size_t i = 0; i < taken_.size(); ++i)
      covered[entry_item_[begin + i]] += taken_[i] / static_cast<double>(one_.unit());
  }

  static constexpr std::size_t none_ = std::numeric_limits<std::size_t>::max();
  const Space& space_;
  GroupJudge& judge_;
  TupleWalk walk_;
  std::int64_t k_;
  Shares shares_, one_;  // of all groups, and of one at a time
  std::size_t room_;     // entries that may be collected
  double best_sum_ = 0;
  std::vector<double> price_, best_;
  std::vector<std::uint32_t> order_;
  std::vector<double> sum_, taken_;
  std::vector<std::size_t> place_;
  std::vector<Near> tuples_;
  std::vector<std::uint32_t> entry_item_, entry_copies_;
};

}  // namespace sfumato::local

// The largest mean price that the records of a valid class can have. Let a class of n >= k records be valid only if no
// value v of some column has more than a share θ_v of it. Each record weighs 1/n <= 1/k in the mean, and those of v
// weigh θ_v together at most; so the mean is at most the largest Σ w_r p_r with Σ w_r <= 1, w_r <= 1/k and Σ_v w_r <=
// θ_v. Taking the dearest first, each as much as is left, reaches that: the limits are nested.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sfumato/algorithms/local/space.hpp"

namespace sfumato::local {

/// Assigns weights to records of groups, which come dearest first; a record weighs `unit` at most.
class Shares {
 public:
  explicit Shares(const Problem& problem) : problem_(problem) {}

  std::int64_t unit() const { return problem_.shares.whole; }

  /// So many groups, in each of which as much can be assigned as so many records weigh. Without limits on values where
  /// that would be too many to keep: more may be taken then, never less.
  void start(std::size_t groups, std::int64_t records) {
    full_ = records;
    left_.assign(groups, records * unit());
    values_ = problem_.shares.most.size();
    if (groups * values_ > most_kept_) values_ = 0;
    of_value_.resize(groups * values_);
    for (std::size_t i = 0; i < of_value_.size(); i += values_)
      for (std::size_t v = 0; v < values_; ++v) of_value_[i + v] = records * problem_.shares.most[v];
  }

  std::int64_t take(std::size_t group, std::uint32_t item, std::int64_t copies) {
    std::int64_t taken = std::min(copies * unit(), left_[group]);
    if (values_ > 0) {
      std::int64_t& left = of_value_[group * values_ + value(item)];
      taken = std::min(taken, left);
      left -= taken;
    }
    left_[group] -= taken;
    return taken;
  }

  /// Whether nothing is left in a group.
  bool empty(std::size_t group) const { return left_[group] == 0; }

  /// As at the start, of the only group, if the values of these items alone have been taken from.
  template <class Items>
  void restart(const Items& items) {
    left_[0] = full_ * unit();
    if (values_ > 0)
      for (const std::uint32_t item : items) of_value_[value(item)] = full_ * problem_.shares.most[value(item)];
  }

 private:
  std::size_t value(std::uint32_t item) const { return problem_.columns[problem_.shares.column].codes[item]; }

  static constexpr std::size_t most_kept_ = std::size_t{1} << 22;
  const Problem& problem_;
  std::int64_t full_ = 0;
  std::size_t values_ = 0;
  std::vector<std::int64_t> left_, of_value_;  // by group; by group and value
};

}  // namespace sfumato::local

// The suppression limit, spent: the smallest classes of a node are suppressed, as many as the limit allows, whatever k.
// Dewri, Ray, Ray, Whitley, "POkA: identifying Pareto-optimal k-anonymous nodes", CIKM 2009, Section 5.1.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sfumato/privacy/model.hpp"

namespace sfumato {

/// Marks every class smaller than k, the smallest size such that the classes of at most that size have more records
/// than the limit. Classes are compared as k-anonymity compares them, by persons; the limit counts records. Whoever
/// evaluates a node with it reads k afterwards: for one thread.
class SpentLimit final : public ClassModel {
 public:
  explicit SpentLimit(std::int64_t limit) : limit_(limit) {}

  /// Of the node marked last; 0 if the limit allows everything to be suppressed.
  std::int64_t k() const { return k_; }

  // What it marks is all that a node suppresses; nothing is concluded about other nodes.
  Monotonicity monotonicity() const override { return Monotonicity::strongly_up; }

  void mark(const Classes& classes, const Histogram*, std::span<std::uint8_t> violated) const override {
    const auto persons = classes.persons();
    k_ = largest(persons, classes.sizes);
    for (std::size_t c = 0; c < classes.count(); ++c) violated[c] |= persons[c] < k_;
  }

 private:
  std::int64_t largest(std::span<const std::int64_t> persons, std::span<const std::int64_t> records) const {
    // Of the classes that the limit does not cover even one at a time, only the one of fewest persons matters.
    std::int64_t beyond = 0;
    small_.clear();
    for (std::size_t c = 0; c < persons.size(); ++c) {
      if (records[c] <= limit_)
        small_.emplace_back(persons[c], records[c]);
      else if (beyond == 0 || persons[c] < beyond)
        beyond = persons[c];
    }
    std::sort(small_.begin(), small_.end());
    std::int64_t spent = 0;
    for (const auto& [size, count] : small_) {
      if (beyond > 0 && size >= beyond) break;
      if ((spent += count) > limit_) return size;
    }
    return beyond;
  }

  std::int64_t limit_;
  mutable std::int64_t k_ = 0;
  mutable std::vector<std::pair<std::int64_t, std::int64_t>> small_;
};

}  // namespace sfumato

// Units: whose privacy it is, where a person may have several records.
//
// Units with all their records in one combination are interchangeable: they only add to a number. The others are listed
// with the combinations they have records in. So a table with one record per person costs one number per combination,
// and merging combinations turns listed units into counted ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sfumato/narrow.hpp"

namespace sfumato {

class Units {
 public:
  /// A place that `moved` leaves out.
  static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

  /// own[i]: units with records in combination i alone. Shared unit u: combination[begin[u]] … combination[begin[u +
  /// 1]].
  Units(std::vector<std::int64_t> own, std::vector<std::size_t> begin, std::vector<std::uint32_t> combination)
      : own_(std::move(own)), begin_(std::move(begin)), combination_(std::move(combination)) {
    if (begin_.empty() || begin_.front() != 0 || begin_.back() != combination_.size() ||
        !std::is_sorted(begin_.begin(), begin_.end()))
      throw std::invalid_argument("every shared unit needs its stretch of combinations");
    require_at_most(shared(), nowhere - 1, "More than 4,294,967,294 persons have several records; leave unit out.");
    for (const std::uint32_t i : combination_)
      if (i >= own_.size()) throw std::invalid_argument("a unit in a combination that is not there");
  }

  std::size_t size() const { return own_.size(); }
  std::size_t shared() const { return begin_.size() - 1; }
  const std::vector<std::int64_t>& own() const { return own_; }
  std::span<const std::uint32_t> places(std::size_t u) const {
    return {combination_.data() + begin_[u], begin_[u + 1] - begin_[u]};
  }
  std::size_t bytes() const {
    return own_.size() * sizeof(std::int64_t) + begin_.size() * sizeof(std::size_t) +
           combination_.size() * sizeof(std::uint32_t);
  }

  /// Different units per class, at least one: a record without a unit may be anybody's, but is somebody's.
  /// `ids` is the class of each combination; `seen` is working memory.
  void count(std::span<const std::uint32_t> ids, std::size_t classes, std::vector<std::int64_t>& units,
             std::vector<std::uint32_t>& seen) const {
    units.assign(classes, 0);
    for (std::size_t i = 0; i < own_.size(); ++i) units[ids[i]] += own_[i];
    seen.assign(shared() > 0 ? classes : 0, 0);  // the last unit met in a class, plus one
    for (std::size_t u = 0; u < shared(); ++u)
      for (const std::uint32_t i : places(u)) {
        std::uint32_t& last = seen[ids[i]];
        units[ids[i]] += last != u + 1;
        last = static_cast<std::uint32_t>(u + 1);
      }
    for (std::int64_t& n : units) n = std::max<std::int64_t>(n, 1);
  }

  /// The units of `count` new combinations, when combination i becomes part of place[i], or of nothing.
  Units moved(std::span<const std::uint32_t> place, std::size_t count) const {
    std::vector<std::int64_t> own(count, 0);
    for (std::size_t i = 0; i < own_.size(); ++i)
      if (place[i] != nowhere) own[place[i]] += own_[i];
    std::vector<std::size_t> begin{0};
    std::vector<std::uint32_t> combination;
    std::vector<std::uint32_t> seen(shared() > 0 ? count : 0, 0);
    for (std::size_t u = 0; u < shared(); ++u) {
      for (const std::uint32_t i : places(u)) {
        if (place[i] == nowhere || seen[place[i]] == u + 1) continue;
        seen[place[i]] = static_cast<std::uint32_t>(u + 1);
        combination.push_back(place[i]);
      }
      if (combination.size() == begin.back() + 1) {  // all in one: it is interchangeable now
        ++own[combination.back()];
        combination.pop_back();
      }
      if (combination.size() > begin.back()) begin.push_back(combination.size());
    }
    return {std::move(own), std::move(begin), std::move(combination)};
  }

 private:
  std::vector<std::int64_t> own_;
  std::vector<std::size_t> begin_;
  std::vector<std::uint32_t> combination_;
};

}  // namespace sfumato

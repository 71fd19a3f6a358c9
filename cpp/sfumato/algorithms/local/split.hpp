// Splits records into valid classes, from the top: the rows below one node of one tree, or up to a cell of an order,
// against the rest of their class, both sides valid, the largest decrease of the loss first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "sfumato/algorithms/local/random.hpp"
#include "sfumato/algorithms/local/space.hpp"
#include "sfumato/algorithms/local/validity.hpp"

namespace sfumato::local {

class Split {
 public:
  Split(const Space& space, Validity& validity) : space_(space), validity_(validity), top_(space.attributes()) {
    for (std::size_t a = 0; a < space.attributes(); ++a) count_.emplace_back(space.places(a), 0);
  }

  /// Splits a valid class until no split helps, and hands the parts over. With noise, gains are blurred by up to that
  /// share. Stops splitting when `go` says so.
  template <class Take, class Go>
  void all(Members pool, double noise, Random& random, Take take, Go go) {
    std::vector<Members> open;
    open.push_back(std::move(pool));
    while (!open.empty()) {
      Members part = std::move(open.back());
      open.pop_back();
      Members other;
      if (go() && split(part, other, noise, random)) {
        open.push_back(std::move(part));
        open.push_back(std::move(other));
      } else {
        take(std::move(part));
      }
    }
  }

 private:
  struct Candidate {
    double gain;
    std::uint32_t attribute, node;
  };

  bool split(Members& part, Members& other, double noise, Random& random) {
    const std::int64_t size = size_of(part), least = space_.problem().least;
    if (size < 2 * least) return false;
    space_.tighten(part, top_);
    candidates_.clear();
    for (std::size_t a = 0; a < top_.size(); ++a) gather(a, part, size);
    if (noise > 0)
      for (Candidate& candidate : candidates_) candidate.gain *= 1 - noise * random.share();
    const auto first = [](const Candidate& one, const Candidate& two) {
      return std::tuple(-one.gain, one.attribute, one.node) < std::tuple(-two.gain, two.attribute, two.node);
    };
    std::ranges::make_heap(candidates_, [&](const auto& one, const auto& two) { return first(two, one); });
    while (!candidates_.empty()) {
      std::ranges::pop_heap(candidates_, [&](const auto& one, const auto& two) { return first(two, one); });
      const Candidate best = candidates_.back();
      candidates_.pop_back();
      const auto middle = std::stable_partition(part.begin(), part.end(), [&](const Member& member) {
        return !space_.above(best.attribute, best.node, space_.leaf(best.attribute, member.item));
      });
      const std::span<const Member> rest(part.begin(), middle), below(middle, part.end());
      if (validity_.counts_only() || (validity_.holds(rest, size_of(rest)) && validity_.holds(below, size_of(below)))) {
        other.assign(middle, part.end());
        part.erase(middle, part.end());
        return true;
      }
    }
    return false;
  }

  /// What each node below the top of an attribute would gain: its own records, and the rest if that is below one node.
  void gather(std::size_t a, std::span<const Member> part, std::int64_t size) {
    const std::int64_t least = space_.problem().least, dear = space_.cost(a, top_[a]);
    if (dear == space_.cost(a, space_.leaf(a, part.front().item)) && top_[a] == space_.leaf(a, part.front().item))
      return;
    if (space_.ordered(a)) return gather_cuts(a, part, size);
    auto& count = count_[a];
    touched_.clear();
    children_.clear();
    for (const Member& member : part)
      for (std::uint32_t v = space_.leaf(a, member.item); v != top_[a]; v = space_.parent(a, v)) {
        if (count[v] == 0) {
          touched_.push_back(v);
          if (space_.parent(a, v) == top_[a]) children_.push_back(v);
        }
        count[v] += member.copies;
      }
    for (const std::uint32_t v : touched_) {
      const std::int64_t inside = count[v], outside = size - inside;
      if (inside < least || outside < least) continue;
      double gain = static_cast<double>(inside) * static_cast<double>(dear - space_.cost(a, v));
      if (children_.size() == 2 && space_.parent(a, v) == top_[a]) {
        const std::uint32_t w = children_[0] == v ? children_[1] : children_[0];
        gain += static_cast<double>(outside) * static_cast<double>(dear - space_.cost(a, w));
      }
      if (gain > 0) candidates_.push_back({gain, static_cast<std::uint32_t>(a), v});
    }
    for (const std::uint32_t v : touched_) count[v] = 0;
  }

  /// What each cut of an order would gain: both sides. The missing value, which is the last cell, is cut off first.
  void gather_cuts(std::size_t a, std::span<const Member> part, std::int64_t size) {
    const std::int64_t least = space_.problem().least, dear = space_.cost(a, top_[a]);
    auto& count = count_[a];
    touched_.clear();
    for (const Member& member : part) {
      const std::uint32_t cell = Space::last(space_.leaf(a, member.item));
      if (count[cell] == 0) touched_.push_back(cell);
      count[cell] += member.copies;
    }
    std::ranges::sort(touched_);
    const bool missing = space_.missing(a) && touched_.back() + 1 == space_.places(a);
    std::int64_t before = 0;
    for (std::size_t i = 0; i + 1 < touched_.size(); ++i) {
      const std::int64_t inside = before += count[touched_[i]], outside = size - inside;
      if (inside < least || outside < least || (missing && i + 2 < touched_.size())) continue;
      const std::uint32_t low = touched_.front() << 16 | touched_[i], high = touched_[i + 1] << 16 | touched_.back();
      const double gain = static_cast<double>(inside) * static_cast<double>(dear - space_.cost(a, low)) +
                          static_cast<double>(outside) * static_cast<double>(dear - space_.cost(a, high));
      if (gain > 0) candidates_.push_back({gain, static_cast<std::uint32_t>(a), low});
    }
    for (const std::uint32_t cell : touched_) count[cell] = 0;
  }

  const Space& space_;
  Validity& validity_;
  Tuple top_;
  std::vector<std::vector<std::int64_t>> count_;  // records below each node, or in each cell
  std::vector<std::uint32_t> touched_, children_;
  std::vector<Candidate> candidates_;
};

}  // namespace sfumato::local

// A cheapest partition, read off the costs of all boxes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "sfumato/algorithms/boxes/judge.hpp"
#include "sfumato/algorithms/boxes/partitions.hpp"
#include "sfumato/algorithms/boxes/space.hpp"
#include "sfumato/algorithms/boxes/walk.hpp"

namespace sfumato::boxes {

template <class Int, class Lane>
class DensePartition {
  using Records = boxes::Records<Int, Lane>;
  using Space = boxes::Space<Int>;
  using Box = std::vector<Lane>;
  using Ids = typename Partitions<Int, Lane>::Ids;

 public:
  /// opt: the least cost of each box of the space.
  DensePartition(const Records& records, const Space& space, std::span<const Int> opt,
                 const std::vector<std::uint32_t>& tuples)
      : records_(records), space_(space), opt_(opt), tuples_(tuples) {}

  /// A cheapest partition; where widths do not count, its boxes shrink to their records.
  Ids partition(Judge<Int, Lane>& judge, const Walk<Int, Lane>& walk, Partitions<Int, Lane>& partitions) const {
    Ids ids;
    emit(judge, everything(), [&](const Box& whole, const Part& part, std::int64_t n) {
      const Box box = walk.around(part.tuples, whole.data());
      const auto verdict = judge(part.tuples, box.data(), n);
      ids.push_back(partitions.id(box.data(), part.tuples, verdict.cost, verdict.withheld));
    });
    std::ranges::sort(ids);
    return ids;
  }

  /// The parts of a split that it may begin with, if it has several boxes, and their tuples.
  std::vector<std::pair<Box, std::vector<std::uint32_t>>> first_parts() const {
    std::vector<std::pair<Box, std::vector<std::uint32_t>>> parts;
    for (Part& part : parts_of(everything())) parts.emplace_back(box_of(part), std::move(part.tuples));
    return parts;
  }

 private:
  /// Part of the space, by the blocks of its axes, and what lies in it.
  struct Part {
    std::vector<std::uint32_t> digits, tuples;
  };

  Part everything() const {
    Part all{{}, tuples_};
    for (std::size_t a = 0; a < space_.axes(); ++a)
      all.digits.push_back(static_cast<std::uint32_t>(space_.blocks(a).size() - 1));  // fewer than 2^32, see `fits`
    return all;
  }

  Box box_of(const Part& part) const {
    Box lanes(records_.width(), Records::most);
    for (std::size_t a = 0; a < part.digits.size(); ++a)
      records_.set(lanes.data(), space_.axis(a), space_.blocks(a)[part.digits[a]].low,
                   space_.blocks(a)[part.digits[a]].high);
    return lanes;
  }

  /// The parts of a split that costs the least; none if no split does.
  std::vector<Part> parts_of(const Part& whole) const {
    const std::size_t at = space_.number(whole.digits);
    std::vector<Part> cheapest;
    for (std::size_t a = 0; a < whole.digits.size() && cheapest.empty(); ++a)
      space_.blocks(a).each_split(whole.digits[a], [&](const auto& parts) {
        Int sum = 0;
        for (const std::uint32_t part : parts)
          sum = std::min(impossible<Int>, sum + opt_[at - (whole.digits[a] - part) * space_.stride(a)]);
        if (sum == opt_[at])
          for (const std::uint32_t part : parts) cheapest.push_back(part_of(whole, a, part));
        return cheapest.empty();
      });
    return cheapest;
  }

  /// What lies in a block of an axis, of a part.
  Part part_of(const Part& whole, std::size_t a, std::uint32_t digit) const {
    const auto& block = space_.blocks(a)[digit];
    Part below{whole.digits, {}};
    below.digits[a] = digit;
    for (const std::uint32_t t : whole.tuples) {
      const std::uint32_t cell = records_.low(records_.lanes(t), space_.axis(a));
      if (block.low <= cell && cell <= block.high) below.tuples.push_back(t);
    }
    return below;
  }

  /// Calls with every box that has records of a cheapest partition of a part. Splits may be as deep as an order is
  /// long.
  template <class Call>
  void emit(Judge<Int, Lane>& judge, Part whole, const Call& call) const {
    std::vector<Part> waiting{std::move(whole)};
    while (!waiting.empty()) {
      const Part part = std::move(waiting.back());
      waiting.pop_back();
      if (part.tuples.empty()) continue;
      std::int64_t n = 0;
      for (const std::uint32_t t : part.tuples) n += records_.sums(t).records;
      const Box box = box_of(part);
      if (judge(part.tuples, box.data(), n).cost == opt_[space_.number(part.digits)]) {
        call(box, part, n);
        continue;
      }
      auto below = parts_of(part);
      std::ranges::move(below.rbegin(), below.rend(), std::back_inserter(waiting));  // the first one on top
    }
  }

  const Records& records_;
  const Space& space_;
  std::span<const Int> opt_;
  const std::vector<std::uint32_t>& tuples_;
};

}  // namespace sfumato::boxes

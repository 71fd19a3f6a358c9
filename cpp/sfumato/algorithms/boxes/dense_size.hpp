// What it takes to compute opt(B) for all boxes at once, and whether that is possible.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "sfumato/algorithms/boxes/problem.hpp"
#include "sfumato/algorithms/boxes/records.hpp"
#include "sfumato/algorithms/boxes/space.hpp"
#include "sfumato/histogram.hpp"

namespace sfumato::boxes {

template <class Int>
class DenseSize {
  using Count = RecordCount<Int>;
  using Space = boxes::Space<Int>;

 public:
  /// Whether a problem can be solved this way at all: every attribute is one axis, and models count records by their
  /// values. Persons with several records are no sum over parts.
  static bool possible(const Problem& problem) {
    const auto few = [&](std::size_t position) { return width(problem, position) > 0; };
    return (problem.counts_only || !problem.frequencies.units()) && std::ranges::all_of(columns_read(problem), few) &&
           problem.frequencies.records() <= std::numeric_limits<std::uint32_t>::max() &&
           std::ranges::all_of(problem.attributes, [](const Attribute& attribute) { return attribute.axes == 1; });
  }

  /// How much there is to count: records, and those of each value, of all boxes.
  static std::uint64_t effort(const Problem& problem) { return effort(problem, Space::block_counts(problem)); }
  static std::uint64_t effort(const Problem& problem, const std::vector<std::uint64_t>& blocks) {
    return std::min(Space::boxes(blocks), most) * numbers(problem);
  }

  /// Whether what it takes fits into so many bytes, and numbers of 32 bits are enough for the blocks of each axis.
  static bool fits(const Problem& problem, std::uint64_t memory, int threads) {
    return fits(problem, memory, threads, Space::block_counts(problem));
  }
  static bool fits(const Problem& problem, std::uint64_t memory, int threads,
                   const std::vector<std::uint64_t>& blocks) {
    return Space::numbered(blocks) && Space::boxes(blocks) < too_many && bytes(problem, threads, blocks) <= memory;
  }

  /// Numbers by value of a column; 0 if there are too many.
  static std::size_t width(const Problem& problem, std::size_t position) {
    return lanes_for(problem.frequencies.sensitive()[position].values);
  }

  /// What is counted of a box.
  static std::uint64_t numbers(const Problem& problem) {
    std::uint64_t total = 1;
    for (const std::size_t position : columns_read(problem)) total += width(problem, position);
    return total;
  }

  /// Boxes of a row at least, if there are as many.
  static std::size_t enough(const Problem& problem) { return problem.way == Method::dense ? 4 : long_enough; }

 private:
  /// Bytes for all boxes and the blocks they are made of, for counting their records, and for computing a row.
  static std::uint64_t bytes(const Problem& problem, int threads, const std::vector<std::uint64_t>& blocks) {
    const std::uint64_t boxes = Space::boxes(blocks), row = Space::row(blocks, enough(problem));
    const std::uint64_t cells = std::min(Space::cells(problem), boxes), counted = numbers(problem);
    const std::uint64_t rooms = row < boxes ? static_cast<std::uint64_t>(std::max(threads, 1)) : 1;
    const std::uint64_t judged =
        counted == 1 && problem.counts_only ? 0 : sizeof(Int) + 17 + counted * sizeof(std::uint32_t);
    std::uint64_t total = boxes * sizeof(Int) + 2 * cells * counted * sizeof(Count);
    total += row * (sizeof(Int) + 1) + rooms * row * (counted * sizeof(Count) + judged);
    for (const std::uint64_t n : blocks) total += Blocks<Int>::bytes(n);
    return total;
  }

  static constexpr std::size_t long_enough = 1024;  // boxes of a row
  static constexpr std::uint64_t most = std::uint64_t{1} << 48;
  static constexpr std::uint64_t too_many = std::uint64_t{1}
                                            << 40;  // boxes for any memory; what fewer take is below 2^64
};

}  // namespace sfumato::boxes

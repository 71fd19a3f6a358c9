// A partition by few cuts at a time: the cheapest one of a box by some of its cuts, then the same in its parts, with others.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "sfumato/search/box_dense.hpp"

namespace sfumato {

/// What is worked out of all boxes between a few cuts does not depend on bounds: where they are weak, or where classes are
/// large for other reasons than the number of their records, this finds good partitions.
template <class Int, class Lane>
class BoxRefine {
 public:
  using Records = BoxRecords<Int, Lane>;
  using Dense = BoxDense<Int, Lane>;
  using Ids = typename BoxPartitions<Int, Lane>::Ids;
  using Box = std::vector<Lane>;
  using Tuples = std::vector<std::uint32_t>;

  BoxRefine(const Records& records, BoxJudge<Int, Lane>& judge, const BoxWalk<Int, Lane>& walk, BoxPartitions<Int, Lane>& partitions,
            Control& control)
      : records_(records), problem_(records.problem()), judge_(judge), walk_(walk), partitions_(partitions), control_(control) {}

  /// Boxes of a partition of everything: `effort` for the first cuts, less and less for those of its parts. None if that finds
  /// none, or was stopped before it did.
  Ids run(const Box& root, std::uint64_t effort) {
    Ids found = refined(records_.everything(), root, effort);
    std::ranges::sort(found);
    return found;
  }

 private:
  Ids refined(const Tuples& tuples, const Box& box, std::uint64_t effort) {
    const auto [cuts, complete] = chosen(tuples, box, effort);
    std::vector<std::pair<Box, Tuples>> parts;
    Ids found;
    {  // what it takes is let go before others are worked out
      Dense dense(records_, control_, tuples, cuts);
      if (!dense.run() || dense.least() >= impossible<Int>) return found;
      found = dense.partition(judge_, walk_, partitions_);
      if (complete || found.size() < 2) return found;
      parts = dense.first_parts();
    }
    Ids together;
    for (const auto& [whole, inside] : parts) {
      if (inside.empty()) continue;
      const double share = static_cast<double>(inside.size()) / static_cast<double>(tuples.size());
      const auto less = static_cast<std::uint64_t>(static_cast<double>(effort) * std::pow(share, 1.25));
      const Ids now = within(found, whole), part = refined(inside, walk_.around(inside, whole.data()), less);
      const Ids& best = part.empty() || partitions_.cost(now) <= partitions_.cost(part) ? now : part;
      together.insert(together.end(), best.begin(), best.end());
    }
    return together;
  }

  Ids within(const Ids& ids, const Box& box) const {
    Ids found;
    for (const std::uint32_t id : ids)
      if (partitions_.within(id, box.data())) found.push_back(id);
    return found;
  }

  /// Cuts of a box, one after the other those that save most for what they add to the effort; and whether these are all that
  /// save anything.
  std::pair<BoxCuts, bool> chosen(const Tuples& tuples, const Box& box, std::uint64_t effort) const {
    BoxCuts cuts;
    std::vector<std::vector<std::int64_t>> count;  // by axis and cell
    for (std::size_t a = 0; a < records_.axes(); ++a) {
      const BoxAxis& axis = problem_.axes[a];
      cuts.low.push_back(records_.low(box.data(), a)), cuts.high.push_back(records_.high(box.data(), a));
      cuts.at.emplace_back(axis.tree ? axis.first.size() : axis.cells, 0);
      count.emplace_back(axis.cells, 0);
      for (const std::uint32_t t : tuples) count[a][records_.low(records_.lanes(t), a)] += records_.sums(t).records;
    }
    std::uint64_t before = Dense::effort(problem_, cuts);
    for (bool complete = true;;) {
      double best = 0;
      std::uint8_t* next = nullptr;
      std::uint64_t after = 0;
      for (std::size_t a = 0; a < records_.axes(); ++a) {
        for (std::uint32_t at = 0; at < cuts.at[a].size(); ++at) {
          const double worth = cuts.at[a][at] ? 0 : saved(cuts, count[a], a, at);
          if (worth <= 0) continue;
          cuts.at[a][at] = 1;
          const std::uint64_t now = Dense::effort(problem_, cuts);
          cuts.at[a][at] = 0;
          complete = complete && now <= effort;
          const double rate = worth / std::log(static_cast<double>(now) / static_cast<double>(before));
          if (now <= effort && rate > best) best = rate, next = &cuts.at[a][at], after = now;
        }
      }
      if (!next) return {std::move(cuts), complete};
      *next = 1, before = after;
    }
  }

  /// What a cut saves the records of its step, about; or the split of a node, if those above it are split.
  double saved(const BoxCuts& cuts, const std::vector<std::int64_t>& count, std::size_t a, std::uint32_t at) const {
    const BoxAxis& axis = problem_.axes[a];
    const auto piece = [&](std::uint32_t from, std::uint32_t to) {
      return Piece{std::accumulate(count.begin() + from, count.begin() + to + 1, std::int64_t{0}), axis.tree ? axis.node(from, to) : box_length(axis, from, to)};
    };
    std::vector<Piece> pieces;
    if (axis.tree) {
      const std::uint32_t root = axis.node(cuts.low[a], cuts.high[a]);
      if (axis.first[at] < axis.first[root] || axis.last[at] > axis.last[root]) return 0;
      for (std::uint32_t node = root; node != at;) {
        if (!cuts.at[a][node]) return 0;
        node = *std::ranges::find_if(axis.children[node], [&](std::uint32_t child) { return axis.first[at] <= axis.last[child]; });
      }
      for (const std::uint32_t child : axis.children[at]) pieces.push_back(piece(axis.first[child], axis.last[child]));
      return saved(a, at, pieces);
    }
    const std::uint32_t end = cuts.high[a] - (axis.missing && cuts.high[a] + 1 == axis.cells);  // what is missing is cut off anyway
    if (at < cuts.low[a] || at >= end || (count[at] == 0 && !walk_.any_whole())) return 0;  // a cut in a gap is that before the gap
    std::uint32_t from = at, to = at + 1;
    while (from > cuts.low[a] && !cuts.at[a][from - 1]) --from;
    while (to < end && !cuts.at[a][to]) ++to;
    return saved(a, box_length(axis, from, to), {piece(from, at), piece(at + 1, to)});
  }

  struct Piece {
    std::int64_t records;
    std::uint32_t price;  // where it is found
  };

  /// Volumes are products, so that factors are compared; what divides more records is better otherwise, and a little here too.
  double saved(std::size_t a, std::uint32_t whole, const std::vector<Piece>& pieces) const {
    const auto& prices = problem_.attributes[a].price;
    const auto paid = [&](double n, std::uint32_t at) {
      if (problem_.metric == BoxMetric::product) return n * std::log(static_cast<double>(prices[at]));
      const Cost dearest = problem_.metric == BoxMetric::sum ? std::ranges::max(prices) : 0;  // of no weight: 0 too
      return dearest > 0 ? n * static_cast<double>(prices[at]) / static_cast<double>(dearest) : 0;
    };
    double n = 0, most = 0, cheaper = 0;
    for (const auto& [records, price] : pieces) {
      const auto m = static_cast<double>(records);
      n += m, most = std::max(most, m), cheaper -= paid(m, price);
    }
    if (n == most) return 0;
    if (problem_.metric != BoxMetric::product && problem_.metric != BoxMetric::sum) return n - most;
    return cheaper + paid(n, whole) + (n - most) / 4;
  }

  const Records& records_;
  const BoxProblem& problem_;
  BoxJudge<Int, Lane>& judge_;
  const BoxWalk<Int, Lane>& walk_;
  BoxPartitions<Int, Lane>& partitions_;
  Control& control_;
};

}  // namespace sfumato

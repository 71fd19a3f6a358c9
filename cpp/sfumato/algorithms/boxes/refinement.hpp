// A partition by few cuts at a time: the cheapest one of a box by some of its cuts, then the same in its parts, with
// others.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "sfumato/algorithms/boxes/dense.hpp"

namespace sfumato::boxes {

/// The costs of all boxes between a few cuts do not depend on bounds: where they are weak, or where classes
/// are large for other reasons than the number of their records, this finds good partitions.
template <class Int, class Lane>
class Refinement {
 public:
  using Records = boxes::Records<Int, Lane>;
  using Dense = DenseSearch<Int, Lane>;
  using Ids = typename Partitions<Int, Lane>::Ids;
  using Box = std::vector<Lane>;
  using Tuples = std::vector<std::uint32_t>;

  Refinement(const Records& records, Judge<Int, Lane>& judge, const Walk<Int, Lane>& walk,
             Partitions<Int, Lane>& partitions, Control& control)
      : records_(records),
        problem_(records.problem()),
        judge_(judge),
        walk_(walk),
        partitions_(partitions),
        control_(control) {
    for (const Attribute& attribute : problem_.attributes)
      dearest_.push_back(problem_.metric == Metric::sum ? std::ranges::max(attribute.price) : 0);
  }

  /// Boxes of a partition of everything: `effort` for the first cuts, less and less for those of its parts, and
  /// always within the memory. None if that finds none, or was stopped before it did.
  Ids run(const Box& root, std::uint64_t effort, std::uint64_t memory = std::numeric_limits<std::uint64_t>::max()) {
    memory_ = memory;
    Ids ids = refined(records_.everything(), root, effort);
    std::ranges::sort(ids);
    return ids;
  }

 private:
  Ids refined(const Tuples& tuples, const Box& box, std::uint64_t effort) {
    const auto [cuts, complete] = chosen(tuples, box, effort);
    std::vector<std::pair<Box, Tuples>> parts;
    Ids ids;
    {  // its memory is freed before others are computed
      Dense dense(records_, control_, tuples, cuts);
      if (!dense.run() || dense.least() >= impossible<Int>) return ids;
      ids = dense.partition(judge_, walk_, partitions_);
      if (complete || ids.size() < 2) return ids;
      parts = dense.first_parts();
    }
    Ids together;
    for (const auto& [whole, inside] : parts) {
      if (inside.empty()) continue;
      const double share = static_cast<double>(inside.size()) / static_cast<double>(tuples.size());
      const auto less = static_cast<std::uint64_t>(static_cast<double>(effort) * std::pow(share, 1.25));
      const Ids now = within(ids, whole), part = refined(inside, walk_.around(inside, whole.data()), less);
      const Ids& best = part.empty() || partitions_.cost(now) <= partitions_.cost(part) ? now : part;
      together.insert(together.end(), best.begin(), best.end());
    }
    return together;
  }

  Ids within(const Ids& ids, const Box& box) const {
    Ids inside;
    for (const std::uint32_t id : ids)
      if (partitions_.within(id, box.data())) inside.push_back(id);
    return inside;
  }

  /// Cuts of a box, one after the other those that save most for what they add to the effort; and whether these are all
  /// that save anything. Fewer if it is stopped.
  std::pair<Cuts, bool> chosen(const Tuples& tuples, const Box& box, std::uint64_t effort) const {
    Cuts cuts;
    std::vector<AxisState> axes;
    for (std::size_t a = 0; a < records_.axes(); ++a) {
      const Axis& axis = problem_.axes[a];
      cuts.low.push_back(records_.low(box.data(), a)), cuts.high.push_back(records_.high(box.data(), a));
      cuts.at.emplace_back(axis.tree ? axis.first.size() : axis.cells, 0);
      AxisState& own = axes.emplace_back(AxisState{std::vector<std::int64_t>(axis.cells + std::size_t{1}, 0), 1, {}});
      for (const std::uint32_t t : tuples) own.upto[records_.low(records_.lanes(t), a) + 1] += records_.sums(t).records;
      std::partial_sum(own.upto.begin(), own.upto.end(), own.upto.begin());
      own.worth.assign(cuts.at.back().size(), 0);
    }
    auto blocks = Space<Int>::block_counts(problem_, cuts);
    for (std::size_t a = 0; a < axes.size(); ++a)
      weigh(cuts, axes[a], a, problem_.axes[a].tree ? problem_.axes[a].node(cuts.low[a], cuts.high[a]) : cuts.low[a]);
    std::uint64_t before = DenseSize<Int>::effort(problem_, blocks);
    for (bool complete = true; !control_.stopped();) {
      const Choice best = dearest(axes, blocks, before, effort, complete);
      if (best.rate <= 0) return {std::move(cuts), complete};
      cuts.at[best.axis][best.at] = 1, axes[best.axis].worth[best.at] = 0;
      blocks[best.axis] += more_blocks(axes[best.axis], best.axis, best.at), before = best.effort;
      ++axes[best.axis].steps;
      weigh(cuts, axes[best.axis], best.axis, best.at);
      if (!problem_.axes[best.axis].tree) weigh(cuts, axes[best.axis], best.axis, best.at + 1);
    }
    return {std::move(cuts), false};
  }

  /// The state of an axis while cuts are chosen.
  struct AxisState {
    std::vector<std::int64_t> upto;  // by cell: records before it
    std::uint64_t steps;             // of an order
    std::vector<double> worth;  // by cut: what it saves the records of its step, about; nothing if it is made already
  };
  struct Choice {
    double rate = 0;
    std::size_t axis = 0;
    std::uint32_t at = 0;
    std::uint64_t effort = 0;
  };

  /// The cut that saves most for what it adds, of those that there is effort and memory for.
  Choice dearest(const std::vector<AxisState>& axes, std::vector<std::uint64_t>& blocks, std::uint64_t before,
                 std::uint64_t effort, bool& complete) const {
    Choice best;
    for (std::size_t a = 0; a < axes.size(); ++a) {
      std::uint64_t with = 0, now = 0;  // more blocks of the axis; cuts that make as many take the same effort
      bool fits = false;
      double more = 0;
      for (std::uint32_t at = 0; at < axes[a].worth.size(); ++at) {
        if (axes[a].worth[at] <= 0) continue;
        if (const std::uint64_t next = more_blocks(axes[a], a, at); next != with) {
          with = next;
          blocks[a] += with;
          now = DenseSize<Int>::effort(problem_, blocks);
          fits = now <= effort && DenseSize<Int>::fits(problem_, memory_, control_.limits().threads, blocks);
          blocks[a] -= with;
          more = std::log(static_cast<double>(now) / static_cast<double>(before));
        }
        complete = complete && fits;
        if (fits && axes[a].worth[at] / more > best.rate) best = {axes[a].worth[at] / more, a, at, now};
      }
    }
    return best;
  }

  /// How many more blocks an axis has with one cut more: n steps of an order have n (n + 1) / 2.
  std::uint64_t more_blocks(const AxisState& own, std::size_t a, std::uint32_t at) const {
    return problem_.axes[a].tree ? problem_.axes[a].children[at].size() : own.steps + 1;
  }

  /// What the cuts of a step save now, of which one begins at `at`; or the split of a node of a tree, or of its
  /// children if it is split.
  void weigh(const Cuts& cuts, AxisState& own, std::size_t a, std::uint32_t at) const {
    const Axis& axis = problem_.axes[a];
    const auto piece = [&](std::uint32_t from, std::uint32_t to) {
      return Piece{own.upto[to + std::size_t{1}] - own.upto[from],
                   axis.tree ? axis.node(from, to) : length_of(axis, from, to)};
    };
    if (axis.tree) {
      const auto node = [&](std::uint32_t whole) {
        std::vector<Piece> pieces;
        for (const std::uint32_t child : axis.children[whole])
          pieces.push_back(piece(axis.first[child], axis.last[child]));
        own.worth[whole] = saved(a, whole, pieces);
      };
      if (cuts.at[a][at])
        std::ranges::for_each(axis.children[at], node);
      else
        node(at);
      return;
    }
    const std::uint32_t end =
        cuts.high[a] - (axis.missing && cuts.high[a] + 1 == axis.cells);  // what is missing is cut off anyway
    std::uint32_t from = at, to = at;
    while (from > cuts.low[a] && !cuts.at[a][from - 1]) --from;
    while (to < end && !cuts.at[a][to]) ++to;
    for (std::uint32_t cut = from; cut < to; ++cut) {
      const bool gap =
          own.upto[cut + std::size_t{1}] == own.upto[cut] && !walk_.any_whole();  // that before the gap is the same
      own.worth[cut] = gap ? 0 : saved(a, length_of(axis, from, to), {piece(from, cut), piece(cut + 1, to)});
    }
  }

  struct Piece {
    std::int64_t records;
    std::uint32_t price;  // its place among the prices
  };

  /// Volumes are products, so that factors are compared; what divides more records is better otherwise, and a little
  /// here too.
  double saved(std::size_t a, std::uint32_t whole, const std::vector<Piece>& pieces) const {
    const auto& prices = problem_.attributes[a].price;
    const Cost dearest = dearest_[a];  // of no weight: 0
    const auto paid = [&](double n, std::uint32_t at) {
      if (problem_.metric == Metric::product) return n * std::log(static_cast<double>(prices[at]));
      return dearest > 0 ? n * static_cast<double>(prices[at]) / static_cast<double>(dearest) : 0;
    };
    double n = 0, most = 0, cheaper = 0;
    for (const auto& [records, price] : pieces) {
      const auto m = static_cast<double>(records);
      n += m, most = std::max(most, m), cheaper -= paid(m, price);
    }
    if (n == most) return 0;
    if (problem_.metric != Metric::product && problem_.metric != Metric::sum) return n - most;
    return cheaper + paid(n, whole) + (n - most) / 4;
  }

  const Records& records_;
  const Problem& problem_;
  Judge<Int, Lane>& judge_;
  const Walk<Int, Lane>& walk_;
  Partitions<Int, Lane>& partitions_;
  Control& control_;
  std::vector<Cost> dearest_;  // by attribute: the highest price, where prices are added up
  std::uint64_t memory_ = 0;
};

}  // namespace sfumato::boxes

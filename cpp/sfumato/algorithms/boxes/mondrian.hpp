// Mondrian: boxes are split as long as a legal split is left, each by the one whose parts cost least.
// LeFevre, DeWitt, Ramakrishnan, "Mondrian multidimensional k-anonymity", ICDE 2006; steepest, as in the GenSearch
// paper.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "sfumato/algorithms/boxes/judge.hpp"
#include "sfumato/algorithms/boxes/partitions.hpp"
#include "sfumato/algorithms/boxes/walk.hpp"
#include "sfumato/search/control.hpp"

namespace sfumato::boxes {

template <class Int, class Lane>
class Mondrian {
 public:
  using Walk = boxes::Walk<Int, Lane>;

  Mondrian(const Records<Int, Lane>& records, Judge<Int, Lane>& judge, Walk& walk, Partitions<Int, Lane>& partitions,
           Control& control)
      : records_(records), judge_(judge), walk_(walk), partitions_(partitions), control_(control) {}

  /// The boxes below one; none if it is neither a class nor suppressed. When stopped, boxes stay as they are.
  std::vector<std::uint32_t> run(std::size_t from, std::size_t to, const std::vector<Lane>& box, std::int64_t n) {
    ids_.clear();
    const auto verdict = judge_(walk_.tuples(from, to), box.data(), n);
    if (verdict.cost < impossible<Int>) {
      // Its own copy of the tuples, in which every box has its range. Boxes may lie as deep as an order is long, so
      // those that wait are on no stack of calls; the first part of a split comes first.
      const auto mark = walk_.mark();
      const std::size_t begin = walk_.push_again(from, to);
      std::vector<Piece> waiting{{begin, begin + (to - from), box, verdict}};
      while (!waiting.empty()) {
        const Piece piece = std::move(waiting.back());
        waiting.pop_back();
        auto parts = split(piece);
        std::ranges::move(parts.rbegin(), parts.rend(), std::back_inserter(waiting));
      }
      walk_.release(mark);
    }
    std::ranges::sort(ids_);
    return ids_;
  }

 private:
  using Verdict = typename Judge<Int, Lane>::Verdict;

  struct Piece {
    std::size_t from, to;
    std::vector<Lane> box;
    Verdict own;
  };

  /// The cost of a part as it is; where that depends on labels, its records are looked at.
  Int cost_of(const typename Walk::Part& part, const Lane* lanes) const {
    const auto n = static_cast<Int>(part.sums.records);
    return n * (records_.problem().metric == Metric::square ? n : records_.price(lanes));
  }

  /// The parts of the cheapest legal split; where there is none, the box stays as it is.
  std::vector<Piece> split(const Piece& piece) {
    const auto& [from, to, box, own] = piece;
    const auto mark = walk_.mark();
    const bool labels = records_.problem().metric == Metric::minority;
    std::vector<std::pair<Int, std::size_t>> order;
    std::vector<std::size_t> begin;
    std::vector<Verdict> verdicts;
    if (to - from > 1 && !own.withheld && control_.examine()) {
      walk_.expand(walk_.tuples(from, to), box.data());
      for (std::size_t s = mark.splits; s < walk_.splits(); ++s) {
        if (walk_.split(s).parts < 2) continue;
        Int cost = 0;
        if (labels) {
          cost = legal(from, to, s, begin, verdicts);
          walk_.drop_tuples(mark.tuples);
        } else {
          for (std::size_t p = walk_.split(s).first; p < walk_.split(s).first + walk_.split(s).parts; ++p)
            cost += cost_of(walk_.part(p), walk_.lanes(p));
        }
        if (cost < impossible<Int>) order.emplace_back(cost, s);
      }
      std::ranges::sort(order);  // ties by axis, then by cut
    }
    for (const auto& [cost, s] : order) {
      if (legal(from, to, s, begin, verdicts) < impossible<Int>) {
        std::vector<Piece> parts;
        for (std::size_t i = 0; i < verdicts.size(); ++i) {
          const Lane* lanes = walk_.lanes(walk_.split(s).first + i);
          const std::size_t first = from + (begin[i] - mark.tuples), last = from + (begin[i + 1] - mark.tuples);
          parts.push_back({first, last, {lanes, lanes + records_.width()}, verdicts[i]});
        }
        walk_.put_back(from, mark.tuples);
        walk_.release(mark);
        return parts;
      }
      walk_.drop_tuples(mark.tuples);
    }
    walk_.release(mark);
    ids_.push_back(partitions_.id(box.data(), walk_.tuples(from, to), own.cost, own.withheld));
    return {};
  }

  /// What the parts of a split cost, impossible unless all are classes, or if stopped; leaves the tuples distributed
  /// over the parts.
  Int legal(std::size_t from, std::size_t to, std::size_t s, std::vector<std::size_t>& begin,
            std::vector<Verdict>& verdicts) {
    const auto& split = walk_.split(s);
    const std::int64_t least = Records<Int, Lane>::least_of(records_.problem());
    for (std::size_t p = split.first; p < split.first + split.parts; ++p)
      if (walk_.part(p).sums.records < least) return impossible<Int>;
    stopped_ = stopped_ || (++tried_ % tries_between == 0 && control_.stopped());
    if (stopped_) return impossible<Int>;
    walk_.distribute(walk_.tuples(from, to), split, begin);
    verdicts.clear();
    Int total = 0;
    for (std::size_t i = 0; i < split.parts; ++i) {
      const std::size_t p = split.first + i;
      verdicts.push_back(judge_(walk_.tuples(begin[i], begin[i + 1]), walk_.lanes(p), walk_.part(p).sums.records));
      if (verdicts.back().withheld || verdicts.back().cost >= impossible<Int>) return impossible<Int>;
      total += verdicts.back().cost;
    }
    return total;
  }

  const Records<Int, Lane>& records_;
  Judge<Int, Lane>& judge_;
  Walk& walk_;
  Partitions<Int, Lane>& partitions_;
  Control& control_;
  std::vector<std::uint32_t> ids_;
  static constexpr std::size_t tries_between = 16;  // splits tried until the control is tested again
  std::size_t tried_ = 0;
  bool stopped_ = false;
};

}  // namespace sfumato::boxes

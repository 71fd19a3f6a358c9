// Lower bounds on every local recoding: prices of records that no valid class can underbid.
//
// Let c(t) be what a record costs that is published at tuple t. Prices p are good if for every t at which a valid class
// can be published, the k largest prices below t add up to at most k c(t), where no valid class has fewer than k
// records. A class S at t has |S| >= k records below t, so its mean price is at most the mean of the k largest below t,
// and Σ_S p <= |S| c(t), its cost. Classes partition the records: Σ p is at most the cost of every recoding. With p_r
// the least c(t) over such t above r, every price below t is at most c(t): these are good, and come from one walk.
// Where models limit the shares of values, the k largest are those that a class can have together: see
// shares.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "sfumato/algorithms/local/space.hpp"
#include "sfumato/algorithms/local/tuple_walk.hpp"
#include "sfumato/cost.hpp"

namespace sfumato::local {

/// Which groups can have a part that is a valid class.
class GroupJudge {
 public:
  explicit GroupJudge(const Problem& problem) : problem_(problem), histograms_(problem.columns.size()) {}

  /// Whether models have to be evaluated, which read the groups' items.
  bool reads_models() const { return !problem_.models.empty() && !replaying_; }

  /// Walks over the same attributes meet the same groups in the same order: the answers of one are recorded for the
  /// next.
  void record() { recording_ = !problem_.models.empty(); }
  void replay() { replaying_ = recording_; }
  void restart() { at_ = 0; }

  /// hopeful[g]: whether a part of group g may satisfy everything; never false where one does.
  std::span<const std::uint8_t> of(const TupleGroups& groups) {
    hopeful_.resize(groups.count());
    if (replaying_) {
      for (std::uint8_t& hopeful : hopeful_) hopeful = answers_[at_++];
      return hopeful_;
    }
    for (std::size_t g = 0; g < groups.count(); ++g) hopeful_[g] = groups.size[g] >= problem_.least;
    if (!problem_.models.empty()) evaluate_models(groups);
    if (recording_) answers_.insert(answers_.end(), hopeful_.begin(), hopeful_.end());
    return hopeful_;
  }

 private:
  void evaluate_models(const TupleGroups& groups) {
    for (std::size_t s = 0; s < histograms_.size(); ++s) count(groups, problem_.columns[s], histograms_[s]);
    for (const auto& model : problem_.models) {
      const Classes classes{groups.size, histograms_};
      const Histogram* read = model->sensitive() ? &histograms_[*model->sensitive()] : nullptr;
      violated_.assign(groups.count(), 0);
      model->mark(classes, read, violated_);
      publishable_ = groups.size;
      model->limit(classes, read, violated_, publishable_);
      for (std::size_t g = 0; g < groups.count(); ++g) hopeful_[g] &= publishable_[g] >= problem_.least;
    }
  }

  void count(const TupleGroups& groups, const SensitiveColumn& column, Histogram& histogram) {
    cells_.clear();
    for (std::size_t i = 0; i < groups.of_item.size(); ++i)
      cells_.push_back({std::uint64_t{groups.of_item[i]} << 32 | column.codes[i], problem_.counts[i]});
    std::ranges::sort(cells_, {}, &Cell::key);
    histogram.begin.assign(groups.count() + 1, 0), histogram.value.clear(), histogram.count.clear();
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (i > 0 && cells_[i].key == cells_[i - 1].key) {
        histogram.count.back() += cells_[i].records;
        continue;
      }
      histogram.value.push_back(static_cast<std::uint32_t>(cells_[i].key));
      histogram.count.push_back(cells_[i].records);
      histogram.begin[(cells_[i].key >> 32) + 1] = histogram.value.size();
    }
    for (std::size_t g = 1; g < histogram.begin.size(); ++g)
      histogram.begin[g] = std::max(histogram.begin[g], histogram.begin[g - 1]);
  }

  struct Cell {
    std::uint64_t key;
    std::int64_t records;
  };
  const Problem& problem_;
  bool recording_ = false, replaying_ = false;
  std::vector<bool> answers_;
  std::size_t at_ = 0;
  std::vector<Histogram> histograms_;
  std::vector<Cell> cells_;
  std::vector<std::uint8_t> hopeful_, violated_;
  std::vector<std::int64_t> publishable_;
};

inline std::vector<std::size_t> all_attributes(const Space& space) {
  std::vector<std::size_t> attributes(space.attributes());
  std::iota(attributes.begin(), attributes.end(), std::size_t{0});
  return attributes;
}

/// How many groups a walk may meet at most.
inline double work_of(const Space& space, std::vector<std::size_t> attributes) {
  const TupleWalk walk(space, std::move(attributes));
  return walk.fits() ? walk.lattice() * static_cast<double>(space.items()) : std::numeric_limits<double>::infinity();
}

/// The least cost of each item's records among tuples that are hopeful, as far as some attributes go; false if stopped.
/// Where `upper` says what each item's records cost in some recoding, tuples that cost as much need not be looked at;
/// else it is empty. A fault that tests plant skips the first lattice nodes.
template <class Go>
bool least_costs(const Space& space, std::vector<std::size_t> attributes, GroupJudge& judge, std::vector<double>& least,
                 Go go, const std::vector<double>& upper = {}, int skipped = 0) {
  TupleWalk walk(space, std::move(attributes));
  if (judge.reads_models())
    walk.track_items();
  else
    walk.cap(upper);
  constexpr double never = std::numeric_limits<double>::infinity();
  const bool whole = walk.run(
      never, least,
      [&](TupleGroups& groups) {
        const auto hopeful = judge.of(groups);
        if (skipped-- > 0) return;
        for (std::size_t g = 0; g < groups.count(); ++g)
          if (hopeful[g]) groups.down[g] = static_cast<double>(groups.each[g]);
      },
      [](double one, double other) { return std::min(one, other); }, go);
  for (std::size_t i = 0; i < upper.size() && whole; ++i) least[i] = std::min(least[i], upper[i]);
  return whole;
}

/// The same where there are too many tuples: block by block of the attributes. A class covers no fewer records in some
/// of the attributes than in all, so its cost there is at least the least of hopeful tuples there; and costs add up.
template <class Go>
bool least_by_blocks(const Space& space, double most_work, std::vector<double>& least, Go go) {
  least.assign(space.items(), 0);
  std::vector<std::size_t> block;
  std::vector<double> part;
  for (std::size_t a = 0; a < space.attributes(); ++a) {
    block.push_back(a);
    auto longer = block;
    if (a + 1 < space.attributes()) longer.push_back(a + 1);
    if (a + 1 < space.attributes() && work_of(space, longer) <= most_work) continue;
    GroupJudge judge(space.problem());
    if (!least_costs(space, block, judge, part, go)) return false;
    for (std::size_t i = 0; i < least.size(); ++i) least[i] += part[i];
    block.clear();
  }
  return true;
}

}  // namespace sfumato::local

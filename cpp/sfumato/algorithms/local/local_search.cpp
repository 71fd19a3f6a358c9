#include "sfumato/algorithms/local/local_search.hpp"

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>
#include <utility>

#include "sfumato/algorithms/local/bound.hpp"
#include "sfumato/algorithms/local/checks.hpp"
#include "sfumato/algorithms/local/moves.hpp"
#include "sfumato/algorithms/local/partition.hpp"
#include "sfumato/algorithms/local/prices.hpp"
#include "sfumato/algorithms/local/random.hpp"
#include "sfumato/algorithms/local/split.hpp"
#include "sfumato/algorithms/local/validity.hpp"
#include "sfumato/search/planted.hpp"

namespace sfumato::local {
namespace {

class Search {
 public:
  Search(const Problem& problem, const Settings& settings, Control& control)
      : problem_(problem),
        settings_(settings),
        control_(control),
        space_(problem),
        partition_(space_),
        random_(problem.seed) {}

  Result run() {
    if (!construct()) return std::move(result_);
    keep();
    const auto published = costs();
    const bool both = control_.limits().threads > 1;
    if (both) {
      auto proof = std::async(std::launch::async, [&] { return prove(1, published); });
      const bool improved = improve();
      result_.complete = proof.get() && improved;
    } else {
      const bool proved = prove(0.35, published);  // of the time
      result_.complete = improve() && proved;
    }
    keep();
    result_.bound = bound_ + is_planted(Fault::bound_one_too_high);
    control_.finish(result_.bound);
    return std::move(result_);
  }

 private:
  /// From the whole table down; false if that is no valid class.
  bool construct() {
    Members whole;
    for (std::uint32_t i = 0; i < space_.items(); ++i)
      whole.push_back({i, narrow<std::uint32_t>(problem_.counts[i], too_many_copies)});
    Validity validity(problem_);
    if (whole.empty() || !validity.holds(whole, space_.records())) return false;
    Split split(space_, validity);
    split.all(
        std::move(whole), 0, random_, [&](const Members& part) { partition_.add(part); },
        [&] { return !control_.stopped(); });
    return true;
  }

  std::int64_t steps() const { return std::min(settings_.steps, control_.limits().examined); }

  /// The share of the steps that is done, or of the time where steps are unlimited: only then does the answer depend on
  /// time.
  double share_done(std::int64_t step) const {
    if (steps() < Settings::endless) return static_cast<double>(step) / static_cast<double>(steps());
    return control_.progress().seconds / control_.limits().seconds;
  }

  /// Anneals; false if it was stopped.
  bool improve() {
    if (control_.stopped()) return false;
    Moves moves(space_, partition_, random_);
    const double mean = static_cast<double>(partition_.total()) / static_cast<double>(space_.records());
    double warmth = 0;
    for (std::int64_t step = 0; step < steps(); ++step) {
      if (step % 64 == 0) {
        const double left = std::max(0.0, 1 - share_done(step));
        warmth = heat_ * mean * left * left;
      }
      if (!control_.examine()) return false;
      moves.step(warmth);
      if (step % 4096 == 4095) keep();
    }
    return true;
  }

  /// Keeps what is published, if it is the best so far.
  void keep() {
    if (partition_.total() >= result_.cost) return;
    result_.found = true;
    result_.cost = partition_.total();
    result_.item.clear(), result_.copies.clear(), result_.number.clear(), result_.tuples.clear();
    std::uint32_t number = 0;
    for (const std::uint32_t slot : partition_.live()) {
      for (const Member& member : partition_.members(slot)) {
        result_.item.push_back(member.item), result_.copies.push_back(member.copies), result_.number.push_back(number);
      }
      const auto tuple = partition_.tuple(slot);
      result_.tuples.insert(result_.tuples.end(), tuple.begin(), tuple.end());
      ++number;
    }
    control_.improved(result_.cost);
  }

  /// What each item's records cost now, at the least.
  std::vector<double> costs() const {
    std::vector<double> least(space_.items(), std::numeric_limits<double>::infinity());
    for (std::uint32_t i = 0; i < least.size(); ++i)
      for (const auto& place : partition_.places(i))
        least[i] = std::min(least[i], static_cast<double>(partition_.each(place.slot)));
    return least;
  }

  /// The bound by records, then better prices; false if there was no time for all of it.
  bool prove(double share, const std::vector<double>& published) {
    if (control_.stopped()) return false;
    std::vector<double> least;
    const auto go = [&] { return !control_.stopped(); };
    const double work = work_of(space_, all_attributes(space_));
    if (work > most_work_) {
      if (least_by_blocks(space_, most_work_ / 16, least, go)) raise(sum(least));
      if (std::isinf(work)) return false;
    }
    const int skipped = is_planted(Fault::tuples_skipped) ? 2 : 0;
    const double start = control_.progress().seconds;
    GroupJudge judge(problem_);
    if (work < 2.0 * static_cast<double>(control_.limits().memory)) judge.record();  // a bit for each group
    // What is published would hide what is skipped.
    const std::vector<double> none, &enough = skipped > 0 ? none : published;
    if (!least_costs(space_, all_attributes(space_), judge, least, go, enough, skipped)) return false;
    judge.replay();
    raise(sum(least));
    // A few rounds take about ten such walks: with less time, and no other thread that searches meanwhile, they are not
    // begun.
    const double now = control_.progress().seconds;
    if (share < 1 && now + 10 * (now - start) > share * control_.limits().seconds) return false;
    return ascend(std::move(least), judge, share);
  }

  bool ascend(std::vector<double> least, GroupJudge& judge, double share) {
    const auto go = [&] {
      return !control_.stopped() && control_.progress().seconds < share * control_.limits().seconds;
    };
    Prices prices(space_, judge, std::move(least), control_.limits().memory / 4);
    double certified = prices.best();
    if (certified == 0 || settings_.rounds == 0) return true;
    if (!prices.normalise(never_near_, go)) return false;
    double rate = 0.03;
    for (int round = 0; round < settings_.rounds; ++round, rate *= 0.7) {
      // At first the prices will move far, so that tuples matter that are not tight yet.
      if (!prices.normalise(std::min(0.6 + 0.125 * round, 0.85), go)) return false;
      if (prices.best() > certified * 1.001 || round + 1 == settings_.rounds) {
        const Cost proved = prices.certify(go);
        if (proved < 0) return false;
        raise(proved);
        certified = prices.best();
      }
      if (round + 1 < settings_.rounds) prices.ascend(rate, go);
    }
    return true;
  }

  Cost sum(const std::vector<double>& least) const {
    Cost total = 0;
    for (std::size_t i = 0; i < least.size(); ++i)
      total += Cost{problem_.counts[i]} * static_cast<std::int64_t>(least[i]);
    return total;
  }

  void raise(Cost bound) {
    bound_ = std::max(bound_, bound);
    control_.tick(bound_);
  }

  const Problem& problem_;
  const Settings& settings_;
  Control& control_;
  Space space_;
  Partition partition_;
  Random random_;
  Result result_;
  Cost bound_ = 0;
  static constexpr double heat_ = 0.3;  // of the mean loss of a record, at the start
  static constexpr double most_work_ = 4e9, never_near_ = 1e300;
};

}  // namespace

Result local_search(const Problem& problem, const Settings& settings, Control& control) {
  require(problem, settings);
  return Search(problem, settings, control).run();
}

}  // namespace sfumato::local

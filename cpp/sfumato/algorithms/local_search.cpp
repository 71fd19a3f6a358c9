#include "sfumato/algorithms/local_search.hpp"

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>
#include <utility>

#include "sfumato/search/local_bound.hpp"
#include "sfumato/search/local_classes.hpp"
#include "sfumato/search/local_moves.hpp"
#include "sfumato/search/local_prices.hpp"
#include "sfumato/search/local_split.hpp"

namespace sfumato {
namespace {

class Search {
 public:
  Search(const LocalProblem& problem, const LocalSettings& settings, Control& control)
      : problem_(problem),
        settings_(settings),
        control_(control),
        space_(problem),
        classes_(space_),
        random_(problem.seed) {}

  LocalResult run() {
    if (!construct()) return std::move(result_);
    keep();
    const auto known = costs();
    const bool both = control_.limits().threads > 1;
    if (both) {
      auto proof = std::async(std::launch::async, [&] { return prove(1, known); });
      const bool improved = improve();
      result_.complete = proof.get() && improved;
    } else {
      const bool proved = prove(0.35, known);  // of the time
      result_.complete = improve() && proved;
    }
    keep();
    result_.bound = bound_ + (settings_.fault == LocalFault::bound_one_too_high);
    control_.finish(result_.bound);
    return std::move(result_);
  }

 private:
  /// From the whole table down; false if that is no valid class.
  bool construct() {
    Members whole;
    for (std::uint32_t i = 0; i < space_.items(); ++i)
      whole.push_back({i, static_cast<std::uint32_t>(problem_.counts[i])});
    LocalValidity validity(problem_);
    if (whole.empty() || !validity.holds(whole, space_.records())) return false;
    LocalSplit split(space_, validity);
    split.all(
        std::move(whole), 0, random_, [&](const Members& part) { classes_.add(part); },
        [&] { return !control_.stopped(); });
    return true;
  }

  std::int64_t steps() const { return std::min(settings_.steps, control_.limits().examined); }

  /// How much of the steps is gone, or of the time where steps are without number: then alone the answer depends on
  /// time.
  double gone(std::int64_t step) const {
    if (steps() < LocalSettings::endless) return static_cast<double>(step) / static_cast<double>(steps());
    return control_.progress().seconds / control_.limits().seconds;
  }

  /// Anneals; false if it was stopped.
  bool improve() {
    LocalMoves moves(space_, classes_, random_);
    const double mean = static_cast<double>(classes_.total()) / static_cast<double>(space_.records());
    double warmth = 0;
    for (std::int64_t step = 0; step < steps(); ++step) {
      if (step % 64 == 0) {
        const double left = std::max(0.0, 1 - gone(step));
        warmth = heat_ * mean * left * left;
      }
      if (!control_.examine()) return false;
      moves.step(warmth);
      if (step % 4096 == 4095) keep();
    }
    return true;
  }

  /// Takes down what is published, if it is the best so far.
  void keep() {
    if (classes_.total() >= result_.cost) return;
    result_.found = true;
    result_.cost = classes_.total();
    result_.item.clear(), result_.copies.clear(), result_.number.clear(), result_.tuples.clear();
    std::uint32_t number = 0;
    for (const std::uint32_t slot : classes_.live()) {
      for (const Member& member : classes_.members(slot)) {
        result_.item.push_back(member.item), result_.copies.push_back(member.copies), result_.number.push_back(number);
      }
      const auto tuple = classes_.tuple(slot);
      result_.tuples.insert(result_.tuples.end(), tuple.begin(), tuple.end());
      ++number;
    }
    control_.improved(result_.cost);
  }

  /// What each item's records cost now, at the least.
  std::vector<double> costs() const {
    std::vector<double> least(space_.items(), std::numeric_limits<double>::infinity());
    for (std::uint32_t i = 0; i < least.size(); ++i)
      for (const auto& place : classes_.places(i))
        least[i] = std::min(least[i], static_cast<double>(classes_.each(place.slot)));
    return least;
  }

  /// The bound by records, then better prices; false if there was no time for all of it.
  bool prove(double share, const std::vector<double>& known) {
    std::vector<double> least;
    const auto go = [&] { return !control_.stopped(); };
    const double work = work_of(space_, all_attributes(space_));
    if (work > most_work_) {
      if (least_by_blocks(space_, most_work_ / 16, least, go)) raise(sum(least));
      if (std::isinf(work)) return false;
    }
    const int skipped = settings_.fault == LocalFault::tuples_skipped ? 2 : 0;
    const double start = control_.progress().seconds;
    LocalHope hope(problem_);
    if (work < 2.0 * static_cast<double>(control_.limits().memory)) hope.record();  // a bit for each group
    // What is known would hide what is skipped.
    const std::vector<double> none, &enough = skipped > 0 ? none : known;
    if (!least_costs(space_, all_attributes(space_), hope, least, go, enough, skipped)) return false;
    hope.recorded();
    raise(sum(least));
    // A few rounds take about ten such walks: with less time, and nobody else to search meanwhile, they are not begun.
    const double now = control_.progress().seconds;
    if (share < 1 && now + 10 * (now - start) > share * control_.limits().seconds) return false;
    return ascend(std::move(least), hope, share);
  }

  bool ascend(std::vector<double> least, LocalHope& hope, double share) {
    const auto go = [&] {
      return !control_.stopped() && control_.progress().seconds < share * control_.limits().seconds;
    };
    LocalPrices prices(space_, hope, std::move(least), control_.limits().memory / 4);
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

  const LocalProblem& problem_;
  const LocalSettings& settings_;
  Control& control_;
  LocalSpace space_;
  LocalClasses classes_;
  LocalRandom random_;
  LocalResult result_;
  Cost bound_ = 0;
  static constexpr double heat_ = 0.3;  // of the mean loss of a record, at the start
  static constexpr double most_work_ = 4e9, never_near_ = 1e300;
};

}  // namespace

LocalResult local_search(const LocalProblem& problem, const LocalSettings& settings, Control& control) {
  return Search(problem, settings, control).run();
}

}  // namespace sfumato

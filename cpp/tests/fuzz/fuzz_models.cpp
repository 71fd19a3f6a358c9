// Privacy models, asked about single classes: definitions, monotonicity, and what parts of a class can publish.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "any_problem.hpp"
#include "fuzz.hpp"
#include "sfumato/privacy/delta_presence.hpp"
#include "sfumato/privacy/epsilon_privacy.hpp"
#include "sfumato/privacy/k_map.hpp"
#include "sfumato/privacy/rating.hpp"
#include "sfumato/privacy/tau_l_diversity.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

using Records = std::vector<std::int64_t>;  // by value

std::int64_t sum_of(const Records& records) { return std::accumulate(records.begin(), records.end(), std::int64_t{0}); }

/// Few records of each value; or very many of some, with fewer than 2^36 together.
Records drawn(Random& random, std::size_t values) {
  Records records(values);
  const int kind = random.below(4);
  for (std::int64_t& n : records) n = kind == 0 ? edge(random) : random.between(0, kind == 1 ? 40 : 4);
  for (std::int64_t& n : records) n = std::clamp<std::int64_t>(n, 0, (most_records - 1) / std::ssize(records) / 2);
  return records;
}

Records together(const Records& one, const Records& other) {
  Records both = one;
  for (std::size_t v = 0; v < both.size(); ++v) both[v] += other[v];
  return both;
}

/// A class, with its values as cells or as lanes.
struct One {
  One(const Records& records, std::int64_t people, bool lanes) : size{sum_of(records)}, population{people} {
    if (lanes) {
      histogram.width = lanes_for(static_cast<std::uint32_t>(records.size()));
      histogram.lanes.assign(histogram.width, 0);
      for (std::size_t v = 0; v < records.size(); ++v) histogram.lanes[v] = static_cast<std::uint32_t>(records[v]);
      return;
    }
    histogram.begin = {0};
    histogram.begin.reserve(2), histogram.value.reserve(records.size()), histogram.count.reserve(records.size());
    for (std::uint32_t v = 0; v < records.size(); ++v)
      if (records[v] > 0) histogram.value.push_back(v), histogram.count.push_back(records[v]);
    histogram.begin.push_back(histogram.value.size());
  }

  Classes classes() const { return {size, {&histogram, 1}, {}, population}; }
  const Histogram* read_by(const ClassModel& model) const { return model.sensitive() ? &histogram : nullptr; }

  bool violates(const ClassModel& model) const {
    std::uint8_t mark = 0;
    model.mark(classes(), read_by(model), {&mark, 1});
    return mark != 0;
  }

  std::int64_t publishable(const ClassModel& model) const {
    const std::uint8_t mark = 1;
    std::int64_t most = size[0];
    model.limit(classes(), read_by(model), {&mark, 1}, {&most, 1});
    return most;
  }

  std::int64_t size[1], population[1];
  Histogram histogram;
};

/// A model, and its definition where that is easily written down.
struct Asked {
  std::shared_ptr<const ClassModel> model;
  std::function<bool(const Records&)> holds = {};
  std::int64_t most = most_records;  // records of a class that products have room for
  bool of_input = false;             // it compares classes with the input that they are parts of
};

struct Share {
  std::int64_t part, whole;
  Ratio ratio() const { return {part / whole, part % whole, whole}; }
  bool admits(std::int64_t count, std::int64_t n) const { return Cost{count} * whole <= Cost{part} * n; }
};

Share some_share(Random& random) {
  if (random.below(4) > 0) {
    const std::int64_t parts = random.between(1, 6);
    return {random.between<std::int64_t>(0, parts), parts};
  }
  const std::int64_t whole = std::max<std::int64_t>(edge(random), 1);
  return {std::clamp<std::int64_t>(random.below(2) == 0 ? edge(random) : whole - random.below(3), 0, whole), whole};
}

std::vector<Share> some_shares(Random& random, std::size_t values) {
  std::vector<Share> shares;
  for (std::size_t v = 0; v < values; ++v) shares.push_back(some_share(random));
  return shares;
}

std::vector<Ratio> ratios(const std::vector<Share>& shares) {
  std::vector<Ratio> made;
  for (const Share& share : shares) made.push_back(share.ratio());
  return made;
}

Asked of_shares(Random& random, std::size_t values) {
  const auto shares = some_shares(random, values);
  const auto holds = [shares](const Records& records) {
    bool all = true;
    for (std::size_t v = 0; v < records.size(); ++v) all &= shares[v].admits(records[v], sum_of(records));
    return all;
  };
  if (random.below(2) == 0) return {std::make_shared<LPlusDiversity>(0, ratios(shares)), holds};
  return {std::make_shared<BetaLikeness>(0, ratios(shares)), holds};
}

Asked of_disclosure(Random& random, const Records& input) {
  const auto least = some_shares(random, input.size()), most = some_shares(random, input.size());
  const auto present = static_cast<std::size_t>(std::ranges::count_if(input, [](std::int64_t n) { return n > 0; }));
  return {std::make_shared<DeltaDisclosure>(0, ratios(least), ratios(most), present),
          [least, most, present](const Records& records) {
            bool all = true;
            std::size_t there = 0;
            for (std::size_t v = 0; v < records.size(); ++v) {
              if (records[v] == 0) continue;
              ++there;
              const Cost n = sum_of(records);
              all &= Cost{records[v]} * least[v].whole >= least[v].part * n;
              all &= most[v].admits(records[v], sum_of(records));
            }
            return all && there == present;
          },
          most_records, true};
}

Asked of_recursion(Random& random) {
  const Share c = some_share(random);
  const std::size_t l = random.between<std::size_t>(1, 3);
  return {std::make_shared<RecursiveLDiversity>(0, c.ratio(), l), [c, l](const Records& records) {
            Records falling;
            for (const std::int64_t n : records)
              if (n > 0) falling.push_back(n);
            std::ranges::sort(falling, std::greater<>());
            if (falling.size() < l) return false;
            const std::int64_t rare =
                std::accumulate(falling.begin() + static_cast<std::ptrdiff_t>(l - 1), falling.end(), std::int64_t{0});
            return Cost{falling[0]} * c.whole < Cost{c.part} * rare;
          }};
}

Asked of_entropy(Random& random) {
  const std::int64_t l = random.between(1, 5), parts = random.between<std::int64_t>(1, l);
  return {std::make_shared<EntropyLDiversity>(0, l, parts)};
}

/// Differences between what there is and what there should be, times the records of both.
Asked of_distance(Random& random, const Records& input) {
  const std::int64_t total = sum_of(input);
  const std::int64_t steps = std::max<std::int64_t>(std::ssize(input), 1);
  const std::int64_t limit =
      random.below(2) == 0 ? total / random.between(1, 8) : random.between<std::int64_t>(0, total);
  const Share share{limit, 1};
  if (random.below(3) == 0)
    return {std::make_shared<TCloseness>(0, share.ratio(), random_tree(random, input)), {}, most_records, true};
  if (random.below(2) == 0)
    return {std::make_shared<TCloseness>(0, share.ratio(), TreeDistance(input)),
            [=](const Records& records) {
              Cost moved = 0;
              const Cost n = sum_of(records);
              for (std::size_t v = 0; v < records.size(); ++v)
                moved += std::max<Cost>(Cost{total} * records[v] - n * input[v], 0);
              return moved <= limit * n;
            },
            most_records, true};
  const std::vector<std::uint32_t> rank = random_ranks(random, input.size());
  return {std::make_shared<TCloseness>(0, Share{limit * steps, 1}.ratio(), OrderedDistance(input, rank)),
          [=](const Records& records) {
            std::vector<std::size_t> at(rank.size());
            for (std::size_t v = 0; v < rank.size(); ++v) at[rank[v]] = v;
            Cost moved = 0, carried = 0;
            const Cost n = sum_of(records);
            for (const std::size_t v : at) {
              carried += Cost{total} * records[v] - n * input[v];
              moved += carried < 0 ? -carried : carried;
            }
            return moved <= Cost{limit} * steps * n;
          },
          most_records, true};
}

Asked of_adversary(Random& random) {
  const std::int64_t b = random.between(0, 4), parts = random.between(1, 4), sigma = random.between(0, 9),
                     epsilon = random.between<std::int64_t>(2, 9);
  const Cost d = random.below(4) == 0 ? Cost{1} << random.between(20, 40) : parts;
  return {std::make_shared<EpsilonPrivacy>(0, b, (epsilon - 1) * d, epsilon * (sigma + b) * d, (sigma + b) * d,
                                           random.between(0, 6))};
}

/// Values below a root, some of them in groups; what is published may be any node.
Asked of_induced(Random& random, std::size_t values) {
  std::vector<std::uint32_t> parent{0}, leaf, place;
  std::vector<std::int64_t> weight;
  for (std::size_t v = 0; v < values; ++v) {
    const bool group = v % 3 == 0 && random.below(2) == 0;
    if (group) parent.push_back(0);
    const auto above = group || (v % 3 > 0 && leaf.size() > 0 && parent[leaf.back()] != 0 && random.below(2) == 0)
                           ? (group ? static_cast<std::uint32_t>(parent.size() - 1) : parent[leaf.back()])
                           : 0u;
    leaf.push_back(static_cast<std::uint32_t>(parent.size()));
    parent.push_back(above);
    weight.push_back(random.between(1, 3));
    place.push_back(static_cast<std::uint32_t>(v));
  }
  std::vector<std::int64_t> of_node(parent.size(), 0);
  for (std::size_t v = 0; v < values; ++v)
    for (std::uint32_t node = leaf[v];; node = parent[node]) {
      of_node[node] += weight[v];
      if (node == 0) break;
    }
  std::int64_t common = 1;
  for (const std::int64_t w : of_node) common = std::lcm(common, w);
  const Cost scale = random.between(2, 12);
  std::vector<Cost> psi;
  Cost limit = 0;
  for (int k = random.below(3); k > 0 && limit + 1 < scale; --k)
    psi.push_back(limit = random.between<std::int64_t>(static_cast<std::int64_t>(limit) + 1,
                                                       static_cast<std::int64_t>(scale) - 1));
  std::vector<std::uint32_t> node;
  for (std::size_t v = 0; v < values; ++v) node.push_back(random.below(static_cast<std::uint32_t>(parent.size())));
  const std::vector<std::int64_t> information(parent.size(), 1);
  const auto holds = [=](const Records& records) {
    Records induced(values, 0);
    for (std::size_t v = 0; v < values; ++v)
      for (std::size_t a = 0; a < values; ++a)
        for (std::uint32_t at = leaf[a];; at = parent[at]) {
          if (at == node[v]) induced[a] += records[v] * weight[a] * (common / of_node[at]);
          if (at == node[v] || at == 0) break;
        }
    std::ranges::sort(induced, std::greater<>());
    Cost sum = 0;
    bool all = true;
    for (std::size_t k = 0; k < psi.size(); ++k) {
      sum += k < induced.size() ? induced[k] : 0;
      all &= sum * scale <= psi[k] * common * sum_of(records);
    }
    return all;
  };
  return {std::make_shared<TauLDiversity>(
              0, InducedLimits(parent, leaf, weight, place, information, psi, scale, common), node),
          holds, (std::int64_t{1} << 62) / common / (static_cast<std::int64_t>(scale) + 1)};
}

Asked some_model(Random& random, const Records& input) {
  const std::size_t values = input.size();
  switch (random.below(13)) {
    case 0: {
      const std::int64_t k = random.below(2) == 0 ? edge(random) : random.between(0, 9);
      return {std::make_shared<KAnonymity>(k), [k](const Records& records) { return sum_of(records) >= k; }};
    }
    case 1: {
      const std::int64_t l = random.between(0, 9);
      return {std::make_shared<DistinctLDiversity>(0, l), [l](const Records& records) {
                return std::ranges::count_if(records, [](std::int64_t n) { return n > 0; }) >= l;
              }};
    }
    case 2: {
      const Share share = some_share(random);
      return {std::make_shared<LDiversity>(0, share.ratio()),
              [share](const Records& records) { return share.admits(std::ranges::max(records), sum_of(records)); }};
    }
    case 3: {
      const Share share = some_share(random);
      const std::int64_t k = random.between(0, 9);
      return {std::make_shared<AlphaKAnonymity>(0, share.ratio(), k), [=](const Records& records) {
                return sum_of(records) >= k && share.admits(std::ranges::max(records), sum_of(records));
              }};
    }
    case 4: return of_shares(random, values);
    case 5: return of_disclosure(random, input);
    case 6: return of_recursion(random);
    case 7: return of_entropy(random);
    case 8:
    case 9: return of_distance(random, input);
    case 10: return of_adversary(random);
    case 11: return of_induced(random, values);
    default:
      if (random.below(2) == 0) return {std::make_shared<KMap>(edge(random))};
      return {std::make_shared<DeltaPresence>(some_share(random).ratio(), some_share(random).ratio())};
  }
}

/// The largest share of few records that logarithms leave no doubt about.
bool entropy_is(const Records& records, double log_l, double& margin) {
  const double n = static_cast<double>(sum_of(records));
  margin = -n * log_l;
  for (const std::int64_t count : records)
    if (count > 0) margin += static_cast<double>(count) * std::log(n / static_cast<double>(count));
  return margin >= 0;
}

/// What there is to look at when something does not hold.
std::string shown_all(const ClassModel& model, const Records& input, const Records& one, const Records& other) {
  return std::string(typeid(model).name()) + ", input " + shown(input) + ", " + shown(one) + " and " + shown(other);
}

/// What a rating says a class attains, models that ask for it accept, and those that ask for more do not.
void rated(Random& random, const Records& records) {
  const One one(records, 0, false);
  Rate rate;
  if (sum_of(records) == 0) return;
  const std::int64_t steps = random.between(1, 100);
  EntropyRating(0, steps).rate(one.classes(), &one.histogram, {&rate, 1});
  if (rate.some() && rate.numerator >= steps) {
    double margin = 0;
    const double doubt = 1e-9 * static_cast<double>(sum_of(records));
    const auto log_of = [&](Cost l) { return std::log(static_cast<double>(l) / static_cast<double>(steps)); };
    CHECK(entropy_is(records, log_of(rate.numerator), margin) || margin > -doubt);
    CHECK(!entropy_is(records, log_of(rate.numerator + 1), margin) || margin < doubt);
  }
  LargestShareRating(0).rate(one.classes(), &one.histogram, {&rate, 1});
  CHECK(rate.numerator == -std::ranges::max(records) && rate.denominator == sum_of(records));
}

/// Two parts of a class, and what a model says of them and of the whole.
void check(Random& random, const Asked& asked, const Records& one, const Records& other) {
  const ClassModel& model = *asked.model;
  const Records both = together(one, other);
  const auto people = [&](const Records& records) {
    return sum_of(records) + (random.below(2) == 0 ? random.below(5) : std::int64_t{1} << random.below(34));
  };
  const std::int64_t of_one = people(one), of_other = people(other);
  const bool lanes =
      model.sensitive() && sum_of(both) <= std::numeric_limits<std::int32_t>::max() && random.below(2) == 0;
  const One first(one, of_one, lanes), second(other, of_other, lanes), whole(both, of_one + of_other, lanes);
  const bool holds = !whole.violates(model);
  if (asked.holds && sum_of(both) > 0) CHECK_EQUAL(holds, asked.holds(both));
  if (lanes) CHECK_EQUAL(holds, !One(both, of_one + of_other, false).violates(model));
  if (sum_of(one) == 0 || sum_of(other) == 0) return;
  const bool first_holds = !first.violates(model), second_holds = !second.violates(model);
  if (model.monotonicity() != Monotonicity::none) CHECK(holds || !first_holds || !second_holds);
  if (model.monotonicity() == Monotonicity::strongly_up) CHECK(holds || !(first_holds || second_holds));
  if (holds) return;
  const std::int64_t most = whole.publishable(model);
  CHECK(most >= 0 && most <= sum_of(both));
  if (first_holds) CHECK(most >= sum_of(one));
  if (second_holds) CHECK(most >= sum_of(other));
}

}  // namespace

FUZZ(random) {
  const std::size_t values = random.between<std::size_t>(1, 6);
  const Records input = drawn(random, values);
  const Asked asked = some_model(random, input);
  Records one = drawn(random, values), other = drawn(random, values);
  for (std::size_t v = 0; v < values; ++v) {
    const std::int64_t most = std::min(asked.of_input ? input[v] : most_records, asked.most / std::ssize(one));
    one[v] = std::min(one[v], asked.of_input ? most : most / 2);
    other[v] = std::min(other[v], most - one[v]);
  }
  try {
    check(random, asked, one, other);
    rated(random, together(one, other));
  } catch (const Failure& failure) {
    throw Failure(failure.what() + (": " + shown_all(*asked.model, input, one, other)));
  }
}

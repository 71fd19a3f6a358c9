// Random problems with every model and every loss of classes.
#pragma once

#include "random_problem.hpp"
#include "sfumato/loss/average_class_size.hpp"
#include "sfumato/loss/classification.hpp"
#include "sfumato/loss/discernibility.hpp"
#include "sfumato/privacy/alpha_k_anonymity.hpp"
#include "sfumato/privacy/beta_likeness.hpp"
#include "sfumato/privacy/delta_disclosure.hpp"
#include "sfumato/privacy/entropy_l_diversity.hpp"
#include "sfumato/privacy/l_diversity.hpp"
#include "sfumato/privacy/l_plus_diversity.hpp"
#include "sfumato/privacy/recursive_l_diversity.hpp"
#include "sfumato/privacy/t_closeness.hpp"

namespace sfumato::testing {

/// Mostly a share that small classes keep in part: from a half up.
inline Ratio random_share(Random& random) {
  const int parts = random.between(2, 6), some = random.between(random.below(4) == 0 ? 0 : (parts + 1) / 2, parts);
  return {some / parts, some % parts, parts};
}

inline std::vector<Ratio> random_shares(Random& random, std::size_t values) {
  std::vector<Ratio> shares;
  for (std::size_t v = 0; v < values; ++v) shares.push_back(random_share(random));
  return shares;
}

/// A tree over values, as t-closeness takes it: nodes and heights by level.
inline TreeDistance random_tree(Random& random, const std::vector<std::int64_t>& records) {
  const Hierarchy tree =
      random_hierarchy(random, static_cast<std::uint32_t>(records.size()), random.between<std::size_t>(1, 3));
  std::vector<std::vector<std::uint32_t>> node;
  std::vector<std::vector<std::int64_t>> height;
  for (std::size_t j = 0; j <= tree.height(); ++j) {
    node.push_back(tree.level(j).node);
    height.emplace_back(tree.level(j).nodes(), static_cast<std::int64_t>(j));
  }
  node.emplace_back(records.size(), 0u);  // one root above all
  height.push_back({static_cast<std::int64_t>(tree.height()) + 1});
  return {records, node, height};
}

inline std::vector<std::uint32_t> random_ranks(Random& random, std::size_t values) {
  std::vector<std::uint32_t> rank;
  for (std::uint32_t v = 0; v < values; ++v)
    rank.insert(rank.begin() + static_cast<std::ptrdiff_t>(random.below(rank.size() + 1)), v);
  return rank;
}

constexpr int model_kinds = 10;

/// A model of some kind over a sensitive column, given the records of each of its values.
inline std::shared_ptr<const ClassModel> random_model(Random& random, int kind, std::size_t s,
                                                      const std::vector<std::int64_t>& records) {
  const std::size_t values = records.size();
  std::int64_t total = 0;
  for (const std::int64_t n : records) total += n;
  const Ratio limit(random.between<std::int64_t>(total / 8, total / 2), random.below(3),
                    3);  // of t-closeness, in its own units
  switch (kind) {
    case 0: return std::make_shared<LDiversity>(s, random_share(random));
    case 1: return std::make_shared<EntropyLDiversity>(s, random.between(2, 4), random.between(1, 2));
    case 2:
      return std::make_shared<RecursiveLDiversity>(s, Ratio(random.between(0, 3), 1, 2),
                                                   random.between<std::size_t>(1, 2));
    case 3: return std::make_shared<AlphaKAnonymity>(s, random_share(random), random.between(1, 4));
    case 4: return std::make_shared<LPlusDiversity>(s, random_shares(random, values));
    case 5: return std::make_shared<BetaLikeness>(s, random_shares(random, values));
    case 6: {
      const auto present =
          static_cast<std::size_t>(std::ranges::count_if(records, [](std::int64_t n) { return n > 0; }));
      return std::make_shared<DeltaDisclosure>(s, std::vector<Ratio>(values, Ratio(0, 1, 10)),
                                               random_shares(random, values), present);
    }
    case 7: return std::make_shared<TCloseness>(s, limit, TreeDistance(records));
    case 8: return std::make_shared<TCloseness>(s, limit, OrderedDistance(records, random_ranks(random, values)));
    default: return std::make_shared<TCloseness>(s, limit, random_tree(random, records));
  }
}

inline std::vector<std::int64_t> records_of(const Frequencies& frequencies, std::size_t s) {
  const SensitiveColumn& column = frequencies.sensitive()[s];
  std::vector<std::int64_t> records(column.values, 0);
  for (std::size_t i = 0; i < column.codes.size(); ++i) records[column.codes[i]] += frequencies.counts()[i];
  return records;
}

/// Gives a problem one or two more models, and losses of classes beside that of values, or in its place.
inline void add_any_parts(Random& random, RandomProblem& problem, Cost dearest = Cost{1} << 70) {
  std::ranges::fill(problem.l, 1);
  const std::size_t columns = problem.frequencies.sensitive().size();
  for (int i = random.between(1, 2); i > 0 && columns > 0; --i) {
    const std::size_t s = random.below(columns);
    problem.more.push_back(random_model(random, random.below(model_kinds), s, records_of(problem.frequencies, s)));
  }
  for (int i = random.between(0, 2); i > 0; --i) {
    std::shared_ptr<const ClassLoss> loss = std::make_shared<AverageClassSize>();
    if (const int kind = random.below(3); kind == 1)
      loss = std::make_shared<Discernibility>(problem.frequencies.records());
    else if (kind == 2 && columns > 0)
      loss = std::make_shared<Classification>(random.below(columns));
    problem.of_classes.push_back({loss, random.one_of<Cost>({1, 1, 3, dearest})});
  }
  if (!problem.of_classes.empty() && random.below(2) == 0) {
    std::ranges::fill(problem.unit, 0);
    problem.price = 0;
  }
}

/// A problem with small classes, and any models and losses.
inline RandomProblem any_problem(Random& random, const Size& size = {}) {
  RandomProblem problem(random, size);
  problem.k = random.between(1, 3);
  add_any_parts(random, problem);
  return problem;
}

}  // namespace sfumato::testing

// Evaluating a lattice node: which records it suppresses, what it costs, and what everything below it costs at least.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "sfumato/loss/separable.hpp"
#include "sfumato/privacy/model.hpp"

namespace sfumato {

/// Tuples that stand for the whole table at and above the node `at`, as far as a region of the lattice is concerned.
struct Base {
  Tuples tuples;
  Node at;
  std::int64_t suppressed = 0;  // records left out of the tuples: suppressed in the whole region
  std::vector<Cost> costs;      // of the records in the tuples, by level

  std::size_t bytes() const {
    return tuples.size() * (sizeof(std::int64_t) + sizeof(std::uint32_t) * (tuples.packs.size() + tuples.sensitive.size())) +
           (tuples.units ? tuples.units->bytes() : 0);
  }
};

/// Counts the memory that bases hold, so that a long search knows when to stop making new ones.
class BaseStore {
 public:
  explicit BaseStore(std::size_t limit) : limit_(limit) {}

  bool full() const { return held_ > limit_; }

  std::shared_ptr<const Base> keep(Base base) {
    held_ += base.bytes();
    return {new Base(std::move(base)), [this](const Base* kept) {
              held_ -= kept->bytes();
              delete kept;
            }};
  }

 private:
  std::size_t limit_;
  std::atomic<std::size_t> held_ = 0;
};

/// Models are monotone in the strong sense that parts of a violating class violate too. So what is suppressed at a node
/// is suppressed at every node below it, where the records that are left cost at least their level costs there:
/// cost(v) ≥ price · suppressed(u) + Σ_a floor_a(v_a) for every v ≤ u, with equality at u itself.
struct Evaluation {
  bool valid = false;
  std::int64_t suppressed = 0;
  std::size_t kept = 0;     // tuples that are not suppressed
  std::size_t classes = 0;  // published
  Cost fixed = 0;           // cost of the suppressed records
  Cost slack = 0;           // what suppressing further records might save (only if suppression is cheap)
  std::vector<Cost> floor;  // cost of the other records, by level; right from the levels of `at` up
  Node at;                  // of the base that was evaluated
};

/// Evaluates nodes; owns the working memory, so each thread has its own.
class Evaluator {
 public:
  Evaluator(const Packing& packing, const Models& models, const SeparableLoss& loss, std::int64_t limit,
            BaseStore& store)
      : packing_(packing), models_(models), loss_(loss), limit_(limit), store_(store), groups_(packing) {
    for (std::size_t a = 0; a < frequencies().attributes(); ++a)
      marginal_.emplace_back(frequencies().hierarchy(a).values());
    records_.resize(packing.packs().size());
    for (std::size_t p = 0; p < records_.size(); ++p) records_[p].resize(packing.packs()[p].codes);
  }

  /// The whole table at the lattice's bottom.
  std::shared_ptr<const Base> whole(const Node& bottom) {
    Base base;
    base.at.assign(frequencies().attributes(), 0);
    for (const auto& pack : packing_.packs()) base.tuples.packs.push_back(packing_.column(pack));
    base.tuples.sensitive = frequencies().sensitive();
    base.tuples.counts = frequencies().counts();
    base.tuples.units = frequencies().units();
    kept_.resize(base.tuples.size());
    std::iota(kept_.begin(), kept_.end(), 0u);
    count_values(base.tuples, kept_);
    loss_.level_costs(frequencies(), marginal_, base.costs);
    return roll_up(base, bottom);
  }

  Evaluation evaluate(const Base& base, NodeView node) {
    groups_.assign(base.tuples, node);
    mark(base.tuples);
    Evaluation result;
    result.classes = groups_.count();
    result.suppressed = base.suppressed;
    for (std::size_t c = 0; c < groups_.count(); ++c) {
      result.suppressed += violated_[c] ? groups_.sizes()[c] : 0;
      result.classes -= violated_[c];
    }
    result.valid = result.suppressed <= limit_;
    if (!result.valid) return result;
    result.fixed = loss_.suppressed() * result.suppressed;
    result.slack = loss_.saving() * (limit_ - result.suppressed);
    result.floor = base.costs;
    result.at = base.at;
    result.kept = base.tuples.size();
    if (result.suppressed > base.suppressed) {
      divide();
      result.kept = kept_.size();
      const bool fewer = suppressed_.size() < kept_.size();  // whichever are fewer are counted
      count_values(base.tuples, fewer ? suppressed_ : kept_);
      loss_.level_costs(frequencies(), marginal_, costs_);
      for (std::size_t j = 0; j < costs_.size(); ++j) result.floor[j] = fewer ? result.floor[j] - costs_[j] : costs_[j];
    }
    return result;
  }

  Cost cost(const Evaluation& evaluation, NodeView node) const {
    Cost sum = evaluation.fixed;
    for (std::size_t a = 0; a < node.size(); ++a) sum += evaluation.floor[frequencies().level_begin(a) + node[a]];
    return sum;
  }

  /// The base without what the node just evaluated suppresses: good for everything below that node.
  std::shared_ptr<const Base> without_suppressed(const Base& base, const Evaluation& evaluation) {
    divide();
    Base rest{take(base.tuples, kept_), base.at, evaluation.suppressed, evaluation.floor};
    for (const std::uint32_t i : kept_) rest.tuples.counts.push_back(base.tuples.counts[i]);
    if (base.tuples.units) {
      place_.assign(base.tuples.size(), Units::nowhere);
      for (std::size_t j = 0; j < kept_.size(); ++j) place_[kept_[j]] = static_cast<std::uint32_t>(j);
      rest.tuples.units = base.tuples.units->moved(place_, kept_.size());
    }
    return store_.keep(std::move(rest));
  }

  /// The base with its tuples generalised to `node` and merged: good for everything above that node.
  std::shared_ptr<const Base> roll_up(const Base& base, const Node& node) {
    groups_.assign(base.tuples, node, /*cells=*/true);
    Base merged{take(base.tuples, groups_.representatives()), node, base.suppressed, base.costs};
    merged.tuples.counts.assign(groups_.sizes().begin(), groups_.sizes().end());
    if (base.tuples.units) merged.tuples.units = base.tuples.units->moved(groups_.ids(), groups_.count());
    return store_.keep(std::move(merged));
  }

 private:
  const Frequencies& frequencies() const { return packing_.frequencies(); }

  void mark(const Tuples& tuples) {
    const Classes classes = summary_.of(groups_, tuples);
    violated_.assign(groups_.count(), 0);
    for (const auto& model : models_) {
      const auto sensitive = model->sensitive();
      model->mark(classes, sensitive ? &classes.histograms[*sensitive] : nullptr, violated_);
    }
  }

  /// Lists the tuples whose class violates, and the others. No branch: it would be a coin toss wherever much is
  /// suppressed.
  void divide() {
    const auto ids = groups_.ids();
    kept_.resize(ids.size() + 1);
    suppressed_.resize(ids.size() + 1);
    std::size_t kept = 0, suppressed = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      kept_[kept] = suppressed_[suppressed] = static_cast<std::uint32_t>(i);
      const std::size_t violated = violated_[ids[i]];
      suppressed += violated;
      kept += 1 - violated;
    }
    kept_.resize(kept);
    suppressed_.resize(suppressed);
  }

  /// Fills marginal_[a][value] with the records of the chosen tuples.
  void count_values(const Tuples& tuples, std::span<const std::uint32_t> chosen) {
    for (auto& counts : marginal_) std::fill(counts.begin(), counts.end(), 0);
    for (std::size_t p = 0; p < records_.size(); ++p) {
      auto& records = records_[p];
      std::fill(records.begin(), records.end(), 0);
      for (const std::uint32_t i : chosen) records[tuples.packs[p][i]] += tuples.counts[i];
      packing_.marginals(packing_.packs()[p], records, marginal_);
    }
  }

  /// The columns of the chosen tuples; their counts and units are left to the caller.
  static Tuples take(const Tuples& tuples, std::span<const std::uint32_t> chosen) {
    const auto pick = [&](const std::vector<std::uint32_t>& column) {
      std::vector<std::uint32_t> picked;
      picked.reserve(chosen.size());
      for (const std::uint32_t i : chosen) picked.push_back(column[i]);
      return picked;
    };
    Tuples taken;
    for (const auto& column : tuples.packs) taken.packs.push_back(pick(column));
    for (const auto& column : tuples.sensitive) taken.sensitive.push_back({column.values, pick(column.codes)});
    taken.counts.reserve(chosen.size());
    return taken;
  }

  const Packing& packing_;
  const Models& models_;
  const SeparableLoss& loss_;
  std::int64_t limit_;
  BaseStore& store_;
  Groups groups_;
  Summary summary_;
  std::vector<std::uint8_t> violated_;
  std::vector<std::uint32_t> kept_, suppressed_;  // tuples
  std::vector<std::uint32_t> place_;              // of the kept among themselves
  std::vector<std::vector<std::int64_t>> records_;   // by pack and code
  std::vector<std::vector<std::int64_t>> marginal_;  // by attribute and value
  std::vector<Cost> costs_;
};

}  // namespace sfumato

// Evaluating a lattice node: which records it suppresses, what it costs, and what everything below it costs at least.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "sfumato/loss/loss.hpp"
#include "sfumato/privacy/model.hpp"

namespace sfumato {

/// Tuples that stand for the whole table at and above the node `at`, as far as a region of the lattice is concerned.
struct Base {
  Tuples tuples;
  Node at;
  std::int64_t suppressed = 0;  // records left out of the tuples: suppressed in the whole region
  std::vector<Cost> costs;      // of the records in the tuples, by level

  std::size_t bytes() const { return tuples.bytes(); }
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

/// What is hopeless at a node (no part of its class can be published) is suppressed at every node below it, and so are
/// `forced` records of the other classes, whichever they are; see docs/algorithms/lattice_search.md.
struct Evaluation {
  bool possible = false;  // not proved that neither the node nor one below it is valid
  bool valid = false;
  std::int64_t suppressed = 0;
  std::int64_t hopeless = 0;  // records
  std::int64_t forced = 0;    // records of other classes that no node below can publish
  std::int64_t room = 0;      // records of other classes that may be suppressed
  std::size_t kept = 0;       // tuples that are not hopeless
  std::size_t classes = 0;    // published
  Cost cost = 0;              // of the node itself, if it is valid
  Cost fixed = 0;             // cost of the hopeless records
  std::vector<Cost> floor;    // cost of the other records' values, by level; right from the levels of `at` up
  Node at;                    // of the base that was evaluated
};

/// Evaluates nodes; owns the working memory, so each thread has its own.
class Evaluator {
 public:
  Evaluator(const Packing& packing, const Models& models, const Loss& loss, std::int64_t limit, BaseStore& store)
      : packing_(packing), models_(models), loss_(loss), limit_(limit), store_(store), groups_(packing) {
    const auto at_least = [&](Monotonicity least) {
      return std::ranges::all_of(models_, [&](const auto& model) { return model->monotonicity() >= least; });
    };
    // Where nothing may be suppressed, a node below a violating one violates too.
    strong_ = at_least(Monotonicity::strongly_up);
    downwards_ = strong_ || (limit_ == 0 && at_least(Monotonicity::up));
    for (std::size_t a = 0; a < frequencies().attributes(); ++a)
      marginal_.emplace_back(frequencies().hierarchy(a).values());
    loss_.dearest(frequencies(), dearest_);
    price_ = loss_.suppressed_by_values();
    never_saves_ = loss_.saving(frequencies()) == 0;
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
    base.tuples.population = frequencies().population();
    std::vector<std::uint32_t> all(base.tuples.size());
    std::iota(all.begin(), all.end(), 0u);
    count_values(base.tuples, all);
    loss_.level_costs(frequencies(), marginal_, base.costs);
    groups_.assign(base.tuples, bottom);
    if (auto merged = groups_.merged_to_lanes(base.tuples))
      return store_.keep({std::move(*merged), bottom, 0, base.costs});
    return roll_up(base, bottom);
  }

  /// Where the node costs more than `most`, its cost may be too low, but is more than that still.
  Evaluation evaluate(const Base& base, NodeView node, Cost most = no_cost) {
    groups_.assign(base.tuples, node);
    const Classes classes = summary_.of(groups_, base.tuples);
    mark(classes);
    const bool emptied = groups_.count() > classes.count();  // tuples of the population alone can go
    Evaluation result;
    result.classes = groups_.count();
    result.suppressed = base.suppressed + records_in(violated_);
    for (const std::uint8_t violated : violated_) result.classes -= violated;
    result.hopeless = strong_ ? result.suppressed : base.suppressed + records_in(hopeless_);
    for (std::size_t c = 0; c < publishable_.size(); ++c)
      result.forced += hopeless_[c] ? 0 : classes.sizes[c] - publishable_[c];
    result.room = limit_ - result.hopeless;
    result.valid = result.suppressed <= limit_;
    result.possible = result.valid || (!downwards_ && result.forced <= result.room);
    if (!result.possible) return result;
    result.at = base.at;
    result.fixed = loss_.suppressed() * result.hopeless;
    result.kept =
        keep(base, strong_ ? violated_ : hopeless_, result.hopeless > base.suppressed || emptied, result.floor);
    if (!result.valid) return result;
    const std::int64_t others = result.suppressed - result.hopeless;
    result.cost = cost(result, node) + suppressing(others, others, node);
    if (result.cost > most) return result;
    if (others > 0) {
      Evaluation published;
      published.fixed = loss_.suppressed() * result.suppressed;
      keep(base, violated_, true, published.floor);
      result.cost = cost(published, node);
    }
    result.cost += class_costs(classes, violated_);
    return result;
  }

  /// What the records that are not hopeless cost at `node` as far as values go, and the hopeless ones.
  Cost cost(const Evaluation& evaluation, NodeView node) const {
    Cost sum = evaluation.fixed;
    for (std::size_t a = 0; a < node.size(); ++a) sum += evaluation.floor[frequencies().level_begin(a) + node[a]];
    return sum;
  }

  /// What every valid node between `lo` and the one evaluated costs at least, as far as values go.
  Cost at_least(const Evaluation& evaluation, NodeView lo) const {
    return cost(evaluation, lo) + suppressing(evaluation.forced, evaluation.room, lo);
  }

  /// What every node at or above `lo` costs at least, as far as is known without evaluating one.
  Cost at_least(const Base& base, NodeView lo) {
    Cost sum = loss_.suppressed() * base.suppressed + suppressing(0, limit_ - base.suppressed, lo);
    for (std::size_t a = 0; a < lo.size(); ++a) sum += base.costs[frequencies().level_begin(a) + lo[a]];
    return std::max<Cost>(sum + classes_at(base, lo, 0), 0);
  }

  /// What the base's records cost at `node` as classes, if none is suppressed: at least that at every node above it.
  /// So many of them are hopeless, are paid for elsewhere, and cost no more here than their price.
  Cost classes_at(const Base& base, NodeView node, std::int64_t hopeless) {
    if (loss_.of_classes().empty()) return 0;
    groups_.assign(base.tuples, node);
    const Cost all = class_costs(summary_.of(groups_, base.tuples), {});
    return std::max<Cost>(all - loss_.suppressed_by_classes() * hopeless, 0);
  }

  /// Whether losses of classes have to be bounded: more closely where the base is rid of what is hopeless.
  bool looks_at_classes() const { return !loss_.of_classes().empty(); }

  /// The base without what is hopeless at the node just evaluated: good for everything below that node.
  std::shared_ptr<const Base> without_hopeless(const Base& base, const Evaluation& evaluation) {
    divide(strong_ ? violated_ : hopeless_);
    return store_.keep({base.tuples.taken(kept_), base.at, evaluation.hopeless, evaluation.floor});
  }

  /// The base with its tuples generalised to `node` and merged: good for everything above that node.
  std::shared_ptr<const Base> roll_up(const Base& base, const Node& node) {
    groups_.assign(base.tuples, node, /*cells=*/true);
    return store_.keep({groups_.merged(base.tuples), node, base.suppressed, base.costs});
  }

 private:
  const Frequencies& frequencies() const { return packing_.frequencies(); }

  void mark(const Classes& classes) {
    const auto histogram = [&](const auto& model) {
      return model->sensitive() ? &classes.histograms[*model->sensitive()] : nullptr;
    };
    violated_.assign(classes.count(), 0);
    for (const auto& model : models_) model->mark(classes, histogram(model), violated_);
    if (!strong_) {
      publishable_.assign(classes.sizes.begin(), classes.sizes.end());
      for (const auto& model : models_) model->limit(classes, histogram(model), violated_, publishable_);
      hopeless_.resize(classes.count());
      for (std::size_t c = 0; c < classes.count(); ++c) hopeless_[c] = publishable_[c] == 0;
      hopeless_.resize(groups_.count(), 1);
    }
    // What has no records is not published, at no node below: it counts as marked.
    violated_.resize(groups_.count(), 1);
  }

  /// What suppressing records that cost something at `lo` adds there: at least so many of them, and at most so many.
  Cost suppressing(std::int64_t least, std::int64_t most, NodeView lo) const {
    if (least == 0 && never_saves_) return 0;
    Cost dearer = price_;  // than the dearest record, or cheaper
    for (std::size_t a = 0; a < lo.size(); ++a) dearer -= dearest_[frequencies().level_begin(a) + lo[a]];
    return dearer * (dearer >= 0 ? least : most);
  }

  std::int64_t records_in(const std::vector<std::uint8_t>& marked) const {
    std::int64_t records = 0;
    for (std::size_t c = 0; c < groups_.count(); ++c) records += marked[c] ? groups_.sizes()[c] : 0;
    return records;
  }

  /// The losses of all classes but those marked, which leave `marked` empty if there are none.
  Cost class_costs(const Classes& classes, std::span<const std::uint8_t> marked) const {
    Cost sum = 0;
    for (const auto& [loss, factor] : loss_.of_classes()) {
      const Histogram* histogram = loss->reads() ? &classes.histograms[*loss->reads()] : nullptr;
      Cost here = 0;
      for (std::size_t c = 0; c < classes.count(); ++c)
        if (marked.empty() || !marked[c]) here += loss->of(classes, histogram, c);
      sum += factor * here;
    }
    return sum;
  }

  /// What tuples cost by level, without those of marked classes, if there are some; says how many they are.
  std::size_t keep(const Base& base, const std::vector<std::uint8_t>& marked, bool some, std::vector<Cost>& costs) {
    costs = base.costs;
    if (!some) return base.tuples.size();
    subtract(base, marked, costs);
    return kept_.size();
  }

  /// Takes what the tuples of marked classes cost away from `costs`, which hold those of all.
  void subtract(const Base& base, const std::vector<std::uint8_t>& marked, std::vector<Cost>& costs) {
    divide(marked);
    const bool fewer = dropped_.size() < kept_.size();  // whichever are fewer are counted
    count_values(base.tuples, fewer ? dropped_ : kept_);
    loss_.level_costs(frequencies(), marginal_, costs_);
    for (std::size_t j = 0; j < costs_.size(); ++j) costs[j] = fewer ? costs[j] - costs_[j] : costs_[j];
  }

  /// Lists the tuples of marked classes, and the others. No branch: it would be a coin toss wherever much is
  /// suppressed.
  void divide(const std::vector<std::uint8_t>& marked) {
    const auto ids = groups_.ids();
    for (auto& half : halves_)
      if (half.size() <= ids.size()) half.resize(ids.size() + 1);
    std::uint32_t* const keep = halves_[0].data();
    std::uint32_t* const drop = halves_[1].data();
    std::size_t kept = 0, dropped = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      keep[kept] = drop[dropped] = static_cast<std::uint32_t>(i);
      const std::size_t is_dropped = marked[ids[i]];
      dropped += is_dropped;
      kept += 1 - is_dropped;
    }
    kept_ = {keep, kept};
    dropped_ = {drop, dropped};
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

  const Packing& packing_;
  const Models& models_;
  const Loss& loss_;
  std::int64_t limit_;
  BaseStore& store_;
  Groups groups_;
  Summary summary_;
  bool strong_ = false;                               // what violates is hopeless
  bool downwards_ = false;                            // no node below one that is not valid is valid
  std::vector<std::uint8_t> violated_, hopeless_;     // by class
  std::vector<std::int64_t> publishable_;             // records, by class
  std::vector<Cost> dearest_;                         // record, as far as values go, by level
  Cost price_ = 0;                                    // of a suppressed record, as far as values go
  bool never_saves_ = true;                           // no record is dearer than that
  std::array<std::vector<std::uint32_t>, 2> halves_;  // where these are
  std::span<const std::uint32_t> kept_, dropped_;     // tuples
  std::vector<std::vector<std::int64_t>> records_;    // by pack and code
  std::vector<std::vector<std::int64_t>> marginal_;   // by attribute and value
  std::vector<Cost> costs_;
};

}  // namespace sfumato

// Frequency sets: how often each combination of generalised values occurs; nodes are checked by rolling them up.
//
// A set computed at a node stands for the table at every node above it: counts of merged values add up, and so do
// histograms and units (the roll-up property, LeFevre et al., SIGMOD 2005).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sfumato/privacy/model.hpp"

namespace sfumato::lattice {

using FrequencySet = std::shared_ptr<const Tuples>;

/// What the classes of a node are worth.
struct Check {
  std::int64_t violating = 0;  // records in classes that violate a model
  std::size_t classes = 0;     // all that have records
};

/// Checks nodes and rolls sets up; owns the working memory, and counts what the sets hold of it.
class FrequencySets {
 public:
  FrequencySets(const Packing& packing, const Models& models, std::size_t memory)
      : packing_(packing), models_(models), groups_(packing), memory_(memory) {}

  /// The table as it is.
  FrequencySet whole() {
    Tuples tuples;
    for (const auto& pack : packing_.packs()) tuples.packs.push_back(packing_.column(pack));
    tuples.sensitive = packing_.frequencies().sensitive();
    tuples.counts = packing_.frequencies().counts();
    tuples.units = packing_.frequencies().units();
    tuples.population = packing_.frequencies().population();
    return keep(std::move(tuples));
  }

  Check check(const Tuples& set, NodeView node) {
    groups_.assign(set, node);
    const Classes classes = summary_.of(groups_, set);
    violated_.assign(classes.count(), 0);
    for (const auto& model : models_) {
      const auto sensitive = model->sensitive();
      model->mark(classes, sensitive ? &classes.histograms[*sensitive] : nullptr, violated_);
    }
    Check check{0, classes.count()};
    for (std::size_t c = 0; c < classes.count(); ++c) check.violating += violated_[c] ? groups_.sizes()[c] : 0;
    return check;
  }

  /// The set with its values generalised to `node` and merged: good for everything above that node.
  FrequencySet roll_up(const Tuples& set, NodeView node) {
    groups_.assign(set, node, /*cells=*/true);
    return keep(groups_.merged(set));
  }

  /// No more sets should be made: those there are will do, if slower.
  bool full() const { return *held_ > memory_; }

 private:
  FrequencySet keep(Tuples set) {
    const std::size_t size = set.bytes();
    *held_ += size;
    return {new Tuples(std::move(set)), [held = held_, size](const Tuples* kept) {
              *held -= size;
              delete kept;
            }};
  }

  const Packing& packing_;
  const Models& models_;
  Groups groups_;
  Summary summary_;
  std::vector<std::uint8_t> violated_;
  std::size_t memory_;
  std::shared_ptr<std::size_t> held_ = std::make_shared<std::size_t>(0);  // outlives the sets
};

}  // namespace sfumato::lattice

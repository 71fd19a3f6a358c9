// Frequency sets: how often each combination of generalised values occurs; nodes are checked by rolling them up.
//
// A set computed at a node stands for the table at every node above it: counts of merged values add up, and so do
// histograms and units (the roll-up property, LeFevre et al., SIGMOD 2005).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sfumato/privacy/model.hpp"

namespace sfumato {

using FrequencySet = std::shared_ptr<const Tuples>;

/// What the classes of a node are worth.
struct Check {
  std::int64_t violating = 0;  // records in classes that violate a model
  std::size_t classes = 0;     // all that have records
};

/// A lattice from bottom to top fits the table, and models read columns that are there.
inline void require_lattice(const Frequencies& frequencies, const Models& models, const Node& bottom, const Node& top) {
  if (bottom.size() != frequencies.attributes() || top.size() != frequencies.attributes())
    throw std::invalid_argument("a node has one level per attribute");
  for (std::size_t a = 0; a < frequencies.attributes(); ++a)
    if (bottom[a] > top[a] || top[a] > frequencies.hierarchy(a).height())
      throw std::invalid_argument("the lattice's bottom is above its top, or its top above a hierarchy");
  for (const auto& model : models)
    if (model->sensitive() && *model->sensitive() >= frequencies.sensitive().size())
      throw std::invalid_argument("a model reads a sensitive attribute that is not there");
  for (const auto& model : models)
    if (model->populated() && frequencies.population().size() != frequencies.size())
      throw std::invalid_argument("a model asks for a population that is not there");
}

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
    Tuples merged = take(set, groups_.representatives());
    merged.counts.assign(groups_.sizes().begin(), groups_.sizes().end());
    if (set.units) merged.units = set.units->moved(groups_.ids(), groups_.count());
    merged.population.assign(set.population.empty() ? 0 : groups_.count(), 0);
    for (std::size_t i = 0; i < set.population.size(); ++i) merged.population[groups_.ids()[i]] += set.population[i];
    return keep(std::move(merged));
  }

  /// No more sets should be made: those there are will do, if slower.
  bool full() const { return *held_ > memory_; }

 private:
  static std::size_t bytes(const Tuples& set) {
    return set.size() * (sizeof(std::int64_t) + sizeof(std::uint32_t) * (set.packs.size() + set.sensitive.size())) +
           (set.units ? set.units->bytes() : 0) + set.population.size() * sizeof(std::int64_t);
  }

  FrequencySet keep(Tuples set) {
    const std::size_t size = bytes(set);
    *held_ += size;
    return {new Tuples(std::move(set)), [held = held_, size](const Tuples* kept) {
              *held -= size;
              delete kept;
            }};
  }

  static Tuples take(const Tuples& set, std::span<const std::uint32_t> chosen) {
    const auto pick = [&](const std::vector<std::uint32_t>& column) {
      std::vector<std::uint32_t> picked;
      picked.reserve(chosen.size());
      for (const std::uint32_t i : chosen) picked.push_back(column[i]);
      return picked;
    };
    Tuples taken;
    for (const auto& column : set.packs) taken.packs.push_back(pick(column));
    for (const auto& column : set.sensitive) taken.sensitive.push_back({column.values, pick(column.codes)});
    return taken;
  }

  const Packing& packing_;
  const Models& models_;
  Groups groups_;
  Summary summary_;
  std::vector<std::uint8_t> violated_;
  std::size_t memory_;
  std::shared_ptr<std::size_t> held_ = std::make_shared<std::size_t>(0);  // outlives the sets
};

}  // namespace sfumato

// A class model: a requirement that each equivalence class satisfies by itself.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sfumato/ratio.hpp"
#include "sfumato/summary.hpp"

namespace sfumato {

enum class Monotonicity { none, up, strongly_up };

class ClassModel {
 public:
  virtual ~ClassModel() = default;

  /// The sensitive attribute whose histogram the model reads, if it reads one.
  virtual std::optional<std::size_t> sensitive() const { return std::nullopt; }

  /// Whether the model compares classes with those of a population.
  virtual bool populated() const { return false; }

  /// Sets violated[c] for every class that does not satisfy the model; leaves the others as they are.
  /// `histogram` is the one asked for by `sensitive`, or null. One call per node, never per class.
  virtual void mark(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> violated) const = 0;

  /// If the model is a limit on the share of each value and nothing else: these limits, by value of `sensitive`.
  virtual const std::vector<Ratio>* share_limits() const { return nullptr; }

  /// How the model behaves when classes are merged; see Monotonicity in privacy/base.py.
  virtual Monotonicity monotonicity() const { return Monotonicity::up; }

  /// Sets hopeless[c] for classes of which no part satisfies the model, so that no node below can publish any of their
  /// records. It may miss some, and must set none wrongly. Where any class around one that satisfies the model does so
  /// too, those are the classes that violate it.
  virtual void mark_hopeless(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> hopeless) const {
    if (monotonicity() == Monotonicity::strongly_up) mark(classes, histogram, hopeless);
  }
};

using Models = std::vector<std::shared_ptr<const ClassModel>>;

}  // namespace sfumato

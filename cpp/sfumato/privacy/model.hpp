// A class model: a requirement that each equivalence class satisfies by itself.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
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

  /// How many of its values the model knows: it must not be asked about others.
  virtual std::size_t values() const { return std::numeric_limits<std::size_t>::max(); }

  /// Whether the model compares classes with those of a population.
  virtual bool populated() const { return false; }

  /// Sets violated[c] for every class that does not satisfy the model; leaves the others as they are.
  /// `histogram` is that of `sensitive`, or null. One call per node, never per class.
  virtual void mark(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> violated) const = 0;

  /// If the model is a limit on the share of each value and nothing else: these limits, by value of `sensitive`.
  virtual const std::vector<Ratio>* share_limits() const { return nullptr; }

  /// How the model behaves when classes are merged; see Monotonicity in privacy/base.py.
  virtual Monotonicity monotonicity() const { return Monotonicity::up; }

  /// Lowers publishable[c] to what nodes below can publish of class c at most: the records of parts that satisfy the
  /// model, taken together. It may stay too high, and must not get too low. At 0 the class is hopeless. Classes that
  /// are not violated can be published whole, and are left as they are. Where any class around one that satisfies the
  /// model does so too, no part of one that violates it can be published.
  virtual void limit(const Classes& classes, const Histogram* histogram, std::span<const std::uint8_t> violated,
                     std::span<std::int64_t> publishable) const {
    if (monotonicity() != Monotonicity::strongly_up) return;
    std::vector<std::uint8_t> by_this(classes.count(), 0);
    mark(classes, histogram, by_this);
    limit_each(violated, publishable, [&](std::size_t c) { return by_this[c] ? 0 : publishable[c]; });
  }

 protected:
  /// Lowers the limits of violated classes to what most(c) says.
  template <class Most>
  static void limit_each(std::span<const std::uint8_t> violated, std::span<std::int64_t> publishable, Most most) {
    for (std::size_t c = 0; c < publishable.size(); ++c)
      if (violated[c] && publishable[c] > 0) publishable[c] = std::min<std::int64_t>(publishable[c], most(c));
  }
};

using Models = std::vector<std::shared_ptr<const ClassModel>>;

}  // namespace sfumato

// Ratings: the strictest parameter for which a class satisfies a model, as a fraction, larger ones stricter.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "sfumato/cost.hpp"
#include "sfumato/privacy/emd.hpp"
#include "sfumato/privacy/entropy_l_diversity.hpp"
#include "sfumato/privacy/model.hpp"
#include "sfumato/ratio.hpp"

namespace sfumato {

/// A strictness as a fraction that is compared exactly; a denominator of 0 stands for none.
struct Rate {
  Cost numerator = 0;
  std::int64_t denominator = 1;

  /// Larger than any.
  static Rate unbounded() { return {1, 0}; }

  bool some() const { return denominator > 0; }
  bool operator==(const Rate& other) const { return numerator * other.denominator == other.numerator * denominator; }
  bool operator<(const Rate& other) const { return numerator * other.denominator < other.numerator * denominator; }
  bool operator>=(const Rate& other) const { return !(*this < other); }
};

class Rating {
 public:
  virtual ~Rating() = default;

  virtual std::optional<std::size_t> sensitive() const { return std::nullopt; }
  virtual std::size_t values() const { return std::numeric_limits<std::size_t>::max(); }
  virtual bool populated() const { return false; }

  /// Whether a class around another is rated at least as high; a union of classes as high as the lowest of them.
  virtual Monotonicity monotonicity() const { return Monotonicity::up; }

  /// Whether it is the number of a class's persons.
  virtual bool counts_persons() const { return false; }

  /// Fills in rate[c] for every class; none where no parameter would do.
  virtual void rate(const Classes& classes, const Histogram* histogram, std::span<Rate> rate) const = 0;

  /// Whether it can say what parts of a class attain at most: no more than the class itself, if all around a class
  /// attain at least as much.
  virtual bool bounds_parts() const { return monotonicity() == Monotonicity::strongly_up; }

  /// Raises what classes attain to what some part of them attains at most. It may get too high, not stay too low.
  virtual void raise_to_parts(const Classes&, const Histogram*, std::span<Rate> rate) const {
    if (!bounds_parts()) std::ranges::fill(rate, Rate::unbounded());
  }
};

using Ratings = std::vector<std::shared_ptr<const Rating>>;

/// k of k-anonymity.
class PersonsRating final : public Rating {
 public:
  Monotonicity monotonicity() const override { return Monotonicity::strongly_up; }
  bool counts_persons() const override { return true; }
  void rate(const Classes& classes, const Histogram*, std::span<Rate> rate) const override {
    for (std::size_t c = 0; c < classes.count(); ++c) rate[c] = {classes.persons()[c], 1};
  }
};

/// l of distinct l-diversity.
class DistinctRating final : public Rating {
 public:
  explicit DistinctRating(std::size_t sensitive) : sensitive_(sensitive) {}

  std::optional<std::size_t> sensitive() const override { return sensitive_; }
  Monotonicity monotonicity() const override { return Monotonicity::strongly_up; }
  void rate(const Classes& classes, const Histogram* histogram, std::span<Rate> rate) const override {
    for (std::size_t c = 0; c < classes.count(); ++c) rate[c] = {static_cast<Cost>(histogram->values(c)), 1};
  }

 private:
  std::size_t sensitive_;
};

/// The largest share that a value has of a class: the smaller, the stricter. l of l-diversity, theta, alpha.
class LargestShareRating final : public Rating {
 public:
  explicit LargestShareRating(std::size_t sensitive) : sensitive_(sensitive) {}

  std::optional<std::size_t> sensitive() const override { return sensitive_; }
  void rate(const Classes& classes, const Histogram* histogram, std::span<Rate> rate) const override {
    for (std::size_t c = 0; c < classes.count(); ++c) rate[c] = {-histogram->largest(c), classes.sizes[c]};
  }
  bool bounds_parts() const override { return true; }
  /// One record of each value is the evenest part there is.
  void raise_to_parts(const Classes& classes, const Histogram* histogram, std::span<Rate> rate) const override {
    for (std::size_t c = 0; c < classes.count(); ++c) rate[c] = {-1, static_cast<std::int64_t>(histogram->values(c))};
  }

 private:
  std::size_t sensitive_;
};

/// The earth mover's distance from the input, in its own units per record: the smaller, the stricter.
class DistanceRating final : public Rating {
 public:
  using Distance = std::variant<TreeDistance, OrderedDistance>;

  DistanceRating(std::size_t sensitive, Distance distance) : sensitive_(sensitive), distance_(std::move(distance)) {}

  std::optional<std::size_t> sensitive() const override { return sensitive_; }
  std::size_t values() const override {
    return std::visit([](const auto& distance) { return distance.values(); }, distance_);
  }
  void rate(const Classes& classes, const Histogram* histogram, std::span<Rate> rate) const override {
    std::visit(
        [&](auto distance) {  // a copy: it owns working memory
          for (std::size_t c = 0; c < classes.count(); ++c) {
            const std::int64_t n = classes.sizes[c];
            distance.read(*histogram, c, n);
            rate[c] = {distance.template shared<Cost>(n) - distance.whole() * n, n};
          }
        },
        distance_);
  }
  bool bounds_parts() const override { return true; }
  /// Whatever part is published, the input's records of values that the class does not have must move to one it has.
  void raise_to_parts(const Classes& classes, const Histogram* histogram, std::span<Rate> rate) const override {
    std::visit(
        [&](auto distance) {
          for (std::size_t c = 0; c < classes.count(); ++c) {
            distance.read(*histogram, c, classes.sizes[c]);
            rate[c] = {-distance.least(), 1};
          }
        },
        distance_);
  }

 private:
  std::size_t sensitive_;
  Distance distance_;
};

/// e to the entropy, as the largest multiple of 1/steps for which entropy l-diversity holds.
class EntropyRating final : public Rating {
 public:
  EntropyRating(std::size_t sensitive, std::int64_t steps) : sensitive_(sensitive), steps_(steps) {
    if (steps < 1 || steps > std::int64_t{1} << 40) throw std::invalid_argument("steps from 1 to 2^40");
  }

  std::optional<std::size_t> sensitive() const override { return sensitive_; }
  void rate(const Classes& classes, const Histogram* histogram, std::span<Rate> rate) const override {
    std::vector<std::int64_t> counts;
    for (std::size_t c = 0; c < classes.count(); ++c) {
      histogram->counts(c, counts);
      rate[c] = of(classes.sizes[c], counts);
    }
  }
  bool bounds_parts() const override { return true; }
  /// The entropy of m values is at most that of m alike.
  void raise_to_parts(const Classes& classes, const Histogram* histogram, std::span<Rate> rate) const override {
    for (std::size_t c = 0; c < classes.count(); ++c) rate[c] = {static_cast<Cost>(histogram->values(c)) * steps_, 1};
  }

 private:
  /// Logarithms decide where they are sure to: far from a multiple, compared with what the definition calls a doubt.
  Rate of(std::int64_t size, std::span<const std::int64_t> counts) const {
    // m values with the same count: e to the entropy is m. Small classes are often so, and logarithms always in doubt.
    const auto m = static_cast<std::int64_t>(counts.size());
    if (m > 0 && counts.front() * m == size && std::ranges::count(counts, counts.front()) == m) return {m * steps_, 1};
    const double n = static_cast<double>(size), log_n = std::log(n);
    double entropy = 0;
    for (const std::int64_t count : counts) {
      const double x = static_cast<double>(count);
      entropy += x * (log_n - std::log(x));
    }
    entropy /= n;
    const double near = std::exp(entropy) * static_cast<double>(steps_), below = std::floor(near);
    const double doubt = near * 1e-11 * (1 + log_n + entropy);
    const auto multiple = static_cast<std::int64_t>(below);
    if (multiple > steps_ && near - below > doubt && below + 1 - near > doubt) return {multiple, 1};
    for (std::int64_t l = multiple + 2; l >= std::max(multiple - 2, steps_); --l)
      if (EntropyLDiversity(sensitive_, l, steps_).holds(size, counts, doubt_of_definition)) return {l, 1};
    return {0, 0};
  }

  static constexpr double doubt_of_definition = 1e-12;  // privacy/entropy_l_diversity.py

  std::size_t sensitive_;
  std::int64_t steps_;
};

/// A rating without a class of its own here: it is defined by a function, which is called back.
class CalledBackRating final : public Rating {
 public:
  using Judge = std::function<void(const Classes&, const Histogram*, std::span<Rate>)>;

  CalledBackRating(std::optional<std::size_t> sensitive, Monotonicity monotonicity, Judge judge, bool populated)
      : sensitive_(sensitive), monotonicity_(monotonicity), judge_(std::move(judge)), populated_(populated) {}

  std::optional<std::size_t> sensitive() const override { return sensitive_; }
  bool populated() const override { return populated_; }
  Monotonicity monotonicity() const override { return monotonicity_; }
  void rate(const Classes& classes, const Histogram* histogram, std::span<Rate> rate) const override {
    judge_(classes, histogram, rate);
  }

 private:
  std::optional<std::size_t> sensitive_;
  Monotonicity monotonicity_;
  Judge judge_;
  bool populated_;
};

}  // namespace sfumato

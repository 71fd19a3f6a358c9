// A model without a class of its own here: it is defined by a function, which is called back.
#pragma once

#include <functional>
#include <utility>

#include "sfumato/privacy/model.hpp"

namespace sfumato {

class CalledBackModel final : public ClassModel {
 public:
  using Judge = std::function<void(const Classes&, const Histogram*, std::span<std::uint8_t>)>;

  CalledBackModel(std::optional<std::size_t> sensitive, Monotonicity monotonicity, Judge judge, bool populated = false)
      : sensitive_(sensitive), monotonicity_(monotonicity), judge_(std::move(judge)), populated_(populated) {}

  Monotonicity monotonicity() const override { return monotonicity_; }

  std::optional<std::size_t> sensitive() const override { return sensitive_; }

  bool populated() const override { return populated_; }

  void mark(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> violated) const override {
    judge_(classes, histogram, violated);
  }

 private:
  std::optional<std::size_t> sensitive_;
  Monotonicity monotonicity_;
  Judge judge_;
  bool populated_;
};

}  // namespace sfumato

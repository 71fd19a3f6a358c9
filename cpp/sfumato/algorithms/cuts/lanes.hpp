// Kinds of records in the lanes of registers: the values of one label side by side, in registers of their own.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sfumato/algorithms/cuts/int16x8.hpp"
#include "sfumato/algorithms/cuts/limits.hpp"
#include "sfumato/algorithms/cuts/tuples.hpp"

namespace sfumato::cuts {

class KindLanes {
 public:
  static constexpr std::size_t most_registers = 8;

  KindLanes() = default;
  /// Of so many values of a column, and labels of another or none.
  KindLanes(const Tuples& tuples, std::size_t column, std::size_t values, std::optional<std::size_t> target,
            std::size_t labels)
      : block_((values + Int16x8::lanes - 1) / Int16x8::lanes), size_(block_ * Int16x8::lanes * labels) {
    for (std::uint32_t kind = 0; kind < tuples.kinds(); ++kind)
      lane_.push_back(tuples.value(kind, column) +
                      (target ? tuples.value(kind, *target) * block_ * Int16x8::lanes : 0));
  }

  /// How many there are; no class is looked at if they are too many, or none.
  std::size_t size() const { return size_; }
  bool fit() const { return size_ > 0 && size_ <= most_registers * Int16x8::lanes; }
  std::size_t of(std::uint32_t kind) const { return lane_[kind]; }

  /// Looks at a class of so many records in each lane; the counts stay where they are.
  void look(std::span<const Int16x8> counts) { counts_ = counts; }
  bool looking() const { return !counts_.empty(); }

  /// Its records by value, whatever their label.
  std::span<const Int16x8> by_value() {
    if (counts_.size() == block_) return counts_;
    for (std::size_t value = 0; value < block_; ++value) {
      Int16x8 sum = counts_[value];
      for (std::size_t j = value + block_; j < counts_.size(); j += block_) sum = sum + counts_[j];
      sum_[value] = sum;
    }
    return {sum_.data(), block_};
  }

  /// The records of the label that most of them have.
  std::int64_t majority() const {
    return most_of_a_label([](std::size_t, const Int16x8& counts) { return counts; });
  }
  /// The same if there is room for so many of each value.
  std::int64_t majority(const ColumnLimits::Rooms& room) const {
    return most_of_a_label([&](std::size_t j, const Int16x8& counts) { return lesser(counts, room[j]); });
  }

 private:
  template <class Counted>
  std::int64_t most_of_a_label(const Counted& counted) const {
    std::int64_t most = 0;
    for (std::size_t first = 0; first < counts_.size(); first += block_) {
      Int16x8 sum;
      for (std::size_t j = 0; j < block_; ++j) sum = sum + counted(j, counts_[first + j]);
      most = std::max<std::int64_t>(most, sum.sum());
    }
    return most;
  }

  std::size_t block_ = 0, size_ = 0;  // block: registers of a label
  std::vector<std::size_t> lane_;     // by kind
  std::span<const Int16x8> counts_;
  std::array<Int16x8, most_registers> sum_;
};

}  // namespace sfumato::cuts

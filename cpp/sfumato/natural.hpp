// Natural numbers of any length, for the rare comparison of powers that logarithms leave open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sfumato/cost.hpp"

namespace sfumato {

class Natural {
 public:
  /// Times a positive factor, `times` times.
  void multiply(Cost factor, std::int64_t times) {
    const auto low = static_cast<std::uint64_t>(factor), high = static_cast<std::uint64_t>(factor >> 64);
    for (std::int64_t i = 0; i < times; ++i) {
      Natural upper;
      if (high > 0) upper.digits_ = digits_, upper.scale(high);
      scale(low);
      if (high > 0) add(upper, /*shift=*/2);
    }
  }

  bool operator<=(const Natural& other) const {
    if (digits_.size() != other.digits_.size()) return digits_.size() < other.digits_.size();
    for (std::size_t i = digits_.size(); i-- > 0;)
      if (digits_[i] != other.digits_[i]) return digits_[i] < other.digits_[i];
    return true;
  }

 private:
  __extension__ using Wide = unsigned __int128;

  /// Times a factor of 64 bits: a 32-bit digit times it, plus a carry of 64 bits, stays within 96.
  void scale(std::uint64_t factor) {
    Wide carry = 0;
    for (std::uint32_t& digit : digits_) {
      carry += Wide{digit} * factor;
      digit = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    push(carry);
  }

  void add(const Natural& other, std::size_t shift) {
    if (digits_.size() < other.digits_.size() + shift) digits_.resize(other.digits_.size() + shift, 0);
    Wide carry = 0;
    for (std::size_t i = shift; i < digits_.size(); ++i) {
      carry += Wide{digits_[i]} + (i - shift < other.digits_.size() ? other.digits_[i - shift] : 0);
      digits_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    push(carry);
  }

  /// The last carry becomes the highest digits; there are never leading zeros.
  void push(Wide carry) {
    for (; carry > 0; carry >>= 32) digits_.push_back(static_cast<std::uint32_t>(carry));
    while (digits_.size() > 1 && digits_.back() == 0) digits_.pop_back();
  }

  std::vector<std::uint32_t> digits_{1};  // lowest first
};

}  // namespace sfumato

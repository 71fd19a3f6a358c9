// The blocks of an axis, numbered so that parts come before what they are parts of; the splits of an order are
// computed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sfumato::boxes {

/// Cells that a box may have on an axis.
template <class Int>
struct Block {
  std::uint32_t low, high;    // cells
  std::uint32_t first, last;  // steps
  Int price;
  bool wide;
};

/// The blocks of a tree are the nodes that splits reach, each with one split at most. Those of an order of n steps are
/// its n (n + 1) / 2 ranges, the shorter ones first; they have n³ / 6 splits, so these are never stored. Where an order
/// has a missing value, two blocks follow: that value alone, and everything, whose one split cuts it off.
template <class Int>
class Blocks {
 public:
  using Block = boxes::Block<Int>;
  // The parts of a split, by number: of a node of a tree, or of a cut, which is passed by value and needs no memory.
  using Parts = std::span<const std::uint32_t>;
  using Cut = std::array<std::uint32_t, 2>;

  /// parts[d]: those of the split of block d, none if it has no split.
  static Blocks of_tree(std::vector<Block> blocks, std::vector<std::vector<std::uint32_t>> parts) {
    return Blocks(std::move(blocks), std::move(parts), 0);
  }
  static Blocks of_order(std::vector<Block> blocks, std::uint32_t steps) {
    return Blocks(std::move(blocks), {}, steps);
  }

  std::size_t size() const { return blocks_.size(); }
  const Block& operator[](std::size_t digit) const { return blocks_[digit]; }
  const Block& back() const { return blocks_.back(); }
  std::vector<Block>& all() { return blocks_; }

  /// The number of a range of an order. Blocks are fewer than 2^32, see DenseSize::fits; what is halved may be more.
  static std::uint32_t range(std::uint64_t steps, std::uint64_t from, std::uint64_t length) {
    return static_cast<std::uint32_t>((length - 1) * steps - (length - 1) * (length - 2) / 2 + from);
  }

  /// Calls with the parts of every split of a block, in order, as long as the call returns true; whether it always did.
  template <class Call>
  bool each_split(std::uint32_t digit, Call call) const {
    if (digit >= ranges_) return parts_[digit - ranges_].empty() || call(Parts(parts_[digit - ranges_]));
    const std::uint32_t length = blocks_[digit].last - blocks_[digit].first + 1;
    if (length == 1) return true;
    // From one cut to the next the left part gets a step longer, and the right part begins a step later and is as much
    // shorter.
    std::uint32_t left = blocks_[digit].first, right = range(steps_, left + 1, length - 1);
    for (std::uint32_t cut = 1; cut < length; ++cut) {
      if (!call(Cut{left, right})) return false;
      left += steps_ - (cut - 1);
      right -= steps_ - (length - cut - 1);
    }
    return true;
  }

  /// The parts of the first split; none if there is no split. No other split has parts with longer chains of parts
  /// below.
  template <class Call>
  void first_split(std::uint32_t digit, Call call) const {
    each_split(digit, [&](const auto& parts) {
      call(parts);
      return false;
    });
  }

  /// What so many blocks take.
  static std::uint64_t bytes(std::uint64_t blocks) { return blocks * sizeof(Block); }

 private:
  Blocks(std::vector<Block> blocks, std::vector<std::vector<std::uint32_t>> parts, std::uint32_t steps)
      : blocks_(std::move(blocks)), parts_(std::move(parts)), steps_(steps) {
    ranges_ =
        static_cast<std::uint32_t>(std::uint64_t{steps} * (std::uint64_t{steps} + 1) / 2);  // fewer than 2^32, as above
    if (parts_.empty() && blocks_.size() > ranges_) parts_ = {{}, {ranges_ - 1, ranges_}};
  }

  std::vector<Block> blocks_;
  std::vector<std::vector<std::uint32_t>> parts_;  // of those that are no ranges of an order
  std::uint32_t steps_ = 0, ranges_ = 0;
};

}  // namespace sfumato::boxes

// Nodes of the lattices over all subsets of the attributes, and how the candidates of one size grow from the survivors
// of the size below: join, prune, edges (LeFevre et al., SIGMOD 2005, Section 3.1.2).
//
// A node is one number. Attribute a is a digit: 0 if it is not in the subset, else 1 + its level above the bottom. So
// leaving an attribute out subtracts its part, and generalising adds the digit's place value.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sfumato/narrow.hpp"
#include "sfumato/packing.hpp"
#include "sfumato/search/control.hpp"

namespace sfumato::lattice {

/// A node of some subset: the subset without its last attribute is `parent`, one of the nodes it was joined from.
struct Candidate {
  std::uint64_t key;
  std::uint64_t last;       // the part of the last attribute
  std::uint32_t parent;     // the same for nodes that agree in all but the last attribute
  std::uint32_t attribute;  // the last
  std::uint32_t height;     // levels above the bottom, in all
};

/// Where each key stands in a list, by hashing.
class KeyIndex {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  explicit KeyIndex(std::span<const Candidate> candidates)
      : slots_(std::bit_ceil(2 * candidates.size() + 2)), shift_(64 - std::countr_zero(slots_.size())) {
    for (std::size_t i = 0; i < candidates.size(); ++i)
      slots_[place(candidates[i].key)] = {candidates[i].key, static_cast<std::uint32_t>(i)};
  }

  std::uint32_t find(std::uint64_t key) const {
    const Slot& slot = slots_[place(key)];
    return slot.key == key ? slot.index : none;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;  // free: every node has an attribute, so no key is 0
    std::uint32_t index = none;
  };

  std::size_t place(std::uint64_t key) const {
    std::size_t home = (key * 0x9E3779B97F4A7C15ull) >> shift_;
    while (slots_[home].key != 0 && slots_[home].key != key) home = (home + 1) & (slots_.size() - 1);
    return home;
  }

  std::vector<Slot> slots_;
  int shift_;
};

class SubsetLattice {
 public:
  SubsetLattice(Node bottom, Node top) : bottom_(std::move(bottom)), top_(std::move(top)) {
    std::uint64_t nodes = 1;
    for (std::size_t a = 0; a < bottom_.size(); ++a) {
      place_.push_back(nodes);
      radix_.push_back(top_[a] - bottom_[a] + 2u);
      if (nodes > (std::uint64_t{1} << 62) / radix_[a]) throw OutOfRange(too_many_nodes);
      nodes *= radix_[a];
    }
  }

  std::size_t attributes() const { return bottom_.size(); }

  /// C_1: every level of every single attribute.
  std::vector<Candidate> single() const {
    std::vector<Candidate> nodes;
    for (std::uint32_t a = 0; a < attributes(); ++a)
      for (std::uint32_t digit = 1; digit < radix_[a]; ++digit)
        nodes.push_back({digit * place_[a], digit * place_[a], 0, a, digit - 1});
    return nodes;
  }

  /// C_i from S_{i-1}. Join: two survivors that agree in all but their last attributes, which differ. Prune: every
  /// subset without one attribute must have survived. The list ends early if the control says so, or right after
  /// `most`.
  std::vector<Candidate> joined(std::span<const Candidate> survivors, std::size_t most, Control& control) const {
    const KeyIndex index(survivors);
    std::vector<Candidate> joined;
    std::size_t block_end = 0;
    for (std::size_t p = 0; p < survivors.size() && joined.size() <= most && !control.stopped(); ++p) {
      while (block_end < survivors.size() && survivors[block_end].parent == survivors[p].parent) ++block_end;
      const std::vector<std::uint64_t> others = parts(survivors[p].key - survivors[p].last);
      for (std::size_t q = p + 1; q < block_end; ++q) {
        if (survivors[q].attribute == survivors[p].attribute) continue;
        const std::uint64_t key = survivors[p].key + survivors[q].last;
        bool survived = true;
        for (std::size_t o = 0; o < others.size() && survived; ++o)
          survived = index.find(key - others[o]) != KeyIndex::none;
        if (!survived) continue;
        const std::uint32_t level = digit(survivors[q].last, survivors[q].attribute) - 1;
        joined.push_back({key, survivors[q].last, static_cast<std::uint32_t>(p), survivors[q].attribute,
                          survivors[p].height + level});
      }
    }
    return joined;
  }

  /// Calls visit(key) for each direct specialisation in the same subset: one level less in one attribute.
  /// These are the edges of the candidate graph. What survives is closed upwards in every subset, so candidates are
  /// too, and between any two of them all nodes are candidates: the paper's edge generation yields the same.
  template <class Visit>
  void specialisations(std::uint64_t key, Visit visit) const {
    for (std::size_t a = 0; a < attributes(); ++a)
      if (digit(key, a) > 1) visit(key - place_[a]);
  }

  /// Whether nothing in the subset generalises the node.
  bool topmost(std::uint64_t key) const {
    for (std::size_t a = 0; a < attributes(); ++a)
      if (digit(key, a) != 0 && digit(key, a) + 1 < radix_[a]) return false;
    return true;
  }

  /// The level of each attribute; `omitted[a]` where it is not in the subset.
  void levels(std::uint64_t key, const Node& omitted, Node& node) const {
    node = omitted;
    for (std::size_t a = 0; a < attributes(); ++a)
      if (const std::uint32_t d = digit(key, a); d != 0) node[a] = static_cast<std::uint16_t>(bottom_[a] + d - 1);
  }

  /// The attributes of the node, one bit each.
  std::uint64_t subset(std::uint64_t key) const {
    std::uint64_t bits = 0;
    for (std::size_t a = 0; a < attributes(); ++a) bits |= std::uint64_t{digit(key, a) != 0} << a;
    return bits;
  }

 private:
  std::uint32_t digit(std::uint64_t key, std::size_t a) const {
    return static_cast<std::uint32_t>(key / place_[a] % radix_[a]);
  }

  /// What each attribute contributes to the key.
  std::vector<std::uint64_t> parts(std::uint64_t key) const {
    std::vector<std::uint64_t> parts;
    for (std::size_t a = 0; a < attributes(); ++a)
      if (const std::uint32_t d = digit(key, a); d != 0) parts.push_back(d * place_[a]);
    return parts;
  }

  Node bottom_, top_;
  std::vector<std::uint64_t> place_;
  std::vector<std::uint32_t> radix_;
};

}  // namespace sfumato::lattice

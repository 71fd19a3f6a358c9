// Copies of equal records, told apart by a hash of the seed, their codes and their number: the order in which records
// are taken depends on the records and the seed alone, and never on where they stood.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sfumato/search/splitmix64.hpp"

namespace sfumato {

class Copies {
 public:
  /// codes: by column, of each combination; counts: its records.
  Copies(std::span<const std::vector<std::uint32_t>> codes, std::span<const std::int64_t> counts, std::uint64_t seed)
      : hash_(counts.size(), splitmix64(seed)), begin_(counts.size() + 1, 0) {
    for (std::size_t c = 0; c < counts.size(); ++c) {
      for (const auto& column : codes) hash_[c] = splitmix64(hash_[c] ^ column[c]);
      begin_[c + 1] = begin_[c] + static_cast<std::uint64_t>(counts[c]);
    }
  }

  /// The hashes of some copies of a combination, by their rank among all of them.
  std::span<const std::uint64_t> hashes(std::uint32_t c, std::uint32_t rank, std::uint32_t copies) {
    if (sorted_.empty()) sorted_.resize(begin_.back()), known_.resize(hash_.size(), 0);
    const std::size_t begin = begin_[c], end = begin_[c + 1];
    if (!known_[c]) {
      for (std::size_t i = begin; i < end; ++i) sorted_[i] = splitmix64(hash_[c] ^ (i - begin));
      std::sort(sorted_.begin() + static_cast<std::ptrdiff_t>(begin),
                sorted_.begin() + static_cast<std::ptrdiff_t>(end));
      known_[c] = 1;
    }
    return std::span(sorted_).subspan(begin + rank, copies);
  }

 private:
  std::vector<std::uint64_t> hash_, begin_, sorted_;
  std::vector<std::uint8_t> known_;
};

}  // namespace sfumato

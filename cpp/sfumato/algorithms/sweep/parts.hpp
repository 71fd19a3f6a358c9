// Parts of combinations: copies that are published alike, and the generalization of their sensitive values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sfumato/privacy/induced.hpp"
#include "sfumato/search/splitmix64.hpp"

namespace sfumato::sweep {

/// Copies of equal records, distinguished by a hash of the seed, their codes and their number: the order in which
/// records are taken depends on the records and the seed alone, and never on where they stood.
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
    if (sorted_.empty()) sorted_.resize(begin_.back()), is_sorted_.resize(hash_.size(), 0);
    const std::size_t begin = begin_[c], end = begin_[c + 1];
    if (!is_sorted_[c]) {
      for (std::size_t i = begin; i < end; ++i) sorted_[i] = splitmix64(hash_[c] ^ (i - begin));
      std::sort(sorted_.begin() + static_cast<std::ptrdiff_t>(begin),
                sorted_.begin() + static_cast<std::ptrdiff_t>(end));
      is_sorted_[c] = 1;
    }
    return std::span(sorted_).subspan(begin + rank, copies);
  }

 private:
  std::vector<std::uint64_t> hash_, begin_, sorted_;
  std::vector<std::uint8_t> is_sorted_;
};

/// Copies of a combination with ranks rank … rank + copies - 1 in the order of their hashes. Records are always taken
/// in that order, so copies that are published alike are neighbours in it.
struct Parts {
  std::vector<std::uint32_t> combination, rank, copies;
  std::vector<std::vector<std::uint32_t>> node;  // by sensitive attribute

  explicit Parts(std::size_t sensitive = 0) : node(sensitive) {}

  std::size_t size() const { return combination.size(); }

  /// Some copies of a part of others: those from its rank `skipped` on, up to `end`.
  void push(const Parts& others, std::size_t p, std::uint32_t skipped, std::uint32_t end) {
    combination.push_back(others.combination[p]);
    rank.push_back(others.rank[p] + skipped);
    copies.push_back(end - skipped);
    for (std::size_t s = 0; s < node.size(); ++s) node[s].push_back(others.node[s][p]);
  }
  void push(const Parts& others, std::size_t p, std::uint32_t skipped) { push(others, p, skipped, others.copies[p]); }
};

/// Generalises sensitive values of a class until it is diverse.
class Raising {
 public:
  Raising(std::span<const InducedLimits> sensitive, Copies& copies) : copies_(copies) {
    for (const InducedLimits& limits : sensitive) limits_.push_back(&limits), state_.emplace_back(limits);
  }

  void raise(Parts& parts) {
    for (std::size_t s = 0; s < limits_.size(); ++s) raise(parts, s);
  }

 private:
  struct Record {
    std::uint64_t hash;
    std::uint32_t part;
    auto operator<=>(const Record&) const = default;
  };
  using Heap = std::priority_queue<Record, std::vector<Record>, std::greater<>>;

  void raise(Parts& parts, std::size_t s) {
    InducedClass& state = state_[s];
    state.clear();
    for (std::size_t p = 0; p < parts.size(); ++p) state.add(parts.node[s][p], parts.copies[p]);
    moves_.clear();
    if (!state.generalise([&](std::uint32_t v) { moves_.push_back(v); }))
      throw std::logic_error("not even the root of the sensitive values is diverse");
    if (!moves_.empty()) draw(parts, s);
  }

  /// Which records are raised: at each move the one with the smallest hash among those with the value.
  void draw(Parts& parts, std::size_t s) {
    const InducedLimits& limits = *limits_[s];
    std::vector<std::uint8_t> left(limits.nodes(), 0);
    for (const std::uint32_t v : moves_) left[v] = 1;
    std::vector<Heap> heap(limits.nodes());
    for (std::uint32_t p = 0; p < parts.size(); ++p) {
      const std::uint32_t v = parts.node[s][p];
      if (!left[v]) continue;
      for (const std::uint64_t hash : copies_.hashes(parts.combination[p], parts.rank[p], parts.copies[p]))
        heap[v].push({hash, p});
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> stopped;  // part and node, of each record that was raised
    for (const std::uint32_t v : moves_) {
      const std::uint32_t above = limits.parent(v);
      const Record record = heap[v].top();
      heap[v].pop();
      if (left[above])
        heap[above].push(record);
      else
        stopped.emplace_back(record.part, above);
    }
    for (std::uint32_t v = 0; v < limits.nodes(); ++v)
      for (; !heap[v].empty(); heap[v].pop())
        if (parts.node[s][heap[v].top().part] != v) stopped.emplace_back(heap[v].top().part, v);
    split(parts, s, std::move(stopped));
  }

  /// Within a part, the smaller its hash, the more general a copy has become; nodes above have smaller numbers.
  void split(Parts& parts, std::size_t s, std::vector<std::pair<std::uint32_t, std::uint32_t>> stopped) {
    std::sort(stopped.begin(), stopped.end());
    Parts parted(parts.node.size());
    auto next = stopped.begin();
    for (std::uint32_t p = 0; p < parts.size(); ++p) {
      std::uint32_t done = 0;
      while (next != stopped.end() && next->first == p) {
        const auto end = std::find_if(next, stopped.end(), [&](const auto& record) { return record != *next; });
        const auto copies = static_cast<std::uint32_t>(end - next);
        parted.push(parts, p, done, done + copies);
        parted.node[s].back() = next->second;
        done += copies;
        next = end;
      }
      if (done < parts.copies[p]) parted.push(parts, p, done);
    }
    parts = std::move(parted);
  }

  Copies& copies_;
  std::vector<const InducedLimits*> limits_;
  std::vector<InducedClass> state_;
  std::vector<std::uint32_t> moves_;
};

}  // namespace sfumato::sweep

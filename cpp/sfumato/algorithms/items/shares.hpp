// l^m-diversity: of the transactions that have a set of published nodes, at most 1/l may have any one sensitive item.
//
// A set violates or not whatever the cut is: supports do not depend on it. But what is above a set may violate where
// the set does not, so that only the sets that a cut publishes are looked at, and new ones after every change.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sfumato/algorithms/items/cut.hpp"
#include "sfumato/search/control.hpp"

namespace sfumato::items {

/// Transactions with their sensitive items apart, which nobody is taken to know and which stay as they are.
struct SensitiveBaskets {
  const Baskets& all;     // the other items of the transactions
  const Baskets& marked;  // the same, of transactions with sensitive items
  RecordsView sensitive;  // these, by record of `marked`; numbered from 0
};

/// How often sensitive items come with sets of nodes, none of which covers another.
class Shares {
 public:
  Shares(const SensitiveBaskets& baskets, std::int64_t l) : baskets_(baskets), l_(l) {
    const auto& [begin, node, weight] = baskets.sensitive;
    if (l < 1 || baskets.all.tree.size() != baskets.marked.tree.size())
      throw std::invalid_argument("l is at least 1, and both know the same items");
    if (weight.size() != baskets.marked.records.size() || begin.size() != weight.size() + 1 || begin.front() != 0 ||
        begin.back() != node.size() || !std::ranges::is_sorted(begin))
      throw std::invalid_argument("every transaction that is marked has its sensitive items");
    std::size_t items = 0;
    for (const ItemNode s : node) items = std::max(items, std::size_t{s} + 1);
    if (items > baskets.all.tree.size()) throw std::invalid_argument("there are more sensitive items than items");
    times_.assign(items, 0);
  }

  const SensitiveBaskets& baskets() const { return baskets_; }

  /// Whether a set may be published: the records that have it are enough for its most frequent sensitive item.
  bool holds(std::span<const ItemNode> set) {
    sorted_.assign(set.begin(), set.end());
    std::ranges::sort(sorted_);
    const auto [at, fresh] = cached_.try_emplace(sorted_, false);
    if (fresh) at->second = enough(set, joint(set));
    return at->second;
  }

  /// Whether l times as many records have a set as are said to have a sensitive item besides.
  bool enough(std::span<const ItemNode> set, std::int64_t joint) const {
    const std::int64_t all = baskets_.all.support[0];
    if (joint > all / l_) return false;
    return joint == 0 || baskets_.all.supported(set, joint * l_) >= joint * l_;
  }

 private:
  struct Hash {
    std::size_t operator()(const std::vector<ItemNode>& set) const { return hash_of(set); }
  };

  /// How many records have a set with its most frequent sensitive item.
  std::int64_t joint(std::span<const ItemNode> set) {
    const Baskets& marked = baskets_.marked;
    const ItemNode rarest = *std::ranges::min_element(set, {}, [&](ItemNode v) { return marked.held(v); });
    marked.holders(rarest, [&](std::uint32_t r) {
      const std::span<const ItemNode> record = marked.records[r];
      const bool has = std::ranges::all_of(set, [&](ItemNode v) {
        const auto at = std::ranges::lower_bound(record, v);
        return v == rarest || (at != record.end() && marked.tree.covers(v, *at));
      });
      if (has)
        for (const ItemNode s : baskets_.sensitive[r]) times_[s] += marked.records.weight[r], seen_.push_back(s);
    });
    std::int64_t most = 0;
    for (const ItemNode s : seen_) most = std::max(most, std::exchange(times_[s], 0));
    seen_.clear();
    return most;
  }

  const SensitiveBaskets& baskets_;
  std::int64_t l_;
  std::vector<std::int64_t> times_;  // by sensitive item; nobody's, between two calls
  std::vector<ItemNode> seen_, sorted_;
  std::unordered_map<std::vector<ItemNode>, bool, Hash> cached_;
};

/// The sets of up to `size` nodes that a cut publishes, and that violate. Only those with a sensitive item can, so that
/// they are taken from the transactions that have one, depth first, by projection.
class ViolatingSets {
 public:
  /// fresh: only sets with one of these nodes; any if none are named.
  ViolatingSets(Shares& shares, const Cut& cut, std::size_t size, Control& control,
                std::span<const std::uint8_t> fresh = {})
      : shares_(shares), control_(control), levels_(size) {
    const Baskets& marked = shares.baskets().marked;
    const std::vector<ItemNode> image = cut.image();
    const auto old = [&](ItemNode v) { return !fresh.empty() && fresh[v] == 0; };
    std::vector<std::uint8_t> seen(image.size(), 0);
    for (const ItemNode v : marked.records.node) seen[image[v]] = 1;
    for (ItemNode v = 0; v < image.size(); ++v)
      if (seen[v]) node_.push_back(v), fresh_ += old(v) ? 0 : 1;
    std::ranges::stable_sort(node_, {}, [&](ItemNode v) { return std::pair(old(v), marked.support[v]); });
    std::vector<ItemNode> number(image.size(), 0);
    for (std::size_t i = 0; i < node_.size(); ++i) number[node_[i]] = static_cast<ItemNode>(i);
    std::vector<std::uint8_t> wanted(marked.records.size(), fresh.empty() ? 1 : 0);
    if (!fresh.empty())
      for (std::size_t i = 0; i < fresh_; ++i) marked.holders(node_[i], [&](std::uint32_t r) { wanted[r] = 1; });
    std::vector<ItemNode> numbers;
    Sorted sorted(node_.size());
    for (std::size_t r = 0; r < wanted.size(); ++r) {
      if (!wanted[r]) continue;
      numbers.clear();
      for (const ItemNode v : marked.records[r]) numbers.push_back(number[image[v]]);
      sorted(numbers);
      records_.add(numbers, marked.records.weight[r]);
    }
    for (Level& level : levels_) {
      level.count.assign(node_.size(), 0);
      level.places.assign(node_.size(), 0);
    }
  }

  /// Calls `report` with each; what has a violating set in it is left out. Stops where the report is false, or with the
  /// search.
  template <class Report>
  void each(Report report) {
    std::vector<Place> all;
    for (std::size_t r = 0; r < records_.size(); ++r) all.push_back({static_cast<std::uint32_t>(r), 0});
    stopped_ = false;
    prefix_.clear();
    if (!levels_.empty()) extend(0, all, report);
  }

  /// Whether there is none. False also where the search was stopped before that was clear.
  bool none() {
    bool holds = true;
    each([&](std::span<const ItemNode>) { return holds = false; });
    return holds && !stopped_;
  }

 private:
  struct Place {
    std::uint32_t record, at;  // the part of the record from here on
  };
  struct Level {
    std::vector<std::int64_t> count;    // marked records with the prefix and each number
    std::vector<std::uint32_t> places;  // how many they are; then, where those of it end
    std::vector<ItemNode> seen;
    std::vector<Place> room;
  };

  template <class Report>
  void extend(std::size_t depth, std::span<const Place> places, Report& report) {
    Level& level = levels_[depth];
    level.seen.clear();
    for (const Place& place : places)
      for (const ItemNode v : records_[place.record].subspan(place.at)) {
        if (depth == 0 && v >= fresh_) break;
        if (level.places[v]++ == 0) level.seen.push_back(v);
        level.count[v] += records_.weight[place.record];
      }
    std::ranges::sort(level.seen);
    const bool last = depth + 1 == levels_.size();
    if (!last) deliver(depth, places);
    std::size_t begin = 0;
    for (const ItemNode v : level.seen) {
      const std::size_t end = level.places[v];
      stopped_ = stopped_ || (depth == 0 && control_.stopped());
      if (!stopped_) {
        prefix_.push_back(node_[v]);
        if (!shares_.enough(prefix_, level.count[v]) && !shares_.holds(prefix_))
          stopped_ = !report(std::span<const ItemNode>(prefix_));
        else if (!last)
          extend(depth + 1, std::span<const Place>(level.room).subspan(begin, end - begin), report);
        prefix_.pop_back();
      }
      begin = end;
    }
    for (const ItemNode v : level.seen) level.count[v] = 0, level.places[v] = 0;
  }

  /// Lists the records of each extension.
  void deliver(std::size_t depth, std::span<const Place> places) {
    Level& level = levels_[depth];
    std::uint32_t total = 0;
    for (const ItemNode v : level.seen) total += std::exchange(level.places[v], total);
    level.room.resize(total);
    for (const Place& place : places) {
      const std::span<const ItemNode> record = records_[place.record];
      for (std::size_t i = place.at; i < record.size(); ++i)
        if (level.count[record[i]] > 0)
          level.room[level.places[record[i]]++] = {place.record, static_cast<std::uint32_t>(i + 1)};
    }
  }

  Shares& shares_;
  Control& control_;
  std::vector<ItemNode> node_;  // by number: fresh ones first, then rare ones
  std::size_t fresh_ = 0;       // how many
  Records records_;             // marked ones, in these numbers
  std::vector<Level> levels_;
  std::vector<ItemNode> prefix_;
  bool stopped_ = false;
};

}  // namespace sfumato::items

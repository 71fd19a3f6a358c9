// Partitions as a search collects them: boxes with their tuples, each kept once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "sfumato/algorithms/boxes/records.hpp"

namespace sfumato::boxes {

template <class Int, class Lane>
class Partitions {
 public:
  using Ids = std::vector<std::uint32_t>;  // of the boxes of a partition, sorted
  struct Box {
    std::vector<Lane> lanes;
    std::vector<std::uint32_t> tuples;
    Int cost;
    bool withheld;
  };

  explicit Partitions(const Records<Int, Lane>& records) : records_(records) {}

  /// The number of a box; boxes of the same lanes have the same records.
  std::uint32_t id(const Lane* lanes, std::span<const std::uint32_t> tuples, Int cost, bool withheld) {
    std::string key(reinterpret_cast<const char*>(lanes), records_.width() * sizeof(Lane));
    // Boxes are freed when they take too much memory, long before there are 2^32 of them.
    const auto [entry, fresh] = ids_.try_emplace(std::move(key), static_cast<std::uint32_t>(boxes_.size()));
    if (fresh) {
      boxes_.push_back({{lanes, lanes + records_.width()}, {tuples.begin(), tuples.end()}, cost, withheld});
      kept_ += tuples.size();
    }
    return entry->second;
  }

  const Lane* lanes(std::uint32_t id) const { return boxes_[id].lanes.data(); }
  const std::vector<std::uint32_t>& tuples(std::uint32_t id) const { return boxes_[id].tuples; }

  /// Whether a box lies in another.
  bool within(std::uint32_t id, const Lane* lanes) const {
    const std::vector<Lane>& own = boxes_[id].lanes;
    return std::equal(own.begin(), own.end(), lanes, [](Lane mine, Lane other) { return mine >= other; });
  }

  Int cost(const Ids& ids) const {
    Int total = 0;
    for (const std::uint32_t id : ids) total = saturated_sum(total, boxes_[id].cost);
    return total;
  }

  /// The boxes of a partition, to be taken over by another search of the same records; there they get other numbers.
  std::vector<Box> boxes(const Ids& ids) const {
    std::vector<Box> boxes;
    for (const std::uint32_t id : ids) boxes.push_back(boxes_[id]);
    return boxes;
  }
  Ids taken(const std::vector<Box>& boxes) {
    Ids ids;
    for (const Box& box : boxes) ids.push_back(id(box.lanes.data(), box.tuples, box.cost, box.withheld));
    std::ranges::sort(ids);
    return ids;
  }

  /// Tuples of all boxes that have a number.
  std::size_t kept() const { return kept_; }
  /// What they take, about.
  std::size_t bytes() const {
    constexpr std::size_t node = 64;  // of the map, besides its key
    return boxes_.size() * (sizeof(Box) + node + sizeof(std::string) + 2 * records_.width() * sizeof(Lane)) +
           kept_ * sizeof(std::uint32_t);
  }
  void forget() { ids_.clear(), boxes_.clear(), kept_ = 0; }

  Partition partition(const Ids& ids) const {
    Partition made;
    made.box.resize(records_.problem().frequencies.size());
    made.cost = static_cast<Cost>(cost(ids));
    for (std::uint32_t number = 0; number < ids.size(); ++number) {
      const Box& box = boxes_[ids[number]];
      for (const std::uint32_t t : box.tuples)
        for (const std::uint32_t i : records_.combinations(t)) made.box[i] = number;
      for (std::size_t a = 0; a < records_.axes(); ++a) {
        made.low.push_back(records_.low(box.lanes.data(), a));
        made.high.push_back(records_.high(box.lanes.data(), a));
      }
      made.withheld.push_back(box.withheld);
    }
    return made;
  }

 private:
  const Records<Int, Lane>& records_;
  std::map<std::string, std::uint32_t> ids_;
  std::vector<Box> boxes_;
  std::size_t kept_ = 0;
};

}  // namespace sfumato::boxes

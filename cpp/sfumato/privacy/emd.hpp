// Earth mover's distances between a class and the whole input, as integers: all work is in units of 1/(N n), N records
// in the input and n in the class. A histogram lists only the values that occur, and no more is looked at than those.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "sfumato/cost.hpp"
#include "sfumato/summary.hpp"

namespace sfumato {

/// All values are at distance 1: ½ Σ |p - q| is the sum of what the class has too much.
class EqualDistance {
 public:
  explicit EqualDistance(std::vector<std::int64_t> records)
      : records_(std::make_shared<const std::vector<std::int64_t>>(std::move(records))),
        total_(std::accumulate(records_->begin(), records_->end(), std::int64_t{0})) {}

  Cost operator()(std::int64_t n, const Histogram& histogram, std::size_t c) const {
    Cost work = 0;
    for (std::size_t j = histogram.begin[c]; j < histogram.begin[c + 1]; ++j) {
      const Cost excess = Cost{total_} * histogram.count[j] - Cost{n} * (*records_)[histogram.value[j]];
      work += std::max(excess, Cost{0});
    }
    return work;
  }

  /// Per record of a class, what every part of it has at least.
  Cost least(const Histogram& histogram, std::size_t c) const {
    Cost absent = total_;
    for (std::size_t j = histogram.begin[c]; j < histogram.begin[c + 1]; ++j) absent -= (*records_)[histogram.value[j]];
    return absent;
  }

 private:
  std::shared_ptr<const std::vector<std::int64_t>> records_;  // by value; shared by copies
  std::int64_t total_;
};

/// Values in a row, m - 1 steps from end to end: Σ_i |Σ_{j <= i} (p_j - q_j)|, in steps.
class OrderedDistance {
 public:
  OrderedDistance(const std::vector<std::int64_t>& records, std::vector<std::uint32_t> rank) {
    Row row{std::move(rank), std::vector<std::int64_t>(records.size()), std::vector<Cost>(records.size() + 1)};
    for (std::size_t v = 0; v < records.size(); ++v) row.upto[row.rank[v]] = records[v];
    std::partial_sum(row.upto.begin(), row.upto.end(), row.upto.begin());
    for (std::size_t i = 0; i < row.upto.size(); ++i) row.area[i + 1] = row.area[i] + row.upto[i];
    row_ = std::make_shared<const Row>(std::move(row));
  }

  /// Between two occurring values the class's sum stands still at `seen`, and the input's rises: the sign of their
  /// difference changes at most once, and the sums on either side of that place are known beforehand.
  Cost operator()(std::int64_t n, const Histogram& histogram, std::size_t c) {
    const auto& [rank, upto, area] = *row_;
    cells_.clear();
    for (std::size_t j = histogram.begin[c]; j < histogram.begin[c + 1]; ++j)
      cells_.emplace_back(rank[histogram.value[j]], histogram.count[j]);
    std::sort(cells_.begin(), cells_.end());
    cells_.emplace_back(upto.size(), 0);
    const Cost total = upto.back();
    Cost work = 0;
    std::int64_t seen = 0;
    std::size_t begin = 0;
    for (const auto& [end, count] : cells_) {
      const auto first = upto.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto last = upto.begin() + static_cast<std::ptrdiff_t>(end);
      const auto place = std::partition_point(first, last, [&](std::int64_t x) { return n * Cost{x} < total * seen; });
      const auto turn = static_cast<std::size_t>(place - upto.begin());
      const Cost below = area[turn] - area[begin], above = area[end] - area[turn];
      work += total * seen * static_cast<Cost>(turn - begin) - n * below;
      work += n * above - total * seen * static_cast<Cost>(end - turn);
      seen += count;
      begin = end;
    }
    return work;
  }

  /// Per record of a class, what every part of it has at least: every place's records move to the nearest that occurs.
  Cost least(const Histogram& histogram, std::size_t c) {
    const auto& [rank, upto, area] = *row_;
    cells_.clear();
    for (std::size_t j = histogram.begin[c]; j < histogram.begin[c + 1]; ++j) cells_.emplace_back(rank[histogram.value[j]], 0);
    if (cells_.empty()) return 0;
    std::sort(cells_.begin(), cells_.end());
    // Records from `left` on to `mid` that move down to `left`, and those after `mid` that move up to `right`.
    const auto down = [&](std::size_t left, std::size_t mid) {
      return static_cast<Cost>(mid - left) * upto[mid] - (area[mid] - area[left]);
    };
    Cost work = area[cells_.front().first] + down(cells_.back().first, upto.size() - 1);
    for (std::size_t i = 1; i < cells_.size(); ++i) {
      const std::size_t left = cells_[i - 1].first, right = cells_[i].first, mid = (left + right) / 2;
      work += down(left, mid) + (area[right] - area[mid + 1]) - static_cast<Cost>(right - 1 - mid) * upto[mid];
    }
    return work;
  }

 private:
  struct Row {
    std::vector<std::uint32_t> rank;  // by value
    std::vector<std::int64_t> upto;   // records of the input up to each place
    std::vector<Cost> area;           // sum of upto before each place
  };

  std::shared_ptr<const Row> row_;
  std::vector<std::pair<std::size_t, std::int64_t>> cells_;
};

/// Values as leaves of a tree: Σ over inner nodes of height · min(pos, neg), in steps of height. A node without records
/// of the class has no deficit below it; for the others pos - neg is what they have too little as a whole.
class HierarchicalDistance {
 public:
  /// node[level][value] and height[level][node], from the leaves up to the root.
  HierarchicalDistance(const std::vector<std::int64_t>& records, std::vector<std::vector<std::uint32_t>> node,
                       std::vector<std::vector<std::int64_t>> height) {
    Tree tree{std::move(node), std::move(height), {}, {}, std::accumulate(records.begin(), records.end(), Cost{0})};
    for (std::size_t level = 0; level < tree.node.size(); ++level) {
      tree.records.emplace_back(tree.height[level].size(), 0);
      tree.parent.emplace_back(tree.height[level].size(), 0u);
      for (std::size_t v = 0; v < records.size(); ++v) {
        tree.records[level][tree.node[level][v]] += records[v];
        if (level > 0) tree.parent[level - 1][tree.node[level - 1][v]] = tree.node[level][v];
      }
      widest_ = std::max(widest_, tree.height[level].size());
    }
    tree_ = std::make_shared<const Tree>(std::move(tree));
    count_.assign(widest_, 0), above_.assign(widest_, 0), excess_.assign(widest_, 0);
  }

  Cost operator()(std::int64_t n, const Histogram& histogram, std::size_t c) {
    const Tree& tree = *tree_;
    touched_.clear();
    for (std::size_t j = histogram.begin[c]; j < histogram.begin[c + 1]; ++j)
      add(tree.node[0][histogram.value[j]], histogram.count[j], count_, touched_);
    Cost work = 0;
    for (std::size_t level = 1; level < tree.node.size(); ++level) {
      next_.clear();
      for (const std::uint32_t child : touched_) {
        const std::uint32_t node = tree.parent[level - 1][child];
        const Cost excess = tree.total * count_[child] - n * tree.records[level - 1][child];
        add(node, count_[child], above_, next_);
        excess_[node] += std::max(excess, Cost{0});
        count_[child] = 0;
      }
      for (const std::uint32_t node : next_) {
        const Cost lack = n * tree.records[level][node] - tree.total * above_[node];
        work += tree.height[level][node] * (excess_[node] + std::min(lack, Cost{0}));
        excess_[node] = 0;
      }
      std::swap(count_, above_);
      std::swap(touched_, next_);
    }
    for (const std::uint32_t node : touched_) count_[node] = 0;
    return work;
  }

  /// Per record of a class, what every part of it has at least: a node's records without one of the class beside them
  /// move as far up as its parent.
  Cost least(const Histogram& histogram, std::size_t c) {
    const Tree& tree = *tree_;
    touched_.clear();
    for (std::size_t j = histogram.begin[c]; j < histogram.begin[c + 1]; ++j)
      add(tree.node[0][histogram.value[j]], 1, count_, touched_);
    Cost work = 0;
    for (std::size_t level = 1; level < tree.node.size(); ++level) {
      next_.clear();
      for (const std::uint32_t child : touched_) {
        const std::uint32_t node = tree.parent[level - 1][child];
        add(node, 1, above_, next_);
        excess_[node] += tree.records[level - 1][child];
        count_[child] = 0;
      }
      for (const std::uint32_t node : next_) {
        work += tree.height[level][node] * (tree.records[level][node] - excess_[node]);
        excess_[node] = 0;
      }
      std::swap(count_, above_);
      std::swap(touched_, next_);
    }
    for (const std::uint32_t node : touched_) count_[node] = 0;
    return work;
  }

 private:
  struct Tree {
    std::vector<std::vector<std::uint32_t>> node;
    std::vector<std::vector<std::int64_t>> height;
    std::vector<std::vector<Cost>> records;          // of the input, below each node
    std::vector<std::vector<std::uint32_t>> parent;  // along the next level
    Cost total;
  };

  static void add(std::uint32_t node, std::int64_t count, std::vector<std::int64_t>& counts,
                  std::vector<std::uint32_t>& touched) {
    if (counts[node] == 0) touched.push_back(node);
    counts[node] += count;
  }

  std::shared_ptr<const Tree> tree_;
  std::size_t widest_ = 0;
  std::vector<std::int64_t> count_, above_;  // records of the class, by node of the level and of the one above
  std::vector<Cost> excess_;
  std::vector<std::uint32_t> touched_, next_;
};

}  // namespace sfumato

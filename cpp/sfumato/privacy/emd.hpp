// Earth mover's distances between a class and the whole input, as integers: all work is in units of 1/(N n), N records
// in the input and n in the class. Every distance here is what there is to share, less what both share: a sum of
// min(p, q) over places. So there is also a limit on what a part of the class can share, however it is chosen: no more
// than if it had all records of the class for every place. A histogram lists only the values that occur, and no more is
// looked at than those. `Int` is wide enough for whole() times the records of the input.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sfumato/cost.hpp"
#include "sfumato/narrow.hpp"
#include "sfumato/summary.hpp"
#include "sfumato/wide.hpp"

namespace sfumato {

/// Σ min(N n_v, n N_v) over the values of each class, which are lanes. Doubles hold these integers exactly below 2^53,
/// and vectors of them are multiplied faster.
SFUMATO_WIDE inline void share_lanes(const std::uint32_t* __restrict lanes, const std::int64_t* __restrict sizes,
                                     std::size_t classes, std::size_t width, const double* __restrict in_input,
                                     double total, std::int64_t* __restrict shared) {
  const auto share = [=]<std::size_t count>() __attribute__((always_inline)) {
    for (std::size_t c = 0; c < classes; ++c) {
      const double n = static_cast<double>(sizes[c]);
      double of_lane[count];
      for (std::size_t v = 0; v < count; ++v)
        of_lane[v] =
            std::min(total * static_cast<double>(static_cast<std::int32_t>(lanes[c * count + v])), n * in_input[v]);
      for (std::size_t half = count / 2; half > 0; half /= 2)
        for (std::size_t v = 0; v < half; ++v) of_lane[v] += of_lane[v + half];
      shared[c] = static_cast<std::int64_t>(of_lane[0]);
    }
  };
  switch (width) {
    case 2: return share.template operator()<2>();
    case 4: return share.template operator()<4>();
    case 8: return share.template operator()<8>();
    case 16: return share.template operator()<16>();
    case 32: return share.template operator()<32>();
    default: return share.template operator()<64>();
  }
}

inline constexpr std::int64_t most_steps = std::int64_t{1} << 40;  // from a leaf to the root

/// The records of the input, by value.
inline void require_counts(const std::vector<std::int64_t>& records) {
  std::int64_t all = 0;
  for (const std::int64_t count : records) {
    if (count < 0) throw std::invalid_argument("nothing occurs less than never");
    if (count >= most_records - all) throw OutOfRange(too_many_records);
    all += count;
  }
}

/// Values as leaves of a tree: Σ over inner nodes of height · min(pos, neg), in steps of height. min(pos, neg) is half
/// of what the children's surpluses come to less the node's own, so the sum telescopes to H - Σ w min(p, q) over all
/// nodes but the root, w the steps from a node's height up to its parent's.
class TreeDistance {
 public:
  /// node[level][value] and height[level][node], from the leaves up to the root.
  TreeDistance(const std::vector<std::int64_t>& records, const std::vector<std::vector<std::uint32_t>>& node,
               const std::vector<std::vector<std::int64_t>>& height) {
    require_counts(records);
    if (height.empty() || node.size() != height.size()) throw std::invalid_argument("a height for each node");
    for (std::size_t level = 0; level < node.size(); ++level)
      if (node[level].size() != records.size() ||
          std::ranges::any_of(node[level], [&](std::uint32_t v) { return v >= height[level].size(); }) ||
          std::ranges::any_of(height[level], [](std::int64_t h) { return h < 0 || h > most_steps; }))
        throw std::invalid_argument("a node for each value on every level, and a height that it can have");
    if (height.back().size() != 1 || std::ranges::any_of(height.front(), [](std::int64_t h) { return h != 0; }))
      throw std::invalid_argument("a tree has one root, and its leaves are at height 0");
    Tree tree;
    tree.total = std::accumulate(records.begin(), records.end(), std::int64_t{0});
    tree.height = height.back().front();
    tree.begin.push_back(0);
    std::size_t below = 0;  // nodes on lower levels
    std::vector<std::vector<std::uint32_t>> above(records.size());
    for (std::size_t level = 0; level + 1 < node.size(); ++level) {
      tree.places.resize(below + height[level].size());
      for (std::size_t v = 0; v < records.size(); ++v) {
        Place& place = tree.places[below + node[level][v]];
        place.weight = height[level + 1][node[level + 1][v]] - height[level][node[level][v]];
        if (place.weight < 0) throw std::invalid_argument("a node is no lower than its children");
        place.in_input += records[v];
        if (place.weight > 0) above[v].push_back(static_cast<std::uint32_t>(below + node[level][v]));
      }
      below += height[level].size();
    }
    for (const auto& nodes : above) {
      tree.nodes.insert(tree.nodes.end(), nodes.begin(), nodes.end());
      tree.begin.push_back(tree.nodes.size());
    }
    tree.sum_up();
    count_.assign(tree.places.size(), 0);
    tree_ = std::make_shared<const Tree>(std::move(tree));
  }

  /// All values at distance 1: leaves directly below the root.
  explicit TreeDistance(const std::vector<std::int64_t>& records)
      : TreeDistance(records, star(records.size()), {std::vector<std::int64_t>(records.size(), 0), {1}}) {
    auto tree = std::make_shared<Tree>(*tree_);
    tree->star = true;
    tree_ = std::move(tree);
  }

  std::size_t values() const { return tree_->begin.size() - 1; }

  void read(const Histogram& histogram, std::size_t c, std::int64_t) {
    const Tree& tree = *tree_;
    touched_.clear();
    histogram.each(c, [&](std::uint32_t value, std::int64_t records) {
      for (std::size_t i = tree.begin[value]; i < tree.begin[value + 1]; ++i) {
        std::int64_t& count = count_[tree.nodes[i]];
        if (count == 0) touched_.push_back(tree.nodes[i]);
        count += records;
      }
    });
    places_.clear();
    for (const std::uint32_t node : touched_) {
      const Place& place = tree.places[node];
      places_.push_back({place.weight, place.in_input, count_[node]});
      count_[node] = 0;
    }
  }

  /// What r records of the class share with the input at most; all of them share just that.
  template <class Int>
  Int shared(std::int64_t r) const {
    Int shared = 0;
    for (const Place& place : places_)
      shared += place.weight * std::min(Int{tree_->total} * place.in_class, Int{r} * place.in_input);
    return shared;
  }

  /// What every part of the class has at least, per record.
  Cost least() const {
    Cost reached = 0;
    for (const Place& place : places_) reached += Cost{place.weight} * place.in_input;
    return whole() - reached;
  }

  /// How many values a class needs, so that what every part of it has at least is no more than the limit.
  std::int64_t fewest(Cost limit) const { return tree_->fewest(whole() - limit); }

  /// What each class shares, all at once; false if it cannot be computed this way.
  bool share_all(const Classes& classes, const Histogram& histogram, std::vector<std::int64_t>& shared) const {
    const Tree& tree = *tree_;
    if (histogram.width == 0 || !tree.star || tree.total > std::int64_t{1} << 26) return false;
    std::vector<double> in_input(histogram.width, 0);
    for (std::size_t v = 0; v < std::min(tree.places.size(), in_input.size()); ++v)
      in_input[v] = static_cast<double>(tree.places[v].in_input);
    shared.resize(classes.count());
    share_lanes(histogram.lanes.data(), classes.sizes.data(), classes.count(), histogram.width, in_input.data(),
                static_cast<double>(tree.total), shared.data());
    return true;
  }

  /// All there is to share, per record.
  Cost whole() const { return Cost{tree_->height} * tree_->total; }
  Cost records() const { return tree_->total; }

 private:
  struct Place {
    std::int64_t weight = 0;
    std::int64_t in_input = 0, in_class = 0;  // records
  };

  struct Tree {
    std::int64_t total = 0, height = 0;
    bool star = false;                 // all leaves are children of the root
    std::vector<Place> places;         // by node
    std::vector<std::size_t> begin;    // by value, of
    std::vector<std::uint32_t> nodes;  // the nodes from the leaf up, but the root
    std::vector<Cost> reached;         // by so many values at most: each reaches what its nodes have

    void sum_up() {
      for (std::size_t v = 0; v + 1 < begin.size(); ++v) {
        Cost& own = reached.emplace_back(0);
        for (std::size_t i = begin[v]; i < begin[v + 1]; ++i)
          own += Cost{places[nodes[i]].weight} * places[nodes[i]].in_input;
      }
      std::ranges::sort(reached, std::greater());
      std::partial_sum(reached.begin(), reached.end(), reached.begin());
    }

    std::int64_t fewest(Cost least) const {
      return least > 0 ? std::ranges::lower_bound(reached, least) - reached.begin() + 1 : 0;
    }
  };

  static std::vector<std::vector<std::uint32_t>> star(std::size_t values) {
    std::vector<std::vector<std::uint32_t>> node(2, std::vector<std::uint32_t>(values, 0));
    std::iota(node[0].begin(), node[0].end(), 0u);
    return node;
  }

  std::shared_ptr<const Tree> tree_;  // shared by copies
  std::vector<std::int64_t> count_;   // by node; 0 between calls
  std::vector<std::uint32_t> touched_;
  std::vector<Place> places_;  // those of the class that was read
};

/// Values in a row, m - 1 steps from end to end: Σ_i |Σ_{j <= i} (p_j - q_j)|, in steps. With P and Q the sums up to i,
/// |P - Q| = 1 - min(P, Q) - min(1 - P, 1 - Q).
class OrderedDistance {
 public:
  OrderedDistance(const std::vector<std::int64_t>& records, std::vector<std::uint32_t> rank) {
    require_counts(records);
    if (rank.size() != records.size() || records.empty() ||
        std::ranges::any_of(rank, [&](std::uint32_t place) { return place >= records.size(); }))
      throw std::invalid_argument("a place for each value");
    Row row{std::move(rank), std::vector<std::int64_t>(records.size()), std::vector<Cost>(records.size() + 1)};
    for (std::size_t v = 0; v < records.size(); ++v) row.upto[row.rank[v]] = records[v];
    std::partial_sum(row.upto.begin(), row.upto.end(), row.upto.begin());
    for (std::size_t i = 0; i < row.upto.size(); ++i) row.area[i + 1] = row.area[i] + row.upto[i];
    row_ = std::make_shared<const Row>(std::move(row));
  }

  std::size_t values() const { return row_->rank.size(); }

  void read(const Histogram& histogram, std::size_t c, std::int64_t n) {
    n_ = n;
    cells_.clear();
    histogram.each(c,
                   [&](std::uint32_t value, std::int64_t records) { cells_.emplace_back(row_->rank[value], records); });
    std::sort(cells_.begin(), cells_.end());
  }

  /// What r records of the class share with the input at most; all of them share just that. Between two occurring
  /// values the class's sums stand still and the input's rise or fall: which of them is smaller changes at most once,
  /// and the input's sums on either side of that place are computed beforehand.
  template <class>
  Cost shared(std::int64_t r) const {
    const auto& [rank, upto, area] = *row_;
    const Cost total = upto.back();
    Cost shared = 0;
    std::int64_t seen = 0;
    std::size_t begin = 0;
    const auto between = [&](std::size_t end) {
      const auto first = upto.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto last = upto.begin() + static_cast<std::ptrdiff_t>(end);
      const auto place = [&](auto before) {
        return static_cast<std::size_t>(std::partition_point(first, last, before) - upto.begin());
      };
      const Cost before = total * seen, after = total * (n_ - seen);  // of the class, on either side of these places
      const std::size_t turn = place([&](std::int64_t x) { return Cost{r} * x < before; });
      const std::size_t back = place([&](std::int64_t x) { return r * (total - x) >= after; });
      shared += r * (area[turn] - area[begin]) + before * static_cast<Cost>(end - turn);
      shared += after * static_cast<Cost>(back - begin);
      shared += r * (total * static_cast<Cost>(end - back) - (area[end] - area[back]));
    };
    for (const auto& [end, count] : cells_) {
      between(end);
      seen += count;
      begin = end;
    }
    between(upto.size());
    return shared;
  }

  /// What every part of the class has at least, per record: every place's records move to the nearest that occurs.
  Cost least() const {
    const auto& [rank, upto, area] = *row_;
    if (cells_.empty()) return 0;
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

  std::int64_t fewest(Cost) const { return 0; }
  bool share_all(const Classes&, const Histogram&, std::vector<std::int64_t>&) const { return false; }

  /// All there is to share, per record.
  Cost whole() const { return static_cast<Cost>(row_->upto.size()) * row_->upto.back(); }
  Cost records() const { return row_->upto.back(); }

 private:
  struct Row {
    std::vector<std::uint32_t> rank;  // by value
    std::vector<std::int64_t> upto;   // records of the input up to each place
    std::vector<Cost> area;           // sum of upto before each place
  };

  std::shared_ptr<const Row> row_;
  std::vector<std::pair<std::size_t, std::int64_t>> cells_;  // places and records of the class that was read
  std::int64_t n_ = 0;
};

}  // namespace sfumato

// Transactions with their tree, indexed: for every node the records that have an item below it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sfumato/cost.hpp"
#include "sfumato/narrow.hpp"
#include "sfumato/transactions.hpp"

namespace sfumato {

/// For one thread at a time.
class Baskets {
 public:
  Baskets(ItemTree items, Records transactions, std::vector<Cost> costs)
      : Baskets(std::move(items), std::make_shared<const Records>(std::move(transactions)), std::move(costs)) {}
  Baskets(ItemTree items, const std::shared_ptr<const Records>& transactions, std::vector<Cost> costs)
      : Baskets(std::move(items), *transactions, transactions, std::move(costs)) {}

  /// cost: what it costs to publish all items below a node as that node. owner: keeps the transactions.
  Baskets(ItemTree items, RecordsView transactions, std::shared_ptr<const void> owner, std::vector<Cost> costs)
      : tree(std::move(items)),
        records(transactions),
        cost(std::move(costs)),
        support(tree.size(), 0),
        owner_(std::move(owner)),
        words_((records.size() + 63) / 64),
        held_(tree.size(), 0),
        begin_(tree.size(), 0),
        bits_(tree.size(), none) {
    if (cost.size() != tree.size()) throw std::invalid_argument("every node has a cost");
    require_sets();
    index_items();
    index_above();
  }

  /// How many different records have an item below a node.
  std::size_t held(ItemNode v) const { return held_[v]; }

  /// Goes through the records with an item below a node, in order.
  template <class Visit>
  void holders(ItemNode v, Visit visit) const {
    if (bits_[v] == none) {
      for (const std::uint32_t r : list(v)) visit(r);
      return;
    }
    for (std::size_t i = 0; i < words_; ++i) each_bit(i, dense_[bits_[v] + i], visit);
  }

  /// The same among some of the records: from one whose number 64 divides up to another, or the last.
  template <class Visit>
  void holders(ItemNode v, std::size_t first, std::size_t last, Visit visit) const {
    if (bits_[v] == none) {
      const std::span<const std::uint32_t> held = list(v);
      for (auto at = std::ranges::lower_bound(held, first); at != held.end() && *at < last; ++at) visit(*at);
      return;
    }
    for (std::size_t i = first / 64; 64 * i < last; ++i) each_bit(i, dense_[bits_[v] + i], visit);
  }

  /// Records that have an item below each of these nodes, counted no further than `enough`.
  std::int64_t supported(std::span<const ItemNode> nodes, std::int64_t enough) const {
    ItemNode rarest = nodes[0];
    for (const ItemNode v : nodes)
      if (held_[v] < held_[rarest]) rarest = v;
    std::int64_t total = 0;
    if (bits_[rarest] != none) {  // then all of them have bits
      for (std::size_t i = 0; i < words_ && total < enough; ++i) {
        std::uint64_t all = ~std::uint64_t{0};
        for (const ItemNode v : nodes) all &= dense_[bits_[v] + i];
        each_bit(i, all, [&](std::uint32_t r) { total += records.weight[r]; });
      }
      return std::min(total, enough);
    }
    probes_.clear();
    for (const ItemNode v : nodes)
      if (v != rarest) probes_.push_back({bits_[v] == none ? nullptr : dense_.data() + bits_[v], list(v)});
    for (const std::uint32_t r : list(rarest)) {
      if (!std::ranges::all_of(probes_, [r](Probe& probe) { return probe.has(r); })) continue;
      total += records.weight[r];
      if (total >= enough) return enough;
    }
    return total;
  }

  /// The records with items no deeper than some depth, equal ones merged where that makes them half as many; else they
  /// are as deep as they were.
  RecordsView at_depth(ItemNode deepest) const {
    const ItemNode height = *std::ranges::max_element(tree.depth);
    if (deepest >= height) return records;
    shallow_.resize(height);
    Shallow& at = shallow_[deepest];
    const RecordsView deeper = at.merged.size() > 0 ? RecordsView() : at_depth(deepest + 1);
    if (!at.done) {
      std::vector<ItemNode> image(tree.size(), 0);
      for (ItemNode v = 1; v < tree.size(); ++v) image[v] = tree.depth[v] > deepest ? image[tree.parent[v]] : v;
      if (auto merged = generalised(deeper, image, deeper.size() / 2)) at.merged = *std::move(merged);
      at.done = true;
    }
    return at.merged.size() > 0 ? RecordsView(at.merged) : deeper;
  }

  const ItemTree tree;
  const RecordsView records;
  const std::vector<Cost> cost;
  std::vector<std::int64_t> support;

 private:
  /// Sets must lie one after the other, and numbers and sums have room.
  void require_sets() const {
    const auto& [begin, node, weight] = records;
    require_at_most(records.size(), std::numeric_limits<std::uint32_t>::max() - 1, too_many_sets);
    if (begin.size() != weight.size() + 1 || begin.front() != 0 || begin.back() != node.size() ||
        !std::ranges::is_sorted(begin))
      throw std::invalid_argument("sets lie one after the other, and each occurs some times");
    std::int64_t all = 0;
    for (const std::int64_t times : weight) {
      if (times < 0) throw std::invalid_argument("nothing occurs less than never");
      if (times >= most_records - all) throw OutOfRange(too_many_records);
      all += times;
    }
  }

  /// Whether records have an item below some node: bits where many have, else a list that is gone through.
  struct Probe {
    const std::uint64_t* bits;
    std::span<const std::uint32_t> list;

    bool has(std::uint32_t r) {
      if (bits != nullptr) return (bits[r / 64] >> (r % 64) & 1) != 0;
      const auto at = std::ranges::lower_bound(list, r);
      list = list.subspan(static_cast<std::size_t>(at - list.begin()));  // records come in order
      return !list.empty() && list.front() == r;
    }
  };

  struct Shallow {
    Records merged;
    bool done = false;
  };

  static constexpr std::size_t none = SIZE_MAX;

  template <class Visit>
  static void each_bit(std::size_t word, std::uint64_t bits, Visit&& visit) {
    for (; bits != 0; bits &= bits - 1)
      visit(static_cast<std::uint32_t>(64 * word + static_cast<std::size_t>(std::countr_zero(bits))));
  }

  std::span<const std::uint32_t> list(ItemNode v) const { return {list_.data() + begin_[v], held_[v]}; }

  /// Bits take less room than a list.
  bool dense(std::size_t held) const { return 32 * held >= records.size(); }

  /// Records that have an item. The room for all nodes is reserved, and what they do not need of it is never touched.
  void index_items() {
    std::vector<std::uint32_t> last(tree.size(), 0);  // the record after the last one seen with an item
    const auto each = [&](auto&& visit) {
      for (std::size_t r = 0; r < records.size(); ++r)
        for (const ItemNode v : records[r])
          if (std::exchange(last[v], static_cast<std::uint32_t>(r + 1)) != r + 1)
            visit(v, static_cast<std::uint32_t>(r));
      std::ranges::fill(last, 0u);
    };
    for (const ItemNode v : records.node)
      if (v >= tree.size() || tree.inner(v)) throw std::invalid_argument("records hold nodes without children");
    each([&](ItemNode v, std::uint32_t r) {
      ++held_[v];
      support[v] += records.weight[r];
    });
    std::vector<std::uint64_t> most(held_.begin(), held_.end());  // that may have an item below a node
    std::uint64_t listed = 0, many = 0, room = 0, maps = 0;
    for (ItemNode v = tree.size(); v-- > 0;) {
      if (v > 0) most[tree.parent[v]] += most[v];
      if (!tree.inner(v) && dense(held_[v])) bits_[v] = words_ * many++;
      if (!tree.inner(v) && !dense(held_[v])) begin_[v] = std::exchange(listed, listed + held_[v]);
      maps += dense(most[v]);
      room += std::min<std::uint64_t>(most[v], records.size() / 32);
    }
    list_.reserve(room);
    list_.resize(listed);
    dense_.reserve(maps * words_);
    dense_.resize(many * words_);
    std::ranges::copy(begin_, most.begin());
    each([&](ItemNode v, std::uint32_t r) {
      if (bits_[v] != none)
        dense_[bits_[v] + r / 64] |= std::uint64_t{1} << (r % 64);
      else
        list_[most[v]++] = r;
    });
  }

  /// Records that have an item below an inner node: those of its children, put together in bits. Words that are not
  /// zero are marked by bits too, so that small nodes cost little, however many records there are.
  void index_above() {
    std::vector<std::uint64_t> together(words_, 0), used((words_ + 63) / 64, 0);
    const auto each_word = [&](auto&& visit) {
      for (std::size_t i = 0; i < used.size(); ++i) each_bit(i, used[i], [&](std::uint32_t word) { visit(word); });
    };
    for (ItemNode v = tree.size(); v-- > 0;) {
      if (!tree.inner(v)) continue;
      for (ItemNode child = v + 1; child < tree.end[v]; child = tree.end[child]) {
        if (bits_[child] == none) {
          for (const std::uint32_t r : list(child)) {
            together[r / 64] |= std::uint64_t{1} << (r % 64);
            used[r / 4096] |= std::uint64_t{1} << (r / 64 % 64);
          }
        } else {
          for (std::size_t i = 0; i < words_; ++i) together[i] |= dense_[bits_[child] + i];
          std::ranges::fill(used, ~std::uint64_t{0});
          if (words_ % 64 != 0) used.back() = (std::uint64_t{1} << (words_ % 64)) - 1;
        }
      }
      each_word([&](std::uint32_t word) {
        each_bit(word, together[word], [&](std::uint32_t r) {
          ++held_[v];
          support[v] += records.weight[r];
        });
      });
      if (dense(held_[v])) {
        bits_[v] = dense_.size();
        dense_.insert(dense_.end(), together.begin(), together.end());
        std::ranges::fill(together, std::uint64_t{0});
      } else {
        begin_[v] = list_.size();
        each_word([&](std::uint32_t word) {
          each_bit(word, std::exchange(together[word], 0), [&](std::uint32_t r) { list_.push_back(r); });
        });
      }
      std::ranges::fill(used, std::uint64_t{0});
    }
  }

  std::shared_ptr<const void> owner_;
  const std::size_t words_;
  std::vector<std::uint32_t> held_;
  std::vector<std::uint64_t> begin_;  // of lists
  std::vector<std::uint32_t> list_;
  std::vector<std::size_t> bits_;  // where those of a node begin, if it has some
  std::vector<std::uint64_t> dense_;
  mutable std::vector<Probe> probes_;     // working memory of `supported`
  mutable std::vector<Shallow> shallow_;  // by depth, made when they are needed
};

}  // namespace sfumato

#include "sfumato/algorithms/sweep/sequential_sweep.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "sfumato/algorithms/sweep/checks.hpp"
#include "sfumato/algorithms/sweep/level_order.hpp"
#include "sfumato/algorithms/sweep/parts.hpp"
#include "sfumato/search/class_check.hpp"

namespace sfumato::sweep {
namespace {

/// A published class: where its entries begin, and where it is in the order.
struct Closed {
  std::size_t begin, end;
  std::uint32_t item;
  std::int64_t size;
};

class Sweep {
 public:
  Sweep(const Problem& problem, Control& control)
      : problem_(problem),
        control_(control),
        order_(problem.retained),
        copies_(all_codes(problem), problem.counts, problem.seed),
        raising_(problem.sensitive, copies_),
        check_(problem.models, problem.columns),
        several_(problem.sensitive.size() > 1) {
    for (const InducedLimits& limits : problem.sensitive) state_.emplace_back(limits);
    result_.depths = order_.depths();
    result_.node.resize(problem.sensitive.size());
  }

  Result run() {
    whole_table();
    const std::size_t last = order_.size() - 1;
    for (std::size_t item = 0; item < last && !alive_.empty(); ++item) {
      if (!control_.examine()) {
        result_.complete = false;
        break;
      }
      visit(item);
    }
    last_class(static_cast<std::uint32_t>(last));
    return std::move(result_);
  }

 private:
  static std::vector<std::vector<std::uint32_t>> all_codes(const Problem& problem) {
    auto all = problem.values;
    all.insert(all.end(), problem.codes.begin(), problem.codes.end());
    return all;
  }

  /// The table as one class: if that is not diverse, no partition is, so sensitive values are generalised first.
  void whole_table() {
    Parts all(problem_.sensitive.size());
    for (std::size_t c = 0; c < problem_.counts.size(); ++c) {
      all.combination.push_back(narrow<std::uint32_t>(c, too_many_combinations));
      all.rank.push_back(0);
      all.copies.push_back(narrow<std::uint32_t>(problem_.counts[c], too_many_copies));
      for (std::size_t s = 0; s < all.node.size(); ++s) all.node[s].push_back(problem_.nodes[s][c]);
    }
    raising_.raise(all);
    parts_ = std::move(all);
    gather_tuples();
  }

  /// Parts with the same quasi-identifiers are one tuple; combinations are in order, so they stand side by side.
  void gather_tuples() {
    std::vector<std::vector<std::uint32_t>> columns(problem_.values.size());
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const std::uint32_t c = parts_.combination[p];
      const bool same = p > 0 && std::ranges::all_of(problem_.values, [&](const auto& column) {
                          return column[c] == column[parts_.combination[p - 1]];
                        });
      if (same) continue;
      begin_.push_back(static_cast<std::uint32_t>(p));
      for (std::size_t a = 0; a < columns.size(); ++a) columns[a].push_back(problem_.values[a][c]);
    }
    const std::size_t tuples = begin_.size();
    begin_.push_back(static_cast<std::uint32_t>(parts_.size()));
    groups_.emplace(problem_.attributes, std::move(columns));
    for (std::uint32_t t = 0; t < tuples; ++t) alive_.push_back(t);
    records_.resize(tuples), mask_.resize(tuples);
    for (const std::uint32_t t : alive_) recount(t);
  }

  /// The records of a tuple that are not published yet, and the base values that they might have.
  void recount(std::uint32_t t) {
    records_[t] = 0, mask_[t] = 0;
    for (std::uint32_t p = begin_[t]; p < begin_[t + 1]; ++p) {
      if (parts_.copies[p] == 0) continue;
      records_[t] += parts_.copies[p];
      mask_[t] |= mask(parts_.node[0][p]);
    }
  }

  std::uint64_t mask(std::uint32_t v) const {
    const InducedLimits& limits = problem_.sensitive[0];
    if (limits.values() > 64) return ~std::uint64_t{0};
    const unsigned width = limits.end(v) - limits.first(v);
    return (width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1) << limits.first(v);
  }

  void visit(std::size_t item) {
    const std::size_t groups = groups_->group(order_[item], alive_);
    const auto ids = groups_->ids();
    size_.assign(groups, 0), values_.assign(groups, 0);
    for (std::size_t i = 0; i < alive_.size(); ++i) {
      if (ids[i] == LevelGroups::none) continue;
      size_[ids[i]] += records_[alive_[i]];
      values_[ids[i]] |= mask_[alive_[i]];
    }
    // Where fewer values are left than a diverse class has, all records would be swept.
    const int fewest = static_cast<int>(std::min<std::size_t>(problem_.sensitive[0].fewest(), 64));
    place_.assign(groups + 1, 0);
    std::uint32_t candidates = 0;
    for (std::size_t g = 0; g < groups; ++g) {
      const bool candidate = size_[g] >= problem_.least && (problem_.price >= 0 || std::popcount(values_[g]) >= fewest);
      size_[g] = candidate ? candidates++ : LevelGroups::none;
    }
    if (candidates == 0) return;
    place_.assign(candidates + 1, 0);
    const auto candidate_of = [&](std::size_t i) {
      return ids[i] == LevelGroups::none ? LevelGroups::none : static_cast<std::uint32_t>(size_[ids[i]]);
    };
    for (std::size_t i = 0; i < alive_.size(); ++i)
      if (const std::uint32_t g = candidate_of(i); g != LevelGroups::none) ++place_[g + 1];
    std::partial_sum(place_.begin(), place_.end(), place_.begin());
    members_.resize(place_.back());
    std::vector<std::uint32_t> next(place_.begin(), place_.end() - 1);
    for (std::size_t i = 0; i < alive_.size(); ++i)
      if (const std::uint32_t g = candidate_of(i); g != LevelGroups::none) members_[next[g]++] = alive_[i];
    bool changed = false;
    for (std::uint32_t g = 0; g < candidates; ++g)
      changed |= settle(std::span(members_).subspan(place_[g], place_[g + 1] - place_[g]), item);
    if (changed) std::erase_if(alive_, [&](std::uint32_t t) { return records_[t] == 0; });
  }

  /// Publishes what can stay of a class; whether anything can.
  bool settle(std::span<const std::uint32_t> tuples, std::size_t item) {
    inside_.clear();
    for (const std::uint32_t t : tuples)
      for (std::uint32_t p = begin_[t]; p < begin_[t + 1]; ++p)
        if (parts_.copies[p] > 0) inside_.push_back(p);
    const bool stays = several_ ? sweep_several() : sweep_one();
    if (problem_.price >= 0 && raise_instead(stays)) {
      swept_out_.assign(inside_.size(), 0);
      return close(tuples, item, /*raised=*/true);
    }
    return stays && close(tuples, item, /*raised=*/false);
  }

  /// With one sensitive attribute, how many records of each node go does not depend on which they are.
  bool sweep_one() {
    const InducedLimits& limits = problem_.sensitive[0];
    InducedClass& state = state_[0];
    const auto node = [&](std::uint32_t p) { return limits.alike_node(parts_.node[0][p]); };
    state.clear();
    swept_.assign(limits.nodes(), 0);
    for (const std::uint32_t p : inside_) state.add(node(p), parts_.copies[p]);
    if (!state.sweep(problem_.least, [&](std::uint32_t v, std::int64_t records) { swept_[v] += records; }))
      return false;
    swept_out_.assign(inside_.size(), 0);
    for (std::uint32_t v = 0; v < limits.nodes(); ++v) {
      if (swept_[v] == 0) continue;
      drawn_.clear();
      for (std::uint32_t i = 0; i < inside_.size(); ++i) {
        const std::uint32_t p = inside_[i];
        if (node(p) != v) continue;
        if (state.count(v) == 0)
          swept_out_[i] = parts_.copies[p];
        else
          for (const std::uint64_t hash : copies_.hashes(parts_.combination[p], parts_.rank[p], parts_.copies[p]))
            drawn_.emplace_back(hash, i);
      }
      if (drawn_.empty()) continue;
      const auto end = drawn_.begin() + static_cast<std::ptrdiff_t>(swept_[v]);
      std::nth_element(drawn_.begin(), end, drawn_.end());
      for (auto record = drawn_.begin(); record != end; ++record) ++swept_out_[record->second];
    }
    return true;
  }

  /// With several, each record that goes changes the distributions of all.
  bool sweep_several() {
    const std::size_t attributes = state_.size();
    drawn_.clear();
    for (InducedClass& state : state_) state.clear();
    for (std::uint32_t i = 0; i < inside_.size(); ++i) {
      const std::uint32_t p = inside_[i];
      for (const std::uint64_t hash : copies_.hashes(parts_.combination[p], parts_.rank[p], parts_.copies[p]))
        drawn_.emplace_back(hash, i);
      for (std::size_t s = 0; s < attributes; ++s) state_[s].add(node_of(s, p), parts_.copies[p]);
    }
    std::sort(drawn_.begin(), drawn_.end());
    std::vector<std::vector<std::vector<std::uint32_t>>> queue(attributes);  // by attribute and node, the next one last
    for (std::size_t s = 0; s < attributes; ++s) {
      queue[s].resize(problem_.sensitive[s].nodes());
      for (std::size_t r = drawn_.size(); r-- > 0;)
        queue[s][node_of(s, inside_[drawn_[r].second])].push_back(static_cast<std::uint32_t>(r));
    }
    std::vector<std::uint8_t> left(drawn_.size(), 1);
    swept_out_.assign(inside_.size(), 0);
    while (true) {
      const auto violated = std::ranges::find_if(state_, [](InducedClass& state) { return !state.diverse(); });
      if (violated == state_.end()) return state_[0].size() >= std::max<std::int64_t>(problem_.least, 1);
      if (violated->size() <= problem_.least || violated->hopeless()) return false;
      auto& waiting = queue[static_cast<std::size_t>(violated - state_.begin())][violated->holder()];
      while (!left[waiting.back()]) waiting.pop_back();
      const std::uint32_t record = waiting.back();
      left[record] = 0;
      const std::uint32_t i = drawn_[record].second;
      ++swept_out_[i];
      for (std::size_t s = 0; s < attributes; ++s) state_[s].add(node_of(s, inside_[i]), -1);
    }
  }

  std::uint32_t node_of(std::size_t s, std::uint32_t p) const {
    return problem_.sensitive[s].alike_node(parts_.node[s][p]);
  }

  /// Whether generalising sensitive values in place loses no more than sweeping would, at its price.
  bool raise_instead(bool stays) {
    std::int64_t records = 0, swept = 0;
    for (std::size_t i = 0; i < inside_.size(); ++i) {
      records += parts_.copies[inside_[i]];
      if (stays) swept += swept_out_[i];
    }
    if (!stays) swept = records;
    if (swept == 0) return false;
    Cost lost = 0;
    const Cost most = problem_.price * swept;
    for (std::size_t s = 0; s < state_.size() && lost <= most; ++s) {
      const InducedLimits& limits = problem_.sensitive[s];
      state_[s].clear();
      for (const std::uint32_t p : inside_) state_[s].add(parts_.node[s][p], parts_.copies[p]);
      const bool enough = state_[s].generalise(
          [&](std::uint32_t v) { lost += limits.information(v) - limits.information(limits.parent(v)); });
      if (!enough) return false;
    }
    return lost <= most;
  }

  /// Publishes the copies that are not swept out, if the other models hold.
  bool close(std::span<const std::uint32_t> tuples, std::size_t item, bool raised) {
    Parts stay(problem_.sensitive.size());
    for (std::size_t i = 0; i < inside_.size(); ++i)
      if (swept_out_[i] < parts_.copies[inside_[i]]) stay.push(parts_, inside_[i], swept_out_[i]);
    if (!problem_.models.empty() && !holds(stay.combination, stay.copies)) return false;
    if (raised) raising_.raise(stay);
    publish(stay, static_cast<std::uint32_t>(item));
    for (std::size_t i = 0; i < inside_.size(); ++i) parts_.copies[inside_[i]] = swept_out_[i];
    for (const std::uint32_t t : tuples) recount(t);
    return true;
  }

  void publish(const Parts& parts, std::uint32_t item) {
    Closed closed{result_.copies.size(), 0, item, 0};
    result_.combination.insert(result_.combination.end(), parts.combination.begin(), parts.combination.end());
    result_.copies.insert(result_.copies.end(), parts.copies.begin(), parts.copies.end());
    result_.item.insert(result_.item.end(), parts.size(), item);
    for (std::size_t s = 0; s < parts.node.size(); ++s)
      result_.node[s].insert(result_.node[s].end(), parts.node[s].begin(), parts.node[s].end());
    closed.end = result_.copies.size();
    closed.size = std::accumulate(parts.copies.begin(), parts.copies.end(), std::int64_t{0});
    closed_.push_back(closed);
  }

  /// What is left is published as the root of everything, with sensitive values generalised until that is diverse. If
  /// it is too small, or another model does not hold, the smallest other class joins it.
  void last_class(std::uint32_t last) {
    Parts rest(problem_.sensitive.size());
    for (const std::uint32_t t : alive_)
      for (std::uint32_t p = begin_[t]; p < begin_[t + 1]; ++p)
        if (parts_.copies[p] > 0) rest.push(parts_, p, 0, parts_.copies[p]);
    if (rest.size() == 0) return;
    raising_.raise(rest);
    std::vector<std::uint32_t> combination = rest.combination, copies = rest.copies;
    std::int64_t size = std::accumulate(copies.begin(), copies.end(), std::int64_t{0});
    while (size < problem_.least || !holds(combination, copies)) {
      if (closed_.empty()) throw std::logic_error("the whole table violates a model");
      const auto next = std::ranges::min_element(closed_, [&](const Closed& one, const Closed& other) {
        return std::tuple(one.size, other.item, nodes(one)) < std::tuple(other.size, one.item, nodes(other));
      });
      for (std::size_t i = next->begin; i < next->end; ++i) {
        result_.item[i] = last;
        combination.push_back(result_.combination[i]);
        copies.push_back(result_.copies[i]);
      }
      size += next->size;
      closed_.erase(next);
    }
    publish(rest, last);
  }

  /// The nodes that a class is published as.
  std::vector<std::uint32_t> nodes(const Closed& closed) const {
    std::vector<std::uint32_t> published;
    const std::uint32_t c = result_.combination[closed.begin];
    for (std::size_t a = 0; a < problem_.attributes.size(); ++a)
      published.push_back(problem_.attributes[a].node[order_[closed.item][a]][problem_.values[a][c]]);
    return published;
  }

  bool holds(std::span<const std::uint32_t> combinations, std::span<const std::uint32_t> copies) {
    return check_.holds(std::accumulate(copies.begin(), copies.end(), std::int64_t{0}), [&](const auto& visit) {
      for (std::size_t i = 0; i < copies.size(); ++i) visit(combinations[i], copies[i]);
    });
  }

  const Problem& problem_;
  Control& control_;
  LevelOrder order_;
  Copies copies_;
  Raising raising_;
  ClassCheck check_;
  bool several_;
  Result result_;
  std::vector<Closed> closed_;
  std::vector<InducedClass> state_;           // by sensitive attribute
  Parts parts_;                               // of the whole table; their copies are those not yet published
  std::vector<std::uint32_t> begin_, alive_;  // the parts of each tuple; tuples with records left
  std::vector<std::int64_t> records_;         // of each tuple
  std::vector<std::uint64_t> mask_;
  std::optional<LevelGroups> groups_;
  std::vector<std::int64_t> size_, swept_;
  std::vector<std::uint64_t> values_;
  std::vector<std::uint32_t> place_, members_, inside_, swept_out_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> drawn_;
};

}  // namespace

Result sequential_sweep(const Problem& problem, Control& control) {
  require(problem);
  return Sweep(problem, control).run();
}

}  // namespace sfumato::sweep

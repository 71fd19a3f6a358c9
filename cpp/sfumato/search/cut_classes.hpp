// The graph of classes: every class that some cut can have, made once and found again, with its price and its bound.
//
// A class is known by a node per attribute. While an attribute is open, that is the lowest node above its records, so
// specialising a value divides only the classes that really part there. A locked attribute carries the locked node:
// records that differ nowhere else become one tuple, and a class of one tuple stays as it is below all further cuts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sfumato/search/cut_few.hpp"
#include "sfumato/search/cut_prices.hpp"
#include "sfumato/search/cut_tree.hpp"
#include "sfumato/search/cut_tuples.hpp"
#include "sfumato/search/key_table.hpp"

namespace sfumato {

template <class Sum>
class CutClasses {
 public:
  /// Classes of at most so many tuples are bounded by the best way to divide them alone.
  static constexpr std::size_t small = 16;

  CutClasses(const CutProblem& problem, const CutTree& tree)
      : problem_(&problem), tree_(&tree), tuples_(problem.frequencies, tree, columns_read(problem)), prices_(problem, tuples_),
        few_(tree, tuples_, weight_, prices_), keys_(tree.attributes()), key_(tree.attributes()), least_(tree.attributes()), most_(tree.attributes()),
        slot_(tree.size(), 0) {
    weight_.assign(tree.size(), 0);
    if (of_values())
      for (std::uint32_t v = 0; v < tree.size(); ++v)
        weight_[v] = static_cast<Sum>(weight_of(tree[v]));
  }

  /// Part of a division: a class of several tuples, or a tuple alone.
  struct Piece {
    std::uint32_t id;
    bool single;
  };

  struct Division {
    std::size_t begin = 0, kids = 0, singles = 0;  // kids come first
    Sum alone = 0;                                 // what the single tuples cost
    std::int64_t gone = 0;                         // what is suppressed of them
    bool impossible = false;
  };

  /// The classes at the roots of all hierarchies.
  std::vector<Piece> roots() {
    KeyTable groups(tree_->attributes());
    std::vector<std::vector<std::uint32_t>> members;
    for (std::uint32_t t = 0; t < tuples_.size(); ++t) {
      for (std::size_t a = 0; a < key_.size(); ++a) key_[a] = tree_->root(tuples_.key(t)[a]);
      const auto [id, fresh] = groups.place(key_);
      if (fresh) members.emplace_back();
      members[id].push_back(t);
    }
    std::vector<Piece> pieces;
    for (const auto& group : members) {
      std::ranges::fill(key_, 0);
      pieces.push_back(piece(group));
    }
    return pieces;
  }

  std::span<const std::uint32_t> key(std::uint32_t c) const { return keys_[c]; }
  std::span<const std::uint32_t> tuple_key(std::uint32_t t) const { return tuples_.key(t); }
  Sum weight(std::uint32_t v) const { return weight_[v]; }
  bool of_values() const { return problem_->loss.metric == CutMetric::values; }

  Sum bound(std::uint32_t c) const { return classes_[c].bound; }
  /// What is suppressed of a class at least, and of a tuple alone.
  std::int64_t gone(std::uint32_t c) const { return classes_[c].gone; }
  std::int64_t tuple_gone(std::uint32_t t) const { return settled_[t].gone; }
  bool impossible(const Piece& of) const { return of.single ? settled_[of.id].impossible : classes_[of.id].impossible; }
  Sum tuple_cost(std::uint32_t t) const { return settled_[t].cost; }
  std::int64_t tuple_kept(std::uint32_t t) const { return settled_[t].kept; }

  std::size_t bytes() const {
    return tuples_.bytes() + keys_.bytes() + classes_.capacity() * (sizeof(Class) + 4 * key_.size()) +
           (members_.capacity() + pieces_.capacity()) * 4 + divisions_.capacity() * sizeof(Division) +
           locks_.capacity() * sizeof(Lock) + settled_.capacity() * sizeof(Settled<Sum>);
  }

  /// The parts of class c when the node it has in attribute a is specialised.
  const Division& divide(std::uint32_t c, std::size_t a) {
    const std::size_t place = c * key_.size() + a;
    if (division_of_[place] == 0) {
      const Division made = divided(c, a);
      divisions_.push_back(made);
      division_of_[place] = static_cast<std::uint32_t>(divisions_.size());
    }
    return divisions_[division_of_[place] - 1];
  }
  std::uint32_t part(const Division& of, std::size_t i) const { return pieces_[of.begin + i]; }

  /// Class c when the value v, which lies at or above its node in v's attribute, is locked.
  Piece lock(std::uint32_t c, std::uint32_t v) {
    for (std::uint32_t i = classes_[c].locks; i != 0; i = locks_[i - 1].next)
      if (locks_[i - 1].value == v) return locks_[i - 1].result;
    const Piece result = locked(c, v);
    locks_.push_back({v, classes_[c].locks, result});
    classes_[c].locks = static_cast<std::uint32_t>(locks_.size());
    return result;
  }

  /// Raises the bound of a small class to what the best division of it alone would cost.
  Sum refine(std::uint32_t c) {
    if (classes_[c].refined) return classes_[c].bound;
    classes_[c].refined = true;
    if (classes_[c].count > small || problem_->bounds == CutBounds::paper) return classes_[c].bound;
    Sum best = classes_[c].published;
    const Sum floor = classes_[c].bound;
    if (best <= floor) return floor;
    if (classes_[c].count <= few_.most) {
      best = few_.solve({members_.data() + classes_[c].begin, classes_[c].count}, keys_[c], settled_);
    } else {
      for (std::size_t a = 0; a < key_.size() && best > floor; ++a) {
        const std::uint32_t v = keys_[c][a];
        if ((v & locked_bit) != 0 || tree_->leaf(v)) continue;
        const Division parts = divide(c, a);
        if (parts.impossible) continue;
        Sum sum = parts.alone;
        for (std::size_t i = 0; i < parts.kids && sum < best; ++i) sum += refine(part(parts, i));
        best = std::min(best, sum);
      }
    }
    return classes_[c].bound = std::max(floor, best);
  }

 private:
  struct Class {
    std::size_t begin;        // of its tuples
    std::uint32_t count;
    std::uint32_t locks = 0;  // the latest of its locks, plus one
    Sum published, bound;
    std::int64_t gone;
    bool refined = false, impossible;
  };
  struct Lock {
    std::uint32_t value, next;
    Piece result;
  };

  Cost weight_of(const CutTree::Node& node) const {
    const Level& level = problem_->frequencies.hierarchy(node.attribute).level(node.level);
    return problem_->loss.weight[node.attribute][node.level][level.node[node.value]];
  }

  Division divided(std::uint32_t c, std::size_t a) {
    const std::uint32_t v = keys_[c][a];
    std::vector<std::vector<std::uint32_t>> groups;
    std::vector<std::uint32_t> met;
    for (std::size_t i = 0; i < classes_[c].count; ++i) {
      const std::uint32_t t = members_[classes_[c].begin + i];
      const std::uint32_t child = tree_->step(v, tuples_.key(t)[a]);
      if (slot_[child] == 0) {
        groups.emplace_back();
        met.push_back(child);
        slot_[child] = static_cast<std::uint32_t>(groups.size());
      }
      groups[slot_[child] - 1].push_back(t);
    }
    for (const std::uint32_t child : met) slot_[child] = 0;
    std::vector<std::uint32_t> kids, singles;
    Division made;
    for (const auto& group : groups) {
      std::ranges::copy(keys_[c], key_.begin());
      const Piece found = piece(group);
      made.impossible |= impossible(found);
      (found.single ? singles : kids).push_back(found.id);
      if (found.single) made.alone += settled_[found.id].cost, made.gone += settled_[found.id].gone;
    }
    made.begin = pieces_.size();
    made.kids = kids.size();
    made.singles = singles.size();
    pieces_.insert(pieces_.end(), kids.begin(), kids.end());
    pieces_.insert(pieces_.end(), singles.begin(), singles.end());
    return made;
  }

  Piece locked(std::uint32_t c, std::uint32_t v) {
    const std::size_t a = (*tree_)[v].attribute;
    // What is lost by a wider value is LM's affair: for the others, the node that the records have in common will do.
    const std::uint32_t node = (of_values() ? v : keys_[c][a]) | locked_bit;
    std::ranges::copy(keys_[c], key_.begin());
    key_[a] = node;
    if (const std::uint32_t known = keys_.find(key_); known != KeyTable::none) return {known, false};
    sort_but(c, a);
    std::vector<std::uint32_t> after, group, group_key(key_.size());
    for (std::size_t i = 0, j; i < sorted_.size(); i = j) {
      group.assign(1, sorted_[i].second);
      for (j = i + 1; j < sorted_.size() && sorted_[j].first == sorted_[i].first && !less_but(a, sorted_[i].second, sorted_[j].second); ++j)
        group.push_back(sorted_[j].second);
      std::ranges::copy(tuples_.key(group.front()), group_key.begin());
      group_key[a] = node;
      after.push_back(tuples_.merged(group_key, group));
    }
    std::ranges::copy(keys_[c], key_.begin());
    key_[a] = node;
    return piece(after);
  }

  /// Puts tuples of a class that are equal but for attribute a side by side: by a hash first, since that is one number.
  void sort_but(std::uint32_t c, std::size_t a) {
    sorted_.clear();
    for (std::size_t i = 0; i < classes_[c].count; ++i) {
      const std::uint32_t t = members_[classes_[c].begin + i];
      std::uint64_t hash = 0;
      const auto key = tuples_.key(t);
      for (std::size_t b = 0; b < key.size(); ++b)
        if (b != a) hash = (hash ^ key[b]) * 0x9E3779B97F4A7C15ull, hash ^= hash >> 29;
      sorted_.emplace_back(hash, t);
    }
    std::ranges::sort(sorted_, [&](const auto& one, const auto& other) {
      return one.first != other.first ? one.first < other.first : less_but(a, one.second, other.second);
    });
  }

  bool less_but(std::size_t a, std::uint32_t one, std::uint32_t other) const {
    const auto x = tuples_.key(one), y = tuples_.key(other);
    for (std::size_t b = 0; b < x.size(); ++b)
      if (b != a && x[b] != y[b]) return x[b] < y[b];
    return false;
  }

  /// The class of these tuples; `key_` says which attributes are locked, and where.
  Piece piece(std::span<const std::uint32_t> members) {
    if (members.size() == 1) {
      settle(members.front());
      return {members.front(), true};
    }
    for (const std::uint32_t t : members) {
      const auto key = tuples_.key(t);
      for (std::size_t a = 0; a < key_.size(); ++a) {
        least_[a] = t == members.front() ? key[a] : std::min(least_[a], key[a]);
        most_[a] = t == members.front() ? key[a] : std::max(most_[a], key[a]);
      }
    }
    Sum at_most = 0;
    for (std::size_t a = 0; a < key_.size(); ++a) {
      if ((key_[a] & locked_bit) == 0) key_[a] = tree_->join(least_[a], most_[a]);
      at_most += weight_[key_[a] & ~locked_bit];
    }
    const auto [id, fresh] = keys_.place(key_);
    if (fresh) {
      Sum alone = 0, price = at_most;
      for (const std::uint32_t t : members) {
        settle(t);
        alone += settled_[t].alone;
        price = std::min(price, settled_[t].price);
      }
      const Measured<Sum> of = prices_.measure(members);
      const Sum published = of.kept * at_most + of.fixed;
      const Sum bound = std::min(published, prices_.at_least(of, price, alone, members));
      classes_.push_back({members_.size(), static_cast<std::uint32_t>(members.size()), 0, published, bound, of.least, false, of.impossible});
      members_.insert(members_.end(), members.begin(), members.end());
      division_of_.resize(division_of_.size() + key_.size(), 0);
    }
    return {id, false};
  }

  /// What a tuple costs as a class of its own, its open values at their lowest.
  void settle(std::uint32_t t) {
    if (settled_.size() <= t) settled_.resize(std::max<std::size_t>(tuples_.size(), t + 1), {0, 0, 0, -1, 0, false});
    if (settled_[t].kept >= 0) return;
    Sum price = 0;
    for (const std::uint32_t v : tuples_.key(t)) price += weight_[v & ~locked_bit];
    const Measured<Sum> of = prices_.measure({&t, 1});
    settled_[t] = {of.kept * price + of.fixed, prices_.alone(t), price, of.kept, of.gone, of.impossible};
  }

  const CutProblem* problem_;
  const CutTree* tree_;
  CutTuples tuples_;
  CutPrices<Sum> prices_;
  std::vector<Sum> weight_;
  CutFew<Sum> few_;
  KeyTable keys_;
  std::vector<Class> classes_;
  std::vector<std::uint32_t> members_, pieces_, division_of_;
  std::vector<Division> divisions_;
  std::vector<Lock> locks_;
  std::vector<Settled<Sum>> settled_;
  std::vector<std::uint32_t> key_, least_, most_, slot_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> sorted_;
};

}  // namespace sfumato

// The graph of classes: every class that some cut can have, made once and looked up from then on, with its price and
// its bound.
//
// A class is identified by a node per attribute, the lowest one above its records. So specialising a value divides only
// the classes that really part there. Locking a value changes no class: the records are the same, and so is what is
// suppressed of them. What changes is how they can still be divided, and what they cost at least: so a
// class has a `Variant` for each set of its attributes that are locked. If none is left that could divide it, its cost
// is settled.
//
// A value may be locked above the node that a class has there. That makes each published record dearer by the
// difference, the `excess` of the variant, and changes nothing else. (If all records are published, it is added up
// elsewhere.)
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sfumato/algorithms/cuts/best_division.hpp"
#include "sfumato/algorithms/cuts/groups.hpp"
#include "sfumato/algorithms/cuts/growing.hpp"
#include "sfumato/algorithms/cuts/key_table.hpp"
#include "sfumato/algorithms/cuts/locks.hpp"
#include "sfumato/algorithms/cuts/prices.hpp"
#include "sfumato/algorithms/cuts/tree.hpp"
#include "sfumato/algorithms/cuts/tuple_costs.hpp"
#include "sfumato/algorithms/cuts/tuples.hpp"
#include "sfumato/algorithms/cuts/weights.hpp"

namespace sfumato::cuts {

template <class Sum>
class ClassGraph {
 public:
  ClassGraph(const Problem& problem, const Tree& tree, std::shared_ptr<const Tuples> tuples)
      : problem_(&problem),
        tree_(&tree),
        shared_(std::move(tuples)),
        tuples_(*shared_),
        prices_(problem, tuples_),
        weights_(problem, tree),
        singles_(tuples_, weights_, prices_),
        best_division_(tree, tuples_, weights_, prices_),
        groups_(tuples_),
        children_(tuples_, tree),
        locks_(tree.attributes()),
        keys_(tree.attributes()),
        key_(tree.attributes()),
        least_(tree.attributes()),
        most_(tree.attributes()) {
    if (!of_values())
      for (std::uint32_t t = 0; t < tuples_.size(); ++t) plain_.push_back(prices_.plain(t));
  }

  /// Part of a division: a class of several tuples, or a tuple alone.
  struct Part {
    std::uint32_t id;
    bool single;
  };

  struct Division {
    std::vector<std::uint32_t> classes, singles;
    Sum alone = 0;                          // what the single tuples cost
    std::int64_t kept = 0, suppressed = 0;  // what is published of them, and what is suppressed
    bool impossible = false;
  };

  struct alignas(64) Variant {  // one cache line
    std::uint32_t of, next;     // its class, and an earlier variant of it
    Locks locks;                // among the attributes that could divide it
    Sum excess, bound;
    std::int64_t scattered;  // what would be published of its class if each of the tuples were alone
    Sum rise_if_divided,
        rise_if_locked;  // how much the bound rises at least when it is divided at `attribute`, or locked there
    std::uint32_t hint;  // the variant that it became when last it was locked
    std::uint16_t attribute;
    bool refined;
  };

  /// The classes at the roots of all hierarchies.
  std::vector<Part> roots() {
    KeyTable groups(tree_->attributes());
    std::vector<std::vector<std::uint32_t>> members;
    for (std::uint32_t t = 0; t < tuples_.size(); ++t) {
      for (std::size_t a = 0; a < key_.size(); ++a) key_[a] = tree_->root(tuples_.key(t)[a]);
      const auto [id, fresh] = groups.place(key_);
      if (fresh) members.emplace_back();
      members[id].push_back(t);
    }
    std::vector<Part> parts;
    for (std::uint32_t g = 0; g < members.size(); ++g) {
      std::ranges::copy(groups[g], key_.begin());
      parts.push_back(part_of(members[g], members_.size()));
    }
    return parts;
  }

  Sum weight(std::uint32_t v) const { return weights_[v]; }
  Sum lightest(std::uint32_t v) const { return weights_.lightest(v); }
  /// Whether all leaves below a root weigh the same: then it does not matter which tuples are published, but how many
  /// records.
  bool even() const { return weights_.even(); }
  bool of_values() const { return problem_->loss.metric == Metric::values; }
  /// Whether what the values of a class cost depends on what is suppressed of it.
  bool excess_matters() const {
    return of_values() && (problem_->scheme == Scheme::violating_records || problem_->scheme == Scheme::all_records);
  }
  LockSets& locks() { return locks_; }
  const Tuples& tuples() const { return tuples_; }

  std::span<const std::uint32_t> key(const Part& of) const { return of.single ? tuples_.key(of.id) : keys_[of.id]; }
  bool impossible(const Part& of) { return of.single ? singles_[of.id].impossible : classes_[of.id].impossible; }
  std::int64_t records(std::uint32_t c) const { return classes_[c].records; }
  /// What is suppressed of a class at least.
  std::int64_t least_suppressed(std::uint32_t c) const { return classes_[c].least; }

  // What is published and suppressed of a class, or of a tuple alone, that nothing divides any more, and its cost.
  std::int64_t kept(const Part& of) { return of.single ? singles_[of.id].kept : classes_[of.id].kept; }
  std::int64_t scattered(std::uint32_t c) const { return classes_[c].scattered; }
  std::int64_t suppressed(const Part& of) {
    return of.single ? singles_[of.id].suppressed : classes_[of.id].suppressed;
  }
  Sum cost(const Part& of) { return of.single ? singles_[of.id].cost : classes_[of.id].published; }

  std::size_t bytes() const {
    const auto sharing = static_cast<std::size_t>(shared_.use_count());
    return tuples_.bytes() / sharing + singles_.bytes() + plain_.capacity() * sizeof(Sum) + keys_.bytes() +
           growing_bytes(classes_) + growing_bytes(members_) + growing_bytes(variants_);
  }

  /// The parts of class c when the node it has in attribute a is specialised.
  const Division& divide(std::uint32_t c, std::size_t a) {
    children_.group(members(c), a, keys_[c][a]);
    const auto grouped = children_.tuples();
    division_.classes.clear();
    division_.singles.clear();
    Division& made = division_;
    made.alone = made.kept = made.suppressed = 0;
    made.impossible = false;
    const bool first = !std::exchange(classes_[c].laid_out, true);
    const std::size_t place = classes_[c].begin;
    if (first) std::ranges::copy(grouped, members_.begin() + static_cast<std::ptrdiff_t>(place));
    std::uint32_t begin = 0;
    for (const std::uint32_t end : children_.ends()) {
      std::ranges::copy(keys_[c], key_.begin());
      const Part part = part_of(grouped.subspan(begin, end - begin), first ? place + begin : members_.size());
      begin = end;
      made.impossible |= impossible(part);
      (part.single ? made.singles : made.classes).push_back(part.id);
      if (!part.single) continue;
      made.alone += cost(part);
      made.kept += kept(part);
      made.suppressed += suppressed(part);
    }
    return made;
  }

  /// The paper's bounds, and those that locks do not tighten, are to be shown as they are.
  bool learns() const { return problem_->bounds == Bounds::strong && problem_->update_bounds; }

  /// What a variant costs at least when it is divided at an attribute, or (as it is) locked there: kept as what its
  /// bound rises. It costs the lesser of the two in any case. False if nothing is kept.
  bool learn(std::uint32_t variant, std::size_t a, bool locked, Sum least) {
    Variant& of = variants_[variant];
    if (!learns() || !of.refined || a > UINT16_MAX) return false;
    if (std::exchange(of.attribute, static_cast<std::uint16_t>(a)) != a) of.rise_if_divided = of.rise_if_locked = 0;
    const Sum rise = least - of.bound, rise_if_divided = std::max(of.rise_if_divided, locked ? 0 : rise),
              rise_if_locked = std::max(of.rise_if_locked, locked ? rise : 0);
    const Sum certain = std::min(rise_if_divided, rise_if_locked);
    of.bound += certain;
    of.rise_if_divided = rise_if_divided - certain;
    of.rise_if_locked = rise_if_locked - certain;
    return true;
  }

  const Variant& operator[](std::uint32_t variant) const { return variants_[variant]; }

  // Prefetches what is read soon: of a variant, of the nodes of its class, and step by step of the tuples that dividing
  // it reads.
  void prefetch(std::uint32_t variant) const { prefetch_line(variants_.data() + variant); }
  void prefetch_key(std::uint32_t variant) const { keys_.prefetch(variants_[variant].of); }
  static constexpr std::size_t prefetch_steps = 4;
  void prefetch(std::uint32_t variant, std::size_t step) const {
    if (step == 0) return prefetch(variant);
    const Class& of = classes_[variants_[variant].of];
    if (step == 1) return prefetch_line(&of), prefetch_key(variant);
    const std::uint32_t* const first = members_.data() + of.begin;
    if (step == 2) return prefetch_line(first);
    for (const std::uint32_t t : std::span(first, std::min<std::size_t>(of.count, 16))) tuples_.prefetch(t);
  }
  static constexpr std::uint32_t none = KeyTable::none;

  /// Class c under locks and at an excess; none if nothing divides it any more. `at_least`: a bound on what it costs
  /// there.
  std::uint32_t variant(std::uint32_t c, Locks all, Sum excess, Sum at_least = 0) {
    const Class& of = classes_[c];
    const Locks locks = locks_.both(all, of.parting);
    if (locks == of.parting) return none;
    for (std::uint32_t i = of.variants; i != none; i = variants_[i].next)
      if (variants_[i].locks == locks && variants_[i].excess == excess) return i;
    const auto id = static_cast<std::uint32_t>(variants_.size());
    const Sum published = of.published + of.kept * excess;
    const Sum bound =
        std::min(published, std::max(at_least, of_values() ? values_at_least(c, locks, excess) : of.floor));
    variants_.push_back({c, of.variants, locks, excess, bound, of.scattered, 0, 0, none, 0, bound == published});
    classes_[c].variants = id;
    return id;
  }

  /// What a variant becomes under one lock more, or at another excess; none if nothing divides it any more.
  std::uint32_t locked(std::uint32_t variant, Locks locks, Sum excess) {
    return variants_[variant].hint = this->variant(variants_[variant].of, locks, excess, variants_[variant].bound);
  }

  /// How much dearer the locked values of a class are than the nodes that a part of it has there.
  Sum dearer(std::uint32_t c, Locks locks, const Part& part) const {
    if (locks == 0 || !of_values()) return 0;
    Sum difference = 0;
    for (std::size_t a = 0; a < key_.size(); ++a)
      if (locks_.has(locks, a)) difference += weights_[keys_[c][a]] - weights_[key(part)[a]];
    return difference;
  }

  /// How much dearer they are than the leaves below, if those are even.
  Sum above_leaves(std::uint32_t c, Locks locks) const {
    Sum difference = 0;
    if (locks == 0 || !of_values()) return difference;
    for (std::size_t a = 0; a < key_.size(); ++a)
      if (locks_.has(locks, a)) difference += weights_[keys_[c][a]] - weights_.lightest(keys_[c][a]);
    return difference;
  }

  /// Raises the bound by the tuples that the locks leave apart: to what the best division of the class alone would
  /// cost, if they are few. False if it is as before.
  bool refine(std::uint32_t variant) {
    if (std::exchange(variants_[variant].refined, true)) return false;
    const Sum before = variants_[variant].bound;
    variants_[variant].bound = refined(variant);
    return variants_[variant].bound != before;
  }

 private:
  Sum refined(std::uint32_t variant) {
    const std::uint32_t c = variants_[variant].of;
    const Locks locks = variants_[variant].locks;
    const Sum excess = variants_[variant].excess, bound = variants_[variant].bound;
    const bool strong = problem_->bounds == Bounds::strong, solvable = strong && classes_[c].count <= most_grouped;
    if (!solvable && (of_values() || locks == 0)) return bound;
    Sum best = classes_[c].published + classes_[c].kept * excess, floor = bound;
    if (strong && classes_[c].count == 2) {
      const Part one{members(c)[0], true}, other{members(c)[1], true};
      if (!impossible(one) && !impossible(other))
        best = std::min(best, apart(c, locks, excess, one) + apart(c, locks, excess, other));
      return std::max(floor, best);
    }
    const Sum fixed = look(c, locks) + excess;
    const bool counted = !of_values() && locks != 0;
    if (!groups_.group(members(c), open_, counted ? members(c).size() : best_division_.most)) return bound;
    if (counted) floor = std::clamp(classes_at_least(c), floor, best);
    if (best > floor && solvable && groups_.size() <= best_division_.most)
      floor = std::max(floor, best_division_.solve(members(c), groups_, open_, fixed));
    return floor;
  }

  /// Classes of more tuples, before locks make them fewer, are large.
  static constexpr std::size_t most_grouped = 1024;

  struct Class {
    std::size_t begin;  // of its tuples
    std::uint32_t count;
    std::uint32_t variants;  // the latest of them
    std::int64_t records, kept, suppressed, least, scattered;
    Sum published, floor;  // what it costs as it is, and at least if the loss is not one of values
    Locks parting;         // the attributes that divide it
    bool impossible;
    bool laid_out;  // its tuples lie as its parts have them, which share them
  };

  std::span<const std::uint32_t> members(std::uint32_t c) const {
    return {members_.data() + classes_[c].begin, classes_[c].count};
  }

  /// Sets `open_` to the attributes that divide a class under locks, and returns the price of all others.
  Sum look(std::uint32_t c, Locks locks) {
    open_.clear();
    Sum fixed = 0;
    for (std::size_t a = 0; a < key_.size(); ++a)
      if (tree_->leaf(keys_[c][a]) || locks_.has(locks, a))
        fixed += weights_[keys_[c][a]];
      else
        open_.push_back(a);
    return fixed;
  }

  /// What a part costs that is divided from class c and stays as it is.
  Sum apart(std::uint32_t c, Locks locks, Sum excess, const Part& part) {
    return cost(part) + kept(part) * (excess + dearer(c, locks, part));
  }

  ClassCost<Sum> measured(std::uint32_t c) const {
    const Class& of = classes_[c];
    return {of.records, of.kept, of.suppressed, 0, of.least, of.impossible};
  }

  /// A loss of values, the open ones at their lowest.
  Sum values_at_least(std::uint32_t c, Locks locks, Sum excess) const {
    Sum price = excess;
    for (std::size_t a = 0; a < key_.size(); ++a)
      price += locks_.has(locks, a) ? weights_[keys_[c][a]] : weights_.lightest(keys_[c][a]);
    return prices_.at_least(measured(c), price, 0, {});
  }

  /// Any other loss, by the tuples that are grouped.
  Sum classes_at_least(std::uint32_t c) {
    sizes_.clear();
    if (problem_->loss.metric == Metric::classification)
      return prices_.at_least(measured(c), 0, prices_.minorities(members(c), groups_), sizes_);
    if (prices_.reads_sizes(classes_[c].least)) {
      sizes_.assign(groups_.records().begin(), groups_.records().end());
      std::ranges::sort(sizes_, std::greater<>());
    }
    Sum plain = 0;
    for (const std::int64_t size : groups_.records()) plain += static_cast<Sum>(size) * size;
    return prices_.at_least(measured(c), 0, plain, sizes_);
  }

  /// The same of a class of these tuples when nothing is locked.
  Sum unlocked_at_least(const ClassCost<Sum>& of, std::span<const std::uint32_t> members) {
    if (of_values()) return 0;
    Sum plain = 0;
    each_prefetched(
        members, [&](std::uint32_t t) { prefetch_line(plain_.data() + t); },
        [&](std::size_t, std::uint32_t t) { plain += plain_[t]; });
    sizes_.clear();
    if (prices_.reads_sizes(of.least)) {
      for (const std::uint32_t t : members) sizes_.push_back(tuples_.records(t));
      // They fall, unless the tuples lie as the parts of a class had them that was divided in another way before.
      if (!std::ranges::is_sorted(sizes_, std::greater<>())) std::ranges::sort(sizes_, std::greater<>());
    }
    return prices_.at_least(of, 0, plain, sizes_);
  }

  /// The class of these tuples, all of them below `key_`; they are `at` their place already, or are added there.
  Part part_of(std::span<const std::uint32_t> members, std::size_t at) {
    if (members.size() == 1) return {members.front(), true};
    tuples_.span(members, least_, most_);
    Sum at_most = 0;
    for (std::size_t a = 0; a < key_.size(); ++a) {
      key_[a] = tree_->join(least_[a], most_[a]);
      at_most += weights_[key_[a]];
    }
    keys_.prefetch_slot(key_);
    const ClassCost<Sum> of = prices_.measure(members);  // while its number is prefetched; most classes are new
    const auto [id, fresh] = keys_.place(key_);
    if (!fresh) return {id, false};
    Locks parting = 0;
    for (std::size_t a = 0; a < key_.size(); ++a)
      if (!tree_->leaf(key_[a])) parting = locks_.with(parting, a);
    std::int64_t scattered = of.records;
    if (even() && excess_matters()) {
      scattered = 0;
      each_prefetched(
          members, [&](std::uint32_t t) { singles_.prefetch(t); },
          [&](std::size_t, std::uint32_t t) { scattered += singles_[t].kept; });
    }
    classes_.push_back({at, static_cast<std::uint32_t>(members.size()), none, of.records, of.kept, of.suppressed,
                        of.least, scattered, of.kept * at_most + of.fixed, unlocked_at_least(of, members), parting,
                        of.impossible, false});
    if (at == members_.size()) members_.insert(members_.end(), members.begin(), members.end());
    return {id, false};
  }

  const Problem* problem_;
  const Tree* tree_;
  std::shared_ptr<const Tuples> shared_;
  const Tuples& tuples_;
  Prices<Sum> prices_;
  Weights<Sum> weights_;
  std::vector<Sum> plain_;  // what tuples cost by themselves that suppress nothing, if the loss is not one of values
  TupleCosts<Sum> singles_;
  BestDivision<Sum> best_division_;
  TupleGroups groups_;
  ChildGroups children_;
  LockSets locks_;
  KeyTable keys_;
  std::vector<Class> classes_;
  std::vector<Variant> variants_;
  std::vector<std::uint32_t> members_;
  Division division_;
  std::vector<std::size_t> open_;
  std::vector<std::int64_t> sizes_;
  std::vector<std::uint32_t> key_, least_, most_;
};

}  // namespace sfumato::cuts

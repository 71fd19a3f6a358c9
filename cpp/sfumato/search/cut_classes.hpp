// The graph of classes: every class that some cut can have, made once and found again, with its price and its bound.
//
// A class is known by a node per attribute, the lowest one above its records. So specialising a value divides only the
// classes that really part there. Locking a value changes no class: the records are the same, and so is what is
// suppressed of them. What changes is how they can still be divided, and what they cost at least: a class is on `offer`
// under the attributes that are locked. If none is left that could divide it, its cost is settled.
//
// A value may be locked above the node that a class has there. That makes each published record dearer by the
// difference, the `excess` of the offer, and changes nothing else. (If all records are published, it is added up
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

#include "sfumato/search/cut_alone.hpp"
#include "sfumato/search/cut_few.hpp"
#include "sfumato/search/cut_groups.hpp"
#include "sfumato/search/cut_locks.hpp"
#include "sfumato/search/cut_prices.hpp"
#include "sfumato/search/cut_tree.hpp"
#include "sfumato/search/cut_tuples.hpp"
#include "sfumato/search/key_table.hpp"

namespace sfumato {

template <class Sum>
class CutClasses {
 public:
  CutClasses(const CutProblem& problem, const CutTree& tree, std::shared_ptr<const CutTuples> tuples)
      : problem_(&problem),
        tree_(&tree),
        shared_(std::move(tuples)),
        tuples_(*shared_),
        prices_(problem, tuples_),
        alone_(tuples_, weight_, prices_),
        few_(tree, tuples_, weight_, prices_),
        groups_(tuples_),
        locks_(tree.attributes()),
        keys_(tree.attributes()),
        key_(tree.attributes()),
        least_(tree.attributes()),
        most_(tree.attributes()),
        slot_(tree.size(), 0) {
    weight_.assign(tree.size(), 0);
    if (of_values())
      for (std::uint32_t v = 0; v < tree.size(); ++v) weight_[v] = static_cast<Sum>(weight_of(problem, tree[v]));
    if (!of_values())
      for (std::uint32_t t = 0; t < tuples_.size(); ++t) plain_.push_back(prices_.plain(t));
    lightest_ = weight_;
    for (std::uint32_t v = tree.size(); v-- > 0;)
      if (!tree.leaf(v))
        lightest_[v] =
            lightest_[*std::ranges::min_element(tree.children(v), {}, [&](std::uint32_t w) { return lightest_[w]; })];
    for (std::size_t a = 0; a < tree.attributes(); ++a)
      for (std::uint32_t v = tree.first(a); v < tree.first(a + 1); ++v)
        even_ &= !tree.leaf(v) || weight_[v] == lightest_[tree.root(v)];
  }

  /// Part of a division: a class of several tuples, or a tuple alone.
  struct Piece {
    std::uint32_t id;
    bool single;
  };

  struct Division {
    std::vector<std::uint32_t> kids, singles;
    Sum alone = 0;                    // what the single tuples cost
    std::int64_t kept = 0, gone = 0;  // what is published of them, and what is suppressed
    bool impossible = false;
  };

  struct alignas(64) Offer {  // in one line of memory
    std::uint32_t of, next;   // its class, and an earlier offer of it
    Locks locks;              // among the attributes that could divide it
    Sum excess, bound;
    std::int64_t scattered;  // what would be published of its class if each of the tuples were alone
    Sum divides, locks_up;   // how much the bound rises at least when it is divided at `attribute`, or locked there
    std::uint32_t hint;      // the offer that it became when last it was locked
    std::uint16_t attribute;
    bool refined;
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
    for (std::uint32_t g = 0; g < members.size(); ++g) {
      std::ranges::copy(groups[g], key_.begin());
      pieces.push_back(piece(members[g], members_.size()));
    }
    return pieces;
  }

  Sum weight(std::uint32_t v) const { return weight_[v]; }
  Sum lightest(std::uint32_t v) const { return lightest_[v]; }
  /// Whether all leaves below a root weigh the same: then it does not matter which tuples are published, but how many
  /// records.
  bool even() const { return even_; }
  bool of_values() const { return problem_->loss.metric == CutMetric::values; }
  /// Whether what the values of a class cost depends on what is suppressed of it.
  bool excess_matters() const {
    return of_values() &&
           (problem_->scheme == CutScheme::violating_records || problem_->scheme == CutScheme::all_records);
  }
  CutLocks& locks() { return locks_; }
  const CutTuples& tuples() const { return tuples_; }

  std::span<const std::uint32_t> key(const Piece& of) const { return of.single ? tuples_.key(of.id) : keys_[of.id]; }
  bool impossible(const Piece& of) { return of.single ? alone_[of.id].impossible : classes_[of.id].impossible; }
  std::int64_t records(std::uint32_t c) const { return classes_[c].records; }
  /// What is suppressed of a class at least.
  std::int64_t least_gone(std::uint32_t c) const { return classes_[c].least; }

  // What is published and suppressed of a class, or of a tuple alone, that nothing divides any more, and its cost.
  std::int64_t kept(const Piece& of) { return of.single ? alone_[of.id].kept : classes_[of.id].kept; }
  std::int64_t scattered(std::uint32_t c) const { return classes_[c].scattered; }
  std::int64_t gone(const Piece& of) { return of.single ? alone_[of.id].gone : classes_[of.id].gone; }
  Sum cost(const Piece& of) { return of.single ? alone_[of.id].cost : classes_[of.id].published; }

  std::size_t bytes() const {
    const auto sharing = static_cast<std::size_t>(shared_.use_count());
    return tuples_.bytes() / sharing + alone_.bytes() + keys_.bytes() + classes_.capacity() * sizeof(Class) +
           members_.capacity() * 4 + offers_.capacity() * sizeof(Offer);
  }

  /// The parts of class c when the node it has in attribute a is specialised.
  const Division& divide(std::uint32_t c, std::size_t a) {
    group_by_child(c, a);
    division_.kids.clear();
    division_.singles.clear();
    Division& made = division_;
    made.alone = made.kept = made.gone = 0;
    made.impossible = false;
    const bool first = !std::exchange(classes_[c].laid_out, true);
    const std::size_t place = classes_[c].begin;
    if (first) std::ranges::copy(grouped_, members_.begin() + static_cast<std::ptrdiff_t>(place));
    std::uint32_t begin = 0;
    for (const std::uint32_t end : ends_) {
      std::ranges::copy(keys_[c], key_.begin());
      const Piece found = piece({grouped_.data() + begin, end - begin}, first ? place + begin : members_.size());
      begin = end;
      made.impossible |= impossible(found);
      (found.single ? made.singles : made.kids).push_back(found.id);
      if (!found.single) continue;
      made.alone += cost(found);
      made.kept += kept(found);
      made.gone += gone(found);
    }
    return made;
  }

  /// The paper's bounds, and those that locks do not tighten, are to be shown as they are.
  bool learns() const { return problem_->bounds == CutBounds::strong && problem_->update_bounds; }

  /// What an offer costs at least when it is divided at an attribute, or (as it is) locked there: kept as what its
  /// bound rises. It costs the lesser of the two in any case. False if nothing is kept.
  bool learn(std::uint32_t offer, std::size_t a, bool locked, Sum least) {
    Offer& of = offers_[offer];
    if (!learns() || !of.refined || a > UINT16_MAX) return false;
    if (std::exchange(of.attribute, static_cast<std::uint16_t>(a)) != a) of.divides = of.locks_up = 0;
    const Sum rise = least - of.bound, divides = std::max(of.divides, locked ? 0 : rise),
              locks_up = std::max(of.locks_up, locked ? rise : 0);
    const Sum certain = std::min(divides, locks_up);
    of.bound += certain;
    of.divides = divides - certain;
    of.locks_up = locks_up - certain;
    return true;
  }

  const Offer& operator[](std::uint32_t offer) const { return offers_[offer]; }

  // Asks for what is read soon: of an offer, of the nodes of its class, and step by step of the tuples that dividing it
  // reads.
  void fetch(std::uint32_t offer) const { fetch_soon(offers_.data() + offer); }
  void fetch_key(std::uint32_t offer) const { keys_.fetch(offers_[offer].of); }
  static constexpr std::size_t fetches = 4;
  void fetch(std::uint32_t offer, std::size_t step) const {
    if (step == 0) return fetch(offer);
    const Class& of = classes_[offers_[offer].of];
    if (step == 1) return fetch_soon(&of), fetch_key(offer);
    const std::uint32_t* const first = members_.data() + of.begin;
    if (step == 2) return fetch_soon(first);
    for (const std::uint32_t t : std::span(first, std::min<std::size_t>(of.count, 16))) tuples_.fetch(t);
  }
  static constexpr std::uint32_t none = KeyTable::none;

  /// Class c under locks and at an excess; none if nothing divides it any more. `known`: what it costs at least there.
  std::uint32_t offer(std::uint32_t c, Locks all, Sum excess, Sum known = 0) {
    const Class& of = classes_[c];
    const Locks locks = locks_.both(all, of.parting);
    if (locks == of.parting) return none;
    for (std::uint32_t i = of.offers; i != none; i = offers_[i].next)
      if (offers_[i].locks == locks && offers_[i].excess == excess) return i;
    const auto id = static_cast<std::uint32_t>(offers_.size());
    const Sum published = of.published + of.kept * excess;
    const Sum bound = std::min(published, std::max(known, of_values() ? values_at_least(c, locks, excess) : of.floor));
    offers_.push_back({c, of.offers, locks, excess, bound, of.scattered, 0, 0, none, 0, bound == published});
    classes_[c].offers = id;
    return id;
  }

  /// What becomes of an offer under one lock more, or at another excess; none if nothing divides it any more.
  std::uint32_t locked(std::uint32_t offer, Locks locks, Sum excess) {
    return offers_[offer].hint = this->offer(offers_[offer].of, locks, excess, offers_[offer].bound);
  }

  /// How much dearer the locked values of a class are than the nodes that a part of it has there.
  Sum dearer(std::uint32_t c, Locks locks, const Piece& part) const {
    if (locks == 0 || !of_values()) return 0;
    Sum difference = 0;
    for (std::size_t a = 0; a < key_.size(); ++a)
      if (locks_.has(locks, a)) difference += weight_[keys_[c][a]] - weight_[key(part)[a]];
    return difference;
  }

  /// How much dearer they are than the leaves below, if those are even.
  Sum above_leaves(std::uint32_t c, Locks locks) const {
    Sum difference = 0;
    if (locks == 0 || !of_values()) return difference;
    for (std::size_t a = 0; a < key_.size(); ++a)
      if (locks_.has(locks, a)) difference += weight_[keys_[c][a]] - lightest_[keys_[c][a]];
    return difference;
  }

  /// Raises the bound by the tuples that the locks leave apart: to what the best division of the class alone would
  /// cost, if they are few. False if it is as before.
  bool refine(std::uint32_t offer) {
    if (std::exchange(offers_[offer].refined, true)) return false;
    const Sum before = offers_[offer].bound;
    offers_[offer].bound = refined(offer);
    return offers_[offer].bound != before;
  }

 private:
  Sum refined(std::uint32_t offer) {
    const std::uint32_t c = offers_[offer].of;
    const Locks locks = offers_[offer].locks;
    const Sum excess = offers_[offer].excess, known = offers_[offer].bound;
    const bool strong = problem_->bounds == CutBounds::strong, solvable = strong && classes_[c].count <= grouped;
    if (!solvable && (of_values() || locks == 0)) return known;
    Sum best = classes_[c].published + classes_[c].kept * excess, floor = known;
    if (strong && classes_[c].count == 2) {
      const Piece one{members(c)[0], true}, other{members(c)[1], true};
      if (!impossible(one) && !impossible(other))
        best = std::min(best, apart(c, locks, excess, one) + apart(c, locks, excess, other));
      return std::max(floor, best);
    }
    const Sum fixed = look(c, locks) + excess;
    const bool counted = !of_values() && locks != 0;
    if (!groups_.group(members(c), open_, counted ? members(c).size() : few_.most)) return known;
    if (counted) floor = std::clamp(classes_at_least(c), floor, best);
    if (best > floor && solvable && groups_.size() <= few_.most)
      floor = std::max(floor, few_.solve(members(c), groups_, open_, fixed));
    return floor;
  }

  /// Classes of more tuples, before locks make them fewer, are large.
  static constexpr std::size_t grouped = 1024;

  struct Class {
    std::size_t begin;  // of its tuples
    std::uint32_t count;
    std::uint32_t offers;  // the latest of them
    std::int64_t records, kept, gone, least, scattered;
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
        fixed += weight_[keys_[c][a]];
      else
        open_.push_back(a);
    return fixed;
  }

  /// What a part costs that is divided from class c and stays as it is.
  Sum apart(std::uint32_t c, Locks locks, Sum excess, const Piece& part) {
    return cost(part) + kept(part) * (excess + dearer(c, locks, part));
  }

  Measured<Sum> measured(std::uint32_t c) const {
    const Class& of = classes_[c];
    return {of.records, of.kept, of.gone, 0, of.least, of.impossible};
  }

  /// A loss of values, the open ones at their lowest.
  Sum values_at_least(std::uint32_t c, Locks locks, Sum excess) const {
    Sum price = excess;
    for (std::size_t a = 0; a < key_.size(); ++a)
      price += locks_.has(locks, a) ? weight_[keys_[c][a]] : lightest_[keys_[c][a]];
    return prices_.at_least(measured(c), price, 0, {});
  }

  /// Any other loss, by the tuples that are grouped.
  Sum classes_at_least(std::uint32_t c) {
    sizes_.clear();
    if (problem_->loss.metric == CutMetric::classification)
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
  Sum unlocked_at_least(const Measured<Sum>& of, std::span<const std::uint32_t> members) {
    if (of_values()) return 0;
    Sum plain = 0;
    each_fetched(
        members, [&](std::uint32_t t) { fetch_soon(plain_.data() + t); },
        [&](std::size_t, std::uint32_t t) { plain += plain_[t]; });
    sizes_.clear();
    if (prices_.reads_sizes(of.least))
      for (const std::uint32_t t : members) sizes_.push_back(tuples_.records(t));
    return prices_.at_least(of, 0, plain, sizes_);
  }

  /// Puts the tuples of a class into `grouped_`, those below one child of its node side by side; `ends_`: of each
  /// group.
  void group_by_child(std::uint32_t c, std::size_t a) {
    const std::uint32_t v = keys_[c][a];
    const auto tuples = members(c), child_of = tree_->steps(v);
    met_.clear();
    ends_.clear();
    places_.resize(tuples.size());
    each_fetched(
        tuples, [&](std::uint32_t t) { tuples_.fetch(t); },
        [&](std::size_t i, std::uint32_t t) {
          const std::uint32_t child = child_of[tuples_.leaf(t, a)];
          if (slot_[child] == 0) {
            met_.push_back(child);
            ends_.push_back(0);
            slot_[child] = static_cast<std::uint32_t>(met_.size());
          }
          places_[i] = slot_[child] - 1;
          ++ends_[places_[i]];
        });
    for (const std::uint32_t child : met_) slot_[child] = 0;
    std::uint32_t begin = 0;
    for (std::uint32_t& end : ends_) begin += std::exchange(end, begin);
    grouped_.resize(tuples.size());
    for (std::size_t i = 0; i < tuples.size(); ++i) grouped_[ends_[places_[i]]++] = tuples[i];
  }

  /// The class of these tuples, all of them below `key_`; they are `at` their place already, or are added there.
  Piece piece(std::span<const std::uint32_t> members, std::size_t at) {
    if (members.size() == 1) return {members.front(), true};
    tuples_.span(members, least_, most_);
    Sum at_most = 0;
    for (std::size_t a = 0; a < key_.size(); ++a) {
      key_[a] = tree_->join(least_[a], most_[a]);
      at_most += weight_[key_[a]];
    }
    keys_.fetch_slot(key_);
    const Measured<Sum> of = prices_.measure(members);  // while its number is looked up; few classes are known
    const auto [id, fresh] = keys_.place(key_);
    if (!fresh) return {id, false};
    Locks parting = 0;
    for (std::size_t a = 0; a < key_.size(); ++a)
      if (!tree_->leaf(key_[a])) parting = locks_.with(parting, a);
    std::int64_t scattered = of.records;
    if (even_ && excess_matters()) {
      scattered = 0;
      each_fetched(
          members, [&](std::uint32_t t) { alone_.fetch(t); },
          [&](std::size_t, std::uint32_t t) { scattered += alone_[t].kept; });
    }
    classes_.push_back({at, static_cast<std::uint32_t>(members.size()), none, of.records, of.kept, of.gone, of.least,
                        scattered, of.kept * at_most + of.fixed, unlocked_at_least(of, members), parting, of.impossible,
                        false});
    if (at == members_.size()) members_.insert(members_.end(), members.begin(), members.end());
    return {id, false};
  }

  const CutProblem* problem_;
  const CutTree* tree_;
  std::shared_ptr<const CutTuples> shared_;
  const CutTuples& tuples_;
  CutPrices<Sum> prices_;
  std::vector<Sum> weight_, lightest_;  // of a node, and of the lightest leaf below it
  bool even_ = true;
  std::vector<Sum> plain_;  // what tuples cost by themselves that suppress nothing, if the loss is not one of values
  CutAlone<Sum> alone_;
  CutFew<Sum> few_;
  CutGroups groups_;
  CutLocks locks_;
  KeyTable keys_;
  std::vector<Class> classes_;
  std::vector<Offer> offers_;
  std::vector<std::uint32_t> members_;
  Division division_;
  std::vector<std::size_t> open_;
  std::vector<std::int64_t> sizes_;
  std::vector<std::uint32_t> key_, least_, most_, slot_, met_, ends_, places_, grouped_;
};

}  // namespace sfumato

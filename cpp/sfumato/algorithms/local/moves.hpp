// Moves of a local search: some classes are split anew together, or a generalised tuple is opened as a class that pulls
// in records which pay more elsewhere. Classes left violating take records back or are dissolved.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sfumato/algorithms/local/neighbours.hpp"
#include "sfumato/algorithms/local/partition.hpp"
#include "sfumato/algorithms/local/random.hpp"
#include "sfumato/algorithms/local/space.hpp"
#include "sfumato/algorithms/local/split.hpp"
#include "sfumato/algorithms/local/validity.hpp"

namespace sfumato::local {

class Moves {
 public:
  Moves(Space& space, Partition& partition, Random& random)
      : space_(space),
        partition_(partition),
        random_(random),
        validity_(space.problem()),
        split_(space, validity_),
        neighbours_(space),
        recreating_(std::min(0.5, 5.0 / static_cast<double>(space.problem().least))) {}

  /// One random move; it is taken back if it costs more, unless by as little as a random number with the mean `warmth`.
  void step(double warmth) {
    const Cost before = partition_.total();
    if (!(random_.share() < recreating_ ? recreate(random_.below(4) > 0) : open())) return partition_.rollback();
    const double worse = static_cast<double>(partition_.total() - before);
    const bool accepted = worse <= 0 || (warmth > 0 && random_.share() < std::exp(-worse / warmth));
    accepted ? partition_.commit() : partition_.rollback();
  }

 private:
  std::uint32_t any_class() { return partition_.live()[random_.below(partition_.live().size())]; }

  const Member& any_member(std::uint32_t slot) {
    const Members& members = partition_.members(slot);
    return members[random_.below(members.size())];
  }

  // --- ruin and recreate

  bool recreate(bool gathered) {
    const std::uint32_t first = any_class();
    chosen_.assign(1, first);
    const std::size_t wanted = 1 + random_.below(5);
    for (std::size_t tries = 0; tries < 4 * wanted && chosen_.size() <= wanted; ++tries) {
      const auto near = neighbours_.of(any_member(chosen_[random_.below(chosen_.size())]).item);
      if (near.empty()) return false;
      const auto& places = partition_.places(near[random_.below(near.size())]);
      const std::uint32_t slot = places[random_.below(places.size())].slot;
      if (std::ranges::find(chosen_, slot) == chosen_.end()) chosen_.push_back(slot);
    }
    if (chosen_.size() < 2) return false;
    pool_.clear();
    for (const std::uint32_t slot : chosen_)
      for (const Member& member : partition_.members(slot)) pool_.push_back({{member.item, member.copies}, slot});
    if (pool_.size() > largest_pool_) return false;
    std::ranges::sort(pool_, {}, [](const Pooled& one) { return std::pair(one.member.item, one.slot); });
    Members merged;
    for (const Pooled& one : pool_) {
      if (!merged.empty() && merged.back().item == one.member.item)
        merged.back().copies += one.member.copies;
      else
        merged.push_back(one.member);
    }
    parts_.clear();
    if (gathered && size_of(merged) / space_.problem().least <= most_parts_) {
      if (!gather(std::move(merged))) return false;
    } else {
      split_.all(
          std::move(merged), random_.share() * 0.6, random_, [&](Members part) { parts_.push_back(std::move(part)); },
          [] { return true; });
    }
    distribute();
    return true;
  }

  /// Classes from the bottom: a random record and those nearest to it, as long as there are enough; what is left joins
  /// them.
  bool gather(Members left) {
    const std::int64_t least = space_.problem().least;
    std::int64_t size = size_of(left);
    const std::size_t width = space_.attributes();
    tops_.clear();
    while (size >= least && !left.empty()) {
      const std::size_t seed = random_.below(left.size());
      Members part;
      joined_.resize(width);
      for (std::size_t a = 0; a < width; ++a) joined_[a] = space_.leaf(a, left[seed].item);
      std::int64_t own = take(left, seed, part, least);
      while (!validity_.holds(part, own)) {
        if (left.empty()) return false;
        std::size_t best = 0;
        std::int64_t price = std::numeric_limits<std::int64_t>::max();
        const std::size_t start = random_.below(left.size());
        for (std::size_t n = 0, u = start; n < left.size(); ++n, u = u + 1 == left.size() ? 0 : u + 1)
          if (const std::int64_t each = joint(joined_, left[u].item); each < price) best = u, price = each;
        for (std::size_t a = 0; a < width; ++a)
          joined_[a] = space_.join(a, joined_[a], space_.leaf(a, left[best].item));
        own += take(left, best, part, least - own);
      }
      size -= own;
      parts_.push_back(std::move(part));
      tops_.insert(tops_.end(), joined_.begin(), joined_.end());
    }
    for (const Member& member : left) join_part(member);
    for (const Members& part : parts_)
      if (!validity_.counts_only() && !validity_.holds(part, size_of(part))) return false;
    return true;
  }

  /// What a record costs at the lowest tuple above another one and an item.
  std::int64_t joint(std::span<const std::uint32_t> tuple, std::uint32_t item) const {
    std::int64_t each = 0;
    for (std::size_t a = 0; a < tuple.size(); ++a)
      each += space_.cost(a, space_.join(a, tuple[a], space_.leaf(a, item)));
    return each;
  }

  /// Takes as many copies as there are, up to `most`, at least one.
  static std::int64_t take(Members& left, std::size_t u, Members& part, std::int64_t most) {
    const std::uint32_t copies = static_cast<std::uint32_t>(std::clamp<std::int64_t>(most, 1, left[u].copies));
    part.push_back({left[u].item, copies});
    if ((left[u].copies -= copies) == 0) left[u] = left.back(), left.pop_back();
    return copies;
  }

  void join_part(const Member& member) {
    const std::size_t width = space_.attributes();
    std::size_t best = 0;
    Cost price = no_cost;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const auto top = std::span(tops_).subspan(p * width, width);
      const std::int64_t before = space_.each(top), after = joint(top, member.item);
      const Cost more = Cost{size_of(parts_[p])} * (after - before) + Cost{member.copies} * after;
      if (more < price) best = p, price = more;
    }
    const auto top = std::span(tops_).subspan(best * width, width);
    for (std::size_t a = 0; a < width; ++a) top[a] = space_.join(a, top[a], space_.leaf(a, member.item));
    const auto same = std::ranges::find(parts_[best], member.item, &Member::item);
    if (same != parts_[best].end())
      same->copies += member.copies;
    else
      parts_[best].push_back(member);
  }

  /// Moves the pooled records from the old classes to new ones, one for each part.
  void distribute() {
    for (const Members& part : parts_) {
      const std::uint32_t slot = partition_.open();
      for (Member member : part) {
        auto from = std::ranges::lower_bound(pool_, member.item, {}, [](const Pooled& one) { return one.member.item; });
        while (member.copies > 0) {
          const std::uint32_t copies = std::min(member.copies, from->member.copies);
          if (copies > 0) partition_.move(member.item, copies, from->slot, slot);
          from->member.copies -= copies;
          member.copies -= copies;
          ++from;
        }
      }
      partition_.settle(slot);
    }
  }

  /// Raises a node of the tuple by one; an interval becomes up to twice as long.
  void raise() {
    const std::size_t a = random_.below(tuple_.size());
    tuple_[a] = space_.ordered(a) ? wider(a, tuple_[a]) : space_.parent(a, tuple_[a]);
  }

  std::uint32_t wider(std::size_t a, std::uint32_t v) {
    const std::uint32_t first = Space::first(v), last = Space::last(v);
    const auto more = static_cast<std::uint32_t>(1 + random_.below(last - first + 1));
    if (random_.below(2) == 0) return space_.interval(a, first - std::min(first, more), last);
    return space_.interval(a, first, std::min(last + more, space_.top(a)));
  }

  /// A node above a leaf, and below another one.
  std::uint32_t between(std::size_t a, std::uint32_t leaf, std::uint32_t top) {
    if (space_.ordered(a)) {
      const std::uint32_t at = Space::first(leaf);
      const auto left = static_cast<std::uint32_t>(random_.below(at - Space::first(top) + 1));
      const auto right = static_cast<std::uint32_t>(random_.below(Space::last(top) - at + 1));
      return space_.interval(a, at - left, at + right);
    }
    std::uint32_t v = leaf;
    for (std::size_t up = random_.below(space_.depth(a, leaf) - space_.depth(a, top)); up > 0; --up)
      v = space_.parent(a, v);
    return v;
  }

  // --- open a tuple

  bool open() {
    const std::uint32_t slot = any_class();
    if (partition_.each(slot) == 0) return false;
    const std::uint32_t item = any_member(slot).item;
    if (!draw(item, slot)) return false;
    return pull(space_.each(tuple_));
  }

  /// A tuple above an item that costs less than its class: below the class in some attributes, above it in few.
  bool draw(std::uint32_t item, std::uint32_t slot) {
    const auto own = partition_.tuple(slot);
    tuple_.assign(own.begin(), own.end());
    const std::int64_t limit = partition_.each(slot);
    if (random_.below(2) == 0) {
      // The join with a few other items that are near.
      const auto near = neighbours_.of(item);
      if (near.empty()) return false;
      for (std::size_t a = 0; a < tuple_.size(); ++a) tuple_[a] = space_.leaf(a, item);
      const std::size_t others = 1 + random_.below(3);
      for (std::size_t i = 0; i < others; ++i) {
        const std::uint32_t other = near[random_.below(near.size())];
        joined_ = tuple_;
        for (std::size_t a = 0; a < tuple_.size(); ++a) joined_[a] = space_.join(a, tuple_[a], space_.leaf(a, other));
        if (space_.each(joined_) < limit) tuple_ = joined_;
      }
    } else {
      if (random_.below(3) == 0) raise();
      for (std::size_t tries = 0; tries < 8 && (tries == 0 || space_.each(tuple_) >= limit); ++tries) {
        const std::size_t a = random_.below(tuple_.size());
        const std::uint32_t leaf = space_.leaf(a, item);
        if (tuple_[a] == leaf) continue;
        tuple_[a] = between(a, leaf, tuple_[a]);
      }
    }
    return space_.each(tuple_) < limit;
  }

  struct Offer {
    std::int64_t pays;
    std::uint32_t item, slot, copies;
  };

  /// Opens the tuple as a class: all that pay more come, and if those are too few, those who lose least by it.
  bool pull(std::int64_t each) {
    space_.covered(tuple_, covered_);
    offers_.clear();
    std::int64_t willing = 0, all = 0;
    for (const std::uint32_t item : covered_)
      for (const auto& place : partition_.places(item)) {
        const std::int64_t pays = partition_.each(place.slot);
        offers_.push_back({pays, item, place.slot, place.copies});
        all += place.copies;
        if (pays > each) willing += place.copies;
      }
    const std::int64_t least = space_.problem().least;
    if (all < least || willing == 0) return false;
    if (willing < least && random_.below(4) != 0) return false;  // rarely worth it
    std::ranges::sort(offers_, [](const Offer& one, const Offer& two) {
      return std::tuple(-one.pays, one.slot, one.item) < std::tuple(-two.pays, two.slot, two.item);
    });
    if (!validity_.counts_only() && !choose_valid()) return false;
    const std::uint32_t slot = partition_.open();
    partition_.publish(slot, tuple_);
    donors_.clear();
    std::int64_t size = 0;
    for (const Offer& offer : offers_) {
      std::uint32_t copies = offer.copies;
      if (offer.pays <= each) {
        if (size >= least) break;
        copies = static_cast<std::uint32_t>(std::min<std::int64_t>(copies, least - size));
      }
      if (donors_.empty() || donors_.back() != offer.slot) donors_.push_back(offer.slot);
      partition_.move(offer.item, copies, offer.slot, slot);
      size += copies;
    }
    std::ranges::sort(donors_);
    donors_.erase(std::ranges::unique(donors_).begin(), donors_.end());
    for (const std::uint32_t donor : donors_)
      if (!repair(donor, slot, each)) return false;
    for (const std::uint32_t changed : partition_.touched()) {
      if (partition_.size(changed) > 0 && !valid(changed)) return false;
      partition_.settle(changed);
    }
    return true;
  }

  /// Where models look at more than the number of records: some of the offers that are a valid class together, all or
  /// those that come first in a random order.
  bool choose_valid() {
    Members part;
    for (const Offer& offer : offers_) part.push_back({offer.item, offer.copies});
    if (validity_.holds(part, size_of(part)) && random_.below(2) == 0) return true;
    std::vector<Offer> single;
    for (const Offer& offer : offers_)
      for (std::uint32_t i = 0; i < offer.copies && single.size() < longest_; ++i)
        single.push_back({std::numeric_limits<std::int64_t>::max(), offer.item, offer.slot, 1});
    for (std::size_t i = single.size(); i > 1; --i) std::swap(single[i - 1], single[random_.below(i)]);
    const bool first = random_.below(2) == 0;
    std::size_t enough = 0;
    part.clear();
    for (std::size_t n = 1; n <= single.size() && !(first && enough > 0); ++n) {
      part.push_back({single[n - 1].item, 1});
      if (validity_.holds(part, static_cast<std::int64_t>(n))) enough = n;
    }
    single.resize(enough);
    offers_ = std::move(single);
    return enough > 0;
  }

  bool valid(std::uint32_t slot) { return validity_.holds(partition_.members(slot), partition_.size(slot)); }

  /// A class that lost records and violates now takes some back, or goes as well: what costs less.
  bool repair(std::uint32_t donor, std::uint32_t slot, std::int64_t each) {
    if (partition_.size(donor) == 0 || valid(donor)) return true;
    const std::int64_t least = space_.problem().least, missing = least - partition_.size(donor);
    plan_.clear();
    Cost dissolved = 0;
    bool can = true;
    for (const Member& member : partition_.members(donor)) {
      std::uint32_t home = Partition::none;
      std::int64_t price = 0;
      partition_.homes(member.item, [&](std::uint32_t other) {
        if (other == donor || (home != Partition::none && partition_.each(other) >= price)) return;
        home = other, price = partition_.each(other);
      });
      if (space_.covers(tuple_, member.item) && (home == Partition::none || each < price)) home = slot, price = each;
      Cost more = home == Partition::none ? no_cost : Cost{member.copies} * price;
      for (const std::uint32_t near : neighbours_.of(member.item))
        for (const auto& place : partition_.places(near)) {
          if (place.slot == donor) continue;
          const std::int64_t before = partition_.each(place.slot),
                             after = joint(partition_.tuple(place.slot), member.item);
          const Cost wider = Cost{partition_.size(place.slot)} * (after - before) + Cost{member.copies} * after;
          if (wider < more) home = place.slot, more = wider;
        }
      if (home == Partition::none) {
        can = false;
        break;
      }
      plan_.push_back({member, home});
      dissolved += more - Cost{member.copies} * partition_.each(donor);
    }
    const Cost kept = Cost{missing} * (partition_.each(donor) - each);
    const bool cheaper = validity_.counts_only() && kept < dissolved && partition_.size(slot) - missing >= least;
    if (!can || cheaper) return give_back(donor, slot);
    for (const Planned& planned : plan_)
      partition_.move(planned.member.item, planned.member.copies, donor, planned.home);
    return true;
  }

  /// Records go back to the class they came from, those first that it covers anyway, until it is valid.
  bool give_back(std::uint32_t donor, std::uint32_t slot) {
    for (const Offer& offer : offers_) {
      if (offer.slot != donor) continue;
      const auto& places = partition_.places(offer.item);
      const auto place = std::ranges::find(places, slot, &Partition::Place::slot);
      if (place == places.end()) continue;
      std::uint32_t copies = std::min(place->copies, offer.copies);
      if (validity_.counts_only())
        copies =
            static_cast<std::uint32_t>(std::min<std::int64_t>(copies, space_.problem().least - partition_.size(donor)));
      if (copies > 0) partition_.move(offer.item, copies, slot, donor);
      if (valid(donor)) return true;
    }
    return false;
  }

  static constexpr std::size_t longest_ = 256;       // records that are tried one by one
  static constexpr std::int64_t most_parts_ = 4096;  // classes of one move, however many records there are
  static constexpr std::size_t largest_pool_ =
      1024;  // items that are split anew together; the time grows with their square

  struct Pooled {
    Member member;
    std::uint32_t slot;
  };
  struct Planned {
    Member member;
    std::uint32_t home;
  };

  Space& space_;
  Partition& partition_;
  Random& random_;
  Validity validity_;
  Split split_;
  Neighbours neighbours_;
  double recreating_;  // how often classes are split anew; where they are large, that takes long and helps little
  Tuple tuple_, joined_, tops_;
  std::vector<std::uint32_t> covered_, chosen_, donors_;
  std::vector<Pooled> pool_;
  std::vector<Members> parts_;
  std::vector<Offer> offers_;
  std::vector<Planned> plan_;
};

}  // namespace sfumato::local

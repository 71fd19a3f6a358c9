// Induced frequencies: a published sensitive value stands for the base values below it, in proportion to their weights.
// H. Tian, W. Zhang, "Extending l-diversity for better data anonymization", ITNG 2009, Definitions 2 to 4.
//
// All is counted in whole numbers. A record with value v adds p(a) D/W(v) to each base value a below v, where W(v) is
// the weight of all of them and D a common multiple of all W(v): so a record adds D altogether.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sfumato/cost.hpp"

namespace sfumato {

/// A hierarchy of sensitive values that occur, and the limits psi(k) of the k most frequent base values of a class.
class InducedLimits {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// parent: of each node; nodes are numbered depth first, the root is 0 and its own parent.
  /// leaf: the node of each base value, depth first. weight: p of each base value; place: which of two equally frequent
  /// ones comes first. information: what each node retains.
  /// psi[k - 1] / scale: the limit of the k most frequent values, for every k where it is below 1.
  InducedLimits(std::vector<std::uint32_t> parent, std::vector<std::uint32_t> leaf, std::vector<std::int64_t> weight,
                std::vector<std::uint32_t> place, std::vector<std::int64_t> information, std::vector<Cost> psi,
                Cost scale, std::int64_t common)
      : parent_(std::move(parent)),
        leaf_(std::move(leaf)),
        place_(std::move(place)),
        weight_(std::move(weight)),
        information_(std::move(information)),
        limit_(std::move(psi)),
        scale_(scale),
        common_(common) {
    const std::size_t nodes = parent_.size();
    if (nodes == 0 || leaf_.size() != weight_.size() || leaf_.size() != place_.size() || information_.size() != nodes)
      throw std::invalid_argument("a hierarchy with a root, and a weight for each base value");
    require_tree();
    first_.assign(nodes, none), end_.assign(nodes, 0), unit_.assign(nodes, 0);
    for (std::size_t a = 0; a < leaf_.size(); ++a)
      for (std::uint32_t v = leaf_[a];; v = parent_[v]) {
        first_[v] = std::min(first_[v], static_cast<std::uint32_t>(a));
        end_[v] = static_cast<std::uint32_t>(a + 1);
        unit_[v] += weight_[a];
        if (v == 0) break;
      }
    for (std::size_t v = 0; v < nodes; ++v) {
      if (unit_[v] <= 0 || common_ % unit_[v] != 0)
        throw std::invalid_argument("every node has a weight that divides all");
      unit_[v] = common_ / unit_[v];
      alike_.push_back(alike(v) ? alike_[parent_[v]] : static_cast<std::uint32_t>(v));
    }
    if (!limit_.empty()) fewest_ = limit_.size() + 1;
    for (std::size_t k = 1; k <= limit_.size(); ++k) {  // k of m values have at least k/m of a class
      const Cost values = (static_cast<Cost>(k) * scale_ + limit_[k - 1] - 1) / limit_[k - 1];
      fewest_ = std::max(fewest_, static_cast<std::size_t>(std::min<Cost>(values, none)));
    }
    for (Cost& limit : limit_) limit *= common_;
  }

  std::size_t nodes() const { return parent_.size(); }
  std::size_t values() const { return leaf_.size(); }
  std::uint32_t parent(std::uint32_t v) const { return parent_[v]; }
  std::uint32_t leaf(std::uint32_t a) const { return leaf_[a]; }
  std::uint32_t first(std::uint32_t v) const { return first_[v]; }
  std::uint32_t end(std::uint32_t v) const { return end_[v]; }
  std::uint32_t place(std::uint32_t a) const { return place_[a]; }
  std::int64_t share(std::uint32_t v, std::uint32_t a) const { return weight_[a] * unit_[v]; }
  std::int64_t information(std::uint32_t v) const { return information_[v]; }
  std::int64_t common() const { return common_; }
  std::size_t limits() const { return limit_.size(); }

  /// The topmost node with the same base values below: both induce the same.
  std::uint32_t alike_node(std::uint32_t v) const { return alike_[v]; }

  /// No class with fewer base values satisfies the limits: k of m values have at least k/m of it.
  std::size_t fewest() const { return fewest_; }

  /// Whether the k most frequent values, `sum` of n records, are within their limit.
  bool admits(std::size_t k, Cost sum, std::int64_t n) const { return sum * scale_ <= limit_[k - 1] * n; }

  /// The fewest records of the most frequent value, D each, that must go until `admits`.
  std::int64_t too_many(std::size_t k, Cost sum, std::int64_t n) const {
    const Cost excess = sum * scale_ - limit_[k - 1] * n, each = Cost{common_} * scale_ - limit_[k - 1];
    return excess <= 0 ? 0 : static_cast<std::int64_t>((excess + each - 1) / each);
  }

 private:
  bool alike(std::size_t v) const { return v > 0 && first_[v] == first_[parent_[v]] && end_[v] == end_[parent_[v]]; }

  /// Nodes, weights and limits are such as can be added up and compared.
  void require_tree() const {
    for (std::size_t v = 0; v < parent_.size(); ++v)
      if (v > 0 ? parent_[v] >= v : parent_[v] != 0) throw std::invalid_argument("parents come before children");
    if (std::ranges::any_of(leaf_, [&](std::uint32_t v) { return v >= parent_.size(); }))
      throw std::invalid_argument("a base value without a node");
    std::int64_t left = std::int64_t{1} << 62;
    for (const std::int64_t weight : weight_) {
      if (weight < 0 || weight > left) throw std::invalid_argument("weights below 2^62 together");
      left -= weight;
    }
    if (common_ < 1 || scale_ < 1 || scale_ > (Cost{1} << 126) / common_ ||
        std::ranges::any_of(limit_, [&](Cost limit) { return limit < 1 || limit >= scale_; }))
      throw std::invalid_argument("limits are shares of a class");
  }

  std::vector<std::uint32_t> parent_, leaf_, place_, first_, end_, alike_;
  std::vector<std::int64_t> weight_, information_, unit_;
  std::vector<Cost> limit_;
  Cost scale_;
  std::int64_t common_;
  std::size_t fewest_ = 1;
};

/// The distribution of one sensitive attribute in a class, while records come and go.
class InducedClass {
 public:
  explicit InducedClass(const InducedLimits& limits)
      : limits_(&limits), count_(limits.nodes(), 0), induced_(limits.values(), 0), seen_(limits.values(), 0) {}

  void clear() {
    for (const std::uint32_t a : present_) induced_[a] = 0, seen_[a] = 0;
    for (const std::uint32_t v : held_) count_[v] = 0;
    present_.clear(), held_.clear();
    size_ = 0;
  }

  /// Records with a published value; fewer than none take some away.
  void add(std::uint32_t v, std::int64_t records) {
    if (count_[v] == 0 && records > 0) held_.push_back(v);
    count_[v] += records;
    size_ += records;
    for (std::uint32_t a = limits_->first(v); a < limits_->end(v); ++a) {
      if (!seen_[a]) seen_[a] = 1, present_.push_back(a);
      induced_[a] += records * limits_->share(v, a);
    }
  }

  std::int64_t size() const { return size_; }
  std::int64_t count(std::uint32_t v) const { return count_[v]; }

  /// The frequencies of the base values that there are, the largest first.
  void falling(std::vector<std::int64_t>& counts) const {
    counts.clear();
    for (const std::uint32_t a : present_)
      if (induced_[a] > 0) counts.push_back(induced_[a]);
    std::ranges::sort(counts, std::greater<>());
  }

  bool diverse() {
    rank();
    Cost sum = 0;
    for (std::size_t k = 1; k <= limits_->limits(); ++k) {
      if (k <= top_.size()) sum += top_[k - 1].first;
      if (!limits_->admits(k, sum, size_)) return false;
    }
    return true;
  }

  /// Whether the values that are left could be diverse at all.
  bool hopeless() const {
    std::size_t values = 0;
    for (const std::uint32_t a : present_) values += induced_[a] > 0;
    return values < limits_->fewest();
  }

  /// The node with records that has the dominant value below it and the fewest other values.
  std::uint32_t holder() const { return holder(dominant()); }

  /// How many records of it can go at once before another value dominates, or the class is diverse. Uses `diverse`.
  std::int64_t run(std::uint32_t v) const {
    const std::uint32_t a = dominant();
    if (limits_->end(v) - limits_->first(v) > 1 || top_.size() < 2) return 1;
    Cost sum = 0;
    std::int64_t needed = 1;
    for (std::size_t k = 1; k <= limits_->limits(); ++k) {
      if (k <= top_.size()) sum += top_[k - 1].first;
      needed = std::max(needed, limits_->too_many(k, sum, size_));
    }
    const auto& [next, b] = top_[1];
    const std::int64_t ahead =
        induced_[a] - next;  // it dominates until it falls behind, or draws level with an earlier one
    const std::int64_t each = limits_->common();
    const std::int64_t longest = limits_->place(a) < limits_->place(b) ? ahead / each + 1 : (ahead + each - 1) / each;
    return std::max<std::int64_t>(1, std::min({needed, longest, count_[v]}));
  }

  /// Takes one record at a time away, of a value below which the dominant one has the largest share, until the class is
  /// diverse; how many of each node is reported. False if nothing of at least `least` records is left.
  template <class Report>
  bool sweep(std::int64_t least, Report report) {
    while (!diverse()) {
      if (hopeless()) return false;
      const std::uint32_t v = holder();
      const std::int64_t records = run(v);
      if (size_ - records < std::max<std::int64_t>(least, 1)) return false;
      add(v, -records);
      report(v, records);
    }
    return size_ >= least && size_ > 0;
  }

  /// Replaces values by their parents, one at a time: the deepest that has the dominant value below it, else the next
  /// dominant; until the class is diverse. Tells each. False if nothing is left to replace.
  template <class Report>
  bool generalise(Report report) {
    while (!diverse()) {
      std::uint32_t v = holder(dominant());
      if (v == 0) v = next_holder();
      if (v == 0) return false;
      const std::uint32_t above = limits_->parent(v);
      add(v, -1);
      add(above, 1);
      report(v);
    }
    return true;
  }

 private:
  using Value = std::pair<std::int64_t, std::uint32_t>;

  bool before(const Value& one, const Value& other) const {
    return one.first > other.first ||
           (one.first == other.first && limits_->place(one.second) < limits_->place(other.second));
  }

  /// The most frequent values, as many as have limits and one more; of equal ones the first.
  void rank() {
    top_.clear();
    const std::size_t most = std::max<std::size_t>(limits_->limits(), 1) + 1;
    for (const std::uint32_t a : present_) {
      const Value value{induced_[a], a};
      if (value.first == 0 || (top_.size() == most && !before(value, top_.back()))) continue;
      if (top_.size() == most) top_.pop_back();
      auto place = top_.end();
      while (place != top_.begin() && before(value, *std::prev(place))) --place;
      top_.insert(place, value);
    }
  }

  std::uint32_t dominant() const { return top_.front().second; }

  std::uint32_t holder(std::uint32_t a) const {
    std::uint32_t v = limits_->leaf(a);
    while (count_[v] == 0 && v != 0) v = limits_->parent(v);
    return v;
  }

  /// Where all records of the dominant value are as general as can be, the next one's that are not.
  std::uint32_t next_holder() const {
    std::vector<Value> order;
    for (const std::uint32_t a : present_)
      if (induced_[a] > 0) order.emplace_back(induced_[a], a);
    std::sort(order.begin(), order.end(), [&](const Value& one, const Value& other) { return before(one, other); });
    for (const auto& [frequency, a] : order)
      if (const std::uint32_t v = holder(a); v != 0) return v;
    return 0;
  }

  const InducedLimits* limits_;
  std::vector<std::int64_t> count_, induced_;  // by node; by base value
  std::vector<std::uint8_t> seen_;
  std::vector<std::uint32_t> present_, held_;  // base values and nodes that ever had records
  std::vector<Value> top_;
  std::int64_t size_ = 0;
};

}  // namespace sfumato

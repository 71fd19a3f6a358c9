// GenSearch and steepest Mondrian: partitions into boxes.
#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "any_problem.hpp"
#include "fuzz.hpp"
#include "naive.hpp"
#include "sfumato/algorithms/boxes/gen_search.hpp"

using namespace sfumato;
using namespace sfumato::testing;

namespace {

constexpr Size few{.attributes = {1, 1}, .values = {1, 1}, .height = {0, 0}, .combinations = {1, 8}};

/// A taxonomy over cells: nodes from `at` on divide a range of them.
void divide(Random& random, boxes::Axis& axis, std::uint32_t first, std::uint32_t last, int depth) {
  const std::size_t at = axis.first.size();
  axis.first.push_back(first), axis.last.push_back(last), axis.children.emplace_back();
  if (first == last) return;
  if (depth > 2) {
    for (std::uint32_t cell = first; cell <= last; ++cell) {
      axis.children[at].push_back(static_cast<std::uint32_t>(axis.first.size()));
      axis.first.push_back(cell), axis.last.push_back(cell), axis.children.emplace_back();
    }
    return;
  }
  for (std::uint32_t from = first; from <= last;) {
    std::uint32_t to = random.between(from, last);
    if (from == first && to == last) to = last - 1;  // two children at least
    axis.children[at].push_back(static_cast<std::uint32_t>(axis.first.size()));
    divide(random, axis, from, to, depth + 1);
    from = to + 1;
  }
}

struct Drawn {
  explicit Drawn(Random& random) : frequencies(drawn_frequencies(random)), problem{frequencies, {}, {}, {}, {}} {
    metric(random);
    for (int i = random.between(1, 3); i > 0; --i) attribute(random);
    models(random);
    price_suppression(random);
    problem.priority = static_cast<boxes::Priority>(random.below(3));
    problem.way = static_cast<boxes::Method>(random.below(3));
    if (random.below(4) == 0) problem.optima = random.between<std::size_t>(2, 4);
    if (random.below(8) == 0) problem.factor_numerator = random.between(11, 20), problem.factor_denominator = 10;
  }
  Drawn(const Drawn&) = delete;
  Drawn& operator=(const Drawn&) = delete;

  Frequencies frequencies;
  boxes::Problem problem;

 private:
  static Frequencies drawn_frequencies(Random& random) {
    Frequencies frequencies = random_frequencies(random, few);
    const std::int64_t times = some_times(random, frequencies.records());
    return times > 1 ? scaled(frequencies, times) : frequencies;
  }

  void metric(Random& random) {
    problem.metric = static_cast<boxes::Metric>(random.below(4));
    if (problem.metric != boxes::Metric::minority) return;
    if (frequencies.sensitive().empty())
      problem.metric = boxes::Metric::square;
    else
      problem.target = random.below(frequencies.sensitive().size());
  }

  bool priced() const { return problem.metric == boxes::Metric::sum || problem.metric == boxes::Metric::product; }

  void attribute(Random& random) {
    boxes::Attribute attribute{static_cast<std::uint32_t>(problem.axes.size())};
    switch (random.below(4)) {
      case 0: return set_of_values(random, attribute);
      case 1: taxonomy(random, attribute); break;
      default: order(random, attribute);
    }
    const std::uint32_t cells = problem.axes.back().cells;
    problem.cells.push_back(cells < 100 ? random_codes(random, frequencies.size(), cells) : far_apart(random, cells));
    problem.attributes.push_back(std::move(attribute));
  }

  /// Cells of a long order: at its ends, and around its middle.
  std::vector<std::uint32_t> far_apart(Random& random, std::uint32_t cells) {
    std::vector<std::uint32_t> column;
    for (std::size_t i = 0; i < frequencies.size(); ++i)
      column.push_back(random.one_of<std::uint32_t>({0, 1, cells / 2, cells / 2 + 1, cells - 2, cells - 1}));
    return column;
  }

  void set_of_values(Random& random, boxes::Attribute& attribute) {
    attribute.axes = random.between(2u, 3u);
    const std::vector<std::uint32_t> value = random_codes(random, frequencies.size(), attribute.axes);
    for (std::uint32_t v = 0; v < attribute.axes; ++v) {
      problem.axes.push_back({2});
      problem.cells.emplace_back();
      for (const std::uint32_t one : value) problem.cells.back().push_back(one == v);
    }
    attribute.price = rising(random, attribute.axes + 1);
    problem.attributes.push_back(std::move(attribute));
  }

  void taxonomy(Random& random, boxes::Attribute& attribute) {
    boxes::Axis axis{random.between(1u, 6u), true};
    divide(random, axis, 0, axis.cells - 1, 0);
    const std::vector<Cost> by_cells = rising(random, axis.cells + 1);
    for (std::size_t node = 0; node < axis.first.size(); ++node)
      attribute.price.push_back(by_cells[axis.last[node] - axis.first[node] + 1]);
    if (random.below(6) == 0) {
      const std::uint32_t least = random.between(1u, 3u);
      for (std::size_t node = 0; node < axis.first.size(); ++node)
        attribute.wide.push_back(axis.last[node] - axis.first[node] + 1 >= least);
    }
    problem.axes.push_back(std::move(axis));
  }

  void order(Random& random, boxes::Attribute& attribute) {
    boxes::Axis axis{random.between(1u, 6u)};
    if (random.below(64) == 0) axis.cells = random.one_of<std::uint32_t>({254, 255, 256, 257});
    if (!priced() && random.below(4096) == 77) axis.cells = random.one_of<std::uint32_t>({65'534, 65'535, 65'536});
    axis.missing = axis.cells > 1 && random.below(4) == 0;
    if (priced()) attribute.price = rising(random, axis.cells + 1);
    if (axis.cells < 100 && random.below(6) == 0) {
      const std::uint32_t least = random.between(0u, 2u);
      for (std::uint32_t low = 0; low < axis.cells; ++low) attribute.reach.push_back(low + least);
    }
    problem.axes.push_back(axis);
  }

  /// What a record pays by the number of cells: one each where prices are multiplied.
  std::vector<Cost> rising(Random& random, std::size_t places) {
    std::vector<Cost> prices(places);
    if (problem.metric == boxes::Metric::product) {
      std::iota(prices.begin(), prices.end(), Cost{0});
      return prices;
    }
    const Cost unit = Cost{1} << random.one_of<int>({0, 0, 0, 20, 60, 78});
    Cost price = random.below(2) * unit;
    for (std::size_t i = 1; i < places; ++i) prices[i] = std::exchange(price, price + random.below(3) * unit);
    return prices;
  }

  void models(Random& random) {
    const std::int64_t k = random.below(16) == 0          ? std::max<std::int64_t>(edge(random), 1)
                           : frequencies.counts()[0] > 10 ? frequencies.records() / random.between(1, 4) + 1
                                                          : random.between(1, 5);
    problem.models = {std::make_shared<KAnonymity>(k)};
    problem.least = k;
    problem.counts_only = !frequencies.units();
    const std::size_t columns = frequencies.sensitive().size();
    if (columns == 0 || random.below(2) == 0) return;
    const std::size_t s = random.below(columns);
    problem.models.push_back(random_model(random, random.below(model_kinds), s, records_of(frequencies, s)));
    problem.counts_only = false;
  }

  void price_suppression(Random& random) {
    problem.suppress = random.below(2) == 0;
    problem.suppressed = frequencies.records();
    if (problem.metric == boxes::Metric::minority) problem.suppressed = 1;
    if (priced()) problem.suppressed = random.one_of<Cost>({0, 1, 5, Cost{1} << 40, Cost{1} << 60});
  }
};

/// Where a box is: by axis, its first and its last cell.
using Bounds = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// All boxes that splits lead to, and what they cost at least: by the definition, without bounds. A box is as small as
/// its records allow, but for axes on which its width is limited.
class Naive {
 public:
  static constexpr Cost never = Cost{1} << 125;

  explicit Naive(const boxes::Problem& problem) : problem_(problem), limited_(problem.axes.size(), 0) {
    for (const boxes::Attribute& attribute : problem.attributes)
      for (std::uint32_t a = 0; a < attribute.axes; ++a) limited_[attribute.axis + a] = attribute.limited();
  }

  Cost least() {
    Bounds whole;
    for (const boxes::Axis& axis : problem_.axes) whole.emplace_back(0u, axis.cells - 1);
    return least((1u << problem_.frequencies.size()) - 1, whole);
  }

  struct Verdict {
    bool holds;
    Cost cost;
  };

  /// Combinations as a class, in a box around them.
  Verdict judged(unsigned set, const Bounds& around) const {
    const Bounds box = tight(set, around);
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < problem_.frequencies.size(); ++i)
      if (set >> i & 1) members.push_back(i);
    const OneClass one(problem_.frequencies, members);
    const Cost n = one.size[0];
    bool holds = n >= problem_.least && wide(box);
    for (const auto& model : problem_.models) holds = holds && !one.violates(*model);
    if (!holds) return {false, problem_.suppress ? n * problem_.suppressed : never};
    switch (problem_.metric) {
      case boxes::Metric::square: return {true, n * n};
      case boxes::Metric::minority: {
        const Histogram& labels = one.histograms[problem_.target];
        return {true, n - *std::ranges::max_element(labels.count)};
      }
      default: return {true, n * price(box)};
    }
  }

 private:
  Cost least(unsigned set, const Bounds& around) {
    if (set == 0) return 0;
    const Bounds box = tight(set, around);
    const auto [known, fresh] = known_.try_emplace(box, 0);
    if (!fresh) return known->second;
    Cost best = judged(set, box).cost;
    for (std::size_t a = 0; a < box.size(); ++a) {
      const auto [low, high] = box[a];
      if (low == high) continue;
      const boxes::Axis& axis = problem_.axes[a];
      const bool missing = axis.missing && high + 1 == axis.cells;
      if (axis.tree) {
        const std::uint32_t node = axis.node(low, high);
        Cost sum = 0;
        for (const std::uint32_t child : axis.children[node])
          sum = added(sum, part(set, box, a, axis.first[child], axis.last[child]));
        best = std::min(best, sum);
      } else if (missing) {
        best = std::min(best, added(part(set, box, a, low, high - 1), part(set, box, a, high, high)));
      } else {
        for (const std::uint32_t cut : limited_[a] ? all(low, high) : problem_.cells[a])
          if (low <= cut && cut < high)
            best = std::min(best, added(part(set, box, a, low, cut), part(set, box, a, cut + 1, high)));
      }
    }
    return known_[box] = best;
  }

  Cost part(unsigned set, Bounds box, std::size_t a, std::uint32_t low, std::uint32_t high) {
    box[a] = {low, high};
    return least(within(set, a, low, high), box);
  }

  static std::vector<std::uint32_t> all(std::uint32_t low, std::uint32_t high) {
    std::vector<std::uint32_t> cells(high - low);
    std::iota(cells.begin(), cells.end(), low);
    return cells;
  }

  static Cost added(Cost one, Cost other) { return std::min(never, one + other); }

  unsigned within(unsigned set, std::size_t a, std::uint32_t low, std::uint32_t high) const {
    unsigned inside = 0;
    for (std::size_t i = 0; i < problem_.frequencies.size(); ++i)
      if (set >> i & 1 && low <= problem_.cells[a][i] && problem_.cells[a][i] <= high) inside |= 1u << i;
    return inside;
  }

  Bounds tight(unsigned set, Bounds box) const {
    for (std::size_t a = 0; a < box.size(); ++a) {
      if (limited_[a]) continue;
      box[a] = {problem_.axes[a].cells, 0};
      for (std::size_t i = 0; i < problem_.frequencies.size(); ++i)
        if (set >> i & 1)
          box[a] = {std::min(box[a].first, problem_.cells[a][i]), std::max(box[a].second, problem_.cells[a][i])};
    }
    return box;
  }

  std::size_t place(const Bounds& box, const boxes::Attribute& attribute) const {
    const boxes::Axis& axis = problem_.axes[attribute.axis];
    const auto [low, high] = box[attribute.axis];
    if (attribute.axes == 1) return axis.tree ? axis.node(low, high) : boxes::length_of(axis, low, high);
    std::size_t values = 0;
    for (std::uint32_t a = 0; a < attribute.axes; ++a) values += box[attribute.axis + a].second;
    return values;
  }

  Cost price(const Bounds& box) const {
    Cost total = problem_.metric == boxes::Metric::product ? 1 : 0;
    for (const boxes::Attribute& attribute : problem_.attributes) {
      const Cost one = attribute.price[place(box, attribute)];
      total = problem_.metric == boxes::Metric::product ? total * one : total + one;
    }
    return total;
  }

  bool wide(const Bounds& box) const {
    return std::ranges::all_of(problem_.attributes, [&](const boxes::Attribute& attribute) {
      if (!attribute.wide.empty()) return attribute.wide[place(box, attribute)] != 0;
      const auto [low, high] = box[attribute.axis];
      return attribute.reach.empty() || high >= attribute.reach[low];
    });
  }

  const boxes::Problem& problem_;
  std::vector<std::uint8_t> limited_;
  std::map<Bounds, Cost> known_;
};

/// A partition has every combination in its box, each box is a class or withheld, and it costs what it is said to.
void check(const boxes::Problem& problem, const Naive& naive, const boxes::Partition& partition) {
  const std::size_t axes = problem.axes.size(), size = partition.withheld.size();
  CHECK_EQUAL(partition.low.size(), size * axes);
  CHECK_EQUAL(partition.box.size(), problem.frequencies.size());
  std::vector<unsigned> sets(size, 0);
  for (std::size_t i = 0; i < partition.box.size(); ++i) {
    CHECK(partition.box[i] < size);
    sets[partition.box[i]] |= 1u << i;
    for (std::size_t a = 0; a < axes; ++a) {
      const std::size_t at = partition.box[i] * axes + a;
      CHECK(partition.low[at] <= problem.cells[a][i] && problem.cells[a][i] <= partition.high[at]);
    }
  }
  Cost cost = 0;
  for (std::size_t box = 0; box < size; ++box) {
    CHECK(sets[box] != 0);
    Bounds bounds;
    for (std::size_t a = 0; a < axes; ++a)
      bounds.emplace_back(partition.low[box * axes + a], partition.high[box * axes + a]);
    const Naive::Verdict verdict = naive.judged(sets[box], bounds);
    CHECK(verdict.holds || problem.suppress);
    CHECK_EQUAL(verdict.holds, partition.withheld[box] == 0);
    cost += verdict.cost;
  }
  CHECK_EQUAL(cost, partition.cost);
}

/// Something in a problem is not as it should be.
void spoil_part(Random& random, boxes::Problem& problem) {
  boxes::Axis& axis = problem.axes[random.below(problem.axes.size())];
  boxes::Attribute& attribute = problem.attributes[random.below(problem.attributes.size())];
  switch (random.below(14)) {
    case 0: axis.cells = random.below(300u); break;
    case 1: axis.tree = !axis.tree; break;
    case 2: axis.missing = !axis.missing; break;
    case 3: return spoil(random, axis.first);
    case 4: return spoil(random, axis.last);
    case 5: return spoil(random, axis.children);
    case 6: return spoil(random, problem.cells);
    case 7: attribute.axis = random.below(5u); break;
    case 8: attribute.axes = random.below(5u); break;
    case 9: attribute.price.push_back(random.between(-1, 3)); break;
    case 10:
      if (!attribute.price.empty()) attribute.price.pop_back();
      break;
    case 11: return spoil(random, attribute.wide);
    case 12: return spoil(random, attribute.reach);
    default: problem.target = random.below<std::size_t>(4);
  }
}

}  // namespace

FUZZ(random) {
  const bool spoiled = random.below(8) == 0;
  const bool exhaustive = random.below(4) == 0, greedy = random.below(6) == 0;
  Drawn drawn(random);
  if (spoiled) spoil_part(random, drawn.problem);
  const boxes::Problem& problem = drawn.problem;
  Control control(some_limits(random));
  const auto made =
      unless_refused([&] { return greedy ? boxes::steepest(problem, control) : boxes::gen_search(problem, control); });
  if (spoiled) return;
  const bool dear = problem.metric == boxes::Metric::sum && drawn.frequencies.counts()[0] > 10;
  CHECK(made || dear);  // more than can be added up
  if (!made) return;
  Naive naive(problem);
  for (const boxes::Partition& partition : made->partitions) check(problem, naive, partition);
  if (greedy) return;
  if (!made->partitions.empty()) CHECK(made->bound <= made->partitions[0].cost);
  if (!exhaustive) return;
  const Cost least = naive.least();
  CHECK(made->bound <= least || least == Naive::never);
  if (!made->partitions.empty()) CHECK(made->partitions[0].cost >= least);
  if (!made->complete) return;
  CHECK_EQUAL(made->partitions.empty(), least == Naive::never);
  if (problem.factor_numerator == problem.factor_denominator && least < Naive::never)
    CHECK_EQUAL(made->partitions[0].cost, least);
}

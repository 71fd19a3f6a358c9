#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "casters.hpp"
#include "sfumato/algorithms/items/anonymization.hpp"
#include "sfumato/algorithms/items/rare_sets.hpp"
#include "watch.hpp"

using namespace sfumato;

namespace {

using Flags = Array<std::uint8_t>;

std::shared_ptr<Baskets> baskets_of(const Array<std::uint32_t>& parent, const Array<std::int64_t>& leaves,
                                    const Array<std::uint64_t>& begin, const Array<std::uint32_t>& items,
                                    const Array<std::int64_t>& weight, std::vector<Cost> cost) {
  using Arrays = std::tuple<Array<std::uint64_t>, Array<std::uint32_t>, Array<std::int64_t>>;
  const auto owner = std::make_shared<const Arrays>(begin, items, weight);
  const RecordsView records{{begin.data(), begin.size()}, {items.data(), items.size()}, {weight.data(), weight.size()}};
  return std::make_shared<Baskets>(ItemTree(copy(parent), copy(leaves)), records, owner, std::move(cost));
}

void require_sizes(std::int64_t k, std::size_t m) {
  if (k < 1 || m < 1) throw nb::value_error("k and m are at least 1");
}

template <class Search>
void bind_search(nb::module_& m, const char* name, Search search) {
  m.def(
      name,
      [search](const std::shared_ptr<Baskets>& baskets, std::int64_t k, std::size_t size, const Flags& closed,
               Control& control, const nb::object& on_progress) {
        require_sizes(k, size);
        const items::Problem problem{*baskets, k, size, copy(closed)};
        return watch(control, on_progress, [&] { return search(problem, control); });
      },
      nb::arg("baskets"), nb::arg("k"), nb::arg("m"), nb::arg("closed"), nb::arg("control"),
      nb::arg("on_progress") = nb::none());
}

/// Clauses that a cut violates: what every valid cut closes one of. None if the cut is valid down to that depth.
/// valid: the nodes that a valid cut closes. What is at or above its nodes is frequent, so that rare sets have a node
/// below them.
std::vector<std::vector<ItemNode>> clauses(const Baskets& baskets, const std::vector<std::uint8_t>& closed,
                                           std::int64_t k, std::size_t m, ItemNode depth, std::size_t most,
                                           std::size_t most_each, const std::vector<std::uint8_t>& valid) {
  const std::vector<ItemNode> published = items::Cut(baskets, valid).image();
  std::vector<std::uint8_t> fresh(valid.size(), 0);
  for (ItemNode v = 0; v < valid.size(); ++v) fresh[v] = published[v] != v ? 1 : 0;
  items::RaiseWhileRare raise(baskets, k);
  std::set<std::vector<ItemNode>> clauses;
  for (const auto& set :
       items::rare_sets(baskets, items::Cut(baskets, closed), depth, k, m, m, most, most_each, fresh).sets)
    for (std::size_t first = 0; first < set.size(); ++first)
      clauses.insert(items::clause_of(baskets.tree, raise(set, first)));
  return {clauses.begin(), clauses.end()};
}

}  // namespace

void bind_transactions(nb::module_& m) {
  nb::class_<Baskets>(m, "Baskets", "Transactions with the tree of their items.")
      .def(nb::new_(&baskets_of), nb::arg("parent"), nb::arg("leaves"), nb::arg("begin"), nb::arg("items"),
           nb::arg("weight"), nb::arg("cost"))
      .def_ro("support", &Baskets::support)
      .def(
          "supported",
          [](const Baskets& baskets, const std::vector<ItemNode>& nodes, std::int64_t enough) {
            if (nodes.empty() || std::ranges::any_of(nodes, [&](ItemNode v) { return v >= baskets.tree.size(); }))
              throw nb::value_error("one node of the tree, or several");
            return baskets.supported(nodes, enough);
          },
          nb::arg("nodes"), nb::arg("enough"))
      .def(
          "cost", [](const Baskets& baskets, const Flags& closed) { return items::Cut(baskets, copy(closed)).cost(); },
          nb::arg("closed"))
      .def(
          "holds",
          [](const Baskets& baskets, const Flags& closed, std::int64_t k, std::size_t size) {
            require_sizes(k, size);
            const items::Cut cut(baskets, copy(closed));
            const nb::gil_scoped_release free;
            return items::is_anonymous(baskets, cut, k, size);
          },
          nb::arg("closed"), nb::arg("k"), nb::arg("m"))
      .def(
          "clauses",
          [](const Baskets& baskets, const Flags& closed, std::int64_t k, std::size_t size, ItemNode depth,
             std::size_t most, std::size_t most_each, const Flags& valid) {
            require_sizes(k, size);
            const std::vector<std::uint8_t> flags = copy(closed), valid_flags = copy(valid);
            if (valid_flags.size() != baskets.tree.size()) throw nb::value_error("a cut of the tree");
            const nb::gil_scoped_release free;
            return clauses(baskets, flags, k, size, depth, most, most_each, valid_flags);
          },
          nb::arg("closed"), nb::arg("k"), nb::arg("m"), nb::arg("depth"), nb::arg("most"), nb::arg("most_each"),
          nb::arg("valid"));

  nb::class_<items::Result>(m, "ItemCutResult")
      .def_ro("complete", &items::Result::complete)
      .def_ro("found", &items::Result::found)
      .def_ro("closed", &items::Result::closed)
      .def_ro("clauses", &items::Result::clauses);

  bind_search(m, "apriori_anonymization", &items::apriori_anonymization);
  bind_search(m, "direct_anonymization", &items::direct_anonymization);
  bind_search(m, "staged_anonymization", &items::staged_anonymization);
  bind_search(m, "optimal_anonymization", &items::optimal_anonymization);
  m.def(
      "count_tree_nodes",
      [](const std::shared_ptr<Baskets>& baskets, std::int64_t k, std::size_t size, const Flags& closed,
         Control& control, bool exact) {
        require_sizes(k, size);
        const items::Problem problem{*baskets, k, size, copy(closed)};
        return watch(control, nb::none(), [&] { return items::count_tree_nodes(problem, exact, control); });
      },
      nb::arg("baskets"), nb::arg("k"), nb::arg("m"), nb::arg("closed"), nb::arg("control"), nb::arg("exact"));
  m.def(
      "diverse_anonymization",
      [](const std::shared_ptr<Baskets>& all, const std::shared_ptr<Baskets>& marked, const Array<std::uint64_t>& begin,
         const Array<std::uint32_t>& sensitive, std::int64_t l, std::size_t size, bool refined, Control& control,
         const nb::object& on_progress) {
        require_sizes(l, size);
        const RecordsView apart{
            {begin.data(), begin.size()}, {sensitive.data(), sensitive.size()}, marked->records.weight};
        const items::DiverseProblem problem{{*all, *marked, apart}, l, size, refined};
        return watch(control, on_progress, [&] { return items::diverse_anonymization(problem, control); });
      },
      nb::arg("all"), nb::arg("marked"), nb::arg("begin"), nb::arg("sensitive"), nb::arg("l"), nb::arg("m"),
      nb::arg("refined"), nb::arg("control"), nb::arg("on_progress") = nb::none());
}

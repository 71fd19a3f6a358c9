#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <tuple>
#include <utility>

#include "casters.hpp"
#include "sfumato/algorithms/sweep/sequential_sweep.hpp"
#include "watch.hpp"

using namespace sfumato;

namespace {

using Columns = std::vector<Array<std::uint32_t>>;

std::vector<std::vector<std::uint32_t>> copies(const Columns& columns) {
  std::vector<std::vector<std::uint32_t>> made;
  for (const auto& column : columns) made.push_back(copy(column));
  return made;
}

}  // namespace

void bind_sweep(nb::module_& m) {
  nb::class_<InducedLimits>(m, "InducedLimits")
      .def(nb::init<std::vector<std::uint32_t>, std::vector<std::uint32_t>, std::vector<std::int64_t>,
                    std::vector<std::uint32_t>, std::vector<std::int64_t>, std::vector<Cost>, Cost, std::int64_t>(),
           nb::arg("parent"), nb::arg("leaf"), nb::arg("weight"), nb::arg("place"), nb::arg("information"),
           nb::arg("psi"), nb::arg("scale"), nb::arg("common"));

  nb::class_<sweep::Result>(m, "SweepResult")
      .def_ro("complete", &sweep::Result::complete)
      .def_prop_ro(
          "depths", [](const sweep::Result& result) { return array(result.depths); }, nb::rv_policy::automatic)
      .def_prop_ro(
          "combination", [](const sweep::Result& result) { return array(result.combination); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "item", [](const sweep::Result& result) { return array(result.item); }, nb::rv_policy::automatic)
      .def_prop_ro(
          "copies", [](const sweep::Result& result) { return array(result.copies); }, nb::rv_policy::automatic)
      .def(
          "node", [](const sweep::Result& result, std::size_t s) { return array(result.node.at(s)); },
          nb::arg("sensitive"));

  m.def(
      "sequential_sweep",
      [](const std::vector<std::tuple<Array<std::uint32_t>, Columns>>& attributes, sweep::Retained retained,
         const Columns& values, const Columns& codes, const Array<std::int64_t>& counts,
         const std::vector<InducedLimits>& sensitive, const Columns& nodes,
         const std::vector<std::shared_ptr<ClassModel>>& models,
         const std::vector<std::tuple<std::uint32_t, Array<std::uint32_t>>>& columns, std::int64_t least,
         std::uint64_t seed, Cost price, Control& control, const nb::object& on_progress) {
        sweep::Problem problem{{},
                               std::move(retained),
                               copies(values),
                               copies(codes),
                               copy(counts),
                               sensitive,
                               copies(nodes),
                               {models.begin(), models.end()},
                               {},
                               least,
                               seed,
                               price};
        for (const auto& [leaf, node] : attributes) problem.attributes.push_back({copy(leaf), copies(node)});
        for (const auto& [different, column] : columns) problem.columns.push_back({different, copy(column)});
        return watch(control, on_progress, [&] { return sweep::sequential_sweep(problem, control); });
      },
      nb::arg("attributes"), nb::arg("retained"), nb::arg("values"), nb::arg("codes"), nb::arg("counts"),
      nb::arg("sensitive"), nb::arg("nodes"), nb::arg("models"), nb::arg("columns"), nb::arg("least"), nb::arg("seed"),
      nb::arg("price"), nb::arg("control"), nb::arg("on_progress") = nb::none());
}

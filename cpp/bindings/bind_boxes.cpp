#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <tuple>
#include <utility>

#include "casters.hpp"
#include "sfumato/algorithms/gen_search.hpp"
#include "watch.hpp"

using namespace sfumato;

namespace {

using Numbers = std::vector<std::uint32_t>;
using AxisParts = std::tuple<std::uint32_t, bool, bool, Numbers, Numbers, std::vector<Numbers>>;
using AttributeParts = std::tuple<std::uint32_t, std::uint32_t, std::vector<Cost>, std::vector<std::uint8_t>, Numbers>;

}  // namespace

void bind_boxes(nb::module_& m) {
  nb::enum_<BoxMetric>(m, "BoxMetric", "What is minimised.")
      .value("SUM", BoxMetric::sum)
      .value("PRODUCT", BoxMetric::product)
      .value("SQUARE", BoxMetric::square)
      .value("MINORITY", BoxMetric::minority);
  nb::enum_<BoxPriority>(m, "BoxPriority", "Which split is looked at first.")
      .value("BOUND", BoxPriority::bound)
      .value("COST", BoxPriority::cost)
      .value("RATIO", BoxPriority::ratio);
  nb::enum_<BoxWay>(m, "BoxWay", "How boxes are gone through.")
      .value("BY_SIZE", BoxWay::by_size)
      .value("SPARSE", BoxWay::sparse)
      .value("DENSE", BoxWay::dense);
  nb::enum_<BoxFault>(m, "BoxFault", "Faults that tests plant in GenSearch, to see that they are noticed.")
      .value("NONE", BoxFault::none)
      .value("BOUND_ONE_TOO_HIGH", BoxFault::bound_one_too_high)
      .value("SPLIT_SKIPPED", BoxFault::split_skipped)
      .value("LEAST_ONE_TOO_HIGH", BoxFault::least_one_too_high);

  nb::class_<BoxProblem>(m, "BoxProblem", "A space of boxes, what a box costs, and what must hold in it.")
      .def(
          "__init__",
          [](BoxProblem* self, const Frequencies& frequencies, const std::vector<Array<std::uint32_t>>& cells,
             const std::vector<AxisParts>& axes, const std::vector<AttributeParts>& attributes,
             const std::vector<std::shared_ptr<ClassModel>>& models, bool counts_only, std::int64_t least,
             BoxMetric metric, std::size_t target, bool suppress, Cost suppressed, BoxPriority priority, Cost upper,
             const std::tuple<std::int64_t, std::int64_t>& factor, std::size_t optima, BoxWay way, BoxFault fault) {
            BoxProblem problem{frequencies,
                               {},
                               {},
                               {},
                               {models.begin(), models.end()},
                               counts_only,
                               least,
                               metric,
                               target,
                               suppress,
                               suppressed,
                               priority,
                               upper,
                               std::get<0>(factor),
                               std::get<1>(factor),
                               optima,
                               way,
                               fault};
            for (const auto& column : cells) problem.cells.push_back(copy(column));
            for (const auto& [count, tree, missing, first, last, children] : axes)
              problem.axes.push_back({count, tree, missing, first, last, children});
            for (const auto& [axis, number, price, wide, reach] : attributes)
              problem.attributes.push_back({axis, number, price, wide, reach});
            new (self) BoxProblem(std::move(problem));
          },
          nb::arg("frequencies"), nb::arg("cells"), nb::arg("axes"), nb::arg("attributes"), nb::arg("models"),
          nb::arg("counts_only"), nb::arg("least"), nb::arg("metric"), nb::arg("target"), nb::arg("suppress"),
          nb::arg("suppressed"), nb::arg("priority"), nb::arg("upper"), nb::arg("factor"), nb::arg("optima"),
          nb::arg("way"), nb::arg("fault"), nb::keep_alive<1, 2>());

  nb::class_<BoxPartition>(m, "BoxPartition")
      .def_prop_ro(
          "box", [](const BoxPartition& found) { return array(found.box); }, nb::rv_policy::automatic)
      .def_prop_ro(
          "low", [](const BoxPartition& found) { return array(found.low); }, nb::rv_policy::automatic)
      .def_prop_ro(
          "high", [](const BoxPartition& found) { return array(found.high); }, nb::rv_policy::automatic)
      .def_prop_ro(
          "withheld", [](const BoxPartition& found) { return array(found.withheld); }, nb::rv_policy::automatic)
      .def_ro("cost", &BoxPartition::cost);
  nb::class_<BoxResult>(m, "BoxResult")
      .def_ro("complete", &BoxResult::complete)
      .def_ro("found", &BoxResult::found)
      .def_ro("bound", &BoxResult::bound);

  const auto search = [&](const char* name, BoxResult (*function)(const BoxProblem&, Control&)) {
    m.def(
        name,
        [function](const BoxProblem& problem, Control& control, const nb::object& on_progress) {
          return watch(control, on_progress, [&] { return function(problem, control); });
        },
        nb::arg("problem"), nb::arg("control"), nb::arg("on_progress") = nb::none());
  };
  search("gen_search", &gen_search);
  search("mondrian", &steepest);
}

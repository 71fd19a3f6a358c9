#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <tuple>
#include <utility>

#include "casters.hpp"
#include "sfumato/algorithms/boxes/gen_search.hpp"
#include "watch.hpp"

using namespace sfumato;

namespace {

using Numbers = std::vector<std::uint32_t>;
using AxisParts = std::tuple<std::uint32_t, bool, bool, Numbers, Numbers, std::vector<Numbers>>;
using AttributeParts = std::tuple<std::uint32_t, std::uint32_t, std::vector<Cost>, std::vector<std::uint8_t>, Numbers>;

void bind_box_kinds(nb::module_& m) {
  nb::enum_<boxes::Metric>(m, "BoxMetric", "What is minimised.")
      .value("SUM", boxes::Metric::sum)
      .value("PRODUCT", boxes::Metric::product)
      .value("SQUARE", boxes::Metric::square)
      .value("MINORITY", boxes::Metric::minority);
  nb::enum_<boxes::Priority>(m, "BoxPriority", "Which split is looked at first.")
      .value("BOUND", boxes::Priority::bound)
      .value("COST", boxes::Priority::cost)
      .value("RATIO", boxes::Priority::ratio);
  nb::enum_<boxes::Method>(m, "BoxWay", "How boxes are gone through.")
      .value("BY_SIZE", boxes::Method::by_size)
      .value("SPARSE", boxes::Method::sparse)
      .value("DENSE", boxes::Method::dense);
}

void bind_box_problem(nb::module_& m) {
  nb::class_<boxes::Problem>(m, "BoxProblem", "A space of boxes, what a box costs, and what must hold in it.")
      .def(
          "__init__",
          [](boxes::Problem* self, const Frequencies& frequencies, const std::vector<Array<std::uint32_t>>& cells,
             const std::vector<AxisParts>& axes, const std::vector<AttributeParts>& attributes,
             const std::vector<std::shared_ptr<ClassModel>>& models, bool counts_only, std::int64_t least,
             boxes::Metric metric, std::size_t target, bool suppress, Cost suppressed, boxes::Priority priority,
             Cost upper, const std::tuple<std::int64_t, std::int64_t>& factor, std::size_t optima, boxes::Method way) {
            boxes::Problem problem{.frequencies = frequencies,
                                   .cells = {},
                                   .axes = {},
                                   .attributes = {},
                                   .models = {models.begin(), models.end()},
                                   .counts_only = counts_only,
                                   .least = least,
                                   .metric = metric,
                                   .target = target,
                                   .suppress = suppress,
                                   .suppressed = suppressed,
                                   .priority = priority,
                                   .upper = upper,
                                   .factor_numerator = std::get<0>(factor),
                                   .factor_denominator = std::get<1>(factor),
                                   .optima = optima,
                                   .way = way};
            for (const auto& column : cells) problem.cells.push_back(copy(column));
            for (const auto& [count, tree, missing, first, last, children] : axes)
              problem.axes.push_back({count, tree, missing, first, last, children});
            for (const auto& [axis, number, price, wide, reach] : attributes)
              problem.attributes.push_back({axis, number, price, wide, reach});
            new (self) boxes::Problem(std::move(problem));
          },
          nb::arg("frequencies"), nb::arg("cells"), nb::arg("axes"), nb::arg("attributes"), nb::arg("models"),
          nb::arg("counts_only"), nb::arg("least"), nb::arg("metric"), nb::arg("target"), nb::arg("suppress"),
          nb::arg("suppressed"), nb::arg("priority"), nb::arg("upper"), nb::arg("factor"), nb::arg("optima"),
          nb::arg("way"), nb::keep_alive<1, 2>());
}

void bind_box_results(nb::module_& m) {
  nb::class_<boxes::Partition>(m, "BoxPartition")
      .def_prop_ro(
          "box", [](const boxes::Partition& partition) { return array(partition.box); }, nb::rv_policy::automatic)
      .def_prop_ro(
          "low", [](const boxes::Partition& partition) { return array(partition.low); }, nb::rv_policy::automatic)
      .def_prop_ro(
          "high", [](const boxes::Partition& partition) { return array(partition.high); }, nb::rv_policy::automatic)
      .def_prop_ro(
          "withheld", [](const boxes::Partition& partition) { return array(partition.withheld); },
          nb::rv_policy::automatic)
      .def_ro("cost", &boxes::Partition::cost);
  nb::class_<boxes::Result>(m, "BoxResult")
      .def_ro("complete", &boxes::Result::complete)
      .def_ro("partitions", &boxes::Result::partitions)
      .def_ro("bound", &boxes::Result::bound);
}

}  // namespace

void bind_boxes(nb::module_& m) {
  bind_box_kinds(m);
  bind_box_problem(m);
  bind_box_results(m);

  const auto search = [&](const char* name, boxes::Result (*function)(const boxes::Problem&, Control&)) {
    m.def(
        name,
        [function](const boxes::Problem& problem, Control& control, const nb::object& on_progress) {
          return watch(control, on_progress, [&] { return function(problem, control); });
        },
        nb::arg("problem"), nb::arg("control"), nb::arg("on_progress") = nb::none());
  };
  search("gen_search", &boxes::gen_search);
  search("mondrian", &boxes::steepest);
}

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <utility>
#include <vector>

#include "casters.hpp"
#include "sfumato/algorithms/cuts/l_plus_optimize.hpp"
#include "watch.hpp"

using namespace sfumato;

static void bind_cut_problem(nb::module_& m) {
  nb::enum_<cuts::Scheme>(m, "CutScheme", "What happens to a class that violates.")
      .value("NONE", cuts::Scheme::none)
      .value("VIOLATING_VALUES", cuts::Scheme::violating_values)
      .value("ALL_VALUES", cuts::Scheme::all_values)
      .value("VIOLATING_RECORDS", cuts::Scheme::violating_records)
      .value("ALL_RECORDS", cuts::Scheme::all_records);
  nb::enum_<cuts::Metric>(m, "CutMetric", "What is minimised.")
      .value("VALUES", cuts::Metric::values)
      .value("DISCERNIBILITY", cuts::Metric::discernibility)
      .value("CLASSIFICATION", cuts::Metric::classification);
  nb::class_<cuts::Loss>(m, "CutLoss", "A loss of cuts, in whole units.")
      .def(
          "__init__",
          [](cuts::Loss* self, cuts::Metric metric, std::vector<std::vector<std::vector<Cost>>> weight, Cost record,
             Cost value,
             std::size_t target) { new (self) cuts::Loss{metric, std::move(weight), record, value, target}; },
          nb::arg("metric"), nb::arg("weight"), nb::arg("record") = 0, nb::arg("value") = 0, nb::arg("target") = 0);

  nb::class_<cuts::Result>(m, "CutResult")
      .def_ro("complete", &cuts::Result::complete)
      .def_ro("cuts", &cuts::Result::cuts)
      .def_ro("costs", &cuts::Result::costs)
      .def_ro("bound", &cuts::Result::bound);
}

void bind_cuts(nb::module_& m) {
  bind_cut_problem(m);

  m.def(
      "l_plus_optimize",
      [](const Frequencies& frequencies, const std::vector<std::shared_ptr<ClassModel>>& models, cuts::Scheme scheme,
         const cuts::Loss& loss, const Node& lowest, const Node& highest, std::int64_t limit, Control& control,
         const nb::object& on_progress, std::size_t top, bool paper_bounds, bool ascending, bool update_bounds,
         std::size_t merging_from, std::size_t tabulating_from) {
        const cuts::Problem problem{.frequencies = frequencies,
                                    .models = {models.begin(), models.end()},
                                    .scheme = scheme,
                                    .loss = loss,
                                    .lowest = lowest,
                                    .highest = highest,
                                    .limit = limit,
                                    .top = top,
                                    .bounds = paper_bounds ? cuts::Bounds::paper : cuts::Bounds::strong,
                                    .order = ascending ? cuts::Order::ascending : cuts::Order::descending,
                                    .update_bounds = update_bounds,
                                    .merging_from = merging_from,
                                    .tabulating_from = tabulating_from};
        return watch(control, on_progress, [&] { return cuts::l_plus_optimize(problem, control); });
      },
      nb::arg("frequencies"), nb::arg("models"), nb::arg("scheme"), nb::arg("loss"), nb::arg("lowest"),
      nb::arg("highest"), nb::arg("limit"), nb::arg("control"), nb::arg("on_progress") = nb::none(), nb::arg("top") = 1,
      nb::arg("paper_bounds") = false, nb::arg("ascending") = false, nb::arg("update_bounds") = true,
      nb::arg("merging_from") = std::size_t{2048}, nb::arg("tabulating_from") = std::size_t{1} << 15);
}

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "casters.hpp"
#include "sfumato/algorithms/lattice_search.hpp"
#include "watch.hpp"

using namespace sfumato;

void bind_algorithms(nb::module_& m) {
  nb::enum_<Fault>(m, "Fault", "Faults that tests plant in a search, to see that they are noticed.")
      .value("NONE", Fault::none)
      .value("BOUND_ONE_TOO_HIGH", Fault::bound_one_too_high)
      .value("NODE_SKIPPED", Fault::node_skipped)
      .value("HOPELESS_TOO_SOON", Fault::hopeless_too_soon);

  nb::class_<LatticeResult>(m, "LatticeResult")
      .def_ro("complete", &LatticeResult::complete)
      .def_ro("found", &LatticeResult::found)
      .def_ro("node", &LatticeResult::node)
      .def_ro("cost", &LatticeResult::cost)
      .def_ro("bound", &LatticeResult::bound)
      .def_ro("suppressed", &LatticeResult::suppressed)
      .def_ro("classes", &LatticeResult::classes)
      .def_ro("examined", &LatticeResult::examined);

  m.def(
      "lattice_search",
      [](const Frequencies& frequencies, const std::vector<std::shared_ptr<ClassModel>>& models,
         const Loss& loss, std::int64_t limit, const Node& bottom, const Node& top, Control& control,
         const nb::object& on_progress, bool log, Fault fault) {
        const LatticeProblem problem{frequencies, {models.begin(), models.end()}, loss, limit, bottom, top, fault, log};
        return watch(control, on_progress, [&] { return lattice_search(problem, control); });
      },
      nb::arg("frequencies"), nb::arg("models"), nb::arg("loss"), nb::arg("limit"), nb::arg("bottom"), nb::arg("top"),
      nb::arg("control"), nb::arg("on_progress") = nb::none(), nb::arg("log") = false, nb::arg("fault") = Fault::none);
}

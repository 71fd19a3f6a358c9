#include <nanobind/stl/vector.h>

#include "casters.hpp"
#include "sfumato/search/control.hpp"
#include "sfumato/search/planted.hpp"

using namespace sfumato;

static void bind_faults(nb::module_& m) {
  nb::enum_<Fault>(m, "Fault", "Faults that tests plant in searches, to see that they are noticed.")
      .value("NONE", Fault::none)
      .value("BOUND_ONE_TOO_HIGH", Fault::bound_one_too_high)
      .value("NODE_SKIPPED", Fault::node_skipped)
      .value("HOPELESS_TOO_SOON", Fault::hopeless_too_soon)
      .value("MARKED_TOO_FAR", Fault::marked_too_far)
      .value("TOO_STRICT", Fault::too_strict)
      .value("SPLIT_SKIPPED", Fault::split_skipped)
      .value("LEAST_ONE_TOO_HIGH", Fault::least_one_too_high)
      .value("CUT_SKIPPED", Fault::cut_skipped)
      .value("TUPLES_SKIPPED", Fault::tuples_skipped);
  m.def(
      "plant", [](Fault fault) { planted = fault; }, nb::arg("fault"),
      "Plants a fault in all searches, or takes it out.");
}

void bind_control(nb::module_& m) {
  bind_faults(m);

  m.attr("NO_COST") = nb::cast(no_cost);

  nb::class_<Progress>(m, "Progress", "How far a search has come.")
      .def_ro("seconds", &Progress::seconds)
      .def_ro("examined", &Progress::examined)
      .def_ro("incumbent", &Progress::incumbent)
      .def_ro("bound", &Progress::bound);

  nb::class_<Control>(m, "Control", "Limits, cancellation, progress and trace of one search.")
      .def(
          "__init__",
          [](Control* self, double seconds, std::int64_t examined, std::size_t memory, int threads) {
            new (self) Control(Limits{seconds, examined, memory, threads});
          },
          nb::arg("seconds"), nb::arg("examined"), nb::arg("memory"), nb::arg("threads"))
      .def("cancel", &Control::cancel)
      .def("examine", &Control::examine, "Claims the right to evaluate one more candidate.")
      .def_prop_ro("interrupted", &Control::interrupted)
      .def("progress", &Control::progress)
      .def("trace", &Control::trace);
}

#include <nanobind/stl/vector.h>

#include "casters.hpp"
#include "sfumato/search/control.hpp"

using namespace sfumato;

void bind_control(nb::module_& m) {
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

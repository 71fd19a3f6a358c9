#include <nanobind/stl/vector.h>

#include "casters.hpp"
#include "sfumato/loss/lm.hpp"

using namespace sfumato;

void bind_loss(nb::module_& m) {
  nb::class_<SeparableLoss>(m, "SeparableLoss", "A loss that adds up over published values.")
      .def("level_costs",
           [](const SeparableLoss& loss, const Frequencies& frequencies,
              const std::vector<std::vector<std::int64_t>>& value_counts) {
             std::vector<Cost> costs;
             loss.level_costs(frequencies, value_counts, costs);
             return costs;
           },
           nb::arg("frequencies"), nb::arg("value_counts"));
  m.def("lm", &lm, nb::arg("frequencies"), nb::arg("unit"), nb::arg("suppressed"));
}

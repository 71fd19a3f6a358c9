#include <nanobind/nanobind.h>

#include "refusals.hpp"

namespace nb = nanobind;

void bind_data(nb::module_&);
void bind_control(nb::module_&);
void bind_privacy(nb::module_&);
void bind_loss(nb::module_&);
void bind_lattice(nb::module_&);
void bind_cuts(nb::module_&);
void bind_boxes(nb::module_&);
void bind_front(nb::module_&);
void bind_local(nb::module_&);
void bind_sweep(nb::module_&);
void bind_transactions(nb::module_&);

NB_MODULE(_core, m) {
  m.doc() = "The searches, in C++. Python sees them through sfumato.algorithms.";
  refuse_in_python();
  bind_data(m);
  bind_control(m);
  bind_privacy(m);
  bind_loss(m);
  bind_cuts(m);
  bind_lattice(m);
  bind_boxes(m);
  bind_front(m);
  bind_local(m);
  bind_sweep(m);
  bind_transactions(m);
}

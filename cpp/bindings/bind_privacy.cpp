#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include <optional>

#include "casters.hpp"
#include "sfumato/privacy/distinct_l_diversity.hpp"
#include "sfumato/privacy/k_anonymity.hpp"

using namespace sfumato;

/// Whether one class, given by its size, the records per value and its units, satisfies the model: for conformance tests.
static bool holds(const ClassModel& model, std::int64_t size, const Array<std::int64_t>& histogram,
                  std::optional<std::int64_t> units) {
  Histogram values{{0}, {}, {}};
  for (std::size_t v = 0; v < histogram.size(); ++v)
    if (histogram.data()[v] > 0) {
      values.value.push_back(static_cast<std::uint32_t>(v));
      values.count.push_back(histogram.data()[v]);
    }
  values.begin.push_back(values.value.size());
  const std::int64_t sizes[] = {size};
  std::uint8_t violated[] = {0};
  const std::int64_t persons[] = {units.value_or(size)};
  model.mark({sizes, {&values, 1}, persons}, &values, violated);
  return violated[0] == 0;
}

void bind_privacy(nb::module_& m) {
  nb::class_<ClassModel>(m, "ClassModel", "A requirement on every equivalence class.")
      .def("holds", &holds, nb::arg("size"), nb::arg("histogram"), nb::arg("units") = nb::none());
  nb::class_<KAnonymity, ClassModel>(m, "KAnonymity").def(nb::init<std::int64_t>(), nb::arg("k"));
  nb::class_<DistinctLDiversity, ClassModel>(m, "DistinctLDiversity")
      .def(nb::init<std::size_t, std::int64_t>(), nb::arg("sensitive"), nb::arg("l"));
}

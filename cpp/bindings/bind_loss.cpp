#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <utility>

#include "casters.hpp"
#include "sfumato/loss/average_class_size.hpp"
#include "sfumato/loss/classification.hpp"
#include "sfumato/loss/discernibility.hpp"
#include "sfumato/loss/loss.hpp"
#include "sfumato/search/lattice_checks.hpp"

using namespace sfumato;

/// What one class costs, given by its size and the records per value of the column that the loss reads.
static Cost of(const ClassLoss& loss, std::int64_t size, const Array<std::int64_t>& histogram) {
  Histogram values{{0}, {}, {}};
  for (std::size_t v = 0; v < histogram.size(); ++v)
    if (histogram.data()[v] > 0) {
      values.value.push_back(static_cast<std::uint32_t>(v));
      values.count.push_back(histogram.data()[v]);
    }
  values.begin.push_back(values.value.size());
  const std::int64_t sizes[] = {size};
  return loss.of({sizes, {&values, 1}}, &values, 0);
}

void bind_loss(nb::module_& m) {
  nb::class_<SeparableLoss>(m, "SeparableLoss", "A loss that adds up over published values.")
      .def(nb::init<std::vector<std::vector<std::vector<std::int64_t>>>, std::vector<Cost>, Cost>(), nb::arg("weight"),
           nb::arg("unit"), nb::arg("suppressed"));
  nb::class_<ClassLoss>(m, "ClassLoss", "A loss of whole classes.")
      .def("of", &of, nb::arg("size"), nb::arg("histogram"))
      .def_prop_ro("suppressed", &ClassLoss::suppressed);
  nb::class_<Discernibility, ClassLoss>(m, "Discernibility").def(nb::init<std::int64_t>(), nb::arg("records"));
  nb::class_<Classification, ClassLoss>(m, "Classification").def(nb::init<std::size_t>(), nb::arg("target"));
  nb::class_<AverageClassSize, ClassLoss>(m, "AverageClassSize").def(nb::init<>());
  nb::class_<Loss>(m, "Loss", "A sum of losses of values and of classes.")
      .def(
          "__init__",
          [](Loss* self, std::vector<SeparableLoss> values,
             const std::vector<std::pair<std::shared_ptr<ClassLoss>, Cost>>& classes) {
            std::vector<Loss::OfClasses> of_classes;
            for (const auto& [loss, factor] : classes) of_classes.push_back({loss, factor});
            new (self) Loss(std::move(values), std::move(of_classes));
          },
          nb::arg("values"), nb::arg("classes"))
      .def_prop_ro("suppressed_by_values", &Loss::suppressed_by_values,
                   "What losses of values ask for a suppressed record.")
      .def(
          "dearest",
          [](const Loss& loss, const Frequencies& frequencies) {
            require_columns(frequencies, loss);
            std::vector<Cost> costs;
            loss.dearest(frequencies, costs);
            return costs;
          },
          nb::arg("frequencies"), "What a value costs a record at most, at each level of each attribute.")
      .def(
          "level_costs",
          [](const Loss& loss, const Frequencies& frequencies,
             const std::vector<std::vector<std::int64_t>>& value_counts) {
            require_columns(frequencies, loss);
            bool counted = value_counts.size() == frequencies.attributes();
            for (std::size_t a = 0; counted && a < value_counts.size(); ++a)
              counted = value_counts[a].size() == frequencies.hierarchy(a).values();
            if (!counted) throw nb::value_error("records for each value of every attribute");
            std::vector<Cost> costs;
            loss.level_costs(frequencies, value_counts, costs);
            return costs;
          },
          nb::arg("frequencies"), nb::arg("value_counts"));
}

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "casters.hpp"
#include "sfumato/frequencies.hpp"

using namespace sfumato;

using LevelArrays = std::pair<Array<std::uint32_t>, Array<std::int64_t>>;

void bind_data(nb::module_& m) {
  nb::class_<Hierarchy>(m, "Hierarchy", "Levels of one attribute: (node of each value, leaves below each node).")
      .def("__init__",
           [](Hierarchy* self, const std::vector<LevelArrays>& arrays) {
             std::vector<Level> levels;
             for (const auto& [node, leaves] : arrays) levels.push_back({copy(node), copy(leaves)});
             new (self) Hierarchy(std::move(levels));
           },
           nb::arg("levels"));

  nb::class_<Frequencies>(m, "Frequencies", "Distinct combinations of values, with counts.")
      .def("__init__",
           [](Frequencies* self, std::vector<Hierarchy> hierarchies, const std::vector<Array<std::uint32_t>>& codes,
              const std::vector<std::pair<std::uint32_t, Array<std::uint32_t>>>& sensitive,
              const Array<std::int64_t>& counts) {
             std::vector<std::vector<std::uint32_t>> columns;
             for (const auto& column : codes) columns.push_back(copy(column));
             std::vector<SensitiveColumn> sensitive_columns;
             for (const auto& [values, column] : sensitive) sensitive_columns.push_back({values, copy(column)});
             new (self) Frequencies(std::move(hierarchies), std::move(columns), std::move(sensitive_columns), copy(counts));
           },
           nb::arg("hierarchies"), nb::arg("codes"), nb::arg("sensitive"), nb::arg("counts"));
}

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tuple>
#include <utility>

#include "casters.hpp"
#include "sfumato/frequencies.hpp"
#include "sfumato/shuffle.hpp"

using namespace sfumato;

using LevelArrays = std::pair<Array<std::uint32_t>, Array<std::int64_t>>;
using UnitArrays = std::tuple<Array<std::int64_t>, Array<std::uint64_t>, Array<std::uint32_t>>;

static std::optional<Units> units_of(const std::optional<UnitArrays>& arrays) {
  if (!arrays) return std::nullopt;
  const auto& [own, begin, combination] = *arrays;
  return Units(copy(own), {begin.data(), begin.data() + begin.size()}, copy(combination));
}

/// What NumPy's generators hold out to others: bitgen_t of its random/bitgen.h.
struct NumpyGenerator {
  void* state;
  std::uint64_t (*next_64)(void*);
  std::uint32_t (*next_32)(void*);
};

void bind_data(nb::module_& m) {
  m.def(
      "shuffle",
      [](const nb::ndarray<std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>& rows,
         const nb::object& generator) {
        const void* held = PyCapsule_GetPointer(generator.attr("capsule").ptr(), "BitGenerator");
        if (held == nullptr) throw nb::python_error();
        const auto& [state, next_64, next_32] = *static_cast<const NumpyGenerator*>(held);
        const nb::gil_scoped_release others_may_run;
        shuffle({rows.data(), rows.size()}, {state, next_32, next_64});
      },
      nb::arg("rows"), nb::arg("generator"),
      "Shuffles rows as numpy.random.Generator(generator).shuffle does, in less time.");

  nb::class_<Hierarchy>(m, "Hierarchy", "Levels of one attribute: (node of each value, leaves below each node).")
      .def(
          "__init__",
          [](Hierarchy* self, const std::vector<LevelArrays>& arrays) {
            std::vector<Level> levels;
            for (const auto& [node, leaves] : arrays) levels.push_back({copy(node), copy(leaves)});
            new (self) Hierarchy(std::move(levels));
          },
          nb::arg("levels"));

  nb::class_<Frequencies>(m, "Frequencies", "Distinct combinations of values, with counts.")
      .def(
          "__init__",
          [](Frequencies* self, std::vector<Hierarchy> hierarchies, const std::vector<Array<std::uint32_t>>& codes,
             const std::vector<std::pair<std::uint32_t, Array<std::uint32_t>>>& sensitive,
             const Array<std::int64_t>& counts, const std::optional<UnitArrays>& units,
             const std::optional<Array<std::int64_t>>& population) {
            std::vector<std::vector<std::uint32_t>> columns;
            for (const auto& column : codes) columns.push_back(copy(column));
            std::vector<SensitiveColumn> sensitive_columns;
            for (const auto& [values, column] : sensitive) sensitive_columns.push_back({values, copy(column)});
            new (self)
                Frequencies(std::move(hierarchies), std::move(columns), std::move(sensitive_columns), copy(counts),
                            units_of(units), population ? copy(*population) : std::vector<std::int64_t>());
          },
          nb::arg("hierarchies"), nb::arg("codes"), nb::arg("sensitive"), nb::arg("counts"),
          nb::arg("units") = nb::none(), nb::arg("population") = nb::none());
}

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tuple>
#include <utility>

#include "casters.hpp"
#include "sfumato/frequencies.hpp"
#include "sfumato/lines.hpp"
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
      [](const nb::ndarray<std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>& rows, const nb::object& generator) {
        const void* held = PyCapsule_GetPointer(generator.attr("capsule").ptr(), "BitGenerator");
        if (held == nullptr) throw nb::python_error();
        const auto& [state, next_64, next_32] = *static_cast<const NumpyGenerator*>(held);
        const nb::gil_scoped_release others_may_run;
        shuffle({rows.data(), rows.size()}, {state, next_32, next_64});
      },
      nb::arg("rows"), nb::arg("generator"), "Shuffles rows as numpy.random.Generator(generator).shuffle does, in less time.");

  nb::class_<Ends>(m, "Ends", "Line ends: all, those of blank lines, and whether the text ends in one.")
      .def_ro("all", &Ends::all)
      .def_ro("blank", &Ends::blank)
      .def_prop_ro("at_end", &Ends::at_end);
  nb::class_<LineCounter>(m, "LineCounter", "Counts the lines of a text that comes in blocks.")
      .def(nb::init<char, std::optional<char>, unsigned>(), nb::arg("end"), nb::arg("quote"), nb::arg("length"))
      .def("add", [](LineCounter& self, const nb::bytes& block) { self.add({block.c_str(), block.size()}); },
           nb::arg("block"))
      .def_ro("outside", &LineCounter::outside, "Those outside quotation marks.")
      .def_ro("everywhere", &LineCounter::everywhere);

  using Order = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  nb::class_<CsvRows>(m, "CsvRows", "The rows of a CSV text, to be copied in any order.")
      .def("__init__", [](CsvRows* self, const nb::bytes& text) { new (self) CsvRows({text.c_str(), text.size()}); },
           nb::arg("text"))
      .def("__len__", &CsvRows::size)
      .def_prop_ro("header", [](const CsvRows& self) { return nb::bytes(self.header().data(), self.header().size()); })
      .def(
          "copied",
          [](const CsvRows& self, const Order& numbers) {
            const std::span<const std::int32_t> order{numbers.data(), numbers.size()};
            nb::object rows = nb::steal(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(self.bytes(order))));
            if (!rows.is_valid()) throw nb::python_error();
            self.copy(order, PyBytes_AsString(rows.ptr()));
            return nb::bytes(std::move(rows).release(), nb::detail::steal_t());
          },
          nb::arg("order"), "The rows of these numbers, one after the other.");

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
              const Array<std::int64_t>& counts, const std::optional<UnitArrays>& units,
              const std::optional<Array<std::int64_t>>& population) {
             std::vector<std::vector<std::uint32_t>> columns;
             for (const auto& column : codes) columns.push_back(copy(column));
             std::vector<SensitiveColumn> sensitive_columns;
             for (const auto& [values, column] : sensitive) sensitive_columns.push_back({values, copy(column)});
             new (self) Frequencies(std::move(hierarchies), std::move(columns), std::move(sensitive_columns), copy(counts),
                                    units_of(units), population ? copy(*population) : std::vector<std::int64_t>());
           },
           nb::arg("hierarchies"), nb::arg("codes"), nb::arg("sensitive"), nb::arg("counts"),
           nb::arg("units") = nb::none(), nb::arg("population") = nb::none());
}

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "refusals.hpp"
#include "sfumato/lines.hpp"
#include "sfumato/release_order.hpp"

namespace nb = nanobind;
using namespace sfumato;

/// A module of its own: the independent check reads files too, and shares nothing with the searches.
NB_MODULE(_text, m) {
  m.doc() = "Lines and rows of text files, in C++.";
  refuse_in_python();

  nb::class_<Ends>(m, "Ends", "Line ends: all, those of blank lines, and whether the text ends in one.")
      .def_ro("all", &Ends::all)
      .def_ro("blank", &Ends::blank)
      .def_prop_ro("at_end", &Ends::at_end);
  nb::class_<LineCounter>(m, "LineCounter", "Counts the lines of a text that comes in blocks.")
      .def(nb::init<char, std::optional<char>, unsigned>(), nb::arg("end"), nb::arg("quote"), nb::arg("length"))
      .def(
          "add", [](LineCounter& self, const nb::bytes& block) { self.add({block.c_str(), block.size()}); },
          nb::arg("block"))
      .def_ro("outside", &LineCounter::outside, "Those outside quotation marks.")
      .def_ro("everywhere", &LineCounter::everywhere);

  using Begin = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  using Order = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  nb::class_<TextRows>(m, "TextRows", "Rows of a text, to be copied in any order.")
      .def(
          "__init__",
          [](TextRows* self, const nb::bytes& text, const Begin& begin) {
            new (self) TextRows({text.c_str(), text.size()}, {begin.data(), begin.data() + begin.size()});
          },
          nb::arg("text"), nb::arg("begin"))
      .def("__len__", &TextRows::size)
      .def(
          "copied",
          [](const TextRows& self, const Order& numbers) {
            const std::span<const std::int32_t> order{numbers.data(), numbers.size()};
            nb::object rows = nb::steal(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(self.bytes(order))));
            if (!rows.is_valid()) throw nb::python_error();
            self.copy(order, PyBytes_AsString(rows.ptr()));
            return nb::bytes(std::move(rows).release(), nb::detail::steal_t());
          },
          nb::arg("order"), "The rows of these numbers, one after the other.");
  nb::class_<CsvRows, TextRows>(m, "CsvRows", "The rows of a CSV text, to be copied in any order.")
      .def(
          "__init__", [](CsvRows* self, const nb::bytes& text) { new (self) CsvRows({text.c_str(), text.size()}); },
          nb::arg("text"))
      .def_prop_ro("header", [](const CsvRows& self) { return nb::bytes(self.header().data(), self.header().size()); });

  using Label = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  using Copies = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  using Keys = nb::ndarray<std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  using Numbers = nb::ndarray<std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  m.def(
      "hash_copies",
      [](const nb::bytes& seed, const std::vector<std::pair<nb::bytes, Begin>>& columns, const Label& labels,
         const Copies& copies, std::int32_t first, const Keys& keys, const Numbers& numbers, unsigned threads) {
        PrintedRows rows{
            {seed.c_str(), seed.size()}, {}, {labels.data(), labels.size()}, {copies.data(), copies.size()}};
        for (const auto& [text, ends] : columns)
          rows.columns.push_back({{text.c_str(), text.size()}, {ends.data(), ends.size()}});
        const nb::gil_scoped_release free;
        hash_copies(rows, first, {keys.data(), keys.size()}, {numbers.data(), numbers.size()}, std::max(threads, 1u));
      },
      nb::arg("seed"), nb::arg("columns"), nb::arg("labels"), nb::arg("copies"), nb::arg("first"), nb::arg("keys"),
      nb::arg("numbers"), nb::arg("threads"),
      "For every copy of rows of labels, the first eight bytes of the MD5 of seed, cells and copy; and its row.");
  m.def(
      "sort_by_keys",
      [](const Keys& keys, const Numbers& numbers, unsigned threads) {
        const nb::gil_scoped_release free;
        return sort_by_keys({keys.data(), keys.size()}, {numbers.data(), numbers.size()}, std::max(threads, 1u));
      },
      nb::arg("keys"), nb::arg("numbers"), nb::arg("threads"),
      "Sorts numbers by their keys; different numbers of one key are in runs, of which the ends are returned.");
}

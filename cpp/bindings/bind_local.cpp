#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <tuple>

#include "casters.hpp"
#include "sfumato/algorithms/local/local_search.hpp"
#include "watch.hpp"

using namespace sfumato;

namespace {

using Column = nb::ndarray<nb::numpy, const std::uint32_t, nb::ndim<1>>;

/// A column of a result; the result stays as long as it does.
Column view(const std::vector<std::uint32_t>& column, nb::handle owner) {
  return {column.data(), {column.size()}, owner};
}

template <std::vector<std::uint32_t> local::Result::* field>
Column column_of(nb::handle self) {
  return view(nb::cast<const local::Result&>(self).*field, self);
}

}  // namespace

void bind_local(nb::module_& m) {
  nb::class_<local::Result>(m, "LocalResult")
      .def_ro("found", &local::Result::found)
      .def_ro("complete", &local::Result::complete)
      .def_ro("cost", &local::Result::cost)
      .def_ro("bound", &local::Result::bound)
      .def_prop_ro("item", &column_of<&local::Result::item>)
      .def_prop_ro("copies", &column_of<&local::Result::copies>)
      .def_prop_ro("number", &column_of<&local::Result::number>)
      .def_prop_ro("tuples", &column_of<&local::Result::tuples>);

  m.def(
      "local_search",
      [](const std::vector<std::tuple<Array<std::uint32_t>, Array<std::int64_t>, bool, bool>>& trees,
         const std::vector<Array<std::uint32_t>>& leaf, const Array<std::int64_t>& counts,
         const std::vector<std::shared_ptr<ClassModel>>& models,
         const std::vector<std::tuple<std::uint32_t, Array<std::uint32_t>>>& columns, std::int64_t least,
         std::uint64_t seed, std::int64_t steps, int rounds,
         const std::tuple<std::size_t, std::vector<std::int64_t>, std::int64_t>& shares, Control& control,
         const nb::object& on_progress) {
        local::Problem problem{{}, {}, copy(counts), {models.begin(), models.end()}, {}, least, seed, {}};
        problem.shares = {std::get<0>(shares), std::get<1>(shares), std::get<2>(shares)};
        for (const auto& [parent, cost, ordered, missing] : trees)
          problem.trees.push_back({copy(parent), copy(cost), ordered, missing});
        for (const auto& column : leaf) problem.leaf.push_back(copy(column));
        for (const auto& [values, column] : columns) problem.columns.push_back({values, copy(column)});
        const local::Settings settings{steps, rounds};
        return watch(control, on_progress, [&] { return local::local_search(problem, settings, control); });
      },
      nb::arg("trees"), nb::arg("leaf"), nb::arg("counts"), nb::arg("models"), nb::arg("columns"), nb::arg("least"),
      nb::arg("seed"), nb::arg("steps"), nb::arg("rounds"), nb::arg("shares"), nb::arg("control"),
      nb::arg("on_progress") = nb::none());
}

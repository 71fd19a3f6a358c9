#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "casters.hpp"
#include "sfumato/algorithms/lattice/datafly.hpp"
#include "sfumato/algorithms/lattice/incognito.hpp"
#include "sfumato/algorithms/lattice/lattice_search.hpp"
#include "sfumato/algorithms/lattice/poka.hpp"
#include "sfumato/algorithms/lattice/samarati.hpp"
#include "sfumato/search/lattice_checks.hpp"
#include "watch.hpp"

using namespace sfumato;

using BoundModels = std::vector<std::shared_ptr<ClassModel>>;

static void bind_incognito(nb::module_& m) {
  nb::class_<lattice::IncognitoResult>(m, "IncognitoResult")
      .def_ro("complete", &lattice::IncognitoResult::complete)
      .def_ro("overflow", &lattice::IncognitoResult::overflow)
      .def_ro("minimal", &lattice::IncognitoResult::minimal)
      .def_ro("costs", &lattice::IncognitoResult::costs)
      .def_ro("bound", &lattice::IncognitoResult::bound);

  m.def(
      "incognito",
      [](const Frequencies& frequencies, const BoundModels& bound, const Loss& loss, const Node& bottom,
         const Node& top, Control& control, const nb::object& on_progress, std::size_t most_candidates) {
        const Models models(bound.begin(), bound.end()), none;
        require_columns(frequencies, loss);
        const lattice::IncognitoProblem problem{frequencies, models, lattice::node_cost(frequencies, none, loss, 0),
                                                bottom,      top,    most_candidates};
        return watch(control, on_progress, [&] { return lattice::incognito(problem, control); });
      },
      nb::arg("frequencies"), nb::arg("models"), nb::arg("loss"), nb::arg("bottom"), nb::arg("top"), nb::arg("control"),
      nb::arg("on_progress") = nb::none(), nb::arg("most_candidates") = std::size_t{1} << 25);
}

static void bind_samarati(nb::module_& m) {
  nb::class_<lattice::SamaratiResult>(m, "SamaratiResult")
      .def_ro("complete", &lattice::SamaratiResult::complete)
      .def_ro("nodes", &lattice::SamaratiResult::nodes)
      .def_ro("costs", &lattice::SamaratiResult::costs);

  m.def(
      "samarati",
      [](const Frequencies& frequencies, const BoundModels& bound, const Loss& loss, std::int64_t limit,
         const Node& bottom, const Node& top, Control& control, const nb::object& on_progress) {
        const Models models(bound.begin(), bound.end());
        require_columns(frequencies, models);
        require_columns(frequencies, loss);
        const lattice::SamaratiProblem problem{
            frequencies, models, lattice::node_cost(frequencies, models, loss, limit), limit, bottom, top};
        return watch(control, on_progress, [&] { return lattice::samarati(problem, control); });
      },
      nb::arg("frequencies"), nb::arg("models"), nb::arg("loss"), nb::arg("limit"), nb::arg("bottom"), nb::arg("top"),
      nb::arg("control"), nb::arg("on_progress") = nb::none());
}

static void bind_datafly(nb::module_& m) {
  nb::class_<lattice::DataflyResult>(m, "DataflyResult")
      .def_ro("complete", &lattice::DataflyResult::complete)
      .def_ro("found", &lattice::DataflyResult::found)
      .def_ro("node", &lattice::DataflyResult::node)
      .def_ro("cost", &lattice::DataflyResult::cost);

  m.def(
      "datafly",
      [](const Frequencies& frequencies, const BoundModels& bound, const Loss& loss, std::int64_t limit,
         const Node& bottom, const Node& top, Control& control, const nb::object& on_progress) {
        const Models models(bound.begin(), bound.end());
        require_columns(frequencies, models);
        require_columns(frequencies, loss);
        const lattice::DataflyProblem problem{frequencies, models, lattice::node_cost(frequencies, models, loss, limit),
                                              limit,       bottom, top};
        return watch(control, on_progress, [&] { return lattice::datafly(problem, control); });
      },
      nb::arg("frequencies"), nb::arg("models"), nb::arg("loss"), nb::arg("limit"), nb::arg("bottom"), nb::arg("top"),
      nb::arg("control"), nb::arg("on_progress") = nb::none());
}

static void bind_poka(nb::module_& m) {
  nb::class_<lattice::PokaPoint>(m, "PokaPoint")
      .def_ro("node", &lattice::PokaPoint::node)
      .def_ro("k", &lattice::PokaPoint::k)
      .def_ro("cost", &lattice::PokaPoint::cost)
      .def_ro("suppressed", &lattice::PokaPoint::suppressed);

  nb::class_<lattice::PokaResult>(m, "PokaResult")
      .def_ro("complete", &lattice::PokaResult::complete)
      .def_ro("points", &lattice::PokaResult::points)
      .def_ro("nodes", &lattice::PokaResult::nodes);

  m.def(
      "poka",
      [](const Frequencies& frequencies, const Loss& loss, std::int64_t limit, const Node& bottom, const Node& top,
         const Node& start, std::uint32_t depth, Control& control, const nb::object& on_progress, bool keep) {
        const lattice::PokaProblem problem{frequencies, loss, limit, bottom, top, start, depth, keep};
        return watch(control, on_progress, [&] { return lattice::poka(problem, control); });
      },
      nb::arg("frequencies"), nb::arg("loss"), nb::arg("limit"), nb::arg("bottom"), nb::arg("top"), nb::arg("start"),
      nb::arg("depth"), nb::arg("control"), nb::arg("on_progress") = nb::none(), nb::arg("keep") = false);
}

void bind_lattice(nb::module_& m) {
  bind_datafly(m);
  bind_incognito(m);
  bind_poka(m);
  bind_samarati(m);

  nb::class_<lattice::Result>(m, "LatticeResult")
      .def_ro("complete", &lattice::Result::complete)
      .def_ro("found", &lattice::Result::found)
      .def_ro("node", &lattice::Result::node)
      .def_ro("cost", &lattice::Result::cost)
      .def_ro("bound", &lattice::Result::bound)
      .def_ro("suppressed", &lattice::Result::suppressed)
      .def_ro("classes", &lattice::Result::classes)
      .def_ro("examined", &lattice::Result::examined);

  m.def(
      "lattice_search",
      [](const Frequencies& frequencies, const std::vector<std::shared_ptr<ClassModel>>& models, const Loss& loss,
         std::int64_t limit, const Node& bottom, const Node& top, Control& control, const nb::object& on_progress,
         bool log) {
        const lattice::Problem problem{frequencies, {models.begin(), models.end()}, loss, limit, bottom, top, log};
        return watch(control, on_progress, [&] { return lattice::lattice_search(problem, control); });
      },
      nb::arg("frequencies"), nb::arg("models"), nb::arg("loss"), nb::arg("limit"), nb::arg("bottom"), nb::arg("top"),
      nb::arg("control"), nb::arg("on_progress") = nb::none(), nb::arg("log") = false);
}

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <tuple>
#include <utility>

#include "callback.hpp"
#include "casters.hpp"
#include "sfumato/algorithms/fronts/front.hpp"
#include "sfumato/privacy/induced_rating.hpp"
#include "watch.hpp"

using namespace sfumato;

namespace {

using BoundModels = std::vector<std::shared_ptr<ClassModel>>;
using BoundRatings = std::vector<std::shared_ptr<Rating>>;
using Fractions = std::vector<std::pair<Cost, std::int64_t>>;  // numerator and denominator; 0/0 is none

Fractions fractions(const fronts::Strength& strength) {
  Fractions made;
  for (const Rate& rate : strength) made.emplace_back(rate.numerator, rate.denominator);
  return made;
}

CalledBackRating::Judge rated_by(const nb::object& function) {
  return calling<std::pair<Cost, std::int64_t>, Rate>(
      function, [](Rate& rate, const std::pair<Cost, std::int64_t>& answer) {
        constexpr Cost most = Cost{1} << 62;  // so that products of two are compared in 128 bits
        rate = {answer.first, answer.second};
        if (rate.numerator > most || rate.numerator < -most || rate.denominator < 0 || rate.denominator > most)
          throw OutOfRange("The strongest parameter of a class is a fraction of numbers below 2^62; round it.");
      });
}

void bind_ratings(nb::module_& m) {
  using Records = std::vector<std::int64_t>;
  using Codes = std::vector<std::uint32_t>;
  nb::class_<Rating>(m, "Rating", "The strictest parameter for which a class satisfies a model.");
  nb::class_<PersonsRating, Rating>(m, "PersonsRating").def(nb::init<>());
  nb::class_<DistinctRating, Rating>(m, "DistinctRating").def(nb::init<std::size_t>(), nb::arg("sensitive"));
  nb::class_<LargestShareRating, Rating>(m, "LargestShareRating").def(nb::init<std::size_t>(), nb::arg("sensitive"));
  nb::class_<EntropyRating, Rating>(m, "EntropyRating")
      .def(nb::init<std::size_t, std::int64_t>(), nb::arg("sensitive"), nb::arg("steps"));
  nb::class_<DistanceRating, Rating>(m, "DistanceRating")
      .def(
          "__init__",
          [](DistanceRating* self, std::size_t sensitive, const Records& records) {
            new (self) DistanceRating(sensitive, TreeDistance(records));
          },
          nb::arg("sensitive"), nb::arg("records"))
      .def(
          "__init__",
          [](DistanceRating* self, std::size_t sensitive, const Records& records, Codes rank) {
            new (self) DistanceRating(sensitive, OrderedDistance(records, std::move(rank)));
          },
          nb::arg("sensitive"), nb::arg("records"), nb::arg("rank"))
      .def(
          "__init__",
          [](DistanceRating* self, std::size_t sensitive, const Records& records, const std::vector<Codes>& node,
             const std::vector<Records>& height) {
            new (self) DistanceRating(sensitive, TreeDistance(records, node, height));
          },
          nb::arg("sensitive"), nb::arg("records"), nb::arg("node"), nb::arg("height"));
  using Induced = std::tuple<Codes, Codes, Records, Codes, Records, std::vector<Cost>, Cost, std::int64_t>;
  nb::class_<LeastTauRating, Rating>(m, "LeastTauRating")
      .def(
          "__init__",
          [](LeastTauRating* self, std::size_t sensitive, const Induced& values, Codes node, std::int64_t l,
             std::int64_t scale) {
            new (self)
                LeastTauRating(sensitive, std::make_from_tuple<InducedLimits>(values), std::move(node), l, scale);
          },
          nb::arg("sensitive"), nb::arg("values"), nb::arg("node"), nb::arg("l"), nb::arg("scale"));
  nb::class_<LargestLRating, Rating>(m, "LargestLRating")
      .def(
          "__init__",
          [](LargestLRating* self, std::size_t sensitive, const Induced& values, Codes node, std::int64_t numerator,
             std::int64_t denominator, std::int64_t most) {
            new (self) LargestLRating(sensitive, std::make_from_tuple<InducedLimits>(values), std::move(node),
                                      numerator, denominator, most);
          },
          nb::arg("sensitive"), nb::arg("values"), nb::arg("node"), nb::arg("numerator"), nb::arg("denominator"),
          nb::arg("most"));
  nb::class_<CalledBackRating, Rating>(m, "CalledBackRating", "A rating that asks a Python function about all classes.")
      .def(
          "__init__",
          [](CalledBackRating* self, std::optional<std::size_t> sensitive, Monotonicity monotonicity,
             const nb::object& function,
             bool populated) { new (self) CalledBackRating(sensitive, monotonicity, rated_by(function), populated); },
          nb::arg("sensitive").none(), nb::arg("monotonicity"), nb::arg("function"), nb::arg("populated") = false);
}

fronts::Problem problem_of(const Frequencies& frequencies, const BoundModels& models, const BoundRatings& ratings,
                           const Loss& loss, std::int64_t limit, const Node& bottom, const Node& top,
                           bool spend_limit) {
  return {.frequencies = frequencies,
          .models = Models(models.begin(), models.end()),
          .ratings = Ratings(ratings.begin(), ratings.end()),
          .loss = loss,
          .limit = limit,
          .bottom = bottom,
          .top = top,
          .spend_limit = spend_limit};
}

void bind_front_results(nb::module_& m) {
  nb::enum_<fronts::Search>(m, "FrontSearch")
      .value("COMPLETE", fronts::Search::complete)
      .value("BOUNDED", fronts::Search::bounded)
      .value("PRUNED", fronts::Search::pruned);

  nb::class_<fronts::ParetoPoint>(m, "ParetoPoint")
      .def_prop_ro("strength", [](const fronts::ParetoPoint& point) { return fractions(point.strength); })
      .def_ro("cost", &fronts::ParetoPoint::cost)
      .def_ro("nodes", &fronts::ParetoPoint::nodes)
      .def_ro("suppressed", &fronts::ParetoPoint::suppressed);
  nb::class_<fronts::NodePoint>(m, "NodePoint")
      .def_prop_ro("strength", [](const fronts::NodePoint& point) { return fractions(point.strength); })
      .def_ro("cost", &fronts::NodePoint::cost)
      .def_ro("node", &fronts::NodePoint::node)
      .def_ro("suppressed", &fronts::NodePoint::suppressed);
  nb::class_<fronts::Result>(m, "FrontResult")
      .def_ro("complete", &fronts::Result::complete)
      .def_ro("points", &fronts::Result::points)
      .def_ro("kept", &fronts::Result::kept);
}

}  // namespace

void bind_front(nb::module_& m) {
  bind_ratings(m);
  bind_front_results(m);

  m.def(
      "front",
      [](const Frequencies& frequencies, const BoundModels& models, const BoundRatings& ratings, const Loss& loss,
         std::int64_t limit, const Node& bottom, const Node& top, bool spend_limit, fronts::Search search, bool keep,
         Control& control, const nb::object& on_progress) {
        fronts::Problem problem = problem_of(frequencies, models, ratings, loss, limit, bottom, top, spend_limit);
        problem.search = search, problem.keep = keep;
        return watch(control, on_progress, [&] { return fronts::front(problem, control); });
      },
      nb::arg("frequencies"), nb::arg("models"), nb::arg("ratings"), nb::arg("loss"), nb::arg("limit"),
      nb::arg("bottom"), nb::arg("top"), nb::arg("spend_limit"), nb::arg("search"), nb::arg("keep"), nb::arg("control"),
      nb::arg("on_progress") = nb::none());

  m.def(
      "serves",
      [](const Frequencies& frequencies, const BoundModels& models, const BoundRatings& ratings, const Loss& loss,
         std::int64_t limit, const Node& bottom, const Node& top, bool spend_limit, fronts::Search search, bool keep) {
        fronts::Problem problem = problem_of(frequencies, models, ratings, loss, limit, bottom, top, spend_limit);
        problem.keep = keep;
        return fronts::serves(search, problem);
      },
      nb::arg("frequencies"), nb::arg("models"), nb::arg("ratings"), nb::arg("loss"), nb::arg("limit"),
      nb::arg("bottom"), nb::arg("top"), nb::arg("spend_limit"), nb::arg("search"), nb::arg("keep"),
      "Whether it is proved that a search finds the front.");

  nb::class_<fronts::SingleNodes>(m, "FrontNodes", "The points of single nodes.")
      .def(
          "__init__",
          [](fronts::SingleNodes* self, const Frequencies& frequencies, const BoundModels& models,
             const BoundRatings& ratings, const Loss& loss, std::int64_t limit, const Node& bottom, const Node& top,
             bool spend_limit) {
            new (self)
                fronts::SingleNodes(problem_of(frequencies, models, ratings, loss, limit, bottom, top, spend_limit));
          },
          nb::arg("frequencies"), nb::arg("models"), nb::arg("ratings"), nb::arg("loss"), nb::arg("limit"),
          nb::arg("bottom"), nb::arg("top"), nb::arg("spend_limit"), nb::keep_alive<1, 2>())
      .def("at", &fronts::SingleNodes::at, nb::arg("node"));
}

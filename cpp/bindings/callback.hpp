// Models and ratings whose definition is a Python function (sizes, units, population, begin, values, counts) ->
// answers, one per class. A search runs without the GIL and takes it here; what the function raises passes through the
// search.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sfumato/summary.hpp"

/// A function that calls the Python one for all classes and passes each answer to take(result of the class, answer).
template <class Answer, class Result, class Take>
auto calling(const nanobind::object& function, Take take) {
  // The last copy may go while nobody holds the GIL.
  const std::shared_ptr<nanobind::object> callable(new nanobind::object(function), [](nanobind::object* held) {
    const nanobind::gil_scoped_acquire python;
    delete held;
  });
  return [callable, take](const sfumato::Classes& classes, const sfumato::Histogram* histogram,
                          std::span<Result> results) {
    const nanobind::gil_scoped_acquire python;
    const sfumato::Histogram none{std::vector<std::size_t>(classes.count() + 1, 0), {}, {}};
    const sfumato::Histogram read = histogram != nullptr ? histogram->as_cells(classes.count()) : none;
    const std::vector<std::int64_t> sizes(classes.sizes.begin(), classes.sizes.end());
    const std::vector<std::int64_t> units(classes.units.begin(), classes.units.end());
    const std::vector<std::int64_t> population(classes.population.begin(), classes.population.end());
    const nanobind::object returned = (*callable)(sizes, units, population, read.begin, read.value, read.count);
    const auto answers = nanobind::cast<std::vector<Answer>>(returned);
    if (answers.size() != results.size()) throw nanobind::value_error("one answer per class");
    for (std::size_t c = 0; c < results.size(); ++c) take(results[c], answers[c]);
  };
}

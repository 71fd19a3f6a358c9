// Runs a search beside Python: the GIL is free, Ctrl-C is handled, progress is reported. The one place where that
// happens.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <future>

#include "sfumato/search/control.hpp"

/// The first Ctrl-C cancels the search, which then returns its best; a second one is raised as KeyboardInterrupt.
template <class Search>
auto watch(sfumato::Control& control, const nanobind::object& on_progress, Search search) {
  auto result = std::async(std::launch::async, search);
  const auto ready = [&](std::chrono::milliseconds patience) {
    const nanobind::gil_scoped_release free;
    return result.wait_for(patience) == std::future_status::ready;
  };
  for (auto patience = std::chrono::milliseconds(20); !ready(patience); patience = std::chrono::milliseconds(100)) {
    try {
      if (PyErr_CheckSignals() != 0) nanobind::raise_python_error();
      if (!on_progress.is_none()) on_progress(control.progress());
    } catch (nanobind::python_error& error) {
      const bool again = control.interrupted();
      control.interrupt();
      if (again || !error.matches(PyExc_KeyboardInterrupt)) {
        const nanobind::gil_scoped_release free;
        result.wait();
        throw;
      }
    }
  }
  return result.get();
}

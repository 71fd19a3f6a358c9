// What is larger than the core counts is refused by an error of the package, with the message as it is.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>

#include "sfumato/narrow.hpp"

inline void refuse_in_python() {
  nanobind::register_exception_translator([](const std::exception_ptr& fault, void*) {
    try {
      std::rethrow_exception(fault);
    } catch (const sfumato::OutOfRange& refusal) {
      const nanobind::object error = nanobind::module_::import_("sfumato.errors").attr("ProblemError");
      PyErr_SetString(error.ptr(), refusal.what());
    }
  });
}

// Costs cross the border as Python integers; arrays as NumPy arrays, copied once.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <vector>

#include "sfumato/cost.hpp"

namespace nb = nanobind;

namespace nanobind::detail {

template <>
struct type_caster<sfumato::Cost> {
  NB_TYPE_CASTER(sfumato::Cost, const_name("int"))

  bool from_python(handle source, uint8_t, cleanup_list*) noexcept {
    if (!PyLong_Check(source.ptr())) return false;
    const std::uint64_t low = PyLong_AsUnsignedLongLongMask(source.ptr());
    const object bits = steal(PyLong_FromLong(64));
    const object high = steal(PyNumber_Rshift(source.ptr(), bits.ptr()));
    int overflow = 0;
    const long long upper = high.is_valid() ? PyLong_AsLongLongAndOverflow(high.ptr(), &overflow) : -1;
    if (PyErr_Occurred() != nullptr || overflow != 0) {
      PyErr_Clear();
      return false;
    }
    value = (sfumato::Cost{upper} << 64) | sfumato::Cost{low};
    return true;
  }

  static handle from_cpp(sfumato::Cost cost, rv_policy, cleanup_list*) noexcept {
    const object bits = steal(PyLong_FromLong(64));
    const object high = steal(PyLong_FromLongLong(static_cast<long long>(cost >> 64)));
    const object low = steal(PyLong_FromUnsignedLongLong(static_cast<unsigned long long>(cost)));
    const object shifted = steal(PyNumber_Lshift(high.ptr(), bits.ptr()));
    return PyNumber_Or(shifted.ptr(), low.ptr());
  }
};

}  // namespace nanobind::detail

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::vector<T> copy(const Array<T>& array) {
  return {array.data(), array.data() + array.size()};
}

/// A column of a result as a NumPy array; the memory goes with it.
template <class T>
nb::ndarray<nb::numpy, const T, nb::ndim<1>> array(const std::vector<T>& column) {
  auto* moved = new std::vector<T>(column);
  const nb::capsule owner(moved, [](void* held) noexcept { delete static_cast<std::vector<T>*>(held); });
  return {moved->data(), {moved->size()}, owner};
}

// What vectors take that grow as a search goes on.
#pragma once

#include <cstddef>
#include <vector>

namespace sfumato::cuts {

/// The bytes of a vector, with those of the one twice as large that it is copied to, if it is nearly full.
template <class Element>
std::size_t growing_bytes(const std::vector<Element>& of) {
  const bool full = of.size() + of.size() / 16 >= of.capacity();
  return of.capacity() * sizeof(Element) * (full ? 3 : 1);
}

}  // namespace sfumato::cuts

// A fault in all searches, for as long as this lives.
#pragma once

#include "sfumato/search/planted.hpp"

namespace sfumato::testing {

class Planting {
 public:
  explicit Planting(Fault fault) { planted = fault; }
  Planting(const Planting&) = delete;
  Planting& operator=(const Planting&) = delete;
  ~Planting() { planted = Fault::none; }
};

}  // namespace sfumato::testing

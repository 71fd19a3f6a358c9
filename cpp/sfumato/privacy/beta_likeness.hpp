// beta-likeness: no sensitive value's share of a class exceeds its share of the input by more than a factor.
// Cao and Karras, "Publishing microdata with a robust privacy guarantee", PVLDB 5(11), 2012.
#pragma once

#include "sfumato/privacy/share_limits.hpp"

namespace sfumato {

/// Limits: by value, the largest share it may have: (1 + min(beta, …)) times its share of the input.
class BetaLikeness final : public ShareLimits {
 public:
  using ShareLimits::ShareLimits;
};

}  // namespace sfumato

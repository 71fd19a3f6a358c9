// l+-diversity: in every class, value s has a share of at most theta_s.
// Liu and Wang, "On optimal anonymization for l+-diversity", ICDE 2010.
#pragma once

#include "sfumato/privacy/share_limits.hpp"

namespace sfumato {

/// Limits: theta of every value.
class LPlusDiversity final : public ShareLimits {
 public:
  using ShareLimits::ShareLimits;
};

}  // namespace sfumato

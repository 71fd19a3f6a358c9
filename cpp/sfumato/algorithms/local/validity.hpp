// Whether records may be a class.
#pragma once

#include <cstdint>
#include <span>

#include "sfumato/algorithms/local/space.hpp"
#include "sfumato/search/class_check.hpp"

namespace sfumato::local {

class Validity {
 public:
  explicit Validity(const Problem& problem) : problem_(problem), check_(problem.models, problem.columns) {}

  bool counts_only() const { return problem_.models.empty(); }

  bool holds(std::span<const Member> members, std::int64_t size) {
    if (size < problem_.least) return false;
    return check_.holds(size, [&](const auto& visit) {
      for (const Member& member : members) visit(member.item, member.copies);
    });
  }

 private:
  const Problem& problem_;
  ClassCheck check_;
};

}  // namespace sfumato::local

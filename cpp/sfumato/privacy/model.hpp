// A class model: a requirement that each equivalence class satisfies by itself.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sfumato/summary.hpp"

namespace sfumato {

class ClassModel {
 public:
  virtual ~ClassModel() = default;

  /// The sensitive attribute whose histogram the model reads, if it reads one.
  virtual std::optional<std::size_t> sensitive() const { return std::nullopt; }

  /// Sets violated[c] for every class that does not satisfy the model; leaves the others as they are.
  /// `histogram` is the one asked for by `sensitive`, or null. One call per node, never per class.
  virtual void mark(const Classes& classes, const Histogram* histogram, std::span<std::uint8_t> violated) const = 0;
};

using Models = std::vector<std::shared_ptr<const ClassModel>>;

}  // namespace sfumato

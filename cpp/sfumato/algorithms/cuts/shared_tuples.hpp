// What the threads of a search share: tuples, which they only read, and the memory for their graphs.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "sfumato/algorithms/cuts/problem.hpp"
#include "sfumato/algorithms/cuts/tuples.hpp"

namespace sfumato::cuts {

class SharedTuples {
 public:
  using TuplesPointer = std::shared_ptr<const Tuples>;

  SharedTuples(const Problem& problem, const Tree& tree)
      : all_(std::make_shared<const Tuples>(problem.frequencies, tree, columns_read(problem))) {}
  /// Of a tree of fewer leaves; of one memory with those.
  SharedTuples(const SharedTuples& finer, const Tree& tree)
      : all_(std::make_shared<const Tuples>(*finer.all_, tree)), bytes_(finer.bytes_) {}

  /// Those of the whole tree.
  const TuplesPointer& all() const { return all_; }

  /// Those of a tree in which these nodes are leaves; made of finer ones by the first thread that needs them, and freed
  /// by the last.
  TuplesPointer merged(const std::vector<std::uint32_t>& leaves, const Tuples& finer, const Tree& tree) {
    Entry& entry = entry_of(leaves);
    const std::lock_guard lock(entry.mutex);
    TuplesPointer tuples = entry.tuples.lock();
    if (!tuples) entry.tuples = tuples = std::make_shared<const Tuples>(finer, tree);
    return tuples;
  }

  /// What the graphs of all threads take, of which one took so many bytes before, and takes more or fewer now.
  std::size_t reported(std::size_t before, std::size_t now) { return *bytes_ += now - before; }

 private:
  struct Entry {
    std::mutex mutex;
    std::weak_ptr<const Tuples> tuples;
  };

  Entry& entry_of(const std::vector<std::uint32_t>& leaves) {
    const std::lock_guard lock(mutex_);
    return merged_[leaves];  // stays where it is
  }

  TuplesPointer all_;
  std::shared_ptr<std::atomic<std::size_t>> bytes_ = std::make_shared<std::atomic<std::size_t>>(0);
  std::mutex mutex_;
  std::map<std::vector<std::uint32_t>, Entry> merged_;
};

}  // namespace sfumato::cuts

// What the threads of a search share: tuples, which they only read, and the memory for their graphs.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "sfumato/search/cut_problem.hpp"
#include "sfumato/search/cut_tuples.hpp"

namespace sfumato {

class CutShared {
 public:
  using Tuples = std::shared_ptr<const CutTuples>;

  CutShared(const CutProblem& problem, const CutTree& tree)
      : all_(std::make_shared<const CutTuples>(problem.frequencies, tree, columns_read(problem))) {}
  /// Of a tree of fewer leaves.
  CutShared(const CutShared& finer, const CutTree& tree) : all_(std::make_shared<const CutTuples>(*finer.all_, tree)) {}

  /// Those of the whole tree.
  const Tuples& all() const { return all_; }

  /// Those of a tree in which these nodes are leaves; made of finer ones by the first who asks, and gone with the last
  /// who has them.
  Tuples merged(const std::vector<std::uint32_t>& leaves, const CutTuples& finer, const CutTree& tree) {
    Entry& entry = entry_of(leaves);
    const std::lock_guard lock(entry.mutex);
    Tuples tuples = entry.tuples.lock();
    if (!tuples) entry.tuples = tuples = std::make_shared<const CutTuples>(finer, tree);
    return tuples;
  }

  /// What the graphs of all threads take, of which one took so many bytes before, and takes more or fewer now.
  std::size_t reported(std::size_t before, std::size_t now) { return bytes_ += now - before; }

 private:
  struct Entry {
    std::mutex mutex;
    std::weak_ptr<const CutTuples> tuples;
  };

  Entry& entry_of(const std::vector<std::uint32_t>& leaves) {
    const std::lock_guard lock(mutex_);
    return merged_[leaves];  // stays where it is
  }

  Tuples all_;
  std::atomic<std::size_t> bytes_ = 0;
  std::mutex mutex_;
  std::map<std::vector<std::uint32_t>, Entry> merged_;
};

}  // namespace sfumato

// The decisions of a search and the state they lead to, on tuples that become fewer as whole attributes are locked.
//
// Tuples that differ in locked attributes alone stay together in all cuts to come. Classes keep them apart, since they
// serve under all locks. But where attributes are locked at their roots, and that leaves half of the tuples or fewer,
// the search goes on in a graph of merged tuples, in which those roots are leaves, until one of these locks is undone.
// The graph is kept for the next time that just these roots are locked.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "sfumato/algorithms/cuts/incumbents.hpp"
#include "sfumato/algorithms/cuts/shared_tuples.hpp"
#include "sfumato/algorithms/cuts/state.hpp"

namespace sfumato::cuts {

template <class Sum>
class DecisionStack {
 public:
  DecisionStack(const Problem& problem, const Tree& tree, SharedTuples& shared)
      : problem_(&problem), tree_(&tree), shared_(&shared), records_(problem.frequencies.records()) {
    start();
  }

  State<Sum>& state() { return stages_.back()->state; }
  const State<Sum>& state() const { return stages_.back()->state; }

  void specialise(std::uint32_t v, Sum ceiling) { decide({v, false}, ceiling); }
  void lock(std::uint32_t v, Sum ceiling) { decide({v, true}, ceiling); }

  void undo() {
    if (stages_.size() > 1 && stages_.back()->height == decisions_.size()) stages_.pop_back();
    stages_.back()->undo();
    decisions_.pop_back();
  }

  void replay(const Path& path) {
    for (const std::uint8_t locked : path) decide({state().next(), locked != 0}, unlimited);
    merge();
  }

  /// Goes on with fewer tuples, if the locks have merged enough of them.
  void merge() {
    const Tuples& tuples = stages_.back()->graph.tuples();
    if (!merging() || tuples.size() < problem_->merging_from || tuples.has_units()) return;
    std::vector<std::uint32_t> roots;
    for (const Decision& decision : decisions_)
      if (decision.locked && whole(decision.value)) roots.push_back(decision.value);
    std::ranges::sort(roots);
    if (roots == stages_.back()->roots) return;
    const auto [place, fresh] = cached_.try_emplace(roots);
    if (fresh) place->second = merged(tuples, roots);
    if (!place->second) return;
    stages_.push_back(place->second.get());
    stages_.back()->height = decisions_.size();
    stages_.back()->go(decisions_);
  }

  std::size_t bytes() const {
    std::size_t bytes = 0;
    for (const auto& [roots, stage] : cached_)
      if (stage) bytes += stage->graph.bytes() + stage->state.bytes();
    return bytes;
  }

  /// Forgets all classes but those of the current state.
  void clear() {
    Path path;
    for (const Decision& decision : decisions_) path.push_back(decision.locked ? 1 : 0);
    start();
    replay(path);
  }

 private:
  static constexpr Sum unlimited = BestDivision<Sum>::impossible;

  struct Decision {
    std::uint32_t value;
    bool locked;
    bool operator==(const Decision&) const = default;
  };

  /// A graph of classes, and the state of it that the search is in, or was in before it left.
  struct Stage {
    Stage(const Problem& problem, Tree of, SharedTuples::TuplesPointer tuples, std::vector<std::uint32_t> locked)
        : tree(std::move(of)),
          graph(problem, tree, std::move(tuples)),
          state(problem, tree, graph),
          roots(std::move(locked)) {}

    void take(const Decision& decision, Sum ceiling) {
      if (decision.locked)
        state.lock(decision.value, ceiling);
      else
        state.specialise(decision.value, ceiling);
      taken.push_back(decision);
    }

    void undo() {
      state.undo();
      taken.pop_back();
    }

    /// To the state that these decisions lead to. Locked roots are leaves here, which need no decision.
    void go(std::vector<Decision> decisions) {
      std::erase_if(decisions, [&](const Decision& decision) { return tree.leaf(decision.value); });
      const auto same = static_cast<std::size_t>(std::ranges::mismatch(taken, decisions).in1 - taken.begin());
      while (taken.size() > same) undo();
      for (std::size_t i = same; i < decisions.size(); ++i) take(decisions[i], unlimited);
    }

    Tree tree;
    ClassGraph<Sum> graph;
    State<Sum> state;
    std::vector<std::uint32_t> roots;  // that are locked
    std::vector<Decision> taken;
    std::size_t height = 0;  // decisions when the search came here
  };

  /// The paper's bounds, and those that locks do not tighten, are to be shown as they are.
  bool merging() const { return problem_->bounds == Bounds::strong && problem_->update_bounds; }

  bool whole(std::uint32_t v) const { return (*tree_)[v].records == records_; }

  std::unique_ptr<Stage> merged(const Tuples& tuples, const std::vector<std::uint32_t>& roots) const {
    Tree tree = *tree_;
    std::vector<std::size_t> attributes;
    for (const std::uint32_t v : roots) {
      tree.cut_off(v);
      attributes.push_back(tree[v].attribute);
    }
    if (!tuples.merge(attributes)) return nullptr;
    SharedTuples::TuplesPointer fewer = shared_->merged(roots, tuples, tree);
    return std::make_unique<Stage>(*problem_, std::move(tree), std::move(fewer), roots);
  }

  void start() {
    decisions_.clear();
    stages_.clear();
    cached_.clear();
    stages_.push_back(
        (cached_[{}] = std::make_unique<Stage>(*problem_, *tree_, shared_->all(), std::vector<std::uint32_t>())).get());
  }

  void decide(const Decision& decision, Sum ceiling) {
    stages_.back()->take(decision, ceiling);
    decisions_.push_back(decision);
  }

  const Problem* problem_;
  const Tree* tree_;
  SharedTuples* shared_;
  std::int64_t records_;
  std::map<std::vector<std::uint32_t>, std::unique_ptr<Stage>>
      cached_;  // by locked roots; none where too many tuples are left
  std::vector<Stage*> stages_;
  std::vector<Decision> decisions_;
};

}  // namespace sfumato::cuts

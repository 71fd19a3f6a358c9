// LocalSearch: local recoding of any class models with little loss, and a proof of how little it could be at best.
#pragma once

#include <cstdint>
#include <vector>

#include "sfumato/algorithms/local/space.hpp"
#include "sfumato/cost.hpp"
#include "sfumato/search/control.hpp"

namespace sfumato::local {

struct Settings {
  static constexpr std::int64_t endless = std::int64_t{1} << 40;

  std::int64_t steps = 0;  // moves that are tried; if endless, as many as there is time for
  int rounds = 0;          // of the ascent of the prices
};

/// What is published: `copies` records of an item in a class.
struct Result {
  bool found = false;
  bool complete = false;  // all steps and rounds were done
  Cost cost = no_cost, bound = 0;
  std::vector<std::uint32_t> item, copies, number;  // of each entry; its class
  std::vector<std::uint32_t> tuples;                // of the classes, one after the other
};

Result local_search(const Problem& problem, const Settings& settings, Control& control);

}  // namespace sfumato::local

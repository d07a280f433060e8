// Walks the model: everything that can happen, or long random histories.
#pragma once

#include <cstdint>
#include <string>

#include "model.h"

namespace protocol {

struct Explored {
  std::size_t states = 0;  // different ones
  std::size_t steps = 0;
  int longest = 0;            // steps from the beginning
  Fault fault = Fault::none;  // the first that was found
  std::string history;        // how it comes about: the shortest way (explore), or the one that was walked (wander)
};

/// Every order of all steps, with the setting's number of faults. Where there are more than `jobs` the end is still
/// judged, but not every way to it walked. Stops at the first fault.
Explored explore(const Setting& setting, int jobs = max_jobs);

/// `walks` random histories of up to `longest` steps, each taken to its fair end.
Explored wander(const Setting& setting, int walks, int longest, std::uint64_t seed);

}  // namespace protocol

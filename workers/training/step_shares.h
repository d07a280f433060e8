#pragma once

#include <nlohmann/json.hpp>

namespace rv::workers {

/// Mean seconds of one rank's step: as it is timed; without the other ranks; without them, on input that is there.
struct StepTimes {
  double whole = 0, alone = 0, computing = 0;
};

/// Where the time of a step goes, as shares of it: 1 together. What a step takes less without the other ranks is
/// communication that nothing hides, waiting for slower ranks included; what it takes less still on input that is
/// there already is input.
struct StepShares {
  double compute = 0, input = 0, communication = 0;
};

/// Times that grow where something is left out are noise: they count as equal.
StepShares shares_of(const StepTimes& times);

nlohmann::ordered_json to_json(const StepShares& shares);

}  // namespace rv::workers

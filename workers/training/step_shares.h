#pragma once

#include <nlohmann/json.hpp>

namespace rv::workers {

/// Mean seconds of a step of one rank: as timed; without the other ranks; without them and with input that is already
/// loaded.
struct StepTimes {
  double whole = 0, alone = 0, computing = 0;
};

/// The shares of a step's time, with the sum 1. The time that a step saves without the other ranks is communication
/// that is not overlapped, including waiting for slower ranks. The further time that it saves with loaded input is
/// input.
struct StepShares {
  double compute = 0, input = 0, communication = 0;
};

/// A time that grows when something is left out is noise: the two count as equal.
StepShares shares_of(const StepTimes& times);

nlohmann::ordered_json to_json(const StepShares& shares);

}  // namespace rv::workers

#pragma once

#include <vector>

namespace rv::workers {

/// Appends the chosen algorithms to a learner's state in a checkpoint: one number per choice, then the number of
/// choices.
void append_choices(std::vector<float>& state, const std::vector<int>& choices);

/// Removes the choices from the end of `state` and returns them. Throws std::runtime_error if the end is not a list of
/// choices.
std::vector<int> take_choices(std::vector<float>& state);

}  // namespace rv::workers

#pragma once

#include <vector>

namespace rv::workers {

/// A learner's state in a checkpoint ends with the ways that were chosen to compute it: a number for each choice, then
/// how many there are.
void append_choices(std::vector<float>& state, const std::vector<int>& choices);

/// Removes the choices from the end of `state` and returns them. Throws std::runtime_error where the end is not a list
/// of choices.
std::vector<int> take_choices(std::vector<float>& state);

}  // namespace rv::workers

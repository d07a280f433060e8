#include "workers/training/stored_choices.h"

#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace rv::workers {
namespace {

/// Larger than every count and every choice, and exact as a float.
constexpr float above_all = 1 << 24;

/// An integer that was stored as a float.
int whole_number(float stored) {
  if (!(stored >= 0 && stored < above_all) || std::floor(stored) != stored) {
    throw std::runtime_error("the checkpoint does not end with the list of chosen algorithms");
  }
  return static_cast<int>(stored);
}

}  // namespace

void append_choices(std::vector<float>& state, const std::vector<int>& choices) {
  for (const auto choice : choices) state.push_back(static_cast<float>(choice));
  state.push_back(static_cast<float>(choices.size()));
}

std::vector<int> take_choices(std::vector<float>& state) {
  const auto count = state.empty() ? 0U : static_cast<std::size_t>(whole_number(state.back()));
  if (state.size() < count + 1) {
    throw std::runtime_error("the checkpoint is shorter than its list of chosen algorithms");
  }
  const auto rest = state.size() - count - 1;
  std::vector<int> choices;
  for (std::size_t i = 0; i < count; ++i) choices.push_back(whole_number(state[rest + i]));
  state.resize(rest);
  return choices;
}

}  // namespace rv::workers

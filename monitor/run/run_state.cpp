#include "monitor/run/run_state.h"

#include <algorithm>
#include <array>
#include <utility>

namespace rv::monitor {
namespace {

constexpr std::array<std::pair<RunState, std::string_view>, 17> names{{
    {RunState::submitting, "submitting"},
    {RunState::unsubmitted, "unsubmitted"},
    {RunState::queued, "queued"},
    {RunState::starting, "starting"},
    {RunState::running, "running"},
    {RunState::holding, "holding"},
    {RunState::ending, "ending"},
    {RunState::done, "done"},
    {RunState::failed, "failed"},
    {RunState::timeout, "timeout"},
    {RunState::stopped, "stopped"},
    {RunState::node_failure, "node-failure"},
    {RunState::preempted, "preempted"},
    {RunState::out_of_memory, "out-of-memory"},
    {RunState::refused, "refused"},
    {RunState::lost, "lost"},
    {RunState::unknown, "unknown"},
}};

}  // namespace

std::vector<RunState> all_run_states() {
  std::vector<RunState> states;
  states.reserve(names.size());
  for (const auto& [state, name] : names) states.push_back(state);
  return states;
}

std::string_view to_string(RunState state) {
  const auto found = std::find_if(names.begin(), names.end(), [&](const auto& name) { return name.first == state; });
  return found == names.end() ? std::string_view("unknown") : found->second;
}

std::optional<RunState> run_state_from(std::string_view name) {
  const auto found = std::find_if(names.begin(), names.end(), [&](const auto& known) { return known.second == name; });
  if (found == names.end()) return std::nullopt;
  return found->first;
}

bool is_final(RunState state) {
  switch (state) {
    case RunState::submitting:
    case RunState::unsubmitted:
    case RunState::queued:
    case RunState::starting:
    case RunState::running:
    case RunState::holding:
    case RunState::ending:
    case RunState::unknown:
      return false;
    case RunState::done:
    case RunState::failed:
    case RunState::timeout:
    case RunState::stopped:
    case RunState::node_failure:
    case RunState::preempted:
    case RunState::out_of_memory:
    case RunState::refused:
    case RunState::lost:
      return true;
  }
  return false;
}

}  // namespace rv::monitor

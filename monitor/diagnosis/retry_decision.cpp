#include "monitor/diagnosis/retry_decision.h"

#include <algorithm>
#include <array>

#include "base/walltime.h"

namespace rv::monitor {
namespace {

constexpr std::array hardware_causes = {
    Cause::gpu_hardware, Cause::gpu_driver,     Cause::gpu_missing, Cause::network_hardware,
    Cause::node_failure, Cause::launch_failure, Cause::gate,        Cause::preflight};

std::string listed(const std::vector<std::string>& nodes) {
  std::string text;
  for (const auto& node : nodes) text += (text.empty() ? "" : ", ") + node;
  return text;
}

}  // namespace

RetryDecision retry_decision(const Diagnosis& diagnosis, const RetryHistory& history) {
  RetryDecision decision{.retry = false, .exclude = history.excluded, .why = ""};
  const auto no = [&](std::string why) {
    decision.why = std::move(why);
    return decision;
  };
  // Slurm took its GPUs for another job, perhaps for a candidate of the same run, which stepped back from this one's
  // claim.
  const bool preempted_early = diagnosis.cause == Cause::preempted && !history.ran;
  if (!preempted_early &&
      std::find(hardware_causes.begin(), hardware_causes.end(), diagnosis.cause) == hardware_causes.end()) {
    return no("the cause is not the node's hardware: " + diagnosis.summary);
  }
  if (history.ran && !history.may_run_again) {
    return no("the command had started, and it is not repeated without --requeue, --retries or --checkpoint");
  }
  if (history.ran && *history.ran > early_in_a_run) {
    return no("it failed after " + format_duration(*history.ran) + ", not early in the run");
  }
  if (history.retries >= most_hardware_retries) {
    const std::string what =
        preempted_early ? "preemption or hardware failures ended it " : "hardware failures ended it ";
    return no(what + std::to_string(history.retries + 1) + " times");
  }
  if (diagnosis.bad_nodes.empty() && diagnosis.cause != Cause::node_failure && !preempted_early) {
    return no("the node at fault is not known");
  }
  for (const auto& node : diagnosis.bad_nodes) {
    if (std::find(decision.exclude.begin(), decision.exclude.end(), node) == decision.exclude.end()) {
      decision.exclude.push_back(node);
    }
  }
  decision.retry = true;
  decision.why = preempted_early ? "its job was preempted before the command started" : diagnosis.summary;
  if (!diagnosis.bad_nodes.empty()) decision.why += " (" + listed(diagnosis.bad_nodes) + ")";
  return decision;
}

}  // namespace rv::monitor

#include "reports/accept/completeness.h"

#include <fmt/format.h>

#include <algorithm>

namespace rv::accept {
namespace {

// timeout(1) ends a command with 124, and with 137 after it had to kill it; bash has 126 and 127 for what can't start.
std::string how_it_ended(const Step& step, const StepEvidence& done) {
  const int code = done.exit_code.value_or(0);
  if (code == 124 || code == 137)
    return fmt::format("took more than its {} s, or was killed because it used too much memory", step.limit_s);
  if (code == 126 || code == 127)
    return fmt::format("could not be started ({} does not exist or can't be executed)", step.worker);
  if (code > 128) return fmt::format("was ended by signal {}", code - 128);
  if (code == 2) return "was called with wrong arguments";
  return fmt::format("ended with exit code {} and without a result", code);
}

std::string with_last_words(const std::string& sentence, const StepEvidence& done) {
  return done.last_words.empty() ? sentence : sentence + "; its last output: " + done.last_words;
}

bool has_result(const StepEvidence& done) {
  return std::any_of(done.reports.begin(), done.reports.end(), [](const auto& report) { return report.result; });
}

constexpr auto look_at_logs =
    "rv logs, or the files out and err beside the step's reports, show what the worker printed; run the suite again on "
    "this node "
    "alone";

/// What a step on one node left to be desired; nothing: it has a result, or another node has it for all.
std::optional<std::string> fault_of(const Step& step, const StepEvidence* done, bool result_elsewhere) {
  if (done == nullptr) return fmt::format("{} did not start", step.name);
  if (!done->exit_code) return with_last_words(fmt::format("{} started but did not end", step.name), *done);
  if (has_result(*done)) return std::nullopt;
  const int code = *done->exit_code;
  // Ranks meet on one node, which reports for all; the others only end with its verdict.
  const bool ended_by_verdict = code == 0 || code == 1 || code == 3 || code == 4 || code == 77;
  if (result_elsewhere && ended_by_verdict) return std::nullopt;
  return with_last_words(fmt::format("{} {}", step.name, how_it_ended(step, *done)), *done);
}

/// Returns a sentence if the figures of a report don't explain its result. A torn report, or a worker that had nothing
/// to measure, is neither a pass nor a fault of the node. `elsewhere`: another
/// report of the step has figures, on this node or, in a step of all nodes together, on another one.
std::optional<std::string> unexplained(const Step& step, const WorkerReport& report, bool elsewhere) {
  if (!report.result) return std::nullopt;
  const auto result = to_string(*report.result);
  if (report.figures.empty() && elsewhere && *report.result == Verdict::pass) return std::nullopt;
  if (report.figures.empty()) return fmt::format("{} measured nothing; its worker's result is {}", step.name, result);
  const bool explained = std::any_of(report.figures.begin(), report.figures.end(), [&](const auto& figure) {
    return severity(figure.verdict) <= severity(*report.result);
  });
  if (explained) return std::nullopt;
  return fmt::format("{}: its worker's result is {}, but none of its figures shows why", step.name, result);
}

bool has_figures(const StepEvidence& done) {
  return std::any_of(done.reports.begin(), done.reports.end(),
                     [](const WorkerReport& report) { return !report.figures.empty(); });
}

Finding gap_of(const Step& step, const std::string& node, Verdict verdict, std::string what) {
  return {.verdict = verdict,
          .subject = {.node = node, .gpu_index = std::nullopt, .gpu_uuid = {}, .model = {}},
          .rank = std::nullopt,
          .what = std::move(what),
          .advice = look_at_logs,
          .step = step.name};
}

void find_gaps_of_step(const Step& step, const std::vector<NodeEvidence>& evidence, std::vector<Finding>& gaps) {
  const bool somewhere = step.together && std::any_of(evidence.begin(), evidence.end(), [&](const auto& node) {
                           const auto* const done = node.find(step.name);
                           return done != nullptr && has_result(*done);
                         });
  const bool measured = step.together && std::any_of(evidence.begin(), evidence.end(), [&](const auto& node) {
                          const auto* const done = node.find(step.name);
                          return done != nullptr && has_figures(*done);
                        });
  for (const auto& node : evidence) {
    const auto* const done = node.find(step.name);
    if (auto fault = fault_of(step, done, somewhere)) {
      gaps.push_back(gap_of(step, node.node, Verdict::error, std::move(*fault)));
    } else if (done != nullptr) {
      for (const auto& report : done->reports) {
        auto why = unexplained(step, report, measured || has_figures(*done));
        if (!why) continue;
        const auto verdict = report.result == Verdict::skip ? Verdict::skip : Verdict::error;
        gaps.push_back(gap_of(step, node.node, verdict, with_last_words(*why, *done)));
      }
    }
  }
}

}  // namespace

std::vector<Finding> find_gaps(const Order& order, const std::vector<NodeEvidence>& evidence) {
  std::vector<Finding> gaps;
  if (static_cast<int>(evidence.size()) != order.nodes) {
    std::string names;
    for (const auto& node : evidence) names += (names.empty() ? "" : ", ") + node.node;
    gaps.push_back({.verdict = Verdict::error,
                    .subject = {},
                    .rank = std::nullopt,
                    .what = fmt::format("{} of {} nodes reported{}", evidence.size(), order.nodes,
                                        names.empty() ? "" : ": " + names),
                    .advice = "a missing node may have failed; for a run, rv why shows how its job ended"});
  }
  for (const auto& step : steps_of(order)) find_gaps_of_step(step, evidence, gaps);
  return gaps;
}

}  // namespace rv::accept

// What the test of a job's nodes before the command has found (rv run --preflight).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "monitor/run/journal.h"

namespace rv::monitor {

enum class PreflightVerdict {
  pass,
  fail,     // the command did not start on these nodes
  unknown,  // something could not be tested; the command started
};

struct PreflightView {
  PreflightVerdict verdict = PreflightVerdict::unknown;
  std::chrono::milliseconds took{0};
  std::vector<std::string> failed;  // nodes that the next attempt leaves out
  std::string why;                  // of a fail, or what is unknown
  int attempt = 1;
  std::optional<JobId> job = {};
};

/// The last one that the events have; nothing without one.
std::optional<PreflightView> last_preflight(const std::vector<Event>& events);

std::string_view to_string(PreflightVerdict verdict);

/// "passed in 4.2 s", "failed after 4.2 s on n1: …", "incomplete after 20.0 s: …".
std::string in_words(const PreflightView& preflight);

}  // namespace rv::monitor

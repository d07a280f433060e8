// What this machine has noted in a run's journal. Pure.
#pragma once

#include <optional>
#include <string>

#include "monitor/run/run_facts.h"

namespace rv::monitor {

/// When `host` noted the event about the job (JobId{}: about none). Clocks of two machines may be minutes apart: each
/// goes by what it has noted itself.
std::optional<TimePoint> when_noted(const RunFacts& facts, EventKind kind, JobId job, const std::string& host);

/// The event by which when_noted() finds it; its time is that of its writing.
Event note(const RunFacts& facts, EventKind kind, JobId job, const std::string& host);

}  // namespace rv::monitor

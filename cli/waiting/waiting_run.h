// Facts about a waiting run: its places in the queue, its start, what would start sooner.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options/invocation.h"
#include "monitor/jobs/run_view.h"
#include "monitor/run/resolve_run.h"
#include "planner/predicted_end.h"
#include "planner/queue_position.h"
#include "planner/waiting_job.h"

namespace rv::cli {

struct JobInQueue {
  int candidate = 1;
  std::string job;      // its ID
  std::string summary;  // "4× A40 on gpu-a40"
  planner::QueuePosition place;
};

struct Alternative {
  planner::WhatIf what_if;
  std::string text;     // "4× A40 instead of …"
  std::string command;  // "rv rerun k3f9x2 -t a40"; empty for a run that rv rerun can't repeat
};

/// The run that another one waits for (--after).
struct Predecessor {
  std::string run;
  std::string name;
  std::string state;
  std::optional<planner::PredictedEnd> end;  // while it runs
  std::optional<planner::Wait> start;        // while it waits
  std::chrono::seconds limit{0};             // of the job that starts first, while it waits; 0: not known
};

struct WaitingRun {
  std::vector<JobInQueue> places;          // by candidate; empty where the queue is not known
  std::optional<planner::Strategy> start;  // of the job that starts first, with its wait
  std::vector<Alternative> sooner;
  std::optional<Predecessor> after;
};

/// Reads the cluster and replays its queue. Nothing for a run that does not wait, and where the cluster can't be read.
std::optional<WaitingRun> waiting_run(const monitor::KnownRun& run, const monitor::RunView& view,
                                      const Invocation& invocation);

}  // namespace rv::cli

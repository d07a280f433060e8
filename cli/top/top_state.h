// The state of rv top and the user's selection. Values.
#pragma once

#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/views/gpu_readings.h"
#include "monitor/run/run_state.h"
#include "planner/cluster/cluster.h"

namespace rv::cli::top {

using planner::TimePoint;

/// How many GPUs the predicted waits are for.
inline constexpr std::array wait_sizes{1, 4, 8};

struct GpuType {
  std::string name;
  int total = 0;
  int free = 0;
  int used = 0;
  int mine = 0;  // of the used ones
  std::optional<int> pending;
  /// Indexed like wait_sizes; nothing: unknown or not available.
  std::array<std::optional<std::chrono::seconds>, wait_sizes.size()> waits;
};

/// The place of a waiting run in the queue, "3 of 12 in gpu-a40".
struct QueueSummary {
  int place = 1;  // 1: the next one
  int of = 1;
  std::string partition;  // several with commas, where it may start in any of them
};

struct Run {
  std::string id;
  bool is_job = false;  // not a run: a Slurm job of the user that rv did not submit, by its ID
  std::string name;
  monitor::RunState state = monitor::RunState::unknown;
  std::string detail;
  std::string gpus;   // as text
  std::string nodes;  // as Slurm writes them
  TimePoint created;
  std::optional<TimePoint> started;
  std::optional<TimePoint> ended;
  std::optional<TimePoint> ends_by;
  std::optional<double> progress;     // of its time, or of its elements
  std::string progress_words;         // "segment 2, 1h of 6h", "12 of 100 elements"
  std::string start;                  // of a waiting one: when it may start
  std::vector<std::string> jobs;      // of a waiting one
  std::optional<QueueSummary> queue;  // of a waiting one, the best of its jobs
};

/// Readings of one run's GPUs, and their utilisation at earlier polls (0 to 1, the newest last).
struct RunGpus {
  GpuReadings now;
  std::vector<double> busy;
  std::string trouble;
};

struct Known {
  std::string cluster;  // its name
  TimePoint taken;      // the runs
  std::optional<TimePoint> cluster_taken;
  std::vector<GpuType> types;
  std::vector<Run> runs;
  std::vector<Run> jobs;                // of the user, not rv's, that ended in the last day
  std::map<std::string, RunGpus> gpus;  // by run
  std::string trouble;                  // Slurm's words when it did not answer
};

/// In the order in which a key changes them.
enum class Sort { state, name, left, newest };

/// The user's selection.
struct Choice {
  std::string selected;  // the run's ID; empty: the first one
  std::string filter;    // part of an ID, a name or a state
  Sort sort = Sort::state;
  bool help = false;
  bool typing_filter = false;
  std::string asks_to_stop;  // the ID of the run whose stop must be confirmed
  int page = 10;             // rows of runs on the screen when it was last drawn
  int first_row = 0;         // the screen's row of the first run shown
  int scrolled = 0;          // runs above it
};

/// The runs that are shown, in order.
std::vector<const Run*> shown_runs(const Known& known, const Choice& choice);

/// The index of the selected run among them; none: -1.
int selected_row(const std::vector<const Run*>& shown, const Choice& choice);

enum class Action { none, quit, logs, why, stop, shell, show };

/// The effect of a key: a new selection, and an action on the selected run.
struct Pressed {
  Choice choice;
  Action action = Action::none;
  std::string run;
};

}  // namespace rv::cli::top

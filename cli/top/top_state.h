// What rv top knows, and what its user has chosen to see of it. Values.
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
  /// By wait_sizes; nothing: not known, or it can't be had.
  std::array<std::optional<std::chrono::seconds>, wait_sizes.size()> waits;
};

struct QueuePlace {
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
  std::string gpus;   // in words
  std::string nodes;  // as Slurm writes them
  TimePoint created;
  std::optional<TimePoint> started;
  std::optional<TimePoint> ended;
  std::optional<TimePoint> ends_by;
  std::optional<double> progress;   // of its time, or of its elements
  std::string progress_words;       // "segment 2, 1h of 6h", "12 of 100 elements"
  std::string start;                // of a waiting one: when it may start
  std::vector<std::string> jobs;    // of a waiting one
  std::optional<QueuePlace> queue;  // of a waiting one, the best of its jobs
};

/// What the GPUs of one run do, and how busy they were at earlier looks (0 to 1, the newest last).
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
  int pending_any = 0;  // asked for by pending jobs that several types could serve
  std::vector<Run> runs;
  std::vector<Run> jobs;                // of the user, not rv's, that ended in the last day
  std::map<std::string, RunGpus> gpus;  // by run
  std::string trouble;                  // Slurm's words when it did not answer
};

/// In the order in which a key changes them.
enum class Sort { state, name, left, newest };

/// What has been chosen.
struct Choice {
  std::string selected;  // the run's ID; empty: the first one
  std::string filter;    // part of an ID, a name or a state
  Sort sort = Sort::state;
  bool help = false;
  bool typing_filter = false;
  std::string asks_to_stop;  // the run's ID, while it is asked whether it shall be
  int page = 10;             // rows of runs on the screen when it was last drawn
  int first_row = 0;         // the screen's row of the first run shown
  int scrolled = 0;          // runs above it
};

/// What is shown of the runs, in the order in which it is.
std::vector<const Run*> shown_runs(const Known& known, const Choice& choice);

/// Where the selected one is among them; none: -1.
int selected_row(const std::vector<const Run*>& shown, const Choice& choice);

enum class Action { none, quit, logs, why, stop, shell, show };

/// What a key does: changes the choice, and asks for something to be done with the selected run.
struct Pressed {
  Choice choice;
  Action action = Action::none;
  std::string run;
};

}  // namespace rv::cli::top

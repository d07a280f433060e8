// A strategy: one job that gets the GPUs, complete enough to be rendered and submitted.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory_size.h"
#include "planner/cluster/gpu_catalogue.h"
#include "planner/cluster/records/tres.h"

namespace rv::planner {

enum class Kind { plain, interactive, mig, checkpoint };

/// As a plan shows it.
constexpr std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::plain:
      return "plain";
    case Kind::interactive:
      return "interactive";
    case Kind::mig:
      return "mig";
    case Kind::checkpoint:
      return "checkpoint";
  }
  return "unknown";
}

/// Wait::basis of a job that could start at once.
inline constexpr std::string_view free_now_basis = "free now";
/// Wait::basis if the queue does not show the jobs that hold nodes, so that no replay sees them end.
inline constexpr std::string_view unseen_basis = "unknown: the queue does not show the jobs that hold nodes";

/// Expected wait from the submission to the start. Empty optionals are unknown and printed so.
struct Wait {
  std::optional<std::chrono::seconds> p10;
  std::optional<std::chrono::seconds> p50;
  std::optional<std::chrono::seconds> p90;
  std::string basis = "unknown";  // "free now", "replay of 812 jobs, …", "unknown", …
  /// Start in each replay of the queue, in seconds, in the order of the trials; a start that no replay saw is huge. The
  /// same trial is the same future for every strategy. Empty: not replayed.
  std::vector<std::int32_t> trials;
  /// The longest time limit with which the job would start soon in most replays; empty: none, or it starts soon anyway.
  std::optional<std::chrono::seconds> window;
};

/// The controller's answer to sbatch --test-only, which submits nothing.
struct TestOnlyResult {
  enum class Outcome { starts, refused, unknown };
  Outcome outcome = Outcome::unknown;
  std::optional<std::chrono::seconds> wait;  // if it starts: from the answer on, never below 0
  std::string nodes;                         // if it starts: compressed, "n[1-2]"
  std::string message;                       // if refused or unknown: the controller's own message, one line
};

/// "starts", "refused", "unknown".
std::string_view to_string(TestOnlyResult::Outcome outcome);

struct Strategy {
  GpuModel gpu;           // without GPUs its name is empty
  std::string gres_type;  // as Slurm is asked: "a100"; empty for an untyped gres
  int nodes = 1;
  int gpus_per_node = 1;                // 0: a CPU job
  std::vector<std::string> partitions;  // more than one: exactly equal, submitted as one job
  Kind kind = Kind::plain;
  std::chrono::seconds time_limit{0};  // of one job; of one segment for checkpoint
  std::chrono::seconds work_time{0};   // what the user asked for
  int segments = 1;                    // jobs in the chain
  int cpus_per_node = 1;
  Mebibytes memory_per_node;  // 0: not asked for, where Slurm does not count memory
  bool on_gpu_nodes = false;  // a CPU job that may take CPUs of nodes with GPUs
  Tres charged;               // totals of a job in whole nodes that limits count: all CPUs and GPUs; else empty
  std::string constraint;     // feature expression, empty: none
  DatabaseName account;       // empty: Slurm's default
  DatabaseName qos;           // empty: Slurm's default
  std::vector<std::string> exclude;
  std::vector<std::string> nodelist;          // these nodes, and others where `nodes` is larger; empty: any
  std::map<std::string, std::string> sbatch;  // further options by their long names: {"clusters", "west"}; a flag: ""
  Wait wait;
  std::optional<double> cost_su;  // whole job (all segments); empty: unknown
  /// From now to the end of the work: waits, work and restarts; empty: unknown.
  std::optional<std::chrono::seconds> finish;
  std::optional<TestOnlyResult> controller;  // empty: it was not asked

  int gpus() const { return nodes * gpus_per_node; }
};

/// What the strategy gets, with the number of nodes where there are several: "4× A100 80 GB", "2×4 A100 80 GB"; of a
/// CPU job "16 CPUs, 64G", "2×16 CPUs, 64G".
std::string shape_in_words(const Strategy& strategy);

/// The controller was asked about this strategy, and would refuse it.
bool refused_by_controller(const Strategy& strategy);

/// A strategy that was considered, and why it is rejected.
struct Rejection {
  std::string gpu_type;  // model name, or what the user typed; empty: the request has no GPUs
  std::string reason;    // whole words, with the limit's name and figure
};

struct Plan {
  std::vector<Strategy> strategies;  // best first
  std::vector<Rejection> rejected;
  std::size_t as_good = 1;  // GPU models that are as soon and as cheap as the first strategy's, which is the smallest
};

}  // namespace rv::planner

// A strategy: one job that gets the GPUs, with all that is needed to render and submit it.
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

/// The name that a plan prints.
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
/// Wait::basis if the queue does not show the jobs that hold nodes: no replay can predict their ends.
inline constexpr std::string_view unseen_basis = "unknown: the queue does not show the jobs that hold nodes";

/// The predicted wait from the submission to the start: the 10th, 50th and 90th percentiles. A value that is not set is
/// unknown.
struct Wait {
  std::optional<std::chrono::seconds> p10;
  std::optional<std::chrono::seconds> p50;
  std::optional<std::chrono::seconds> p90;
  std::string basis = "unknown";  // "free now", "replay of 812 jobs, …", "unknown", …
  /// The start in each replay of the queue, in seconds, by trial; `never` (replay_model.h) if the job did not start in
  /// it. The same trial simulates the same future for every strategy. Empty: not replayed.
  std::vector<std::int32_t> trials;
  /// The longest time limit with which the job would start within a quarter of an hour in half of the replays.
  /// Nothing if there is none, or if the job starts so soon with its own time limit.
  std::optional<std::chrono::seconds> window;
};

/// The controller's answer to sbatch --test-only, which submits nothing.
struct TestOnlyResult {
  enum class Outcome { starts, refused, unknown };
  Outcome outcome = Outcome::unknown;
  std::optional<std::chrono::seconds> wait;  // if it starts: time from the answer to the start, at least 0
  std::string nodes;                         // if it starts: compressed, "n[1-2]"
  std::string message;                       // if refused or unknown: the controller's own message, one line
};

/// "starts", "refused", "unknown".
std::string_view to_string(TestOnlyResult::Outcome outcome);

struct Strategy {
  GpuModel gpu;           // the name is empty for a CPU job
  std::string gres_type;  // as requested from Slurm: "a100"; empty: untyped gres
  int nodes = 1;
  int gpus_per_node = 1;                // 0: a CPU job
  std::vector<std::string> partitions;  // several: they are equivalent, and one job names them all
  Kind kind = Kind::plain;
  std::chrono::seconds time_limit{0};  // of one job; for a checkpointed strategy, of one segment
  std::chrono::seconds work_time{0};   // the time that the user requested
  int segments = 1;                    // jobs in the chain
  int cpus_per_node = 1;
  Mebibytes memory_per_node;  // 0: not requested, because Slurm does not count memory
  bool all_memory = false;    // --mem=0; memory_per_node is then that of the smallest node
  bool exclusive = false;     // --exclusive: whole nodes, in any partition
  bool on_gpu_nodes = false;  // a CPU job that may use CPUs of nodes with GPUs
  Tres charged;            // for a job in whole nodes: all CPUs and GPUs of the nodes, which limits count; else empty
  std::string constraint;  // feature expression, empty: none
  DatabaseName account;    // empty: Slurm's default
  DatabaseName qos;        // empty: Slurm's default
  std::vector<std::string> exclude;
  std::vector<std::string> nodelist;          // nodes to use, with others if `nodes` is larger; empty: any
  std::map<std::string, std::string> sbatch;  // more options by their long names: {"clusters", "west"}; a flag: ""
  Wait wait;
  std::optional<double> cost_su;  // whole job (all segments); nothing: unknown
  /// Time from now to the end of the work: waits, work and restarts; nothing: unknown.
  std::optional<std::chrono::seconds> finish;
  std::optional<TestOnlyResult> controller;  // answer of sbatch --test-only; nothing: not asked

  int gpus() const { return nodes * gpus_per_node; }
};

/// The GPUs of the strategy as text, with the number of nodes if there are several: "4× A100 80 GB", "2×4 A100 80 GB".
/// For a CPU job: "16 CPUs, 64G", "2×16 CPUs, 64G".
std::string shape_in_words(const Strategy& strategy);

/// Whether the controller was asked about this strategy and would refuse it.
bool refused_by_controller(const Strategy& strategy);

/// A strategy that was considered, and why it is rejected.
struct Rejection {
  std::string gpu_type;  // name of the model, or the type that the user gave; empty: the request has no GPUs
  std::string reason;    // text with the limit's name and figure
};

struct Plan {
  std::vector<Strategy> strategies;  // best first
  std::vector<Rejection> rejected;
  /// The number of GPU models with the wait and the cost of the first strategy, itself included. The smallest is first.
  std::size_t as_good = 1;
};

}  // namespace rv::planner

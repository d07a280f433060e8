// The options that select GPUs: the same for plan, up, run and render.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/memory_size.h"
#include "cli/options/checkpoint_options.h"
#include "cli/settings/settings.h"
#include "planner/cluster/cluster.h"
#include "planner/cluster/request.h"
#include "planner/cluster/strategy.h"
#include "planner/forecast_inputs.h"

namespace CLI {
class App;
}

namespace rv::cli {

/// The options as typed values; to_request() finds contradictions.
struct RequestOptions {
  std::optional<int> gpus;
  std::vector<std::string> types;
  std::optional<Mebibytes> vram, memory;  // memory 0: all of a node
  std::optional<std::chrono::seconds> time;
  std::string name, account, qos, constraint;
  std::vector<std::string> partitions, exclude;
  std::vector<std::string> nodelist;  // each once, by name
  std::optional<planner::Splits> splits;
  std::map<std::string, std::chrono::seconds> windows;
  std::map<std::string, std::string> sbatch;  // options that go to sbatch as they are, by their long names
  planner::Goal goal{planner::Aim::soonest, 0};
  bool cpu_runs = false;              // whether the command takes --gpu 0
  std::optional<int> cores_per_task;  // -c, of a CPU run with one process on a node
  std::optional<int> cpus, nodes, fanout, seed, trials;
  bool mig = false;
  bool single_node = false;
  bool exclusive = false;
  std::shared_ptr<CheckpointOptions> checkpoint;  // where the command has them
  bool probe = false;               // if the command has this option: ask the controller about the first strategies
  bool avoids_faulty_nodes = true;  // false for a test of nodes
  std::string cluster_file;         // --cluster: plan on a saved snapshot
};

/// Adds the options to a command; the values live as long as the returned pointer. Reading them throws Error(usage)
/// that names the option and shows a right value.
std::shared_ptr<RequestOptions> add_request_options(CLI::App& command);

/// Adds --probe, for commands that show or start a plan.
void add_probe_option(CLI::App& command, RequestOptions& options);

/// Whether --cluster was given: a plan on a saved file needs no cluster, and so no login node.
bool on_saved_cluster(const CLI::App& called);

/// Throws Error(usage) for options that contradict each other.
planner::Request to_request(const RequestOptions& options, const Settings& settings);

/// --goal, --seed and --trials, without a history.
planner::ForecastInputs to_forecast_inputs(const RequestOptions& options);

/// The snapshot from --cluster FILE, or read from Slurm now. `history`, if given, gets the finished jobs of the file.
planner::Cluster cluster_for(const RequestOptions& options, const Settings& settings,
                             std::vector<planner::FinishedJob>* history = nullptr);

/// The cluster as Slurm reports it now, with hidden partitions if `partitions` names one.
planner::Cluster read_cluster(const Settings& settings, const std::vector<std::string>& partitions = {});

/// `--fanout`, else the settings'. Throws Error(usage) below 1.
int fanout(const RequestOptions& options, const Settings& settings);

}  // namespace rv::cli

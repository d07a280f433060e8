// The user's request for GPUs, or for CPUs.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/memory_size.h"
#include "planner/cluster/records/database_name.h"

namespace rv::planner {

/// The numbers of nodes over which a request may be split evenly.
enum class Splits {
  two_nodes,  // at most two nodes, if there are at least four GPUs
  pairs,      // every even split with at least two GPUs per node (default)
  all,        // also splits with one GPU per node
};

struct Request {
  int gpus = 1;                    // 0: a CPU run
  std::vector<std::string> types;  // model names, aliases or gres types; empty: any
  std::optional<Mebibytes> vram;   // minimum per GPU
  std::chrono::seconds time{std::chrono::hours(2) + std::chrono::minutes(59)};
  std::optional<Mebibytes> memory;  // per node; 0: all of it
  std::optional<int> cpus;          // per node
  std::string name;                 // as typed: any byte except NUL; empty: none given
  bool mig = false;                 // one MIG slice, not a whole GPU
  bool single_node = false;
  bool exclusive = false;    // whole nodes (sbatch --exclusive)
  std::optional<int> nodes;  // exactly this number
  std::vector<std::string> partitions;
  DatabaseName account;
  DatabaseName qos;
  std::string constraint;                     // Slurm feature expression
  std::vector<std::string> exclude;           // nodes
  std::vector<std::string> nodelist;          // nodes to use, with others if `nodes` is larger; empty: any
  std::map<std::string, std::string> sbatch;  // options that don't change the plan: {"nice", "100"}; a flag: ""
  Splits splits = Splits::pairs;
  /// The longest walltime of a job that starts soon, by name of the GPU model; the key "*" is for every model. A window
  /// shorter than `time` adds checkpointed strategies.
  std::map<std::string, std::chrono::seconds> windows;
  /// The command saves checkpoints (--checkpoint): only checkpointed strategies are enumerated.
  bool checkpoint_only = false;
};

/// Text for messages: "4 GPUs", "16 CPUs, 64G", "2 nodes of 1 CPU".
std::string asked_in_words(const Request& request);

}  // namespace rv::planner

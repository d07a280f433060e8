// What the user asked for.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/memory_size.h"
#include "planner/cluster/records/database_name.h"

namespace rv::planner {

/// Over which numbers of nodes a request is split evenly.
enum class Splits {
  two_nodes,  // two nodes at most, from four GPUs on
  pairs,      // every even split with at least two GPUs a node (default)
  all,        // also one GPU a node
};

struct Request {
  int gpus = 1;                    // 0: a CPU run
  std::vector<std::string> types;  // model names, aliases or gres types; empty: any
  std::optional<Mebibytes> vram;   // at least, per GPU
  std::chrono::seconds time{std::chrono::hours(2) + std::chrono::minutes(59)};
  std::optional<Mebibytes> memory;  // per node
  std::optional<int> cpus;          // per node
  std::string name;                 // as typed, may hold any byte but NUL; empty: none given
  bool mig = false;                 // one MIG slice, nothing else
  bool single_node = false;
  std::optional<int> nodes;  // exactly this number
  std::vector<std::string> partitions;
  DatabaseName account;
  DatabaseName qos;
  std::string constraint;                     // Slurm feature expression
  std::vector<std::string> exclude;           // nodes
  std::vector<std::string> nodelist;          // these nodes, and others where `nodes` is larger; empty: any
  std::map<std::string, std::string> sbatch;  // further options, which change no plan: {"nice", "100"}; a flag: ""
  Splits splits = Splits::pairs;
  /// Longest walltime that starts soon, by GPU model name; the key "*" stands for every model. A window shorter than
  /// `time` makes checkpointed variants.
  std::map<std::string, std::chrono::seconds> windows;
  /// Set when work that can be cut short and continued is asked for; plain strategies are then left out.
  bool checkpoint_only = false;
};

/// What is asked for, for messages: "4 GPUs", "16 CPUs, 64G", "2 nodes of 1 CPU".
std::string asked_in_words(const Request& request);

}  // namespace rv::planner

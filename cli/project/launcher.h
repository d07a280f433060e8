// Reads the number of processes from a command line: torchrun --nnodes=2 --nproc_per_node=4.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rv::project {

struct CountRange {
  int least = 0, most = 0;
  bool has(int count) const { return least <= count && count <= most; }
};

/// The numbers of a launcher that starts a process for each GPU. A number that is missing or "auto" is nothing.
struct LauncherCounts {
  std::string launcher;              // "torchrun"
  std::string said;                  // its words about numbers: "--nnodes=2 --nproc_per_node=4"
  std::optional<CountRange> nodes;   // also by the launcher's default
  std::optional<int> gpus_per_node;  // processes on a node
  std::optional<int> gpus;           // processes on all nodes

  /// Whether a job of this shape has the nodes and the GPUs that are named.
  bool fits(int job_nodes, int job_gpus_per_node) const;
  /// "2 nodes with 4 processes each", "8 processes".
  std::string shown() const;
};

/// `words`: the command, launchers and their options among them. `whole`: it has no further words that could not be
/// read (what a shell would put in, "--nnodes=$N"). Reads torchrun, torch.distributed, accelerate, deepspeed,
/// horovodrun, composer, mpirun and srun up to their program; nothing where no numbers are said, and for what a shell
/// starts.
std::optional<LauncherCounts> launcher_counts(const std::vector<std::string>& words, bool whole);

}  // namespace rv::project

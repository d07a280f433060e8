// The numbers of a batch script: nodes, tasks, CPUs, GPUs and memory, which Slurm takes per task, per node, per CPU or
// per GPU, and rv for the run and per node.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/memory_size.h"
#include "cli/batch/directives.h"

namespace rv::cli {

/// An option of a script that may occur several times; only the last one counts.
class LastOptions {
 public:
  explicit LastOptions(const std::vector<Directive>& directives) : directives_(directives) {}

  /// The last directive with this option; nullptr: there is none.
  const Directive* find(std::string_view option) const;

 private:
  const std::vector<Directive>& directives_;
};

struct ScriptShape {
  int nodes = 1;
  bool nodes_given = false;
  int tasks_per_node = 1;
  bool tasks_given = false;          // --ntasks or --ntasks-per-node
  int gpus = 0;                      // of all nodes
  std::string gpu_type;              // empty: any
  std::optional<int> cpus_per_node;  // nothing: the script leaves it to Slurm
  std::optional<Mebibytes> memory;   // per node; 0: all of it
};

/// What the translation depends on besides the script: rv's command and its options. A script may give GPUs per node
/// (--gpus-per-node); --gpu of rv counts those of the whole run.
struct GivenShape {
  std::optional<int> nodes = {};  // --nodes
  bool gpus = false;              // --gpu
  bool type = false;              // --type
  bool memory = false;            // --mem
  bool time = false;              // --time
  bool placed = false;            // an option says on how many nodes the GPUs are: --nodes, --nodelist, --splits, …
  bool follows = false;           // rv's command supports --follow, as rv plan does not
  bool checkpoint = false;        // --checkpoint: its signal before the limit replaces the script's --signal
};

/// Reads the numbers. What rv's command line gives is not read, so a fault in it does not count. Throws Error(usage)
/// that names the line for a number that is not valid, for a range of nodes, for tasks that do not divide evenly, and
/// for two options that contradict each other.
ScriptShape script_shape(const LastOptions& options, const std::string& script, const GivenShape& given);

/// Throws Error(usage) for the script's line.
[[noreturn]] void refuse_line(const std::string& script, const Directive& directive, const std::string& message,
                              const std::string& advice);

}  // namespace rv::cli

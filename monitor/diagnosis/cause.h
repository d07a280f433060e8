// Why a run is where it is: the causes rv knows, each with its words and its way out.
#pragma once

#include <string_view>

namespace rv::monitor {

enum class Cause {
  nothing_wrong,  // it did what was asked
  under_way,      // it is running, or about to
  pending,        // it waits in the queue
  not_submitted,
  refused,           // Slurm took no candidate
  gpu_hardware,      // the device or its link is broken
  gpu_driver,        // the node's driver or devices are not usable
  gpu_missing,       // the node shows fewer GPUs than were asked for
  network_hardware,  // the fabric between nodes
  out_of_memory,     // host memory
  killed,            // by a KILL without an explanation
  cuda_out_of_memory,
  no_space,
  work_folder,
  container,          // no image, or nothing that starts one
  container_refused,  // by the engine, which has the image
  module_missing,
  python_import,
  library_missing,
  command_not_found,
  permission,
  rendezvous,    // the processes did not find each other
  wrong_kernel,  // built for another GPU model
  cuda_error,    // a CUDA error that is the program's as a rule
  nccl,
  time_limit,
  node_failure,
  preempted,
  cancelled,
  launch_failure,
  gate,  // rv's start gate could not use the run folder
  restart_refused,
  no_progress,  // a segment of a chain saved nothing
  predecessor,  // the run that it follows did not end well
  unknown,
};

struct CauseWords {
  std::string_view name;    // in JSON
  std::string_view words;   // "the job ran out of memory"
  std::string_view advice;  // the next step; empty: none is needed
  /// The same command may well succeed on other nodes.
  bool elsewhere = false;
  /// The node that reported it is the one to avoid.
  bool blames_node = false;
};

const CauseWords& words_of(Cause cause);

}  // namespace rv::monitor

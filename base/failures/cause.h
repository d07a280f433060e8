// Why a run is in its state: the causes that rv knows, each with its description and its advice.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rv::failures {

enum class Cause {
  nothing_wrong,  // it did what was asked
  under_way,      // it is running, or about to
  pending,        // it waits in the queue
  not_submitted,
  refused,           // Slurm took no candidate
  gpu_hardware,      // the device or its link is broken
  gpu_driver,        // the node's driver or devices are not usable
  gpu_missing,       // the node shows fewer GPUs than requested
  gpu_contained,     // a GPU ended the program to contain an error
  gpu_busy,          // another process holds it
  no_gpu_seen,       // the program sees none; the node may have them
  driver_too_old,    // for the CUDA that the program was built with
  network_hardware,  // the fabric between nodes
  out_of_memory,     // host memory
  shared_memory,     // /dev/shm
  killed,            // by a KILL without an explanation
  cuda_out_of_memory,
  no_space,
  file_system,  // it answered with an error
  open_files,   // the limit of open files
  work_folder,
  container,          // no image, or nothing that starts one
  container_refused,  // by the engine, which has the image
  module_missing,
  python_import,
  library_missing,
  library_version,  // older than the program needs
  environment,      // Conda's could not be activated
  command_not_found,
  permission,
  line_endings,        // a script with those of Windows
  wrong_architecture,  // another kind of processor
  usage,               // the program rejected its arguments
  python_exception,
  no_connection,   // a server outside could not be reached
  server_refused,  // a server outside gave no access
  port_in_use,
  mpi_start,
  rendezvous,    // the processes did not find each other
  wrong_kernel,  // built for another GPU model
  cuda_error,    // a CUDA error that is the program's as a rule
  nccl,
  time_limit,
  node_failure,
  preempted,
  cancelled,
  launch_failure,
  step_refused,       // the command asked for more than its job has
  slurm_unreachable,  // the controller did not answer
  gate,               // rv's start gate could not use the run folder
  restart_refused,
  no_progress,  // a segment of a chain saved nothing
  stalled,      // the command made no progress, and --on-stall ended it
  preflight,    // a node failed the test before the command
  set_up,       // the site's or the project's set-up lines failed
  predecessor,  // the run that it follows did not succeed
  unqueued,     // the run that it follows goes on, and Slurm did not take its job back into the queue
  unknown,
};

/// Whose fault a cause is, as a rule.
enum class Fault { nobody, program, command, gpu_memory, host_memory, node, network, site };

struct CauseWords {
  std::string_view name;    // in JSON
  std::string_view words;   // "the job ran out of memory"
  std::string_view advice;  // the next step; empty: none is needed
  Fault fault = Fault::nobody;
  /// The same command may well succeed on other nodes.
  bool elsewhere = false;
  /// The node that reported it is the one to avoid.
  bool blames_node = false;
};

const CauseWords& words_of(Cause cause);
/// The cause of this name; nothing for another word.
std::optional<Cause> cause_named(std::string_view name);
/// The names of all causes.
std::vector<std::string> cause_names();

}  // namespace rv::failures

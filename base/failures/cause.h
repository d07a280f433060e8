// Why a run is in its state: the causes that rv knows, each with its description and its advice.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rv::failures {

enum class Cause {
  nothing_wrong,  // it ended as requested, or has no failure
  under_way,      // it is running or about to run
  pending,        // it waits in the queue
  not_submitted,
  refused,           // Slurm accepted no candidate
  gpu_hardware,      // the device or its link is broken
  gpu_driver,        // the node's driver or devices are not usable
  gpu_missing,       // the node shows fewer GPUs than requested
  gpu_contained,     // a GPU ended the program to contain an error
  gpu_busy,          // another process uses the GPU
  no_gpu_seen,       // the program sees none; the node may have them
  driver_too_old,    // for the CUDA that the program was built with
  network_hardware,  // the fabric between nodes
  out_of_memory,     // host memory
  shared_memory,     // /dev/shm
  killed,            // by SIGKILL, for an unknown reason
  cuda_out_of_memory,
  no_space,
  file_system,  // the file system reported an error
  open_files,   // the limit of open files
  work_folder,
  container,          // the image or the container engine is missing
  container_refused,  // the engine refused to start it
  module_missing,
  python_import,
  library_missing,
  library_version,  // older than the program needs
  environment,      // a Conda environment could not be activated
  command_not_found,
  permission,
  line_endings,        // a script with Windows line endings
  wrong_architecture,  // the program is built for another processor
  usage,               // the program rejected its arguments
  python_exception,
  no_connection,   // a server could not be reached
  server_refused,  // a server denied access
  port_in_use,
  mpi_start,
  rendezvous,    // the processes did not find each other
  wrong_kernel,  // built for another GPU model
  cuda_error,    // a CUDA error that usually is a bug of the program
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
  unqueued,     // Slurm did not requeue its job while the run that it follows was not over
  unknown,
};

/// What is usually responsible for a cause.
enum class Fault { nobody, program, command, gpu_memory, host_memory, node, network, site };

struct CauseText {
  std::string_view name;    // in JSON
  std::string_view text;    // "the job ran out of memory"
  std::string_view advice;  // the next step; empty: none is needed
  Fault fault = Fault::nobody;
  /// The same command may succeed on other nodes.
  bool elsewhere = false;
  /// The node that reported it should be avoided.
  bool blames_node = false;
};

const CauseText& text_of(Cause cause);
/// The cause with this name; nothing if there is none.
std::optional<Cause> cause_named(std::string_view name);
/// The names of all causes.
std::vector<std::string> cause_names();

}  // namespace rv::failures

#include "base/failures/cause.h"

#include <algorithm>
#include <array>
#include <utility>

namespace rv::failures {
namespace {

constexpr bool elsewhere = true;
constexpr bool blames_node = true;

constexpr std::array causes = {
    std::pair{Cause::nothing_wrong, CauseText{"nothing_wrong", "nothing went wrong", ""}},
    std::pair{Cause::under_way, CauseText{"under_way", "it is in progress", ""}},
    std::pair{Cause::pending, CauseText{"pending", "it is waiting in the queue", ""}},
    std::pair{Cause::not_submitted,
              CauseText{"not_submitted", "no candidate has been submitted",
                        "stop the run with rv stop and start it again; its plan may be out of date"}},
    std::pair{Cause::refused, CauseText{"refused", "Slurm refused every candidate",
                                        "ask for less, or for another partition, account or QOS", Fault::command}},
    std::pair{Cause::gpu_hardware, CauseText{"gpu_hardware", "a GPU or its link is broken",
                                             "run it again with --exclude, and report the node to the administrators",
                                             Fault::node, elsewhere, blames_node}},
    std::pair{Cause::gpu_driver, CauseText{"gpu_driver", "the node's GPUs can't be used",
                                           "run it again with --exclude, and report the node to the administrators",
                                           Fault::node, elsewhere, blames_node}},
    std::pair{Cause::gpu_missing, CauseText{"gpu_missing", "the node shows fewer GPUs than requested",
                                            "run it again with --exclude, and report the node to the administrators",
                                            Fault::node, elsewhere, blames_node}},
    std::pair{Cause::network_hardware,
              CauseText{"network_hardware", "the network between the nodes failed",
                        "run it again on other nodes, or with --single-node", Fault::network, elsewhere, blames_node}},
    std::pair{Cause::out_of_memory, CauseText{"out_of_memory", "it used more memory than it had requested",
                                              "ask for more with --mem", Fault::host_memory}},
    std::pair{Cause::killed,
              CauseText{"killed", "it was killed by SIGKILL; the usual reason is too little memory",
                        "try more --mem; if that does not help, ask the administrators about the node", Fault::nobody}},
    std::pair{Cause::cuda_out_of_memory,
              CauseText{"cuda_out_of_memory", "the GPU ran out of memory",
                        "use a smaller batch, or ask for more with --vram or a larger --type", Fault::gpu_memory}},
    std::pair{Cause::no_space, CauseText{"no_space", "a disk or a quota is full",
                                         "free some space, or write to a folder with room (scratch)", Fault::site}},
    std::pair{Cause::work_folder, CauseText{"work_folder", "the working folder can't be entered on the node",
                                            "start it from a folder on the shared file system", Fault::command}},
    std::pair{Cause::container,
              CauseText{"container", "the container could not be started",
                        "check the image's name, and whether the node has the image or can pull it", Fault::command}},
    std::pair{
        Cause::container_refused,
        CauseText{"container_refused", "the container engine refused to start the container",
                  "its message gives the reason; start the image on that node by hand to reproduce it", Fault::site}},
    std::pair{Cause::module_missing,
              CauseText{"module_missing", "an environment module was not found",
                        "correct its name (module spider NAME), in the command or under setup in the settings",
                        Fault::command}},
    std::pair{Cause::python_import,
              CauseText{"python_import", "Python could not import a module",
                        "install it into the environment that the job uses, and activate that in the command",
                        Fault::program}},
    std::pair{
        Cause::library_missing,
        CauseText{"library_missing", "a shared library was not found",
                  "load the module that provides it, in the command or under setup in the settings", Fault::program}},
    std::pair{Cause::command_not_found,
              CauseText{"command_not_found", "a program or file was not found",
                        "check its path on the node; a module may have to be loaded first", Fault::command}},
    std::pair{Cause::permission, CauseText{"permission", "permission to a file or folder was denied",
                                           "check its permissions; a script needs chmod +x", Fault::command}},
    std::pair{Cause::rendezvous,
              CauseText{"rendezvous", "the processes did not find each other",
                        "look for the process that ended first; its log has the cause", Fault::program}},
    std::pair{Cause::wrong_kernel, CauseText{"wrong_kernel", "the program is not built for this GPU model",
                                             "choose another --type, or install a build for this one", Fault::program}},
    std::pair{
        Cause::cuda_error,
        CauseText{
            "cuda_error", "a CUDA call failed, usually because of an error in the program",
            "run it with CUDA_LAUNCH_BLOCKING=1 to see the failing call; compute-sanitizer finds invalid accesses",
            Fault::program}},
    std::pair{Cause::nccl,
              CauseText{"nccl", "communication between the GPUs' processes failed (NCCL)",
                        "look for the rank that failed or fell behind first; NCCL_DEBUG=WARN prints details",
                        Fault::program}},
    std::pair{Cause::time_limit, CauseText{"time_limit", "it reached its time limit",
                                           "ask for more with --time, or use --checkpoint", Fault::command}},
    std::pair{Cause::node_failure,
              CauseText{"node_failure", "its node failed", "run it again, with --exclude for the node", Fault::node,
                        elsewhere, blames_node}},
    std::pair{Cause::preempted,
              CauseText{"preempted", "a job with a higher priority preempted it",
                        "run it again with --requeue, or in a partition without preemption", Fault::nobody, elsewhere}},
    std::pair{Cause::cancelled, CauseText{"cancelled", "it was cancelled", ""}},
    std::pair{Cause::launch_failure, CauseText{"launch_failure", "Slurm could not start it on the node",
                                               "run it again with --exclude, and report the node to the administrators",
                                               Fault::node, elsewhere, blames_node}},
    std::pair{Cause::gate,
              CauseText{"gate", "the node could not use the run folder, so the command did not start",
                        "RV_HOME must be on a shared file system with free space where the nodes can write",
                        Fault::node, elsewhere, blames_node}},
    std::pair{Cause::restart_refused,
              CauseText{"restart_refused", "Slurm restarted the job, and the command may run only once",
                        "start it again, with --requeue if the command may be restarted"}},
    std::pair{
        Cause::no_progress,
        CauseText{
            "no_progress", "a segment saved nothing, so the next segment would repeat the same work",
            "save into $RV_CHECKPOINT_DIR when the warning comes; give it more time with --warn or --segment-time",
            Fault::program}},
    std::pair{Cause::stalled,
              CauseText{"stalled", "it made no progress for the time of --stall, and was ended",
                        "the files in stall/ of the run folder show where each process waited", Fault::program}},
    std::pair{Cause::preflight, CauseText{"preflight", "the preflight failed, so the command did not start",
                                          "report the node to the administrators, and run it again with --exclude",
                                          Fault::node, elsewhere}},
    std::pair{Cause::set_up, CauseText{"set_up", "the set-up lines failed, so the command did not start",
                                       "try the lines of `setup` (in the settings, or under environment in .rv.yaml) "
                                       "in rv up on the same node type"}},
    std::pair{Cause::predecessor,
              CauseText{"predecessor", "the run that it follows did not succeed",
                        "run rv why for that run; --after RUN:any starts regardless of how it ends"}},
    std::pair{Cause::unqueued,
              CauseText{"unqueued", "Slurm refused to let its job wait longer for the run that it follows",
                        "start it again when that run is over; compute nodes here may neither submit nor requeue"}},
    std::pair{Cause::gpu_contained,
              CauseText{"gpu_contained", "a GPU stopped the program to contain an error of its memory or of NVLink",
                        "run it again; if it happens on that node again, use --exclude", Fault::node}},
    std::pair{Cause::gpu_busy,
              CauseText{"gpu_busy", "a GPU was in use by another process",
                        "give each process its own GPU, which exclusive mode requires; if rv gpu shows a process that "
                        "another job left there, use --exclude for the node",
                        Fault::program}},
    std::pair{Cause::no_gpu_seen,
              CauseText{"no_gpu_seen", "the program found no GPU",
                        "check CUDA_VISIBLE_DEVICES in the command, and whether the program is built with CUDA; rv gpu "
                        "shows the node's GPUs",
                        Fault::program}},
    std::pair{Cause::driver_too_old,
              CauseText{"driver_too_old", "the node's driver is older than the program's CUDA needs",
                        "install a build for an older CUDA; nvidia-smi shows the newest one that the driver supports",
                        Fault::site}},
    std::pair{Cause::shared_memory,
              CauseText{"shared_memory", "/dev/shm on the node was too small",
                        "use fewer loader processes, or ask for more --mem; a container may need a larger /dev/shm",
                        Fault::host_memory}},
    std::pair{Cause::file_system,
              CauseText{"file_system", "the file system reported an error",
                        "try again later; report it to the administrators if it persists", Fault::site}},
    std::pair{
        Cause::open_files,
        CauseText{"open_files", "the limit on open files was reached",
                  "use fewer loader processes, or raise the limit in the command with ulimit -n", Fault::program}},
    std::pair{Cause::library_version,
              CauseText{"library_version", "a system library is older than the program needs",
                        "install a build for this system, or use a container with a newer one", Fault::program}},
    std::pair{
        Cause::environment,
        CauseText{"environment", "a Conda environment could not be activated",
                  "check its name, and source conda's etc/profile.d/conda.sh in the command first", Fault::command}},
    std::pair{Cause::line_endings, CauseText{"line_endings", "a script has Windows line endings",
                                             "convert it with dos2unix", Fault::command}},
    std::pair{Cause::wrong_architecture,
              CauseText{"wrong_architecture", "a program is built for another processor architecture",
                        "install a build for the node's processor, or choose other nodes", Fault::command}},
    std::pair{Cause::usage, CauseText{"usage", "the program rejected its arguments",
                                      "correct them; the program's --help lists the valid ones", Fault::command}},
    std::pair{Cause::python_exception, CauseText{"python_exception", "Python raised an exception",
                                                 "the file and line are in the proof", Fault::program}},
    std::pair{Cause::no_connection,
              CauseText{"no_connection", "a server could not be reached from the node",
                        "download the data on the login node first; compute nodes often have no internet access",
                        Fault::network}},
    std::pair{Cause::server_refused,
              CauseText{"server_refused", "a server denied access",
                        "check the token and its permissions (rv env stores tokens for jobs)", Fault::program}},
    std::pair{
        Cause::port_in_use,
        CauseText{"port_in_use", "a port was already in use",
                  "use the port in MASTER_PORT, which rv sets for each job, or another free port", Fault::program}},
    std::pair{Cause::mpi_start,
              CauseText{"mpi_start", "MPI could not start its processes",
                        "check that the MPI library is built for Slurm: srun --mpi=list shows the supported types",
                        Fault::program}},
    std::pair{Cause::step_refused,
              CauseText{"step_refused", "the command asked for more than its job has",
                        "ask for less in the command (srun, mpirun), or for more with rv's options", Fault::command}},
    std::pair{Cause::slurm_unreachable, CauseText{"slurm_unreachable", "Slurm's controller did not answer the command",
                                                  "run it again", Fault::site}},
    std::pair{Cause::unknown, CauseText{"unknown", "the cause is not known", "rv logs shows all of its output"}},
};

}  // namespace

const CauseText& text_of(Cause cause) {
  const auto found =
      std::find_if(causes.begin(), causes.end(), [&](const auto& entry) { return entry.first == cause; });
  return found == causes.end() ? causes.back().second : found->second;
}

std::optional<Cause> cause_named(std::string_view name) {
  const auto found =
      std::find_if(causes.begin(), causes.end(), [&](const auto& entry) { return entry.second.name == name; });
  return found == causes.end() ? std::nullopt : std::optional(found->first);
}

std::vector<std::string> cause_names() {
  std::vector<std::string> names;
  names.reserve(causes.size());
  for (const auto& [cause, words] : causes) names.emplace_back(words.name);
  return names;
}

}  // namespace rv::failures

#include "monitor/diagnosis/cause.h"

#include <algorithm>
#include <array>
#include <utility>

namespace rv::monitor {
namespace {

constexpr bool elsewhere = true;
constexpr bool blames_node = true;

constexpr std::array causes = {
    std::pair{Cause::nothing_wrong, CauseWords{"nothing_wrong", "nothing went wrong", ""}},
    std::pair{Cause::under_way, CauseWords{"under_way", "it is under way", ""}},
    std::pair{Cause::pending, CauseWords{"pending", "it waits in the queue", ""}},
    std::pair{Cause::not_submitted, CauseWords{"not_submitted", "no candidate has been submitted",
                                               "rv stop it and start it again; its plan may be out of date"}},
    std::pair{Cause::refused, CauseWords{"refused", "Slurm refused every candidate",
                                         "ask for less, or for another partition, account or QOS"}},
    std::pair{Cause::gpu_hardware,
              CauseWords{"gpu_hardware", "a GPU or its link is broken",
                         "run it again with --exclude and tell the administrators", elsewhere, blames_node}},
    std::pair{Cause::gpu_driver,
              CauseWords{"gpu_driver", "the node's GPUs can't be used",
                         "run it again with --exclude and tell the administrators", elsewhere, blames_node}},
    std::pair{Cause::gpu_missing,
              CauseWords{"gpu_missing", "the node shows fewer GPUs than were asked for",
                         "run it again with --exclude and tell the administrators", elsewhere, blames_node}},
    std::pair{Cause::network_hardware,
              CauseWords{"network_hardware", "the network between the nodes failed",
                         "run it again on other nodes, or with --single-node", elsewhere, blames_node}},
    std::pair{Cause::out_of_memory,
              CauseWords{"out_of_memory", "it needed more memory than it had asked for", "ask for more with --mem"}},
    std::pair{Cause::killed,
              CauseWords{"killed", "something killed it (KILL); most often that is too little memory",
                         "try more --mem; if that does not help, ask the administrators about the node"}},
    std::pair{Cause::cuda_out_of_memory,
              CauseWords{"cuda_out_of_memory", "the GPU's memory was not enough",
                         "use a smaller batch, or ask for more with --vram or a larger --type"}},
    std::pair{Cause::no_space, CauseWords{"no_space", "a disk or a quota is full",
                                          "free some space, or write to a folder with room (scratch)"}},
    std::pair{Cause::work_folder, CauseWords{"work_folder", "the working folder can't be entered on the node",
                                             "start it from a folder on the shared file system"}},
    std::pair{Cause::container, CauseWords{"container", "the container could not be started",
                                           "check the image's name, and that the node can pull it or has it"}},
    std::pair{Cause::container_refused,
              CauseWords{"container_refused", "the container's engine refused to start it",
                         "its words say why; start the image by hand on that node to see it again"}},
    std::pair{Cause::module_missing,
              CauseWords{"module_missing", "an environment module is not there",
                         "correct its name (module spider NAME), in the command or under setup in the settings"}},
    std::pair{Cause::python_import,
              CauseWords{"python_import", "Python could not import a module",
                         "install it into the environment that the job uses, and activate that in the command"}},
    std::pair{Cause::library_missing,
              CauseWords{"library_missing", "a shared library is not there",
                         "load the module that has it, in the command or under setup in the settings"}},
    std::pair{Cause::command_not_found, CauseWords{"command_not_found", "a program or file is not there",
                                                   "check its path on the node; a module may have to be loaded first"}},
    std::pair{Cause::permission, CauseWords{"permission", "a file or folder may not be used",
                                            "check its permissions; a script needs chmod +x"}},
    std::pair{Cause::rendezvous, CauseWords{"rendezvous", "the processes did not find each other",
                                            "look for the process that ended first; its log has the cause"}},
    std::pair{Cause::wrong_kernel, CauseWords{"wrong_kernel", "the program is not built for this GPU model",
                                              "choose another --type, or install a build for this one"}},
    std::pair{Cause::cuda_error,
              CauseWords{"cuda_error", "a CUDA call failed, as a rule through the program itself",
                         "run it with CUDA_LAUNCH_BLOCKING=1 to see which call; compute-sanitizer finds bad accesses"}},
    std::pair{Cause::nccl, CauseWords{"nccl", "the GPUs' processes stopped talking to each other (NCCL)",
                                      "look for the rank that failed or fell behind first; NCCL_DEBUG=WARN says more"}},
    std::pair{Cause::time_limit,
              CauseWords{"time_limit", "its time was up", "ask for more with --time, or save checkpoints and go on"}},
    std::pair{Cause::node_failure, CauseWords{"node_failure", "its node failed", "run it again; --exclude the node",
                                              elsewhere, blames_node}},
    std::pair{Cause::preempted,
              CauseWords{"preempted", "a job with a higher priority took its place",
                         "run it again, with --requeue, or in a partition that is not preempted", elsewhere}},
    std::pair{Cause::cancelled, CauseWords{"cancelled", "it was cancelled", ""}},
    std::pair{Cause::launch_failure,
              CauseWords{"launch_failure", "Slurm could not start it on the node",
                         "run it again with --exclude and tell the administrators", elsewhere, blames_node}},
    std::pair{Cause::gate, CauseWords{"gate", "the run folder could not be used on the node; nothing was started",
                                      "RV_HOME must be on a shared file system with room that the nodes can write",
                                      elsewhere, blames_node}},
    std::pair{Cause::restart_refused,
              CauseWords{"restart_refused", "Slurm started it again, and a command runs only once",
                         "start it again, with --requeue if a second start does no harm"}},
    std::pair{
        Cause::no_progress,
        CauseWords{"no_progress", "a segment saved nothing, and the next one would have begun where it did",
                   "save into $RV_CHECKPOINT_DIR when the warning comes; give it more time with --warn or --segment"}},
    std::pair{Cause::predecessor,
              CauseWords{"predecessor", "the run that it follows did not end well",
                         "rv why of that run names its cause; --after RUN:any starts all the same"}},
    std::pair{Cause::unknown, CauseWords{"unknown", "the cause is not known", "rv logs has all its output"}},
};

}  // namespace

const CauseWords& words_of(Cause cause) {
  const auto found =
      std::find_if(causes.begin(), causes.end(), [&](const auto& entry) { return entry.first == cause; });
  return found == causes.end() ? causes.back().second : found->second;
}

}  // namespace rv::monitor

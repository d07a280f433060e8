#include "base/failures/message.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

using namespace rv;
using namespace rv::failures;

namespace {

std::string name_of(std::string_view line) {
  const auto match = cause_in(line);
  return match ? std::string(text_of(match->cause).name) : "nothing";
}

}  // namespace

TEST_CASE("lines that programs, drivers and Slurm really write") {
  const std::vector<std::pair<const char*, const char*>> lines = {
      // rv's scripts
      {"rv: the command had started before this start and is not started again (--requeue allows it)",
       "restart_refused"},
      {"rv: the working folder /x can't be entered on n1; check that it is on a shared file system", "work_folder"},
      {"rv: can't read or write the run folder /x on n1, so the command did not start", "gate"},
      {"Error: crun: executable file `nothing` not found in $PATH: No such file or directory: OCI runtime attempted to "
       "invoke a command that was not found",
       "command_not_found"},
      {"ERROR (catatonit:2): failed to exec pid1: No such file or directory", "command_not_found"},
      {"Error: crun: open executable: Permission denied: OCI permission denied", "permission"},
      {"Error: crun: setrlimit `RLIMIT_NPROC`: Operation not permitted: OCI permission denied", "container_refused"},
      {"docker: Error response from daemon: failed to create task: OCI runtime create failed: runc create failed: x",
       "container_refused"},
      {"rv: error: --container a/b: podman neither has it nor can pull it on n1", "container"},
      {"rv: error: --container-mount /data: n1 has no such file or folder", "container"},
      {"rv: --container a/b: podman neither has it nor can pull it on n1", "container"},
      // Slurm
      {"slurmstepd: error: Detected 1 oom-kill event(s) in StepId=14604003.batch cgroup. Some of your processes may "
       "have been killed by the cgroup out-of-memory handler.",
       "out_of_memory"},
      {"slurmstepd: error: Detected 1 oom-kill event(s) in step 370626.batch cgroup", "out_of_memory"},
      {"slurmstepd: error: Detected 3 oom_kill events in StepId=77.0. Some of the step tasks have been OOM Killed.",
       "out_of_memory"},
      {"srun: error: o0616: task 0: Out Of Memory", "out_of_memory"},
      {"slurmstepd: error: *** JOB 494583 ON udc-an28-1 CANCELLED AT 2024-04-20T09:09:37 DUE TO TIME LIMIT ***",
       "time_limit"},
      {"slurmstepd: error: *** JOB 12 ON n1 CANCELLED AT 2024-04-20T09:09:37 DUE TO PREEMPTION ***", "preempted"},
      {"slurmstepd: error: *** JOB 12 ON n1 CANCELLED AT 2024-04-20T09:09:37 DUE TO NODE FAILURE, SEE SLURMCTLD LOG "
       "FOR DETAILS ***",
       "node_failure"},
      {"srun: error: Node failure on udc-an28-2", "node_failure"},
      {"slurmstepd: error: execve(): train: No such file or directory", "command_not_found"},
      // PyTorch and CUDA
      {"torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.70 GiB. GPU 0 has a total capacty of 6.00 "
       "GiB of which 0 bytes is free.",
       "cuda_out_of_memory"},
      {"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 29.76 GiB. GPU 0 has a total capacity of 10.74 "
       "GiB",
       "cuda_out_of_memory"},
      {"RuntimeError: CUDA error: out of memory", "cuda_out_of_memory"},
      {"RuntimeError: CUDA error: uncorrectable ECC error encountered", "gpu_hardware"},
      {"Internal: failed call to cuDevicePrimaryCtxRetain: CUDA_ERROR_ECC_UNCORRECTABLE: uncorrectable ECC error "
       "encountered",
       "gpu_hardware"},
      {"[default0]:[rank12]:[E817 17:40:34.227531918 ProcessGroupNCCL.cpp:1515] [PG 0 (default_pg) Rank 12] Process "
       "group watchdog thread terminated with exception: CUDA error: uncorrectable ECC error encountered",
       "gpu_hardware"},
      {"RuntimeError: CUDA error: an illegal memory access was encountered", "cuda_error"},
      {"RuntimeError: CUDA error: device-side assert triggered", "cuda_error"},
      {"RuntimeError: CUDA error: no kernel image is available for execution on the device", "wrong_kernel"},
      {"RuntimeError: No CUDA GPUs are available", "no_gpu_seen"},
      {"Failed to initialize NVML: Driver/library version mismatch", "gpu_driver"},
      {"RuntimeError: DataLoader: std::bad_alloc", "out_of_memory"},
      // kernel log
      {"NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, GPU has fallen off the bus.", "gpu_hardware"},
      {"NVRM: Xid (PCI:0000:3b:00): 48, pid='<unknown>', name=<unknown>, DBE (double bit error)", "gpu_hardware"},
      {"[  99.1] NVRM: Xid (PCI:0000:07:00): 31, pid=812, name=python, Ch 00000008, MMU Fault", "cuda_error"},
      // NCCL
      {"hostname-test:984:1357 [4] ib_plugin.c:1615 NCCL WARN NET/IB : Got completion from peer 172.36.143.59<44206> "
       "with status=12 opcode=129 len=65536 vendor err 129 (Recv) localGid ::ffff:29.87.88.182",
       "network_hardware"},
      {"[rank0]:[E321 02:07:08.408271257 ProcessGroupNCCL.cpp:607] [Rank 0] Watchdog caught collective operation "
       "timeout: WorkNCCL(SeqNum=1580, OpType=ALLREDUCE, NumelIn=466119168, NumelOut=466119168, Timeout(ms)=600000) "
       "ran for 600060 milliseconds before timing out.",
       "nccl"},
      {"torch.distributed.DistBackendError: NCCL error in: ../torch/csrc/distributed/c10d/NCCLUtils.hpp:317, unhandled "
       "system error (run with NCCL_DEBUG=INFO for details), NCCL version 2.21.5",
       "nccl"},
      // what is not there, what is full, what may not be
      {"Lmod has detected the following error:  The following module(s) are unknown: \"gcc/7.4.0\"", "module_missing"},
      {"ERROR: Unable to locate a modulefile for 'cuda/99'", "module_missing"},
      {"ModuleNotFoundError: No module named 'torch'", "python_import"},
      {"/usr/bin/python3: No module named pip", "python_import"},
      {"ImportError: libcudart.so.12: cannot open shared object file: No such file or directory", "library_missing"},
      {"./a.out: error while loading shared libraries: libfoo.so: cannot open shared object file: No such file or "
       "directory",
       "library_missing"},
      {"/var/spool/slurmd/job00003/slurm_script: line 192: nosuchprog: command not found", "command_not_found"},
      {"python3: can't open file '/home/u/train.py': [Errno 2] No such file or directory", "command_not_found"},
      {"OSError: [Errno 28] No space left on device", "no_space"},
      {"cp: error writing '/home/u/x': Disk quota exceeded", "no_space"},
      {"bash: ./train.sh: Permission denied", "permission"},
      {"rv: the working folder /tmp/x can't be entered on n1; check that it is on a shared file system", "work_folder"},
      {"rv: can't read or write the run folder /h/.rv/runs/k3f9x2 on n1, so the command did not start", "gate"},
      // and what is not a failure
      {"epoch 3: loss 0.12", "nothing"},
      {"NCCL INFO Channel 00/02 :    0   1", "nothing"},
      {"Xid: none since boot", "nothing"},
      {"allocated memory: 12 GiB", "nothing"},
      {"", "nothing"},
  };
  for (const auto& [said, cause] : lines) {
    const std::string line = said;
    CAPTURE(line);
    CHECK(name_of(line) == cause);
  }
}

TEST_CASE("the root of the trouble ranks before what follows from it") {
  const auto rank = [](std::string_view line) { return cause_in(line).value().rank; };
  CHECK(rank("CUDA error: uncorrectable ECC error encountered") < rank("NCCL error in: x"));
  CHECK(rank("No space left on device") < rank("Watchdog caught collective operation timeout"));
  CHECK(rank("CUDA out of memory. Tried") < rank("RuntimeError: CUDA error: unknown error"));
  CHECK(rank("NCCL error in: x") < rank("bash: x: Permission denied"));
  const auto certainty = [](std::string_view line, int code) { return cause_in(line, code).value().certainty; };
  CHECK(certainty("cat: /proc/x: No such file or directory", 1) == Certainty::warning);
  CHECK(certainty("chmod: x: Permission denied", 1) == Certainty::warning);
  CHECK(certainty("bash: ./x: Permission denied", 126) == Certainty::certain);
  CHECK(certainty("bash: x: command not found", 1) == Certainty::warning);
  CHECK(certainty("bash: x: command not found", 127) == Certainty::certain);
  CHECK(certainty("srun: error: Unable to create step for job 7: x", 1) == Certainty::certain);
}

TEST_CASE("a message of a node or a launch blames the node, one about the request the command") {
  const auto text = [](std::string_view line) { return text_of(cause_in(line).value().cause); };
  for (const auto* const reason :
       {"More processors requested than permitted", "Memory required by task is not available",
        "Requested node configuration is not available", "Task count specification invalid",
        "Invalid generic resource (gres) specification", "Requested nodes are busy"}) {
    const auto said = text(std::string("srun: error: Unable to create step for job 7: ") + reason);
    CAPTURE(reason);
    CHECK(said.name == "step_refused");
    CHECK(said.fault == Fault::command);
    CHECK(!said.blames_node);
  }
  CHECK(text("srun: error: Unable to create step for job 7: Socket timed out on send/recv operation").name ==
        "slurm_unreachable");
  CHECK(
      text("srun: error: Task launch for StepId=7.0 failed on node n1: Communication connection failure").blames_node);
}

TEST_CASE("the evidence is the message, not the progress bar before it") {
  const std::string bar =
      " 12%|" + std::string(400, '#') + "| 12/100 torch.OutOfMemoryError: CUDA out of memory. Tried";
  const auto match = cause_in(bar).value();
  CHECK(excerpt(bar, match.at, 300).find("CUDA out of memory. Tried") != std::string::npos);
  CHECK(excerpt("short: CUDA out of memory", 7, 300) == "short: CUDA out of memory");
  std::vector<std::string> pieces;
  for_each_piece("10%\r20%\r\r30%\r", [&](std::string_view piece) { pieces.emplace_back(piece); });
  CHECK(pieces == std::vector<std::string>{"10%", "20%", "30%"});
}

#include "monitor/diagnosis/failure_pattern.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace rv::monitor {
namespace {

struct Pattern {
  Cause cause;
  std::string_view words;
};

// From the root of the trouble to what follows from it: the place in the table is the rank.
constexpr std::array patterns = {
    // rv's own scripts
    Pattern{Cause::gate, "rv: can't read or write the run folder"},
    Pattern{Cause::restart_refused, "rv: the command had started before this start"},
    Pattern{Cause::work_folder, "rv: the working folder * can't be entered"},
    Pattern{Cause::container, "rv: error: --container"},
    Pattern{Cause::container, "rv: --container "},  // of older runs
    // what podman and docker say of the program inside comes before what they say of themselves
    Pattern{Cause::command_not_found, "Error: crun: executable file * not found"},
    Pattern{Cause::command_not_found, "exec: \"*\": executable file not found in"},
    Pattern{Cause::command_not_found, "failed to exec pid1: No such file or directory"},
    Pattern{Cause::permission, "Error: crun: open executable: Permission denied"},
    Pattern{Cause::permission, "failed to exec pid1: Permission denied"},
    Pattern{Cause::container_refused, "Error: crun: "},
    Pattern{Cause::container_refused, "Error: runc: "},
    Pattern{Cause::container_refused, "Error: OCI runtime error: "},
    Pattern{Cause::container_refused, "OCI runtime create failed: "},
    // the node and its GPUs: driver and runtime messages
    Pattern{Cause::gpu_hardware, "GPU has fallen off the bus"},
    Pattern{Cause::gpu_hardware, "GPU is lost"},
    Pattern{Cause::gpu_hardware, "uncorrectable ECC error"},
    Pattern{Cause::gpu_hardware, "CUDA_ERROR_ECC_UNCORRECTABLE"},
    Pattern{Cause::gpu_hardware, "cudaErrorECCUncorrectable"},
    Pattern{Cause::gpu_hardware, "uncorrectable NVLink error"},
    Pattern{Cause::gpu_hardware, "CUDA error: hardware stack error"},
    Pattern{Cause::gpu_driver, "Unable to determine the device handle for"},
    Pattern{Cause::gpu_driver, "Failed to initialize NVML"},
    Pattern{Cause::gpu_driver, "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver"},
    Pattern{Cause::gpu_driver, "CUDA-capable device(s) is/are busy or unavailable"},
    Pattern{Cause::gpu_driver, "all CUDA-capable devices are busy or unavailable"},
    Pattern{Cause::gpu_driver, "no CUDA-capable device is detected"},
    Pattern{Cause::gpu_driver, "No CUDA GPUs are available"},
    Pattern{Cause::gpu_driver, "CUDA_ERROR_NO_DEVICE"},
    Pattern{Cause::gpu_driver, "Error 802: system not yet initialized"},
    Pattern{Cause::gpu_driver, "CUDA driver version is insufficient for CUDA runtime version"},
    Pattern{Cause::network_hardware, "NET/IB*Got completion from peer*status=12"},
    Pattern{Cause::network_hardware, "NET/IB*Got async event*port error"},
    Pattern{Cause::network_hardware, "ibv_modify_qp failed"},
    // memory and disks
    Pattern{Cause::out_of_memory, "Detected * oom-kill event"},
    Pattern{Cause::out_of_memory, "Detected * oom_kill event"},
    Pattern{Cause::out_of_memory, "task *: Out Of Memory"},
    Pattern{Cause::out_of_memory, "Exceeded job memory limit"},
    Pattern{Cause::out_of_memory, "Exceeded step memory limit"},
    Pattern{Cause::out_of_memory, "exceeded memory limit*being killed"},
    Pattern{Cause::out_of_memory, "std::bad_alloc"},
    Pattern{Cause::out_of_memory, "DefaultCPUAllocator: can't allocate memory"},
    Pattern{Cause::out_of_memory, "DefaultCPUAllocator: not enough memory"},
    Pattern{Cause::out_of_memory, "numpy*ArrayMemoryError"},
    Pattern{Cause::cuda_out_of_memory, "CUDA out of memory"},
    Pattern{Cause::cuda_out_of_memory, "CUDA error: out of memory"},
    Pattern{Cause::cuda_out_of_memory, "CUDA_ERROR_OUT_OF_MEMORY"},
    Pattern{Cause::cuda_out_of_memory, "cudaErrorMemoryAllocation"},
    Pattern{Cause::cuda_out_of_memory, "RESOURCE_EXHAUSTED: Out of memory"},
    Pattern{Cause::cuda_out_of_memory, "OOM when allocating tensor"},
    Pattern{Cause::cuda_out_of_memory, "CUBLAS_STATUS_ALLOC_FAILED"},
    Pattern{Cause::cuda_out_of_memory, "No available memory for the cache blocks"},
    Pattern{Cause::no_space, "No space left on device"},
    Pattern{Cause::no_space, "Disk quota exceeded"},
    // what is not there
    Pattern{Cause::module_missing, "The following module(s) are unknown"},
    Pattern{Cause::module_missing, "These module(s) or extension(s) exist but cannot be loaded"},
    Pattern{Cause::module_missing, "Unable to locate a modulefile for"},
    Pattern{Cause::module_missing, "module: command not found"},
    Pattern{Cause::library_missing, "error while loading shared libraries:"},
    Pattern{Cause::library_missing, "ImportError: *cannot open shared object file"},
    Pattern{Cause::python_import, "ModuleNotFoundError: "},
    Pattern{Cause::python_import, "ImportError: "},
    Pattern{Cause::python_import, ": No module named "},
    Pattern{Cause::command_not_found, ": command not found"},
    Pattern{Cause::command_not_found, "error: execve(): *: No such file or directory"},
    Pattern{Cause::command_not_found, "python*: can't open file *No such file or directory"},
    Pattern{Cause::command_not_found, "FileNotFoundError: "},
    Pattern{Cause::permission, "PermissionError: "},
    // the program on its GPUs
    Pattern{Cause::wrong_kernel, "no kernel image is available for execution on the device"},
    Pattern{Cause::wrong_kernel, "is not compatible with the current PyTorch installation"},
    Pattern{Cause::cuda_error, "CUDA error: "},
    Pattern{Cause::cuda_error, "CUDA error at "},
    Pattern{Cause::cuda_error, "an illegal memory access was encountered"},
    Pattern{Cause::cuda_error, "cudaErrorIllegalAddress"},
    Pattern{Cause::cuda_error, "CUDA_ERROR_ILLEGAL_ADDRESS"},
    Pattern{Cause::cuda_error, "CUDA_ERROR_LAUNCH_FAILED"},
    Pattern{Cause::cuda_error, "unspecified launch failure"},
    Pattern{Cause::rendezvous, "RendezvousTimeoutError"},
    Pattern{Cause::rendezvous, "The client socket has timed out after"},
    Pattern{Cause::rendezvous, "The server socket has failed to listen on any local network address"},
    Pattern{Cause::nccl, "Watchdog caught collective operation timeout"},
    Pattern{Cause::nccl, "NCCL error"},
    Pattern{Cause::nccl, "ncclSystemError"},
    Pattern{Cause::nccl, "ncclInternalError"},
    Pattern{Cause::nccl, "ncclRemoteError"},
    Pattern{Cause::nccl, "ncclUnhandledCudaError"},
    // Slurm's own last words
    Pattern{Cause::node_failure, "DUE TO NODE FAILURE"},
    Pattern{Cause::node_failure, "srun: error: Node failure on "},
    Pattern{Cause::time_limit, "DUE TO TIME LIMIT"},
    Pattern{Cause::preempted, "DUE TO PREEMPTION"},
    Pattern{Cause::launch_failure, "slurmstepd: error: *Unable to *batch"},
    Pattern{Cause::launch_failure, "srun: error: Task launch for *failed"},
    Pattern{Cause::launch_failure, "srun: error: Unable to create step"},
    // words that also stand in warnings
    Pattern{Cause::out_of_memory, "Cannot allocate memory"},
    Pattern{Cause::command_not_found, ": No such file or directory"},
    Pattern{Cause::permission, ": Permission denied"},
};

// The last so many.
constexpr std::ptrdiff_t weak_count = 3;

// Xids that say that the device or its link is at fault rather than the program: double-bit and contained ECC,
// page retirement and row remapping, NVLink, bus, GSP firmware. NVIDIA, "XID Errors" (r535 and later); 13, 31, 43 and
// 45 are the program's as a rule.
constexpr std::array hardware_xids = {48,  61,  62,  63,  64,  68,  74,  79,  92,  94,  95, 109,
                                      110, 119, 120, 122, 140, 143, 144, 145, 146, 149, 154};

// "NVRM: Xid (PCI:0000:3b:00): 79, pid=…, GPU has fallen off the bus."
std::optional<int> xid_in(std::string_view line) {
  const auto at = line.find("Xid (");
  if (at == std::string_view::npos) return std::nullopt;
  const auto end = line.find("): ", at);
  if (end == std::string_view::npos) return std::nullopt;
  int number = 0;
  const auto digits = line.substr(end + 3);
  const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || rest == digits.data()) return std::nullopt;
  return number;
}

}  // namespace

bool matches(std::string_view pattern, std::string_view text) {
  while (true) {
    const auto star = pattern.find('*');
    const auto part = pattern.substr(0, star);
    const auto at = text.find(part);
    if (at == std::string_view::npos) return false;
    if (star == std::string_view::npos) return true;
    text.remove_prefix(at + part.size());
    pattern.remove_prefix(star + 1);
  }
}

std::optional<PatternMatch> cause_in(std::string_view line) {
  const auto ranked = [](auto found) {
    return PatternMatch{found->cause, static_cast<int>(found - patterns.begin()), found >= patterns.end() - weak_count};
  };
  const auto first = [](auto condition) { return std::find_if(patterns.begin(), patterns.end(), condition); };
  if (const auto xid = xid_in(line)) {
    const bool hardware = std::find(hardware_xids.begin(), hardware_xids.end(), *xid) != hardware_xids.end();
    const Cause cause = hardware ? Cause::gpu_hardware : Cause::cuda_error;
    return ranked(first([&](const Pattern& entry) { return entry.cause == cause; }));
  }
  const auto found = first([&](const Pattern& entry) { return matches(entry.words, line); });
  if (found == patterns.end()) return std::nullopt;
  return ranked(found);
}

}  // namespace rv::monitor

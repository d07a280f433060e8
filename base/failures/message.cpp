#include "base/failures/message.h"

#include <algorithm>
#include <iterator>

#include "base/failures/xid.h"

namespace rv::failures {
namespace {

struct Message {
  Cause cause;
  std::string_view pattern;  // empty: found in another way, and only its rank counts
  Certainty certainty = Certainty::certain;
  int exit_code = 0;  // with another one than this the message is a warning; 0: with any it is what `certainty` says
};

constexpr auto warning = Certainty::warning;
constexpr auto echo = Certainty::echo;

// From the root to what follows from it: the place in the table is the rank.
// No std::array: clang 14 refuses the deduction guide of more than 256 elements.
constexpr Message messages[] = {
    // rv's own scripts
    Message{Cause::gate, "rv: can't read or write the run folder"},
    Message{Cause::restart_refused, "rv: the command had started before this start"},
    Message{Cause::work_folder, "rv: the working folder * can't be entered"},
    Message{Cause::container, "rv: error: --container"},
    Message{Cause::container, "rv: --container "},  // of older runs
    // container engines: what they say of the program inside, then of the image, then of themselves
    Message{Cause::command_not_found, "Error: crun: executable file * not found"},
    Message{Cause::command_not_found, "exec: \"*\": executable file not found in"},
    Message{Cause::command_not_found, "failed to exec pid1: No such file or directory"},
    Message{Cause::permission, "Error: crun: open executable: Permission denied"},
    Message{Cause::permission, "failed to exec pid1: Permission denied"},
    Message{Cause::container, "FATAL: *could not open image"},
    Message{Cause::container, "FATAL: *Unable to handle docker://"},
    Message{Cause::container, "FATAL: *While making image from oci registry"},
    Message{Cause::container, "pyxis: failed to import docker image"},
    Message{Cause::container, "pyxis: *a container with name * does not exist"},
    Message{Cause::container, "Error response from daemon: pull access denied"},
    Message{Cause::container, "Error response from daemon: manifest for "},
    Message{Cause::container, "Error response from daemon: No such image"},
    Message{Cause::container_refused, "Error: crun: "},
    Message{Cause::container_refused, "Error: runc: "},
    Message{Cause::container_refused, "Error: OCI runtime error: "},
    Message{Cause::container_refused, "OCI runtime create failed: "},
    Message{Cause::container_refused, "docker: Error response from daemon: "},
    Message{Cause::container_refused, "FATAL: *container creation failed"},
    Message{Cause::container_refused, "FATAL: *squashfuse"},
    Message{Cause::container_refused, "pyxis: container start failed"},
    Message{Cause::container_refused, "pyxis: couldn't start container"},
    Message{Cause::container_refused, "enroot-nsenter: failed to "},
    Message{Cause::container_refused, "nvidia-container-cli: *error: "},
    Message{Cause::container_refused, "/enroot/hooks.d/*exited with return code"},
    // the node and its GPUs: driver and runtime messages
    Message{Cause::gpu_hardware, "fallen off the bus"},
    Message{Cause::gpu_hardware, "GPU is lost"},
    Message{Cause::gpu_hardware, "uncorrectable ECC error"},
    Message{Cause::gpu_hardware, "CUDA_ERROR_ECC_UNCORRECTABLE"},
    Message{Cause::gpu_hardware, "cudaErrorECCUncorrectable"},
    Message{Cause::gpu_hardware, "uncorrectable NVLink error"},
    Message{Cause::gpu_hardware, "CUDA_ERROR_NVLINK_UNCORRECTABLE"},
    Message{Cause::gpu_hardware, "cudaErrorNvlinkUncorrectable"},
    Message{Cause::gpu_hardware, "hardware stack error"},
    Message{Cause::gpu_driver, "Unable to determine the device handle for"},
    Message{Cause::gpu_driver, "Failed to initialize NVML: Driver/library version mismatch"},
    Message{Cause::gpu_driver, "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver"},
    Message{Cause::gpu_driver, "system not yet initialized"},  // CUDA's text of error 802
    Message{Cause::gpu_driver, "cudaErrorSystemNotReady"},
    Message{Cause::gpu_driver, "CUDA_ERROR_SYSTEM_NOT_READY"},
    Message{Cause::network_hardware, "NET/IB*Got async event*port error"},
    // CUDA's own text of cudaErrorContained and CUDA_ERROR_CONTAINED
    Message{Cause::gpu_contained, "nvalid access of peer GPU memory over nvlink or a hardware error"},
    Message{Cause::gpu_contained, "CUDA_ERROR_CONTAINED"},
    Message{Cause::gpu_busy, "CUDA-capable device(s) is/are busy or unavailable"},
    Message{Cause::gpu_busy, "all CUDA-capable devices are busy or unavailable"},
    Message{Cause::driver_too_old, "Possibly insufficient driver version"},  // XLA
    Message{Cause::driver_too_old, "CUDA driver version is insufficient for CUDA runtime version"},
    Message{Cause::driver_too_old, "The NVIDIA driver on your system is too old"},
    Message{Cause::driver_too_old, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
    Message{Cause::driver_too_old, "the provided PTX was compiled with an unsupported toolchain"},
    Message{Cause::driver_too_old, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE"},
    Message{Cause::driver_too_old, "forward compatibility was attempted on non supported HW"},
    Message{Cause::driver_too_old, "Cuda driver error 804 "},  // the same, from LAMMPS
    Message{Cause::no_gpu_seen, "no CUDA-capable device is detected"},
    Message{Cause::no_gpu_seen, "No CUDA GPUs are available"},
    Message{Cause::no_gpu_seen, "Cuda driver error 100 "},
    Message{Cause::no_gpu_seen, "CUDA_ERROR_NO_DEVICE", warning},  // TensorFlow goes on with the CPU
    Message{Cause::no_gpu_seen, "Torch not compiled with CUDA enabled"},
    Message{Cause::no_gpu_seen, "but torch.cuda.is_available() is False"},  // a checkpoint of a GPU
    Message{Cause::no_gpu_seen, "No HIP GPUs are available"},
    Message{Cause::no_gpu_seen, "Found no NVIDIA driver on your system"},
    Message{Cause::no_gpu_seen, "no supported devices found for platform"},  // XLA
    Message{Cause::no_gpu_seen, "No visible GPU devices"},
    // the memory of GPUs: before that of the host, whose words some of them contain
    Message{Cause::cuda_out_of_memory, "CUDA out of memory"},
    Message{Cause::cuda_out_of_memory, "HIP out of memory"},
    Message{Cause::cuda_out_of_memory, "XPU out of memory"},
    Message{Cause::cuda_out_of_memory, "CUDA error*out of memory"},  // PyTorch, Warp, SPECFEM
    Message{Cause::cuda_out_of_memory, "HIP error*: out of memory"},
    Message{Cause::cuda_out_of_memory, "Cuda*: out of memory"},
    Message{Cause::cuda_out_of_memory, "cuda*: out of memory"},
    Message{Cause::cuda_out_of_memory, "Cuda failure*out of memory"},          // NCCL
    Message{Cause::cuda_out_of_memory, "Insufficient memory on accelerator"},  // LAMMPS
    Message{Cause::cuda_out_of_memory, "Cuda driver error 2 "},
    Message{Cause::cuda_out_of_memory, "cuda runtime error (2)"},
    Message{Cause::cuda_out_of_memory, "error=2 : out of memory"},            // PyTorch until 2021
    Message{Cause::cuda_out_of_memory, "failed with error 2 out of memory"},  // spconv
    Message{Cause::cuda_out_of_memory, "Out of GPU memory"},                  // CUDA.jl
    Message{Cause::cuda_out_of_memory, "CUDA_ERROR_OUT_OF_MEMORY"},
    Message{Cause::cuda_out_of_memory, "cudaErrorMemoryAllocation"},
    Message{Cause::cuda_out_of_memory, "hipErrorOutOfMemory"},
    Message{Cause::cuda_out_of_memory, "hipErrorMemoryAllocation"},
    Message{Cause::cuda_out_of_memory, "torch.OutOfMemoryError"},
    Message{Cause::cuda_out_of_memory, "torch.cuda.OutOfMemoryError"},
    Message{Cause::cuda_out_of_memory, "RESOURCE_EXHAUSTED: Out of memory"},  // XLA
    Message{Cause::cuda_out_of_memory, "RESOURCE_EXHAUSTED: Failed to allocate request"},
    Message{Cause::cuda_out_of_memory, "Resource exhausted: Out of memory"},  // XLA until 2022
    Message{Cause::cuda_out_of_memory, "Resource exhausted: Failed to allocate request"},
    Message{Cause::cuda_out_of_memory, "OOM when allocating tensor"},  // TensorFlow
    Message{Cause::cuda_out_of_memory, "CUBLAS_STATUS_ALLOC_FAILED"},
    Message{Cause::cuda_out_of_memory, "CUDNN_STATUS_ALLOC_FAILED"},
    Message{Cause::cuda_out_of_memory, "cupy.cuda.memory.OutOfMemoryError"},
    Message{Cause::cuda_out_of_memory, "thrust::*bad_alloc"},
    Message{Cause::cuda_out_of_memory, "out_of_memory: CUDA error"},   // RMM
    Message{Cause::cuda_out_of_memory, "ERROR_OUT_OF_DEVICE_MEMORY"},  // Vulkan
    Message{Cause::cuda_out_of_memory, "ErrorOutOfDeviceMemory"},
    Message{Cause::cuda_out_of_memory, "cudaMalloc failed: out of memory"},  // ggml
    Message{Cause::cuda_out_of_memory, "failed to allocate CUDA* buffer of size"},
    Message{Cause::cuda_out_of_memory, "unable to allocate CUDA* buffer"},
    Message{Cause::cuda_out_of_memory, "cuMemAlloc failed: out of memory"},            // PyCUDA
    Message{Cause::cuda_out_of_memory, "Free memory on device*is less than desired"},  // vLLM
    Message{Cause::cuda_out_of_memory, "No available memory for the cache blocks"},
    Message{Cause::cuda_out_of_memory, "maximum number of tokens that can be stored in KV cache"},
    Message{Cause::cuda_out_of_memory, "To serve at least one request with*KV cache is needed"},
    Message{Cause::cuda_out_of_memory, "PxgCudaDeviceMemoryAllocator fail to allocate memory"},
    Message{Cause::cuda_out_of_memory, "error: out_of_memory: "},  // rv's workers
    // the memory of the host, disks
    Message{Cause::shared_memory, "is killed by signal: Bus error"},
    Message{Cause::shared_memory, "unable to write to file </torch_"},
    Message{Cause::shared_memory, "No space left on device*/dev/shm"},
    Message{Cause::shared_memory, "/dev/shm*No space left on device"},
    Message{Cause::shared_memory, "Error while creating shared memory segment /dev/shm/"},  // NCCL
    Message{Cause::out_of_memory, "error: out_of_host_memory:"},                            // rv's workers
    Message{Cause::out_of_memory, "Detected * oom-kill event"},
    Message{Cause::out_of_memory, "Detected * oom_kill event"},
    Message{Cause::out_of_memory, "task *: Out Of Memory"},
    Message{Cause::out_of_memory, "Exceeded job memory limit"},
    Message{Cause::out_of_memory, "Exceeded step memory limit"},
    Message{Cause::out_of_memory, "exceeded memory limit*being killed"},
    Message{Cause::out_of_memory, "std::bad_alloc"},
    Message{Cause::out_of_memory, "DefaultCPUAllocator: can't allocate memory"},
    Message{Cause::out_of_memory, "DefaultCPUAllocator: not enough memory"},
    Message{Cause::out_of_memory, "ArrayMemoryError"},  // NumPy
    Message{Cause::out_of_memory, "^MemoryError"},
    Message{Cause::out_of_memory, "ray.exceptions.OutOfMemoryError"},
    Message{Cause::out_of_memory, "node running low on memory"},  // Ray
    Message{Cause::out_of_memory, "killed due to memory pressure (OOM)"},
    Message{Cause::out_of_memory, "java.lang.OutOfMemoryError"},
    Message{Cause::out_of_memory, "ERROR: LoadError: OutOfMemoryError()"},   // Julia
    Message{Cause::out_of_memory, "Error: cannot allocate vector of size"},  // R
    Message{Cause::out_of_memory, "failed to allocate CPU buffer of size"},  // ggml
    Message{Cause::out_of_memory, "ERROR_OUT_OF_HOST_MEMORY"},
    Message{Cause::no_space, "No space left on device"},
    Message{Cause::no_space, "Disk quota exceeded"},
    Message{Cause::file_system, "Stale file handle"},
    Message{Cause::file_system, "Stale NFS file handle"},
    Message{Cause::file_system, "Transport endpoint is not connected"},
    Message{Cause::file_system, "Cannot send after transport endpoint shutdown"},
    Message{Cause::file_system, "Input/output error"},
    Message{Cause::file_system, "Remote I/O error"},
    Message{Cause::file_system, "No locks available"},
    Message{Cause::open_files, "Too many open files"},
    Message{Cause::open_files, "received 0 items of ancdata"},  // Python: the descriptor found no place
    // what is not there
    Message{Cause::module_missing, "The following module(s) are unknown"},
    Message{Cause::module_missing, "These module(s) or extension(s) exist but cannot be loaded"},
    Message{Cause::module_missing, "Unable to locate a modulefile for"},
    Message{Cause::module_missing, "module: command not found"},
    Message{Cause::environment, "Run 'conda init' before 'conda activate'"},
    Message{Cause::environment, "Your shell has not been properly configured to use 'conda activate'"},
    Message{Cause::environment, "EnvironmentNameNotFound: "},
    Message{Cause::environment, "EnvironmentLocationNotFound: "},
    Message{Cause::line_endings, "bash\\r': No such file or directory"},
    Message{Cause::line_endings, "python*\\r': No such file or directory"},
    Message{Cause::line_endings, "$'\\r': command not found"},
    Message{Cause::line_endings, "/bin/bash^M: bad interpreter"},
    Message{Cause::line_endings, "^M: bad interpreter"},
    Message{Cause::wrong_architecture, "cannot execute binary file: Exec format error"},
    Message{Cause::wrong_architecture, "execve(): *: Exec format error"},
    Message{Cause::library_version, "version *GLIBC*not found"},  // also GLIBCXX
    Message{Cause::library_version, "version *CXXABI_*not found"},
    Message{Cause::library_version, "symbol lookup error: *undefined symbol"},
    Message{Cause::library_version, "OSError: *undefined symbol"},
    Message{Cause::library_missing, "error while loading shared libraries:"},
    Message{Cause::library_missing, "ImportError: *cannot open shared object file"},
    Message{Cause::library_missing, "OSError: *cannot open shared object file"},
    Message{Cause::library_missing, "Could not load library libcud"},
    Message{Cause::library_missing, "Unable to load any of {libcud"},
    Message{Cause::python_import, "ModuleNotFoundError: "},
    // An ImportError of another text is the message of a package that could not start, for example EGL.
    Message{Cause::python_import, "ImportError: *import"},
    Message{Cause::python_import, "ImportError: *install"},
    Message{Cause::python_import, "ImportError: *requires"},
    Message{Cause::python_import, "ImportError: *package"},
    Message{Cause::python_import, "ImportError: *module"},
    Message{Cause::python_import, "ImportError: *version"},
    Message{Cause::python_import, "ImportError: *undefined symbol"},
    Message{Cause::python_import, ": No module named "},
    Message{Cause::command_not_found, ": command not found", Certainty::certain, 127},
    // slurmd writes the script to the node before it starts it
    Message{Cause::launch_failure, "error: execve(): */slurm_script: No such file or directory"},
    Message{Cause::launch_failure, "slurmstepd: error: container_p_join: "},  // job_container/tmpfs
    Message{Cause::launch_failure, "slurmstepd: error: container_g_join failed"},
    Message{Cause::command_not_found, "error: execve(): *: No such file or directory"},
    Message{Cause::command_not_found, "python*: can't open file *No such file or directory"},
    Message{Cause::command_not_found, "FileNotFoundError: "},
    Message{Cause::permission, "PermissionError: "},
    Message{Cause::permission, "error: execve(): *: Permission denied"},
    // servers outside
    Message{Cause::server_refused, "401 Client Error"},
    Message{Cause::server_refused, "403 Client Error"},
    Message{Cause::server_refused, "429 Client Error"},
    Message{Cause::server_refused, "You are trying to access a gated repo"},
    Message{Cause::server_refused, "Cannot access gated repo"},
    Message{Cause::server_refused, "wandb: ERROR *api_key not configured"},
    Message{Cause::server_refused, "wandb*api_key not configured (no-tty)"},
    Message{Cause::no_connection, "We couldn't connect to 'https://"},
    Message{Cause::no_connection, "Max retries exceeded with url"},
    Message{Cause::no_connection, "Temporary failure in name resolution"},
    Message{Cause::no_connection, "Could not resolve host"},
    Message{Cause::no_connection, "Name or service not known"},
    Message{Cause::no_connection, "LocalEntryNotFoundError"},
    // the program on its GPUs
    Message{Cause::wrong_kernel, "no kernel image is available for execution on the device"},
    Message{Cause::wrong_kernel, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
    Message{Cause::wrong_kernel, "hipErrorNoBinaryForGpu"},
    Message{Cause::wrong_kernel, "is not compatible with the current PyTorch installation", warning},
    Message{Cause::cuda_error, "CUDA error: "},
    Message{Cause::cuda_error, "CUDA error at "},
    Message{Cause::cuda_error, "Warp CUDA error "},
    Message{Cause::cuda_error, "HIP error: "},
    Message{Cause::cuda_error, "an illegal memory access was encountered"},
    Message{Cause::cuda_error, "cudaErrorIllegalAddress"},
    Message{Cause::cuda_error, "CUDA_ERROR_ILLEGAL_ADDRESS"},
    Message{Cause::cuda_error, "CUDA_ERROR_LAUNCH_FAILED"},
    Message{Cause::cuda_error, "unspecified launch failure"},
    Message{Cause::cuda_error, "device-side assert triggered"},
    Message{Cause::cuda_error, "CUDA error *: "},
    Message{Cause::cuda_error, "misaligned address"},
    Message{Cause::cuda_error, "cudaError"},                // the runtime's names that no row above has
    Message{Cause::unknown, "driver shutting down", echo},  // NCCL in a process that ends
    Message{Cause::cuda_error, "Cuda failure "},            // NCCL
    Message{Cause::cuda_error, "Cuda driver error "},       // LAMMPS
    Message{Cause::cuda_error, "cuDNN error: CUDNN_STATUS_"},
    Message{Cause::cuda_error, "CUDNN_STATUS_NOT_INITIALIZED"},
    Message{Cause::cuda_error, "Memory access fault by GPU node-"},  // ROCm
    // a command that asks its own job for too much
    Message{Cause::step_refused, "There are not enough slots available in the system"},
    Message{Cause::step_refused, "has requested more processes than the ppr for"},
    Message{Cause::usage, ": error: unrecognized arguments: "},
    Message{Cause::usage, ": error: the following arguments are required: "},
    Message{Cause::usage, ": error: argument *: "},
    Message{Cause::usage, ": error: ambiguous option: "},
    Message{Cause::usage, "^Error: No such option: "},       // click
    Message{Cause::usage, "^error: unexpected argument '"},  // clap
    Message{Cause::usage, "Could not override '"},           // Hydra
    Message{Cause::usage, ": unrecognized option '"},
    Message{Cause::port_in_use, "Address already in use"},
    Message{Cause::port_in_use, "EADDRINUSE"},
    Message{Cause::mpi_start, "was built without SLURM's PMI support"},
    Message{Cause::mpi_start, "not built with SLURM's PMI support"},
    Message{Cause::mpi_start, "MPI_Init* failed"},
    Message{Cause::mpi_start, "An error occurred in MPI_Init"},
    Message{Cause::mpi_start, "PMI2_Init failed"},
    Message{Cause::mpi_start, "PMIX ERROR: ", warning},
    Message{Cause::mpi_start, "Fatal error in *MPI_Init"},
    Message{Cause::mpi_start, "ucp_ep_create* failed: "},
    Message{Cause::mpi_start, "Failed to resolve UCX endpoint"},
    // Slurm's own last words
    Message{Cause::node_failure, "DUE TO NODE FAILURE"},
    Message{Cause::node_failure, "srun: error: Node failure on "},
    Message{Cause::time_limit, "DUE TO TIME LIMIT"},
    Message{Cause::preempted, "DUE TO PREEMPTION"},
    Message{Cause::launch_failure, "slurmstepd: error: *Unable to *batch"},
    // The node is named, but the request does not fit into what the step was given.
    Message{Cause::step_refused, "Unable to layout tasks on given cpus"},
    Message{Cause::launch_failure, "srun: error: Task launch for *failed"},
    Message{Cause::slurm_unreachable, "srun: error: Unable to *: Unable to contact slurm controller"},
    Message{Cause::slurm_unreachable, "srun: error: Unable to *: Socket timed out"},
    Message{Cause::slurm_unreachable, "srun: error: Unable to *: Zero Bytes were transmitted"},
    Message{Cause::slurm_unreachable, "Could not establish a configuration source"},
    Message{Cause::slurm_unreachable, "Munge encode failed"},
    Message{Cause::step_refused, "srun: error: Unable to create step"},
    Message{Cause::step_refused, "srun: error: Unable to create job step"},
    Message{Cause::step_refused, "srun: error: Unable to allocate resources: "},
    Message{Cause::step_refused, "srun: fatal: "},
    Message{Cause::step_refused, "srun: error: Invalid numeric value "},
    // what Python says where no other row knows the message, then what follows from other failures
    Message{Cause::python_exception, ""},
    Message{Cause::killed, "exitcode *: -9 "},  // torchrun
    Message{Cause::killed, "failed (exitcode: -9)"},
    Message{Cause::killed, "Signal 9 (SIGKILL)"},
    Message{Cause::killed, "exits with return code = -9"},  // DeepSpeed
    Message{Cause::killed, "died with <Signals.SIGKILL: 9>"},
    Message{Cause::killed, "is killed by signal: Killed"},        // PyTorch's loader
    Message{Cause::killed, "exited on signal 9 (Killed)"},        // mpirun
    Message{Cause::killed, " Killed ", Certainty::certain, 137},  // bash
    Message{Cause::network_hardware, "Got completion*status=12"},
    Message{Cause::network_hardware, "Got completion*with error 12"},  // NCCL until 2.14
    Message{Cause::network_hardware, "Got completion*IBV_WC_RETRY_EXC_ERR"},
    Message{Cause::network_hardware, "ibv_modify_qp failed with error Connection timed out"},
    Message{Cause::network_hardware, "ibv_modify_qp failed with 110 "},
    Message{Cause::network_hardware, "Transport retry count exceeded on "},  // UCX
    Message{Cause::rendezvous, "RendezvousTimeoutError"},
    Message{Cause::rendezvous, "DistStoreError: "},
    Message{Cause::rendezvous, "RendezvousConnectionError"},
    Message{Cause::rendezvous, "The client socket has timed out after"},
    Message{Cause::rendezvous, "The server socket has failed to listen on any local network address"},
    Message{Cause::rendezvous, "The client socket has failed to connect to any network address", warning},
    Message{Cause::nccl, "Watchdog caught collective operation timeout"},
    Message{Cause::nccl, "Timed out waiting * for * operation to complete"},  // gloo
    Message{Cause::nccl, "Connection closed by peer"},
    Message{Cause::nccl, "NCCL error"},
    Message{Cause::nccl, "ncclSystemError"},
    Message{Cause::nccl, "ncclInternalError"},
    Message{Cause::nccl, "ncclRemoteError"},
    Message{Cause::nccl, "ncclUnhandledCudaError"},
    Message{Cause::nccl, "ibv_modify_qp failed"},
    Message{Cause::nccl, "NCCL WARN Call to ibv_create_"},
    Message{Cause::nccl, "NCCL WARN NET/IB : Got completion"},
    Message{Cause::nccl, "NCCL WARN NET/OFI Request completed with error"},
    Message{Cause::nccl, "NCCL WARN NET/OFI Couldn't open "},
    Message{Cause::nccl, "NCCL WARN NET/OFI ", warning},
    // what says that another process failed, and not why
    Message{Cause::unknown, "ChildFailedError", echo},
    Message{Cause::unknown, "CalledProcessError", echo},
    Message{Cause::unknown, "ProcessRaisedException", echo},
    Message{Cause::unknown, "ProcessExitedException", echo},
    Message{Cause::unknown, "Engine core initialization failed", echo},
    Message{Cause::unknown, "Engine process failed to start", echo},
    Message{Cause::unknown, "EngineDeadError", echo},
    Message{Cause::unknown, "EngineCore encountered an issue", echo},
    Message{Cause::unknown, "WorkerProc initialization failed", echo},
    Message{Cause::unknown, "RayTaskError", echo},
    Message{Cause::unknown, "ActorDiedError", echo},
    Message{Cause::unknown, "DataLoader worker (pid(s) * exited unexpectedly", echo},
    Message{Cause::unknown, "^SystemExit", echo},
    Message{Cause::unknown, "^BrokenPipeError", echo},
    Message{Cause::unknown, "^ConnectionResetError", echo},
    Message{Cause::unknown, "^EOFError", echo},
    Message{Cause::unknown, "BrokenProcessPool", echo},
    Message{Cause::unknown, "Connection reset by peer", echo},
    // slurmstepd goes on with another folder
    Message{Cause::unknown, "slurmstepd: error: Unable to create TMPDIR", echo},
    Message{Cause::unknown, "slurmstepd: error: couldn't chdir to ", echo},
    Message{Cause::unknown, "unable to open shared memory object </torch_", echo},  // its loader process has gone
    // messages that are also written by what goes on
    Message{Cause::out_of_memory, "Cannot allocate memory", warning},
    Message{Cause::gpu_driver, "Failed to initialize NVML", warning},
    Message{Cause::command_not_found, ": No such file or directory", warning},
    Message{Cause::permission, ": Permission denied", Certainty::certain, 126},
};

std::optional<Match> by_xid(std::string_view line) {
  const auto fault = device_fault_in(line);
  if (!fault) return std::nullopt;
  const auto match = [&](Cause cause) { return Match{cause, rank_of(cause), Certainty::certain, fault->at}; };
  if (needs_repair(fault->action)) return match(Cause::gpu_hardware);
  if (fault->action != XidAction::restart_app) return std::nullopt;
  constexpr int contained_memory_error = 94;
  return match(!fault->nvswitch && fault->code == contained_memory_error ? Cause::gpu_contained : Cause::cuda_error);
}

}  // namespace

std::vector<std::string_view> messages_of(Cause cause) {
  std::vector<std::string_view> patterns;
  for (const auto& message : messages) {
    const bool certain = message.certainty == Certainty::certain && message.exit_code == 0;
    if (message.cause == cause && certain && !message.pattern.empty()) patterns.push_back(message.pattern);
  }
  return patterns;
}

std::optional<std::size_t> find_pattern(std::string_view pattern, std::string_view text) {
  const bool at_beginning = pattern.starts_with('^');
  if (at_beginning) pattern.remove_prefix(1);
  std::optional<std::size_t> begin;
  std::size_t from = 0;
  while (true) {
    const auto star = pattern.find('*');
    const auto part = pattern.substr(0, star);
    const auto at = text.find(part, from);
    if (at == std::string_view::npos) return std::nullopt;
    if (!begin) begin = at;
    if (at_beginning && *begin != 0) return std::nullopt;
    if (star == std::string_view::npos) return begin;
    from = at + part.size();
    pattern.remove_prefix(star + 1);
  }
}

int rank_of(Cause cause) {
  const auto found =
      std::find_if(std::begin(messages), std::end(messages), [&](const Message& row) { return row.cause == cause; });
  return static_cast<int>(found - std::begin(messages));
}

std::optional<Match> cause_in(std::string_view line, std::optional<int> exit_code) {
  if (names_device_fault(line)) return by_xid(line);
  for (std::size_t i = 0; i < std::size(messages); ++i) {
    const auto& row = messages[i];
    if (row.pattern.empty()) continue;
    const auto at = find_pattern(row.pattern, line);
    if (!at) continue;
    const bool supported = row.exit_code == 0 || exit_code == row.exit_code;
    return Match{row.cause, static_cast<int>(i), supported ? row.certainty : warning, *at};
  }
  return std::nullopt;
}

std::string excerpt(std::string_view line, std::size_t at, std::size_t most) {
  constexpr std::size_t before = 60;  // a rank, a time, the exception's name
  if (line.size() > most && at > before) {
    auto from = at - before;
    // Not within a character.
    while (from < at && (static_cast<unsigned char>(line[from]) & 0xC0U) == 0x80U) ++from;
    line.remove_prefix(from);
  }
  return std::string(line.substr(0, most));
}

}  // namespace rv::failures

#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workers/stress/given_gpus.h"

namespace rv::workers {

/// A crew: processes that start together, work for `seconds`, and end. In this folder a worker is one of these
/// processes, a child of rv-stress.
struct CrewOrder {
  std::vector<int> workers;    ///< numbers of the workers; worker I uses GPU I mod the number of GPUs
  std::vector<GivenGpu> gpus;  ///< empty: on the CPU
  std::size_t side = 0;        ///< N of the N×N matrices
  double seconds = 60;
  double silence = 30;       ///< seconds without a heartbeat after which a worker counts as hung
  double start_limit = 120;  ///< seconds from the start of a worker until it is ready
  double end_limit = 10;     ///< seconds from the request to end until a worker has ended
  std::string inject;        ///< a fault to inject, passed to the workers
};

/// WorkerEnd::cause of a worker that had too little time for even one operation.
constexpr auto no_operation = "no_operation";

/// The result of one worker.
struct WorkerEnd {
  enum class Kind { done, did_not_fit, failed, killed, hung, late, cut_off };

  int worker = 0;
  int gpu = -1;  ///< index of its GPU in CrewOrder::gpus; -1: on the CPU
  pid_t pid = 0;
  Kind kind = Kind::cut_off;
  std::string reason;  ///< empty: no error
  std::string cause;   ///< "leak", "wrong_result", "out_of_memory", no_operation, or empty; rv reads it
                       ///< (reports/stress/judgement.cpp)
  std::int64_t operations = 0;
  double seconds = 0;                           ///< from the start to the end of its last operation
  double processor_share = 0;                   ///< CPU time that it used, as a share of one CPU
  std::optional<std::uint64_t> gpu_peak_bytes;  ///< nothing: not reported by the driver, or no GPU
  std::uint64_t rss_peak_bytes = 0;
  std::vector<std::string> segments;  ///< shared memory segments that it had open

  double rate() const { return seconds > 0 ? static_cast<double>(operations) / seconds : 0; }
};

/// The use of one GPU while the workers ran, in the order of CrewOrder::gpus.
struct GpuUse {
  std::optional<double> busy_percent;  ///< median of the samples
  std::optional<std::uint64_t> peak_bytes;
};

struct CrewEnd {
  std::vector<WorkerEnd> workers;
  std::vector<GpuUse> gpus;
  bool interrupted = false;
  /// Whether the driver lists processes by their PIDs in this process's namespace.
  bool driver_lists_pids = false;
};

/// Runs the workers until all have ended. `interrupted` is polled; once it returns true the workers are ended. `nvml`
/// may be null.
CrewEnd run_crew(const CrewOrder& order, Nvml* nvml, bool (*interrupted)());

const char* kind_name(WorkerEnd::Kind kind);

}  // namespace rv::workers

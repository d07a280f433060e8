#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workers/stress/given_gpus.h"

namespace rv::workers {

/// Workers that begin together, work for so long, and end.
struct CrewOrder {
  std::vector<int> workers;    ///< their numbers; worker I is on GPU I mod the number of GPUs
  std::vector<GivenGpu> gpus;  ///< none: on the processor
  std::size_t side = 0;        ///< of the matrices
  double seconds = 60;
  double silence = 30;       ///< seconds without a sign of life after which a worker hangs
  double start_limit = 120;  ///< seconds to get ready
  double end_limit = 10;     ///< seconds to end when told to
  std::string inject;        ///< passed on to the workers
};

/// How one worker did.
struct WorkerEnd {
  enum class Kind { done, did_not_fit, failed, killed, hung, late, cut_off };

  int worker = 0;
  int gpu = -1;  ///< its place among the GPUs given
  pid_t pid = 0;
  Kind kind = Kind::cut_off;
  std::string reason;  ///< empty: nothing was wrong with it
  std::string cause;  ///< "leak", "wrong_result", "out_of_memory": rv reads it (reports/stress/judgement.cpp); or empty
  std::int64_t operations = 0;
  double seconds = 0;                           ///< until the end of its last operation
  double processor_share = 0;                   ///< of one processor
  std::optional<std::uint64_t> gpu_peak_bytes;  ///< nothing: the driver doesn't tell, or no GPU
  std::uint64_t rss_peak_bytes = 0;
  std::vector<std::string> segments;  ///< of shared memory, that it had open

  double rate() const { return seconds > 0 ? static_cast<double>(operations) / seconds : 0; }
};

/// What the GPU of that place showed meanwhile.
struct GpuUse {
  std::optional<double> busy_percent;  ///< the median
  std::optional<std::uint64_t> peak_bytes;
};

struct CrewEnd {
  std::vector<WorkerEnd> workers;
  std::vector<GpuUse> gpus;
  bool interrupted = false;
  /// The driver lists processes of this machine by the PIDs that they have here.
  bool driver_knows_pids = false;
};

/// Runs them to their ends. `interrupted` is asked all the time; once it is true they are ended. `nvml` may be null.
CrewEnd run_crew(const CrewOrder& order, Nvml* nvml, bool (*interrupted)());

const char* kind_name(WorkerEnd::Kind kind);

}  // namespace rv::workers

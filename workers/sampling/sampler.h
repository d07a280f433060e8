#pragma once

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "workers/devices/nvml.h"
#include "workers/sampling/cgroup_memory.h"
#include "workers/sampling/process_tree.h"
#include "workers/sampling/sample_writer.h"
#include "workers/sampling/tree_gpu_memory.h"

namespace rv::workers {

/// The GPUs of CUDA_VISIBLE_DEVICES, or all that the driver shows if it is not set.
std::vector<GpuReadings> gpus_of_this_process(Nvml* nvml);

/// Samples this machine and one process tree. Each sample is a row in gpu_metrics.csv (one per GPU), cpu_metrics.csv,
/// ram_metrics.csv and process_metrics.csv of a folder. A value that can't be read is an empty field; events.jsonl has
/// the time and the reason.
class Sampler {
 public:
  struct Options {
    std::string folder;
    pid_t tree = 0;
    bool gpu = true;  ///< false: GPUs are not sampled, and their absence is not reported
  };

  /// Throws std::runtime_error if the files can't be created.
  explicit Sampler(const Options& options);

  /// Takes one sample. `late`: the delay, if it exceeds a tenth of the interval; nothing: in time.
  void sample(std::optional<std::chrono::milliseconds> late);
  /// False if a file could not be written.
  bool flush();
  /// Writes the state of the machine (load, memory, GPUs) as text to system_info.txt, below this title.
  void describe(const std::string& title);
  /// Writes the last line: the share of a core that the sampler itself used.
  void finish();

 private:
  /// The tree's memory on all GPUs, MiB; nothing if it is unknown on one of them.
  std::optional<double> sample_gpus(double time, const std::string& late, const TreeUse& tree);
  void sample_cpu(double time, const std::string& late);
  void sample_ram(double time, const std::string& late);

  Options options_;
  std::string no_driver_;
  std::unique_ptr<Nvml> nvml_;
  std::vector<GpuReadings> gpus_;
  ProcessTree tree_;
  TreeGpuMemory tree_gpu_memory_;
  CgroupPlace cgroup_;
  std::optional<CpuTable> cpu_before_;
  double cpu_time_ = 0;
  std::vector<int> cores_;
  std::optional<std::pair<double, double>> tree_before_;  ///< time and CPU seconds
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::unique_ptr<SampleWriter> gpu_file_, cpu_file_, ram_file_, process_file_;
  SourceWatch sources_;
};

}  // namespace rv::workers

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

/// The GPUs of CUDA_VISIBLE_DEVICES, all that the driver shows where it is not set.
std::vector<GpuReadings> gpus_of_this_process(Nvml* nvml);

/// Samples of this machine and one process tree, each look a row in gpu_metrics.csv (one for each GPU),
/// cpu_metrics.csv, ram_metrics.csv and process_metrics.csv of a folder. What can't be read is an empty field, and
/// events.jsonl says since when and why.
class Sampler {
 public:
  struct Options {
    std::string folder;
    pid_t tree = 0;
    bool gpu = true;  ///< false: no GPU is looked for, and none is missed
  };

  /// Throws std::runtime_error where the files can't be made.
  explicit Sampler(const Options& options);

  /// One look. `late`: by how much more than a tenth of the interval it came too late; nothing: in time.
  void sample(std::optional<std::chrono::milliseconds> late);
  /// False when the disk did not take all.
  bool flush();
  /// The state of the machine for people: load, memory, GPUs; into system_info.txt below this title.
  void describe(const std::string& title);
  /// The last word: how much of a core the sampler itself took.
  void finish();

 private:
  /// The tree's memory on all GPUs, MiB; nothing: on one of them it is not known.
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
  std::optional<std::pair<double, double>> tree_before_;  ///< time and processor seconds
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::unique_ptr<SampleWriter> gpu_file_, cpu_file_, ram_file_, process_file_;
  SourceWatch sources_;
};

}  // namespace rv::workers

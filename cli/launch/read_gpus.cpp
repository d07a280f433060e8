#include "cli/launch/read_gpus.h"

#include <fmt/format.h>

#include <chrono>
#include <fstream>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/process.h"
#include "monitor/follow/allocation_shell.h"
#include "shared/time_text.h"
#include "slurm/environment.h"
#include "slurm/parse/hostlist.h"
#include "templates/renderer.h"

namespace rv::cli {

using namespace std::chrono_literals;

namespace {

/// With a full disk, or for another user's run, the curves are missing but not the figures.
void keep(const monitor::KnownRun& run, const GpuReadings& readings) {
  if (readings.gpus.empty()) return;
  const auto file = run.folder.file(kept_readings_file);
  const auto now = current_time();
  if (!worth_keeping(parse_kept_readings(os::read_file(file).value_or("")), now)) return;
  std::ofstream(file, std::ios::app) << kept_line(readings, now);
}

}  // namespace

GpuReadings read_gpus(const monitor::KnownRun& run, const monitor::RunView& view, std::optional<int> element) {
  const auto place = monitor::location_of(run.folder, view, element);
  auto argv = place.step;
  const std::string nodes = std::to_string(std::max<std::size_t>(1, slurm::expand_hostlist(place.nodes).size()));
  // A hold releases its GPUs when no user has entered it; by this name it does not take the step for a user
  // (templates/holding_job.sbatch).
  argv.insert(argv.end(),
              {"--nodes=" + nodes, "--ntasks=" + nodes, "--ntasks-per-node=1", "--job-name=rv-gpu", "bash", "-s"});
  const auto result = os::run({.argv = argv,
                               .input = templates::render("gpu_readings.bash", {}),
                               .deadline = 60s,
                               .environment = slurm::submit_environment(),
                               .folder = ""});
  auto readings = parse_gpu_readings(result.out);
  if (readings.gpus.empty() && readings.troubles.empty()) {
    throw Error(fmt::format("Slurm could not run a step on the nodes of run {}: {}", run.record.id,
                            result.timed_out ? "no reply within a minute" : result.err),
                "check with rv ps whether the run has ended", ExitCode::slurm);
  }
  keep(run, readings);
  return readings;
}

}  // namespace rv::cli

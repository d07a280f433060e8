#include "cli/sweep/sweep_load.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/interrupt.h"
#include "base/os/local_command.h"
#include "base/text.h"
#include "base/variable.h"
#include "cli/acceptance/workers_folder.h"
#include "cli/json/values_json.h"
#include "cli/launch/no_container.h"
#include "cli/sweep/drive/drive.h"
#include "cli/sweep/sweep_result.h"
#include "slurm/environment.h"

namespace rv::cli {

SweepClaim::~SweepClaim() {
  try {
    if (withdraws_) folder_.withdraw();
  } catch (const std::exception& fault) {
    fmt::print(stderr, "rv: {} could not be removed: {}\n", folder_.path(), one_line(fault.what()));
  }
}

bool in_allocation() {
  return !variable("SLURM_JOB_ID").empty();
}

int drive_here(const std::string& report_dir, const std::string& workers, const Invocation& invocation,
               bool one_point) {
  const auto sampler = workers_folder(workers, invocation.settings, {"rv-sample"}) + "/rv-sample";
  const auto end = sweep::drive(
      sweep::ReportFolder(report_dir), sampler,
      [&](const std::string& line) { fmt::print(stderr, "rv: {}\n", one_line(line)); }, one_point);
  return end.interrupted ? os::interrupt_exit_code() : 0;
}

SweepLoad::SweepLoad(const SweepOptions& options, const SweepWords& words, const Invocation& invocation)
    : Load({*options.request, options.container, options.local, options.detach, options.dry_run}, invocation, ""),
      options_(options),
      words_(words) {}

void SweepLoad::show() const {
  fmt::print("{}", invocation().json ? json_text(points_json(words_)) : points_text(words_));
}

void SweepLoad::begin() {
  if (hosts_.empty()) claims_.push_back(std::make_unique<SweepClaim>(words_));
  for (const auto& host : hosts_) claims_.push_back(std::make_unique<SweepClaim>(words_of(host)));
}

LocalShare SweepLoad::for_here() {
  workers_ = workers_folder(options_.workers, invocation().settings, {"rv-sample"});
  return {[this] { return run_here(); }, "the sweep", ""};
}

int SweepLoad::run_here() {
  const bool on_the_node = options_.local || !in_allocation() || !variable("SLURMD_NODENAME").empty();
  int code = 0;
  if (on_the_node) {
    code = drive_here(words_.report_dir, workers_, invocation());
  } else {
    const auto self = std::filesystem::read_symlink("/proc/self/exe").string();
    code = os::run_local({"srun", "--overlap", "--nodes=1", "--ntasks=1", self, "sweep", "--drive", words_.report_dir,
                          "--workers", workers_},
                         std::nullopt, std::chrono::seconds(5), slurm::submit_environment())
               .exit_code;
  }
  if (on_the_node || code == 0) claims_.front()->keep();
  return code;
}

int SweepLoad::judge(const std::vector<WorkTrouble>& troubles) {
  if (!hosts_.empty()) return judge_hosts(troubles);
  const int code = troubles.empty() ? 0 : troubles.front().exit_code;
  if (code != 0) claims_.clear();
  if (!sweep::ReportFolder(words_.report_dir).exists()) return code;  // the driver has printed why
  const int outcome = print_sweep(words_.report_dir, invocation());
  return code != 0 ? code : outcome;
}

/// What was cut off by Ctrl-C counts as never begun, on hosts as here.
std::string SweepLoad::after_interrupt() {
  for (const auto& host : hosts_) {
    const auto words = words_of(host);
    const sweep::ReportFolder folder(words.report_dir);
    for (const auto& point : folder.begun()) folder.forget_attempt(words.order, point);
  }
  if (hosts_.empty()) {
    claims_.clear();
    if (!sweep::ReportFolder(words_.report_dir).exists()) return "";
    print_sweep(words_.report_dir, invocation());
  }
  for (const auto& claim : claims_) claim->keep();
  return "the same command continues there";
}

int SweepLoad::end_without_container(const std::string& host) {
  if (host.empty()) return judge({{.host = "", .what = "", .advice = "", .exit_code = no_container}});
  if (!invocation().json) return no_container;  // the host's lines are above
  throw Error(fmt::format("--container {}: {} could not run the sweep in it", options_.container.image, host),
              "the engine's message is above; check the name, or load the image there");
}

}  // namespace rv::cli

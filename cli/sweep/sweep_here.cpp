#include "cli/sweep/sweep_here.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/os/interrupt.h"
#include "base/os/local_command.h"
#include "base/text.h"
#include "base/variable.h"
#include "cli/acceptance/workers_folder.h"
#include "cli/json/values_json.h"
#include "cli/sweep/drive/drive.h"
#include "cli/views/sweep_view.h"
#include "slurm/environment.h"

namespace rv::cli {
namespace {

/// Figures of different machines on one curve say nothing about any of them.
void note_machines(const std::vector<sweep::PointResult>& results) {
  std::set<std::string> machines;
  for (const auto& result : results) {
    if (!result.host.empty()) machines.insert(result.gpus.empty() ? result.host : result.gpus.front());
  }
  if (machines.size() < 2) return;
  fmt::print(stderr, "rv: note: the points ran on different machines ({}): their figures don't compare\n",
             one_line(sweep::machine_of(results)));
}

}  // namespace

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

namespace {

struct Standing {
  sweep::Sweep sweep;
  sweep::Next next;
  std::string search;  // how --find-max ended
  bool well = true;    // as far as it went
};

Standing standing_of(const sweep::ReportFolder& folder) {
  Standing out{{folder.order(), folder.results()}, {}, "", true};
  std::vector<sweep::Ended> ended;
  for (const auto& result : out.sweep.results) {
    ended.push_back({result.point, result.end.kind});
    out.well = out.well && (result.end.kind == sweep::EndKind::done || is_out_of_memory(result.end.kind));
  }
  out.next = next_point(out.sweep.order, ended);
  if (!out.next.point) out.search = out.next.reason;
  return out;
}

}  // namespace

SweepResult write_sweep_result(const std::string& report_dir) {
  const sweep::ReportFolder folder(report_dir);
  const auto standing = standing_of(folder);
  folder.write_together(standing.search);
  return {results_json(standing.sweep, standing.search), standing.well && !standing.next.point};
}

int print_sweep(const std::string& report_dir, const Invocation& invocation) {
  const sweep::ReportFolder folder(report_dir);
  const auto [sweep, next, search, well] = standing_of(folder);
  if (invocation.json) {
    fmt::print("{}", json_text(results_json(sweep, search)));
  } else {
    fmt::print("{}", sweep_text(sweep, search, invocation.terminal));
  }
  note_machines(sweep.results);
  if (next.point) {
    fmt::print(stderr, "rv: {} is next; the same command continues there\n", to_text(*next.point, sweep.order.axes));
  } else if (!invocation.json) {
    fmt::print("\nThe page: {}\n", folder.file("report.html"));
    if (!sweep.order.project.empty()) fmt::print(stderr, "rv: fetch the results with rv sync pull\n");
  }
  return well && !next.point ? 0 : 1;
}

int sweep_here(const SweepOptions& options, const SweepWords& words, const Invocation& invocation) {
  const auto workers = workers_folder(options.workers, invocation.settings, {"rv-sample"});
  const bool is_new = begin_sweep(words);
  const sweep::ReportFolder folder(words.report_dir);
  const bool on_the_node = options.local || !in_allocation() || !variable("SLURMD_NODENAME").empty();
  int code = 0;
  if (on_the_node) {
    try {
      code = drive_here(words.report_dir, workers, invocation);
    } catch (const Error&) {
      if (is_new) folder.withdraw();
      throw;
    }
  } else {
    const auto self = std::filesystem::read_symlink("/proc/self/exe").string();
    code = os::run_local({"srun", "--overlap", "--nodes=1", "--ntasks=1", self, "sweep", "--drive", words.report_dir,
                          "--workers", workers},
                         std::nullopt, std::chrono::seconds(5), slurm::submit_environment())
               .exit_code;
    if (is_new && code != 0) folder.withdraw();
    if (!folder.exists()) return code;  // the driver has printed why
  }
  const int outcome = print_sweep(words.report_dir, invocation);
  return code != 0 ? code : outcome;
}

}  // namespace rv::cli

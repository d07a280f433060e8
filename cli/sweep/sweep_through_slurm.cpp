#include "cli/sweep/sweep_through_slurm.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/text.h"
#include "cli/acceptance/workers_folder.h"
#include "cli/launch/follow_run.h"
#include "cli/launch/launch_options.h"
#include "cli/launch/no_container.h"
#include "cli/sweep/drive/report_folder.h"
#include "cli/sweep/sweep_result.h"
#include "monitor/diagnosis/gather_evidence.h"

namespace rv::cli {
namespace {

namespace fs = std::filesystem;

/// One node: that is where its driver is.
std::shared_ptr<RequestOptions> request_of(const SweepOptions& options, const SweepWords& words) {
  auto request = std::make_shared<RequestOptions>(*options.request);
  if (request->nodes.value_or(1) != 1) {
    throw Error(fmt::format("--nodes {}: the points of a sweep run on one node", *request->nodes), "remove --nodes",
                ExitCode::usage);
  }
  request->single_node = true;
  if (request->name.empty()) request->name = fs::path(words.report_dir).filename();
  return request;
}

/// The programs go with the run: a node need not see where rv is installed here.
void pack(const monitor::RunFolder& folder, const std::string& workers) {
  const auto place = folder.file("sweep");
  os::make_folder(place);
  fs::copy_file("/proc/self/exe", place + "/rv");
  fs::copy_file(workers + "/rv-sample", place + "/rv-sample");
}

/// `is_new` becomes whether the report folder held no sweep before.
WorkOrder work_order(const SweepOptions& options, const SweepWords& words, const Invocation& invocation,
                     const std::shared_ptr<bool>& is_new) {
  const auto workers = workers_folder(options.workers, invocation.settings, {"rv-sample"});
  auto work =
      plain_order(invocation.user_command, invocation.settings, options.notify, {.interpreter = {}, .as_typed = true});
  work.job.execute({"bash", "-c",
                    "exec \"$RV_RUN_DIR/sweep/rv\" sweep --drive \"$0\" --workers \"$RV_RUN_DIR/sweep\" \"$@\"",
                    words.report_dir});
  if (options.job_per_point) work.job.argv.emplace_back("--one-point");
  work.why = words.why;
  work.job.measures = true;  // and has its own sampler
  work.prepare = [words, workers, is_new](const monitor::RunFolder& folder) {
    pack(folder, workers);
    *is_new = begin_sweep(words);
  };
  return work;
}

/// Slurm's own word that it ended the job for its memory; nothing where it has not said so. What the command or the
/// driver printed does not come from Slurm.
std::optional<std::string> slurm_says_memory(const monitor::RunFolder& run, const monitor::RunView& view,
                                             slurm::Gateway& gateway) {
  const auto diagnosis = diagnose(gather_evidence(run, view, gateway));
  if (diagnosis.cause != monitor::Cause::out_of_memory) return std::nullopt;
  for (const auto& proof : diagnosis.proofs) {
    const bool slurms = proof.source == "scontrol" || proof.source == "sacct" || proof.text.starts_with("slurmstepd");
    if (slurms) return proof.text;
  }
  return std::nullopt;
}

/// The point that ran then is gone with its driver: it has ended so.
void note_memory(const sweep::ReportFolder& folder, const std::string& said) {
  const auto order = folder.order();
  for (const auto& point : folder.begun()) {
    sweep::PointResult result;
    result.point = point;
    result.folder = sweep::folder_name(point, order.axes);
    result.command.reserve(order.command.size());
    for (const auto& word : order.command) result.command.push_back(sweep::filled(word, point.settings));
    result.began = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
    result.end = {sweep::EndKind::slurm_out_of_memory, std::nullopt,
                  "Slurm ended the job while it ran: " + one_line(said)};
    folder.write(result);
  }
  folder.write_together("");
}

/// One run of the sweep. Its exit code where rv is to end with it; nothing when the run is over.
std::optional<int> run_it(const SweepOptions& options, const SweepWords& words, const Invocation& invocation) {
  LaunchOptions launching;
  launching.request = request_of(options, words);
  launching.dry_run = options.dry_run;
  launching.project = options.project;
  if (words.in_container) launching.project.no_deps = true;  // an image has what it needs
  launching.no_sync = options.no_sync;
  const auto is_new = std::make_shared<bool>(false);
  const auto launched = launch(launching, work_order(options, words, invocation, is_new), invocation);
  if (!launched.folder) {
    if (options.dry_run && !invocation.json) fmt::print("\n{}", points_text(words));
    return launched.exit_code;
  }
  const auto& run = *launched.folder;
  slurm::Gateway gateway;
  const auto attended = attend(
      run, gateway, invocation,
      {.detach = options.detach,
       .stream = true,
       .next = fmt::format("rv logs -f {} follows it, {}/report.html will be its page", run.id(), words.report_dir)});
  if (attended.exit_code) return attended.exit_code;
  const sweep::ReportFolder folder(words.report_dir);
  if (attended.view.state != monitor::RunState::done) {
    const auto memory = folder.begun().empty() ? std::nullopt : slurm_says_memory(run, attended.view, gateway);
    if (memory) note_memory(folder, *memory);
    const auto no_image = container_error(options.container, run, attended.view, gateway);
    if (no_image && invocation.json) throw Error(*no_image);
    if (!invocation.json) explain_end(run, attended.view, invocation.terminal);
    if (*is_new && !memory) folder.withdraw();
    if (no_image) return no_container;  // the driver has said why; of points that have not begun nothing is shown
    if (!folder.exists()) return exit_code_of(attended.view);
    if (!memory) return print_sweep(words.report_dir, invocation);  // stopped, or it failed: the next would, too
  }
  return std::nullopt;
}

std::size_t points_over(const SweepWords& words) {
  return sweep::ReportFolder(words.report_dir).results().size();
}

bool points_left(const SweepWords& words) {
  const sweep::ReportFolder folder(words.report_dir);
  std::vector<sweep::Ended> ended;
  for (const auto& result : folder.results()) ended.push_back({result.point, result.end.kind});
  return sweep::next_point(folder.order(), ended).point.has_value();
}

}  // namespace

int sweep_through_slurm(const SweepOptions& options, const SweepWords& words, const Invocation& invocation) {
  for (bool again = true; again;) {
    const auto over = points_over(words);
    if (const auto code = run_it(options, words, invocation)) return *code;
    again = options.job_per_point && points_over(words) > over && points_left(words);
  }
  return print_sweep(words.report_dir, invocation);
}

}  // namespace rv::cli

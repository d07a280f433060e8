#include "cli/sweep/sweep_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/interrupt.h"
#include "base/os/local_command.h"
#include "base/os/process.h"
#include "base/quote.h"
#include "base/text.h"
#include "base/variable.h"
#include "cli/acceptance/workers_folder.h"
#include "cli/hosts/hosts_work.h"
#include "cli/json/values_json.h"
#include "cli/launch/container.h"
#include "cli/launch/no_container.h"
#include "cli/sweep/drive/drive.h"
#include "cli/sweep/sweep_result.h"
#include "monitor/diagnosis/gather_evidence.h"
#include "slurm/environment.h"

namespace rv::cli {
namespace {

namespace fs = std::filesystem;

constexpr int host_lost = 3;

Programs programs_of(const SweepOptions& options, const Invocation& invocation) {
  auto programs =
      read_programs(workers_folder(options.worker_folder, invocation.settings, {"rv-sample"}), {"rv-sample"});
  programs.files.emplace_back("rv", std::make_shared<const std::string>(os::read_file("/proc/self/exe").value_or("")));
  return programs;
}

/// The state from which the host's driver continues.
std::string packed(const std::string& folder) {
  return os::run({.argv = {"tar", "-C", folder, "-czf", "-", "."},
                  .input = {},
                  .environment = all_variables(),
                  .folder = {}})
      .out;
}

bool in_allocation() {
  return !variable("SLURM_JOB_ID").empty();
}

/// One node: that is where its driver is.
std::shared_ptr<RequestOptions> request_of(const SweepOptions& options, const SweepSetup& setup) {
  auto request = std::make_shared<RequestOptions>(*options.request);
  if (request->nodes.value_or(1) != 1) {
    throw Error(fmt::format("--nodes {}: the points of a sweep run on one node", *request->nodes), "remove --nodes",
                ExitCode::usage);
  }
  request->single_node = true;
  if (request->name.empty()) request->name = fs::path(setup.report_dir).filename();
  return request;
}

/// The programs go with the run: a node need not see where rv is installed here.
void pack(const monitor::RunFolder& folder, const std::string& workers) {
  const auto place = folder.file("sweep");
  os::make_folder(place);
  fs::copy_file("/proc/self/exe", place + "/rv");
  fs::copy_file(workers + "/rv-sample", place + "/rv-sample");
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

std::size_t points_over(const SweepSetup& setup) {
  return sweep::ReportFolder(setup.report_dir).results().size();
}

bool points_left(const SweepSetup& setup) {
  const sweep::ReportFolder folder(setup.report_dir);
  std::vector<sweep::Ended> ended;
  for (const auto& result : folder.results()) ended.push_back({result.point, result.end.kind});
  return sweep::next_point(folder.order(), ended).point.has_value();
}

}  // namespace

SweepLoad::~SweepLoad() {
  try {
    withdraw();
  } catch (const Error&) {
    // A host sent a damaged result, which has been said: the folder stays.
  }
}

void SweepLoad::withdraw() {
  for (const auto& folder : claimed_) folder.withdraw();
  claimed_.clear();
}

int drive_here(const std::string& report_dir, const std::string& workers, const Invocation& invocation,
               bool one_point) {
  const auto sampler = workers_folder(workers, invocation.settings, {"rv-sample"}) + "/rv-sample";
  const auto end = sweep::drive(
      sweep::ReportFolder(report_dir), sampler,
      [&](const std::string& line) { fmt::print(stderr, "rv: {}\n", one_line(line)); }, one_point);
  return end.interrupted ? os::interrupt_exit_code() : 0;
}

bool runs_here(const SweepOptions& options) {
  return options.local || (!options.hosts && in_allocation() && !options.request->gpus);
}

SweepLoad::SweepLoad(const SweepOptions& options, const SweepSetup& setup, const Invocation& invocation)
    : Load({.request = *options.request,
            .container = options.container,
            .hosts = options.hosts,
            .local = runs_here(options),
            .detach = options.detach,
            .dry_run = options.dry_run},
           invocation, "sweep"),
      options_(options),
      setup_(setup) {}

void SweepLoad::show() const {
  fmt::print("{}", invocation().json ? json_text(points_json(setup_)) : points_text(setup_));
}

void SweepLoad::show_below_plan() const {
  fmt::print("\n{}", points_text(setup_));
}

void SweepLoad::begin() {
  if (hosts_.empty()) claim(setup_);
  for (const auto& host : hosts_) claim(setup_of(host));
}

void SweepLoad::claim(const SweepSetup& setup) {
  if (begin_sweep(setup)) claimed_.emplace_back(setup.report_dir);
}

LocalLaunch SweepLoad::for_here() {
  workers_ = workers_folder(options_.worker_folder, invocation().settings, {"rv-sample"});
  return {[this] { return run_here(); }, "the sweep", ""};
}

int SweepLoad::run_here() {
  const bool on_the_node = options_.local || !in_allocation() || !variable("SLURMD_NODENAME").empty();
  int code = 0;
  if (on_the_node) {
    code = drive_here(setup_.report_dir, workers_, invocation());
  } else {
    const auto self = std::filesystem::read_symlink("/proc/self/exe").string();
    code = os::run_local({"srun", "--overlap", "--nodes=1", "--ntasks=1", self, "sweep", "--drive", setup_.report_dir,
                          "--worker-folder", workers_},
                         std::nullopt, std::chrono::seconds(5), slurm::submit_environment())
               .exit_code;
  }
  if (on_the_node || code == 0) claimed_.clear();
  return code;
}

int SweepLoad::judge(const std::vector<WorkTrouble>& troubles) {
  if (!hosts_.empty()) return judge_hosts(troubles);
  const int code = troubles.empty() ? 0 : troubles.front().exit_code;
  withdraw();
  if (!sweep::ReportFolder(setup_.report_dir).exists()) return code;  // the driver has printed why
  const int outcome = print_sweep(setup_.report_dir, invocation());
  return code != 0 && !through_slurm() ? code : outcome;
}

/// What was cut off by Ctrl-C counts as never begun, on hosts as here.
std::string SweepLoad::after_interrupt() {
  for (const auto& host : hosts_) {
    const auto setup = setup_of(host);
    const sweep::ReportFolder folder(setup.report_dir);
    for (const auto& point : folder.begun()) folder.forget_attempt(setup.order, point);
  }
  if (hosts_.empty()) {
    withdraw();
    if (!sweep::ReportFolder(setup_.report_dir).exists()) return "";
    print_sweep(setup_.report_dir, invocation());
  }
  claimed_.clear();
  return "the same command continues there";
}

int SweepLoad::end_without_container(const std::string& host) {
  if (host.empty()) return judge({{.host = "", .what = "", .advice = "", .exit_code = no_container}});
  if (!invocation().json) return no_container;  // the host's lines are above
  throw Error(fmt::format("--container {}: {} could not run the sweep in it", options_.container.image, host),
              "the engine's message is above; check the name, or load the image there");
}

SweepSetup SweepLoad::setup_of(const std::string& host) const {
  auto out = setup_;
  out.report_dir += "/" + host;
  return out;
}

HostsLaunch SweepLoad::for_hosts(const std::vector<remote::Host>& hosts) {
  for (const auto& host : hosts) {
    hosts_.push_back(host.name);
    sweep::ReportFolder(setup_of(host.name).report_dir).check_free_for(setup_.order);
  }
  return {programs_of(options_, invocation()), ReportKind::sweep};
}

std::vector<int> SweepLoad::slots_on(remote::HostGroup& group) {
  std::vector<int> slots;
  for (const auto& session : group.sessions()) {
    slots.push_back(slots_of(options_.slots, options_.device == "cpu" ? "cpu" : "auto", 1, *session));
  }
  return slots;
}

HostScript SweepLoad::script_on(const HostPlace& place) {
  const auto reports = quote(place.reports());
  HostScript script;
  script.add("sweep.tgz", "600", packed(setup_of(place.host).report_dir));
  if (setup_.in_container) script.add("container", "600", container_start());
  script.add("node.sh", "600",
             fmt::format("if ! cd {0} 2>/dev/null; then\n"
                         "  printf '%s\\n' {1}\n"
                         "  exit 2\n"
                         "fi\n"
                         "export RV_RUN_DIR={2}\n"
                         "mkdir -p {3} && tar -C {3} -xzf {2}/sweep.tgz || exit 3\n"
                         "exec {4}/rv sweep --drive {3} --worker-folder {4}\n",
                         quote(setup_.order.folder),
                         quote(fmt::format("the folder {} of the command does not exist on this host; it must be on a "
                                           "file system that the hosts share, or copied",
                                           setup_.order.folder)),
                         quote(place.folder), reports, quote(place.workers)));
  return script;
}

int SweepLoad::judge_hosts(const std::vector<WorkTrouble>& troubles) {
  int code = 0;
  auto document = nlohmann::ordered_json::array();
  for (const auto& host : hosts_) {
    const auto folder = setup_of(host).report_dir;
    if (!invocation().json) fmt::print("{}:\n", host);
    const auto [one, well] = write_sweep_result(folder);
    code = std::max(code, well ? 0 : 1);
    if (invocation().json) {
      document.push_back({{"host", host}, {"sweep", one}});
    } else {
      print_sweep(folder, invocation());
      fmt::print("\n");
    }
  }
  if (invocation().json) fmt::print("{}", json_text({{"hosts", document}}));
  for (const auto& one : troubles) {
    fmt::print(stderr, "rv: {}: {}; the work was ended on all hosts\n", one.host, one.what);
  }
  return troubles.empty() ? code : host_lost;
}

SlurmLaunch SweepLoad::for_slurm() {
  over_before_ = points_over(setup_);
  workers_ = workers_folder(options_.worker_folder, invocation().settings, {"rv-sample"});
  LaunchOptions launching;
  launching.request = request_of(options_, setup_);
  launching.project = options_.project;
  if (setup_.in_container) launching.project.no_deps = true;  // an image has what it needs
  launching.no_sync = options_.no_sync;
  auto work = plain_order(invocation().user_command, invocation().settings, options_.notify,
                          {.interpreter = {}, .as_typed = true});
  work.job.set_command(
      {"bash", "-c", "exec \"$RV_RUN_DIR/sweep/rv\" sweep --drive \"$0\" --worker-folder \"$RV_RUN_DIR/sweep\" \"$@\"",
       setup_.report_dir});
  if (options_.job_per_point) work.job.argv.emplace_back("--one-point");
  work.why = setup_.why;
  work.job.measures = true;  // and has its own sampler
  work.prepare = [this](const monitor::RunFolder& run) {
    pack(run, workers_);
    is_new_ = begin_sweep(setup_);
  };
  return {.launching = launching, .work = work, .next = [this](const auto& run) {
            return fmt::format("rv logs -f {} follows it, {}/report.html will be its page", run, setup_.report_dir);
          }};
}

bool SweepLoad::explains_end(const monitor::RunFolder& run, const monitor::RunView& view, slurm::Gateway& gateway) {
  const sweep::ReportFolder folder(setup_.report_dir);
  const auto memory = folder.begun().empty() ? std::nullopt : slurm_says_memory(run, view, gateway);
  if (memory) note_memory(folder, *memory);
  if (is_new_ && !memory) folder.withdraw();
  return memory.has_value();
}

bool SweepLoad::goes_on() {
  return options_.job_per_point && through_slurm() && points_over(setup_) > over_before_ && points_left(setup_);
}

}  // namespace rv::cli

#include "cli/acceptance/preflight.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/local_command.h"
#include "base/text.h"
#include "base/variable.h"
#include "cli/acceptance/acceptance_folder.h"
#include "cli/acceptance/local_start.h"
#include "cli/acceptance/workers_folder.h"
#include "cli/json/values_json.h"
#include "cli/nodes/failed_acceptance.h"
#include "cli/settings/settings.h"
#include "cli/views/accept_view.h"
#include "reports/accept/baseline_yaml.h"
#include "reports/accept/evidence.h"
#include "reports/accept/history_files.h"
#include "reports/accept/tier.h"
#include "shared/number.h"
#include "shared/time_text.h"
#include "slurm/parse/hostlist.h"

namespace rv::cli {
namespace {

using namespace std::chrono_literals;

/// Each worker of the order once.
std::vector<std::string> workers_of(const accept::Order& order) {
  std::vector<std::string> workers;
  for (const auto& step : accept::steps_of(order)) {
    if (!contains(workers, step.worker)) workers.push_back(step.worker);
  }
  return workers;
}

accept::Judgement judge_reports(const std::string& folder, const accept::Order& order, const std::string& run,
                                const Settings& settings, const std::vector<accept::Baseline>& baselines) {
  auto judgement = accept::judge(order, accept::read_evidence(folder + "/reports"), baselines, /*strict=*/false);
  const auto records = accept::records_of(judgement, current_time(), run);
  std::vector<accept::GpuRecord> earlier;
  for (const auto& gpu : records) {
    const auto of_gpu = accept::history_of(settings.home, gpu.uuid);
    earlier.insert(earlier.end(), of_gpu.begin(), of_gpu.end());
  }
  auto drops = accept::find_drops(records, earlier);
  if (!drops.empty()) judgement.verdict = Verdict::fail;
  // Behind the others: what is wrong with a node explains its figures.
  judgement.findings.insert(judgement.findings.end(), drops.begin(), drops.end());
  accept::keep_history(settings.home, records);
  return judgement;
}

/// The nodes that the findings name; all of the job if they name none.
std::vector<std::string> nodes_to_leave_out(const accept::Judgement& judgement) {
  const auto of_job = slurm::expand_hostlist(variable("SLURM_JOB_NODELIST"));
  std::vector<std::string> named;
  for (const auto& finding : judgement.findings) {
    const auto& node = finding.subject.node;
    if (finding.verdict != Verdict::fail || contains(named, node) || !contains(of_job, node)) continue;
    named.push_back(node);
  }
  return named.empty() ? of_job : named;
}

/// Without the characters that JSON and a shell give a meaning.
std::string plain(std::string_view text) {
  std::string line = one_line(text);
  std::erase_if(line, [](char c) { return c < ' ' || c > '~' || c == '"' || c == '\\'; });
  constexpr std::size_t longest = 300;
  return line.size() > longest ? line.substr(0, longest) + "..." : line;
}

std::string reason_of(const accept::Judgement& judgement) {
  if (judgement.verdict == Verdict::pass) return "";
  for (const auto& finding : judgement.findings) {
    if (finding.verdict == judgement.verdict) return plain(to_string(finding.subject) + ": " + finding.what);
  }
  return "";
}

}  // namespace

accept::Order preflight_order(int nodes, int gpus_per_node) {
  const auto* const tier = accept::tier_named("preflight");
  accept::Order order{.nodes = nodes, .gpus_per_node = gpus_per_node, .device = "cuda", .suites = {}};
  order.within_s = tier->within_s;
  for (const auto suite : tier->suites) {
    if (nodes * gpus_per_node > 1 || !needs_two_ranks(suite)) order.suites.push_back(suite);
  }
  return order;
}

int run_preflight(const std::string& folder) {
  const auto settings = read_settings();
  const auto order = preflight_order(number_in<int>(variable("RV_NNODES"), 1).value_or(1),
                                     number_in<int>(variable("RV_GPUS_PER_NODE"), 1).value_or(1));
  const auto baselines = accept::baselines_with(settings.accept_baselines, "accept_baselines");
  prepare_acceptance(folder, order, workers_folder("", settings, workers_of(order), "workers"));
  const auto start = local_start(folder, order.nodes, Container{});
  os::run_local(start.argv, std::chrono::seconds(order.within_s) + 1s, 500ms, start.environment);

  const auto run = variable("RV_RUN_ID");
  const auto judgement = judge_reports(folder, order, run, settings, baselines);
  os::write_file(folder + "/accept.json", json_text(judgement_json(order, judgement, run)));
  if (judgement.verdict == Verdict::fail) {
    note_failed_acceptance(
        judgement, {.test = "preflight", .cause = failures::Cause::preflight, .run = run, .time = current_time()},
        settings);
    fmt::print("fail {}\n{}\n", joined(nodes_to_leave_out(judgement)), reason_of(judgement));
  } else {
    fmt::print("{} -\n{}\n", judgement.verdict == Verdict::pass ? "pass" : "unknown", reason_of(judgement));
  }
  return 0;
}

}  // namespace rv::cli

#include "cli/stress/write_stress_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/user_name.h"
#include "base/trust/regular_file.h"
#include "cli/acceptance/output_places.h"
#include "cli/json/values_json.h"
#include "cli/stress/stress_view.h"
#include "reports/stress/document.h"
#include "reports/stress/junit.h"
#include "reports/stress/page.h"
#include "shared/time_text.h"

namespace rv::cli {
namespace {

namespace fs = std::filesystem;

/// At most this much of a launcher's log is searched.
constexpr std::size_t most_of_a_log = std::size_t{16} << 20U;

struct Reports {
  std::vector<stress::NodeEvidence> nodes;
  std::map<std::string, stress::LauncherLog> logs;  // by the files' names
};

std::string beginning_of(const fs::path& path) {
  return trust::read_beginning(path, most_of_a_log).value_or("");
}

/// Those of a run lie there together, those of --hosts in a folder for each host.
Reports read_reports(const std::string& folder, bool stays) {
  std::vector<fs::path> paths;
  std::error_code fault;
  for (fs::recursive_directory_iterator it(folder, fault), end; !fault && it != end; it.increment(fault)) {
    paths.push_back(it->path());
  }
  std::sort(paths.begin(), paths.end());
  Reports reports;
  for (const auto& path : paths) {
    if (path.extension() == ".jsonl") {
      if (auto node = stress::evidence_of(beginning_of(path))) reports.nodes.push_back(std::move(*node));
    } else if (path.extension() == ".log") {
      reports.logs[path.filename()] = {.text = beginning_of(path),
                                       .path = stays ? fs::absolute(path).lexically_normal().string() : ""};
    }
  }
  return reports;
}

void refuse(const Reports& reports, const std::string& junit) {
  for (const auto& node : reports.nodes) {
    if (!node.refusal) continue;
    const auto where = node.nodes > 1 ? node.node + ": " : std::string();
    // CI shows what this file has, and would take one of before for this run's.
    if (!junit.empty()) os::write_file(junit, stress::junit_of_refusal(where + node.refusal->what), 0644);
    throw Error(where + node.refusal->what, node.refusal->advice, static_cast<ExitCode>(node.refusal->exit_code));
  }
}

pages::About about_now() {
  pages::About about;
  about.who = os::effective_user_name();
  about.when = utc_time(current_time());
  return about;
}

void write_both(const std::string& folder, const std::string& json, const std::string& html) {
  os::make_folder(folder);
  os::write_file(folder + "/stress.json", json);
  os::write_file(folder + "/stress.html", html);
}

}  // namespace

void check_outputs(const StressOptions& options) {
  check_output_folder("--report-dir", options.report_dir);
  check_output_file("--junit", options.junit);
}

int write_stress_verdict(const std::string& folder, const std::string& where, const Trouble& trouble,
                         const StressOptions& options, const Invocation& invocation) {
  // The files of a run that continues would look like an interrupted run.
  const auto reports = trouble.not_over ? Reports{} : read_reports(folder + "/reports", !options.cleanup);
  refuse(reports, options.junit);
  auto judgement = stress::judge(reports.nodes, reports.logs,
                                 stress::message_table(invocation.settings.stress_messages), options.limits);
  if (trouble.not_over) judgement.findings.clear();
  if (trouble.ended_all && judgement.verdict != Verdict::pass) {
    std::erase_if(judgement.findings, [](const auto& one) { return one.verdict == Verdict::fail; });
    judgement.verdict = Verdict::error;
  }
  if (!trouble.what.empty() && judgement.verdict != Verdict::pass) {
    judgement.findings.insert(judgement.findings.begin(), {Verdict::error, where, trouble.what, trouble.advice});
    judgement.verdict = fold({judgement.verdict, Verdict::error});
  }
  const bool cleanup = options.cleanup && !trouble.not_over;
  const auto json = json_text(stress::to_json(judgement, where));
  const auto html = stress::page(judgement, where, about_now());
  if (!cleanup) write_both(folder, json, html);
  if (!options.report_dir.empty()) write_both(options.report_dir, json, html);
  if (!options.junit.empty()) os::write_file(options.junit, stress::junit_xml(judgement), 0644);
  if (invocation.json) {
    fmt::print("{}", json);
  } else {
    fmt::print("{}", stress_text(judgement, invocation.terminal));
    const auto shown = options.report_dir.empty() ? folder : options.report_dir;
    if (!cleanup || !options.report_dir.empty()) fmt::print("report: {}/stress.html\n", shown);
  }
  if (cleanup) {
    std::error_code fault;
    fs::remove_all(folder, fault);
  }
  return stress::exit_code(judgement);
}

}  // namespace rv::cli

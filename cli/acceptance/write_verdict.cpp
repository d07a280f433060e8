#include "cli/acceptance/write_verdict.h"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/user_name.h"
#include "base/table.h"
#include "cli/acceptance/acceptance_folder.h"
#include "cli/acceptance/output_places.h"
#include "cli/json/values_json.h"
#include "cli/nodes/failed_acceptance.h"
#include "cli/views/accept_view.h"
#include "reports/accept/baseline_yaml.h"
#include "reports/accept/gpu_history.h"
#include "reports/accept/history_files.h"
#include "reports/accept/page/html_report.h"
#include "reports/accept/page/origin.h"
#include "reports/accept/product_bits.h"
#include "reports/accept/summary.h"
#include "shared/time_text.h"

namespace rv::cli {
namespace {

/// Where an acceptance that went wrong says why.
std::string advice_for(const std::string& where, const AcceptOptions& options) {
  if (!options.kubernetes->wanted) return "rv why " + where + " names the cause";
  return "check the pods: kubectl describe pods -l app.kubernetes.io/instance=" + where +
         "; once all are over, judge their whole logs";
}

void write_report(const std::string& folder, const std::string& json, const std::string& html) {
  os::make_folder(folder);
  os::write_file(folder + "/accept.json", json);
  os::write_file(folder + "/accept.html", html);
}

void save_baseline(const std::string& path, const accept::Judgement& judgement, const std::string& where,
                   std::chrono::sys_seconds now) {
  if (judgement.verdict == Verdict::fail || judgement.verdict == Verdict::error) {
    throw Error(fmt::format("--save-baseline needs the verdict pass, but it is {}", to_string(judgement.verdict)),
                "repair the faults, or leave those GPUs out");
  }
  os::write_file(path, "# What rv accept measured; the keys are explained in docs/accept.md.\n" +
                           accept::baselines_yaml(judgement, fmt::format("measured {}, {}", utc_date(now), where)));
}

}  // namespace

void check_files(AcceptOptions& options, const Settings& settings) {
  options.baselines = options.baseline.empty() ? accept::baselines_with(settings.accept_baselines, "accept_baselines")
                                               : accept::baselines_with(options.baseline, "--baseline");
  if (options.dry_run) return;
  check_output_folder("--report-dir", options.report_dir);
  check_output_file("--save-baseline", options.save_baseline);
}

int write_verdict(const std::string& folder, const std::string& where, const std::string& trouble,
                  const AcceptOptions& options, const Invocation& invocation) {
  std::vector<accept::Finding> troubles;
  if (!trouble.empty()) {
    troubles.push_back({.verdict = Verdict::error,
                        .subject = {},
                        .rank = std::nullopt,
                        .what = trouble,
                        .advice = advice_for(where, options)});
  }
  return write_verdict(folder, where, troubles, options, invocation);
}

int write_verdict(const std::string& folder, const std::string& where, const std::vector<accept::Finding>& troubles,
                  const AcceptOptions& options, const Invocation& invocation) {
  const auto order = read_order(folder);
  const auto& settings = invocation.settings;
  const auto evidence = accept::read_evidence(folder + "/reports");
  auto judgement = accept::judge(order, evidence, options.baselines, options.strict,
                                 accept::known_bits(accept::read_history(settings.home, ""), where));
  if (!troubles.empty()) {
    judgement.findings.insert(judgement.findings.begin(), troubles.begin(), troubles.end());
    judgement.verdict = fold({judgement.verdict, Verdict::error});
  }
  const auto now = current_time();
  const auto json = json_text(judgement_json(order, judgement, where));
  const auto html =
      accept::html_report(order, judgement, where, accept::about_of(evidence, os::effective_user_name(), now));
  write_report(folder, json, html);
  if (!options.report_dir.empty()) write_report(options.report_dir, json, html);
  auto records = accept::records_of(judgement, now, where);
  accept::add_bits(records, accept::bits_of(evidence));
  accept::keep_history(settings.home, records);
  note_failed_acceptance(judgement, {.test = "rv accept", .run = where, .own_baseline = !options.baseline.empty()},
                         settings);

  if (invocation.json) {
    fmt::print("{}", json);
  } else {
    const std::string shown = options.report_dir.empty() ? folder : options.report_dir;
    fmt::print("{}report: {}/accept.html\n", judgement_text(order, judgement, invocation.terminal), shown);
  }
  if (!options.save_baseline.empty()) save_baseline(options.save_baseline, judgement, where, now);
  return exit_code(judgement.verdict, options.allow_skip);
}

int show_history(const std::string& which, const Invocation& invocation) {
  const auto trends = accept::trends_of(accept::read_history(invocation.settings.home, which == "all" ? "" : which));
  if (trends.empty()) {
    throw Error(which == "all" ? "no GPU has a history yet" : fmt::format("no GPU or node \"{}\" has a history", which),
                "every rv accept on GPUs adds to the history; rv accept --history all shows all of it",
                ExitCode::usage);
  }
  if (invocation.json) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& t : trends) {
      list.push_back({{"gpu_uuid", t.uuid},
                      {"node", t.node},
                      {"model", t.model},
                      {"figure", t.figure},
                      {"unit", t.unit},
                      {"runs", t.runs},
                      {"first", t.first},
                      {"last", t.last},
                      {"percent_per_30_days", t.percent_per_30_days ? nlohmann::ordered_json(*t.percent_per_30_days)
                                                                    : nlohmann::ordered_json()},
                      {"first_bad", t.first_bad ? nlohmann::ordered_json(t.first_bad->time_since_epoch().count())
                                                : nlohmann::ordered_json()},
                      {"first_bad_run", t.first_bad_run}});
    }
    fmt::print("{}", json_text({{"history", list}}));
    return 0;
  }
  Table table;
  table.column("NODE");
  table.column("GPU");
  table.column("FIGURE");
  table.column("RUNS", Table::Align::right);
  table.column("FIRST", Table::Align::right);
  table.column("LAST", Table::Align::right);
  table.column("UNIT");
  table.column("30 DAYS", Table::Align::right);
  table.column("FIRST BAD");
  for (const auto& t : trends) {
    table.row({t.node, t.uuid, t.figure, std::to_string(t.runs), accept::figure_text(t.first),
               accept::figure_text(t.last), t.unit,
               t.percent_per_30_days ? fmt::format("{:+.1f} %", *t.percent_per_30_days) : "-",
               t.first_bad ? fmt::format("{} {}", utc_date(*t.first_bad), t.first_bad_run) : ""});
  }
  fmt::print("{}", table.text(invocation.terminal.table_width(), invocation.terminal.colour));
  return 0;
}

}  // namespace rv::cli

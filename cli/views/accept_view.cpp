#include "cli/views/accept_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/table.h"
#include "base/text.h"
#include "cli/views/verdict_word.h"
#include "reports/accept/causes.h"
#include "reports/accept/summary.h"
#include "reports/accept/training_details.h"

namespace rv::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string or_dash(const std::optional<double>& value) {
  return value ? accept::figure_text(*value) : "-";
}

std::string table_text(const accept::SummaryTable& summary, const os::Terminal& terminal) {
  Table table;
  table.column("FIGURE");
  table.column("VALUE", Table::Align::right);
  table.column("UNIT");
  table.column("SPREAD", Table::Align::right);
  const bool sweeps =
      std::any_of(summary.rows.begin(), summary.rows.end(), [](const auto& row) { return row.small_us; });
  if (sweeps) table.column("SMALLEST", Table::Align::right);
  table.column("BASELINE", Table::Align::right);
  table.column("RATIO", Table::Align::right);
  table.column("VERDICT");
  for (const auto& row : summary.rows) {
    std::vector<std::string> cells = {row.name, row.value ? accept::figure_text(*row.value) : "",
                                      row.value ? row.unit : "",
                                      row.spread ? "±" + accept::figure_text(*row.spread) : ""};
    if (sweeps) cells.push_back(row.small_us ? accept::figure_text(*row.small_us) + " µs" : "");
    cells.push_back(row.value && row.judged ? or_dash(row.baseline) : "");
    cells.push_back(row.ratio ? fmt::format("{:.2f}", *row.ratio) : row.value && row.judged ? "-" : "");
    cells.emplace_back(row.judged ? to_string(row.verdict) : "");
    table.row(std::move(cells));
  }
  return summary.title + "\n" + table.text(terminal.table_width(), terminal.colour) + "\n";
}

/// Explains the cells that a reader can't guess, if the tables have them.
std::string legend(const std::vector<accept::SummaryTable>& tables) {
  bool without_baseline = false, sweeps = false;
  for (const auto& table : tables) {
    for (const auto& row : table.rows) {
      without_baseline = without_baseline || (row.value && row.judged && !row.baseline);
      sweeps = sweeps || row.small_us;
    }
  }
  std::string out;
  if (sweeps) out += "SMALLEST: time of the operation with its smallest size\n";
  if (without_baseline) {
    out += "BASELINE -: none is known; the verdict comes from the workers' own checks and from other GPUs or nodes\n";
  }
  return out.empty() ? out : out + "\n";
}

/// More findings of a cause than these are counted.
constexpr std::size_t most_findings = 4;

std::string cause_text(const accept::Cause& cause, bool colour) {
  std::string out;
  const auto shown = std::min(cause.findings.size(), most_findings);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& finding = *cause.findings[i];
    const auto place = to_string(finding.subject);
    const auto rank = finding.rank ? fmt::format("rank {}: ", *finding.rank) : std::string();
    // The place stands in the first line where all findings have the same one.
    if (i == 0) out += fmt::format("{}  {}: ", verdict_word(cause.verdict, colour), cause.title);
    out +=
        fmt::format("{}{}{}{}\n", i == 0 ? "" : "      ", place == cause.title ? "" : place + ": ", rank, finding.what);
  }
  if (shown < cause.findings.size()) {
    out += fmt::format("      and {} more of this cause\n", cause.findings.size() - shown);
  }
  return out + fmt::format("      → {}\n", cause.advice);
}

/// "1 node, 4 GPUs", "1 node, 2 ranks on CPUs", or "2 nodes" for suites that need neither.
std::string tested(const accept::Order& order, const accept::Judgement& judgement) {
  auto nodes = counted(static_cast<long long>(judgement.nodes.size()), "node");
  const bool computes = std::any_of(order.suites.begin(), order.suites.end(), accept::needs_gpus);
  if (!computes && judgement.gpus.empty()) return nodes;
  const int ranks = order.nodes * order.gpus_per_node;
  return order.device == "cpu"
             ? fmt::format("{}, {} on CPUs", nodes, counted(ranks, "rank"))
             : fmt::format("{}, {}", nodes, counted(static_cast<long long>(judgement.gpus.size()), "GPU"));
}

Json optional(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

Json subject_json(const accept::Subject& subject) {
  return {{"node", subject.node.empty() ? Json() : Json(subject.node)},
          {"gpu_index", subject.gpu_index ? Json(*subject.gpu_index) : Json()},
          {"gpu_uuid", subject.gpu_uuid.empty() ? Json() : Json(subject.gpu_uuid)},
          {"model", subject.model}};
}

}  // namespace

std::string judgement_text(const accept::Order& order, const accept::Judgement& judgement,
                           const os::Terminal& terminal) {
  std::string out;
  const auto tables = accept::summarize(judgement);
  for (const auto& table : tables) out += table_text(table, terminal);
  out += legend(tables);
  for (const auto& cause : accept::causes_of(judgement.findings)) out += cause_text(cause, terminal.colour);
  if (!judgement.findings.empty()) out += "\n";
  if (!judgement.not_available.empty()) {
    out += fmt::format(
        "not available: {} ({})\n", counted(static_cast<long long>(judgement.not_available.size()), "reading"),
        fmt::join(std::set<std::string>(judgement.not_available.begin(), judgement.not_available.end()), ", "));
  }
  if (!judgement.fabric.empty()) {
    const auto proven = std::count_if(judgement.fabric.begin(), judgement.fabric.end(),
                                      [](const auto& proof) { return proof.used == accept::Used::yes; });
    const auto& first = judgement.fabric.front();
    out += fmt::format("fabric: proven by NCCL's log at {} of {} (node, step); {} {}: {}\n", proven,
                       judgement.fabric.size(), first.node, first.step, first.seen);
  }
  out += fmt::format(
      "{}: {}; passed: {}\n", verdict_word(judgement.verdict, terminal.colour), tested(order, judgement),
      judgement.suites_passed.empty() ? "nothing" : fmt::format("{}", fmt::join(judgement.suites_passed, ", ")));
  for (const auto& line : accept::notes_of(judgement)) out += fmt::format("note: {}\n", line);
  for (const auto& line : accept::beside_others(judgement)) out += line + "\n";
  for (const auto& advised : accept::settings_of(judgement)) {
    out += fmt::format("for the settings: {}  # {}\n", advised.line, advised.why);
  }
  return out;
}

std::string steps_text(const accept::Order& order) {
  std::string out;
  for (const auto& step : accept::steps_of(order)) {
    out += fmt::format("step {}: {} {}{}\n", step.name, step.worker, fmt::join(step.arguments, " "),
                       step.together ? " (all nodes together)" : "");
  }
  return out;
}

nlohmann::ordered_json judgement_json(const accept::Order& order, const accept::Judgement& judgement,
                                      const std::string& where) {
  Json figures = Json::array(), findings = Json::array();
  for (const auto& judged : judgement.figures) {
    Json one = {{"step", judged.step}, {"suite", judged.figure.suite}, {"name", judged.figure.name}};
    one.update(subject_json(judged.subject));
    one["gpus"] = judged.key.gpus;
    one["fabric"] = judged.key.fabric.empty() ? Json() : Json(judged.key.fabric);
    one["value"] = optional(judged.figure.value);
    one["spread"] = optional(judged.figure.spread);
    one["unit"] = judged.figure.unit;
    one["baseline"] = judged.baseline != nullptr ? Json(judged.baseline->value) : Json();
    one["baseline_source"] = judged.baseline != nullptr ? Json(judged.baseline->source) : Json();
    one["ratio"] = optional(judged.ratio);
    one["verdict"] = to_string(judged.verdict);
    one["reason"] = judged.figure.reason;
    if (const auto share = accept::share_of_peak(judged)) one["share_of_peak"] = *share;
    one["params"] = judged.figure.params;
    figures.push_back(std::move(one));
  }
  for (const auto& finding : judgement.findings) {
    Json one = {{"verdict", to_string(finding.verdict)}};
    one.update(subject_json(finding.subject));
    one["rank"] = finding.rank ? Json(*finding.rank) : Json();
    one["what"] = finding.what;
    one["advice"] = finding.advice;
    findings.push_back(std::move(one));
  }
  Json fabric = Json::array();
  for (const auto& proof : judgement.fabric) {
    fabric.push_back(
        {{"node", proof.node}, {"step", proof.step}, {"used", to_string(proof.used)}, {"seen", proof.seen}});
  }
  return {{"acceptance", where},     {"verdict", to_string(judgement.verdict)},
          {"order", to_json(order)}, {"passed", judgement.suites_passed},
          {"findings", findings},    {"not_available", judgement.not_available},
          {"fabric", fabric},        {"figures", figures}};
}

}  // namespace rv::cli

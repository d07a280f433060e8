#include "cli/stress/stress_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/table.h"
#include "base/text.h"
#include "cli/views/verdict_word.h"

namespace rv::cli {
namespace {

constexpr std::size_t most_messages = 5;

std::string mib(const std::optional<double>& bytes) {
  return bytes ? fmt::format("{:.0f}", *bytes / (1 << 20)) : "-";
}

std::string device_of(int gpu) {
  return gpu < 0 ? "cpu" : fmt::format("gpu {}", gpu);
}

std::string balance_text(const char* what, const stress::Balance& balance) {
  if (balance.of < 2) return "";
  return fmt::format("balance of {} {}: maximum to minimum {}, coefficient of variation {:.3f}\n", balance.of, what,
                     balance.most_to_least ? fmt::format("{:.2f}", *balance.most_to_least) : "infinite",
                     balance.variation);
}

std::string gpus_text(const stress::JudgedNode& node, const os::Terminal& terminal) {
  const auto& evidence = node.evidence;
  if (evidence.together.empty()) return "";
  Table table;
  table.column("DEVICE");
  for (const auto* title : {"WORKERS", "OPS", "OPS/S", "BUSY %", "PEAK MIB"}) table.column(title, Table::Align::right);
  table.column("MODEL");
  for (const auto& one : evidence.together) {
    table.row({device_of(one.gpu), std::to_string(one.workers), std::to_string(one.operations),
               fmt::format("{:.1f}", one.rate),
               one.utilisation_percent ? fmt::format("{:.0f}", *one.utilisation_percent) : "-",
               mib(one.memory_peak_bytes), one.model});
  }
  auto out = table.text(terminal.table_width(), terminal.colour);
  out += balance_text("GPUs", node.gpus) + balance_text("workers", node.workers);
  if (evidence.scaling) {
    out += fmt::format("scaling: {:.2f} times {} alone ({:.1f} and {:.1f} ops/s)\n", evidence.scaling->factor,
                       evidence.scaling->over, evidence.scaling->together, evidence.scaling->alone);
  }
  return out + "\n";
}

std::string workers_text(const stress::JudgedNode& node, const os::Terminal& terminal) {
  if (node.evidence.workers.empty()) return "";
  Table table;
  table.column("WORKER", Table::Align::right);
  table.column("DEVICE");
  for (const auto* title : {"OPS", "OPS/S", "GPU MIB", "RAM MIB"}) table.column(title, Table::Align::right);
  table.column("END");
  for (const auto& one : node.evidence.workers) {
    table.row({std::to_string(one.number), device_of(one.gpu), std::to_string(one.operations),
               fmt::format("{:.1f}", one.rate), mib(one.gpu_peak_bytes), mib(one.rss_peak_bytes), one.end});
  }
  return table.text(terminal.table_width(), terminal.colour) + "\n";
}

std::string messages_text(const stress::JudgedLaunch& judged) {
  std::string out;
  for (const auto kind : {stress::MessageClass::critical, stress::MessageClass::warning, stress::MessageClass::good}) {
    std::size_t shown = 0;
    for (const auto& one : judged.messages) {
      if (one.kind != kind || shown++ == most_messages) continue;
      out += fmt::format("  {}, {} line {}: {}\n", judged.launch.name, to_string(kind), one.line, one.text);
      if (shown > most_messages) break;
    }
  }
  return out;
}

std::string launches_text(const stress::JudgedNode& node, const os::Terminal& terminal) {
  if (node.launches.empty()) return "";
  Table table;
  table.column("LAUNCH");
  table.column("CUDA_VISIBLE_DEVICES");
  for (const auto* title : {"GIVEN", "USED", "EXIT CODE", "SECONDS"}) table.column(title, Table::Align::right);
  table.column("VERDICT");
  std::string said;
  for (const auto& judged : node.launches) {
    const auto& one = judged.launch;
    table.row({one.name, one.visible.empty() ? "-" : one.visible, std::to_string(one.given.size()),
               one.used ? std::to_string(one.used->size()) : "unknown", std::to_string(one.exit_code),
               fmt::format("{:.1f}", one.seconds), std::string(to_string(judged.verdict))});
    said += messages_text(judged);
  }
  return table.text(terminal.table_width(), terminal.colour) + said + "\n";
}

/// Further lines of an advice stand below the first.
std::string indented(const std::string& advice) {
  std::string out;
  for (const char c : advice) out += c == '\n' ? "\n        " : std::string(1, c);
  return out;
}

std::string pass_count_text(const char* what, const stress::PassCount& count, double least) {
  if (count.of == 0) return "";
  return fmt::format("{}: {} of {} ({:.0f} %, at least {:.0f} %)\n", what, count.passed, count.of, count.percent(),
                     least);
}

}  // namespace

std::string stress_text(const stress::Judgement& judgement, const os::Terminal& terminal) {
  std::string out;
  for (const auto& node : judgement.nodes) {
    const auto& evidence = node.evidence;
    out += evidence.stressed && evidence.skipped.empty()
               ? fmt::format("{}: {} for {} s, each three matrices of {} × {} fp32 ({} bytes)\n", evidence.node,
                             counted(evidence.asked, "worker"), evidence.duration_s, evidence.matrix, evidence.matrix,
                             evidence.worker_bytes)
               : fmt::format("{}\n", evidence.node);
    out += gpus_text(node, terminal) + workers_text(node, terminal) + launches_text(node, terminal);
  }
  for (const auto& one : judgement.findings) {
    const auto word = one.verdict == Verdict::pass ? "note" : verdict_word(one.verdict, terminal.colour);
    out += fmt::format("{}  {}: {}\n      → {}\n", word, one.where, one.what, indented(one.advice));
  }
  if (!judgement.not_available.empty()) {
    out += fmt::format("not available: {}\n", fmt::join(judgement.not_available, ", "));
  }
  out += pass_count_text("workers that passed", judgement.workers, judgement.limits.min_success);
  out += pass_count_text("configurations that passed", judgement.launches, judgement.limits.min_launch);
  return out + verdict_word(judgement.verdict, terminal.colour) + "\n";
}

}  // namespace rv::cli

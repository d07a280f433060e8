#include "cli/views/prometheus.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/walltime.h"

namespace rv::cli {
namespace {

using monitor::RunState;

/// A label's value in quotes.
std::string quoted_label(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + '"';
}

void add_metric(std::string& out, const std::string& name, const std::string& help) {
  out += fmt::format("# HELP {} {}\n# TYPE {} gauge\n", name, help, name);
}

/// The winner, or the first candidate while none has won.
const monitor::Candidate* candidate_of(const monitor::RunView& view) {
  if (const auto* winner = winner_of(view)) return &winner->candidate;
  return view.winner || view.candidates.empty() ? nullptr : &view.candidates.front().candidate;
}

/// How many jobs of the run hold GPUs: more than one only of an array.
int jobs_on_gpus(const monitor::RunView& view) {
  if (!view.array) return 1;
  const auto& elements = view.array->elements;
  return static_cast<int>(std::count_if(elements.begin(), elements.end(),
                                        [](const auto& element) { return element.start && !element.exit; }));
}

/// The number of runs in each state of that kind, also 0: a series that vanishes does not mean 0.
std::map<std::string, int> count_states(const std::vector<monitor::RunView>& views, bool final) {
  std::map<std::string, int> counts;
  for (const auto state : monitor::all_run_states()) {
    if (monitor::is_final(state) == final) counts[std::string(to_string(state))] = 0;
  }
  for (const auto& view : views) {
    if (monitor::is_final(view.state) == final) ++counts[std::string(to_string(view.state))];
  }
  return counts;
}

void add_states(std::string& out, const std::string& name, const std::map<std::string, int>& counts) {
  for (const auto& [state, count] : counts) out += fmt::format("{}{{state={}}} {}\n", name, quoted_label(state), count);
}

void add_gpus(std::string& out, const std::vector<monitor::RunView>& views) {
  std::map<std::string, int> held;
  int waiting = 0;
  for (const auto& view : views) {
    const auto* const candidate = candidate_of(view);
    if (candidate == nullptr) continue;
    if (view.state == RunState::running || view.state == RunState::holding) {
      held[candidate->gpu_type] += candidate->gpus * jobs_on_gpus(view);
    } else if (view.state == RunState::queued) {
      waiting += candidate->gpus;
    }
  }
  add_metric(out, "rv_gpus_held", "GPUs of runs that are running or held, by type.");
  for (const auto& [type, count] : held) {
    if (count > 0) out += fmt::format("rv_gpus_held{{type={}}} {}\n", quoted_label(type), count);
  }
  add_metric(out, "rv_gpus_waited_for", "GPUs of queued runs; of an array those of one element.");
  out += fmt::format("rv_gpus_waited_for {}\n", waiting);
}

}  // namespace

std::string prometheus_text(const Metrics& metrics, slurm::TimePoint now) {
  std::string out;
  add_gpus(out, metrics.views);
  std::chrono::seconds longest{0};
  for (std::size_t i = 0; i < metrics.views.size(); ++i) {
    if (metrics.views[i].state != RunState::queued) continue;
    longest = std::max(longest, std::chrono::duration_cast<std::chrono::seconds>(now - metrics.records[i].created));
  }
  add_metric(out, "rv_longest_wait_seconds", "How long the queued run that waits longest has waited.");
  out += fmt::format("rv_longest_wait_seconds {}\n", longest.count());
  add_metric(out, "rv_runs", "Runs that are not over, by state.");
  add_states(out, "rv_runs", count_states(metrics.views, false));
  add_metric(
      out, "rv_runs_over",
      fmt::format("Runs that are over and were created in the last {}, by state.", format_duration(metrics.window)));
  add_states(out, "rv_runs_over", count_states(metrics.views, true));
  add_metric(out, "rv_slurm_answered", "1: Slurm answered; 0: the states are those that the run folders know.");
  out += fmt::format("rv_slurm_answered {}\n", metrics.slurm_answered ? 1 : 0);
  return out;
}

void write_prometheus(const std::string& file, const std::string& text) {
  constexpr mode_t for_all = 0644;
  if (file == "-") {
    fmt::print("{}", text);
    return;
  }
  if (!file.ends_with(".prom")) {
    throw Error(fmt::format("--prometheus: the name of \"{}\" does not end in .prom", file),
                "node_exporter's textfile collector reads only *.prom; - prints the metrics", ExitCode::usage);
  }
  os::publish_file(file, text, for_all);
}

}  // namespace rv::cli

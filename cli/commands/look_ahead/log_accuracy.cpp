#include "cli/commands/look_ahead/log_accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <iterator>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/terminal.h"
#include "base/trust/regular_file.h"
#include "base/wrong_value.h"
#include "cli/json/values_json.h"
#include "cli/options/command_option.h"
#include "cli/options/option_values.h"
#include "cli/options/value_option.h"
#include "cli/views/log_accuracy_view.h"
#include "planner/past/log_predictions.h"
#include "planner/past/machine.h"
#include "shared/number.h"
#include "slurm/logs/read_log.h"

namespace rv::cli {

namespace {

constexpr std::size_t largest_log = std::size_t{1} << 30U;

std::string text_of(const std::string& file) {
  if (file == "-") return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
  auto text = trust::read_regular_file(file, largest_log);
  if (!text) throw wrong_value("--from", file, "an existing file", "give a log: rv plan --accuracy --from jobs.txt");
  return *std::move(text);
}

/// "560" or "560x4": nodes, and GPUs of each.
std::optional<planner::MachineSize> size_in(std::string_view text) {
  const auto cross = text.find('x');
  const auto nodes = number_in<int>(text.substr(0, cross), 1, planner::most_machine_nodes);
  if (!nodes) return std::nullopt;
  if (cross == std::string_view::npos) return planner::MachineSize{.nodes = *nodes, .gpus_per_node = 0};
  const auto gpus = number_in<int>(text.substr(cross + 1), 1, 64);
  if (!gpus) return std::nullopt;
  return planner::MachineSize{.nodes = *nodes, .gpus_per_node = *gpus};
}

planner::Machine machine_for(const planner::JobLog& log, const RequestOptions& request, const Settings& settings) {
  if (request.cluster_file.empty()) return planner::machine_of_log(log, std::nullopt);
  if (const auto size = size_in(request.cluster_file)) return planner::machine_of_log(log, size);
  return planner::machine_of_snapshot(log, cluster_for(request, settings));
}

/// A line on stderr after a second, on a terminal rewritten with each percent.
class Progress {
 public:
  explicit Progress(const os::Terminal& terminal) : terminal_(terminal) {}
  ~Progress() {
    if (shown_ && terminal_.cursor) os::move_cursor(stderr, "\r\033[K");
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(std::size_t done, std::size_t all) {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (now - begin_ < std::chrono::seconds(1) || (shown_ && !terminal_.cursor)) return;
    if (shown_ && now - last_ < std::chrono::milliseconds(200)) return;
    last_ = now;
    shown_ = true;
    std::string line = fmt::format("rv: replayed the queue at {} of {} submissions …", done, all);
    if (!terminal_.cursor) line += "\n";
    if (terminal_.cursor) os::move_cursor(stderr, "\r\033[K");
    std::fwrite(line.data(), 1, line.size(), stderr);
  }

 private:
  const os::Terminal& terminal_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_;
  bool shown_ = false;
};

}  // namespace

void add_log_accuracy_options(CLI::App& command, LogAccuracyOptions& options) {
  const auto group = "Prediction of waits";
  add_option(command, "--from", options.file,
             "with --accuracy: replay a log of finished jobs (SWF, sacct --parsable2, CSV; -: stdin); --cluster 560x4 "
             "states its nodes and GPUs per node")
      .type_name("FILE")
      .group(group);
  add_value(command, "--warm-up", options.warm_up, count_from(0, 99),
            "with --from: percent of the log's time before the first scored submission (default: 10)")
      .type_name("PERCENT")
      .group(group);
  add_value(command, "--submissions", options.submissions, count_from(1, 100'000),
            "with --from: maximum number of submissions to replay, evenly sampled (default: 600)")
      .type_name("N")
      .group(group);
}

int show_log_accuracy(const LogAccuracyOptions& options, const RequestOptions& request, const Invocation& invocation) {
  const planner::JobLog log = slurm::read_log(text_of(options.file), options.file);
  const planner::Machine machine = machine_for(log, request, invocation.settings);
  planner::PastSettings settings;
  const auto inputs = to_forecast_inputs(request);
  settings.warm_up = options.warm_up.value_or(10) / 100.0;
  settings.most = static_cast<std::size_t>(options.submissions.value_or(600));
  settings.seed = inputs.seed;
  settings.threads = inputs.threads;
  settings.trials = request.trials.value_or(0);
  Progress progress(invocation.terminal);
  settings.progress = [&](std::size_t done, std::size_t all) { progress.show(done, all); };
  const LogAccuracy scored{.file = options.file,
                           .log = log,
                           .machine = machine.description,
                           .past = planner::predict_log(log, machine, invocation.settings.catalogue, settings)};
  if (invocation.json) {
    fmt::print("{}", json_text(log_accuracy_json(scored)));
  } else {
    fmt::print("{}", log_accuracy_text(scored, invocation.terminal.table_width(), invocation.terminal.colour));
  }
  return static_cast<int>(ExitCode::ok);
}

}  // namespace rv::cli

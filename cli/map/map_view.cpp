#include "cli/map/map_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/table.h"
#include "base/text.h"
#include "base/walltime.h"
#include "shared/time_text.h"

namespace rv::cli {
namespace {

using monitor::TaskResult;
using monitor::TaskState;
using nlohmann::ordered_json;

/// Values of a list may be long, and the table shows which task is meant.
constexpr std::size_t longest_shown = 200;

std::string end_text(const TaskResult& result) {
  return result.end ? end_in_brief(*result.end) : std::string("-");
}

/// Unknown for a task of an earlier run, whose start is not copied, and for one that has not ended.
std::optional<double> seconds_of(const TaskResult& result) {
  if (!result.start || !result.end || result.start->attempt != result.end->attempt) return std::nullopt;
  return std::max(0.0, result.end->time - result.start->time);
}

std::string gpus_of(const TaskResult& result) {
  if (result.end && !result.end->gpus.empty()) return result.end->gpus;
  return result.start && !result.start->gpus.empty() ? result.start->gpus : std::string("-");
}

Tone tone_of_task(TaskState state) {
  switch (state) {
    case TaskState::failed:
    case TaskState::interrupted:
      return Tone::bad;
    case TaskState::running:
      return Tone::good;
    case TaskState::not_started:
      return Tone::waiting;
    case TaskState::ok:
      return Tone::quiet;
  }
  return Tone::plain;
}

ordered_json task_json(const monitor::TaskList& list, const TaskResult& result) {
  const auto seconds = seconds_of(result);
  ordered_json json;
  json["task"] = result.task;
  json["value"] = list.value(result.task);
  json["state"] = to_string(result.state);
  json["exit_code"] = result.end ? ordered_json(result.end->code) : ordered_json();
  json["signal"] = result.end && result.end->signal != 0 ? ordered_json(result.end->signal) : ordered_json();
  json["attempt"] = result.start ? ordered_json(result.start->attempt)
                    : result.end ? ordered_json(result.end->attempt)
                                 : ordered_json();
  json["started"] = result.start ? ordered_json(result.start->time) : ordered_json();
  json["ended"] = result.end ? ordered_json(result.end->time) : ordered_json();
  json["seconds"] = seconds ? ordered_json(*seconds) : ordered_json();
  json["node"] = result.writer.empty() ? ordered_json() : ordered_json(monitor::node_of(result.writer));
  const auto gpus = gpus_of(result);
  json["gpus"] = gpus == "-" ? ordered_json() : ordered_json(gpus);
  json["run"] = result.run;
  return json;
}

}  // namespace

std::string MapProgress::line(const monitor::RunView& /*view*/) {
  reader_.read();
  const auto results = reader_.results(/*over=*/false, /*earlier=*/false);
  const auto counts = monitor::count_states(results);
  if (counts.ended() == counts.total) return "";
  auto text = fmt::format("{} of {} ended, {} failed, {} running", counts.ended(), counted(counts.total, "task"),
                          counts.failed, counts.running);
  if (counts.ended() > 0 && reader_.began() > 0) {
    const double now = static_cast<double>(current_time().time_since_epoch().count());
    const double left = (now - reader_.began()) / counts.ended() * (counts.total - counts.ended());
    text += fmt::format(", about {} left",
                        format_duration(std::chrono::seconds(std::max(1LL, static_cast<long long>(left)))));
  }
  return text;
}

std::string task_table(const monitor::TaskList& list, const std::vector<TaskResult>& results,
                       const os::Terminal& terminal) {
  Table table;
  table.column("TASK", Table::Align::right, Table::Cut::never);
  table.column("STATE", Table::Align::left, Table::Cut::never);
  table.column("EXIT", Table::Align::left, Table::Cut::never);
  table.column("SECONDS", Table::Align::right, Table::Cut::never);
  table.column("NODE");
  table.column("GPU");
  table.column("VALUE");
  for (const auto& result : results) {
    const auto seconds = seconds_of(result);
    table.row({std::to_string(result.task), std::string(to_string(result.state)), end_text(result),
               seconds ? fmt::format("{:.1f}", *seconds) : "-",
               result.writer.empty() ? "-" : monitor::node_of(result.writer), gpus_of(result),
               shortened(one_line(list.value(result.task)), longest_shown)});
    table.tone(1, tone_of_task(result.state));
  }
  return table.text(terminal.table_width(), terminal.colour);
}

ordered_json counts_json(const monitor::TaskCounts& counts) {
  return {{"total", counts.total},
          {"ok", counts.ok},
          {"failed", counts.failed},
          {"running", counts.running},
          {"not_started", counts.not_started},
          {"interrupted", counts.interrupted}};
}

ordered_json results_json(const std::string& run, const monitor::TaskList& list,
                          const std::vector<TaskResult>& results) {
  ordered_json json;
  json["run"] = run;
  json["resumes"] = list.resumes.empty() ? ordered_json() : ordered_json(list.resumes);
  json["counts"] = counts_json(monitor::count_states(results));
  json["tasks"] = ordered_json::array();
  for (const auto& result : results) json["tasks"].push_back(task_json(list, result));
  return json;
}

void say_what_is_left(const std::string& run_folder, const os::Terminal& terminal) {
  const auto list = monitor::read_task_list(run_folder);
  if (!list) return;
  monitor::TaskReader reader(run_folder, *list);
  reader.read();
  const auto results = reader.results(/*over=*/true);
  const auto counts = monitor::count_states(results);
  if (counts.all_ok()) return;
  const auto id = run_folder.substr(run_folder.rfind('/') + 1);
  if (counts.ended() < counts.total) {
    fmt::print(stderr, "rv: {}\n{} rv map --resume {} runs the tasks that did not end\n", monitor::summary_of(results),
               terminal.hint(), id);
    return;
  }
  fmt::print(stderr,
             "{0} rv logs {1} --task N shows the output of a task, rv map --resume {1} --failed runs the failed "
             "tasks again\n",
             terminal.hint(), id);
}

}  // namespace rv::cli

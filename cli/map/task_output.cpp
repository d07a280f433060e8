#include "cli/map/task_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "cli/json/values_json.h"
#include "monitor/tasks/task_results.h"

namespace rv::cli {
namespace {

using Records = std::vector<std::pair<std::string, monitor::TaskRecord>>;

/// The end of the attempt that `start` began, on the same node.
std::optional<monitor::TaskRecord> end_of(const Records& records, const std::string& writer,
                                          const monitor::TaskRecord& start) {
  const auto found = std::find_if(records.begin(), records.end(), [&](const auto& one) {
    const bool ends = one.second.event == monitor::TaskEvent::end || one.second.event == monitor::TaskEvent::cut;
    return ends && one.first == writer && one.second.attempt == start.attempt;
  });
  return found == records.end() ? std::nullopt : std::optional(found->second);
}

monitor::TaskReader reader_of(const std::string& run_folder) {
  auto list = monitor::read_task_list(run_folder);
  const auto id = run_folder.substr(run_folder.rfind('/') + 1);
  if (!list) {
    throw Error(fmt::format("--task: run {} is not a run of rv map", id),
                fmt::format("rv logs {} shows its output", id), ExitCode::usage);
  }
  monitor::TaskReader reader(run_folder, *std::move(list));
  reader.read();
  return reader;
}

}  // namespace

int show_task_output(const monitor::KnownRun& run, int task, const Invocation& invocation) {
  auto folder = run.folder.path();
  auto reader = reader_of(folder);
  if (task > reader.list().count()) {
    throw Error(fmt::format("--task {}: run {} has {}", task, run.record.id, counted(reader.list().count(), "task")),
                fmt::format("rv map --results {} lists them", run.record.id), ExitCode::usage);
  }
  for (const auto& result : reader.results(run.over)) {
    if (result.task != task || result.run == run.record.id) continue;
    folder = folder.substr(0, folder.rfind('/') + 1) + result.run;
    reader = reader_of(folder);
  }
  const auto records = reader.records_of(task);
  std::string text;
  for (const auto& [writer, record] : records) {
    if (record.event != monitor::TaskEvent::start) continue;
    text += monitor::output_of(folder, writer, record, end_of(records, writer, record));
  }
  if (invocation.json) {
    fmt::print("{}", json_text({{"run", run.record.id}, {"task", task}, {"output", text}}));
    return 0;
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (records.empty()) fmt::print(stderr, "rv: task {} of run {} was not started\n", task, run.record.id);
  return 0;
}

}  // namespace rv::cli

#include "monitor/tasks/task_state.h"

#include <fmt/format.h>

namespace rv::monitor {
namespace {

/// More are only counted.
constexpr int most_named = 10;

/// "10,000".
std::string grouped(int count) {
  auto text = std::to_string(count);
  for (auto place = static_cast<int>(text.size()) - 3; place > 0; place -= 3) {
    text.insert(static_cast<std::size_t>(place), ",");
  }
  return text;
}

std::string failed_tasks(const std::vector<TaskResult>& results) {
  std::string text;
  int named = 0;
  for (const auto& result : results) {
    if (result.state != TaskState::failed) continue;
    if (named++ == most_named) return text + ", …";
    text += fmt::format("{}{}{}", named > 1 ? ", " : "", result.task,
                        result.end ? fmt::format(" ({})", end_in_words(*result.end)) : "");
  }
  return text;
}

}  // namespace

std::string_view to_string(TaskState state) {
  switch (state) {
    case TaskState::not_started:
      return "not-started";
    case TaskState::running:
      return "running";
    case TaskState::ok:
      return "ok";
    case TaskState::failed:
      return "failed";
    case TaskState::interrupted:
      return "interrupted";
  }
  return "not-started";
}

std::string node_of(std::string_view writer) {
  const auto first = writer.find('.');
  const auto second = first == std::string_view::npos ? first : writer.find('.', first + 1);
  return std::string(second == std::string_view::npos ? writer : writer.substr(second + 1));
}

TaskCounts count_states(const std::vector<TaskResult>& results) {
  TaskCounts counts;
  counts.total = static_cast<int>(results.size());
  for (const auto& result : results) {
    switch (result.state) {
      case TaskState::not_started:
        ++counts.not_started;
        break;
      case TaskState::running:
        ++counts.running;
        break;
      case TaskState::ok:
        ++counts.ok;
        break;
      case TaskState::failed:
        ++counts.failed;
        break;
      case TaskState::interrupted:
        ++counts.interrupted;
        break;
    }
  }
  return counts;
}

std::string summary_of(const std::vector<TaskResult>& results) {
  const auto counts = count_states(results);
  auto text =
      fmt::format("{} of {} task{} ok", grouped(counts.ok), grouped(counts.total), counts.total == 1 ? "" : "s");
  if (counts.running > 0) text += fmt::format(", {} running", grouped(counts.running));
  if (counts.not_started > 0) text += fmt::format(", {} not started", grouped(counts.not_started));
  if (counts.interrupted > 0) text += fmt::format(", {} interrupted", grouped(counts.interrupted));
  if (counts.failed > 0)
    text += fmt::format(", {} failed: {} {}", grouped(counts.failed), counts.failed == 1 ? "task" : "tasks",
                        failed_tasks(results));
  return text;
}

}  // namespace rv::monitor

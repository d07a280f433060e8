#include "monitor/tasks/task_record.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "shared/number.h"

namespace rv::monitor {
namespace {

constexpr std::array<std::pair<std::string_view, TaskEvent>, 4> names{
    {{"start", TaskEvent::start}, {"end", TaskEvent::end}, {"cut", TaskEvent::cut}, {"returned", TaskEvent::returned}}};

std::string_view name_of(TaskEvent event) {
  for (const auto& [name, other] : names) {
    if (other == event) return name;
  }
  return "start";
}

std::optional<TaskEvent> event_of(std::string_view name) {
  for (const auto& [other, event] : names) {
    if (other == name) return event;
  }
  return std::nullopt;
}

std::vector<std::string_view> columns_of(std::string_view line) {
  std::vector<std::string_view> columns;
  columns.reserve(10);
  while (true) {
    const auto blank = line.find(' ');
    columns.push_back(line.substr(0, blank));
    if (blank == std::string_view::npos) return columns;
    line.remove_prefix(blank + 1);
  }
}

}  // namespace

std::string to_line(const TaskRecord& record) {
  return fmt::format("{} {} {} {} {} {:.3f} {} {} {} {}", name_of(record.event), record.task, record.attempt,
                     record.slot, record.gpus.empty() ? "-" : record.gpus, record.time, record.offset, record.bytes,
                     record.code, record.signal);
}

std::optional<TaskRecord> parse_task_record(std::string_view line) {
  const auto columns = columns_of(line);
  if (columns.size() != 10) return std::nullopt;
  const auto event = event_of(columns[0]);
  const auto task = number_in<int>(columns[1], 1), attempt = number_in<int>(columns[2], 1);
  const auto slot = number_in<int>(columns[3], 0), code = number_in<int>(columns[8], 0);
  const auto time = number_in<double>(columns[5], 0);
  const auto offset = number_in<long long>(columns[6], 0), bytes = number_in<long long>(columns[7], 0);
  const auto signal = number_in<int>(columns[9], 0);
  if (!event || !task || !attempt || !slot || !code || !time || !offset || !bytes || !signal) return std::nullopt;
  return TaskRecord{.event = *event,
                    .task = *task,
                    .attempt = *attempt,
                    .slot = *slot,
                    .gpus = columns[4] == "-" ? std::string() : std::string(columns[4]),
                    .time = *time,
                    .offset = *offset,
                    .bytes = *bytes,
                    .code = *code,
                    .signal = *signal};
}

std::string end_in_brief(const TaskRecord& record) {
  if (record.signal == 0) return std::to_string(record.code);
  const char* name = ::sigabbrev_np(record.signal);
  return name != nullptr ? std::string("SIG").append(name) : fmt::format("signal {}", record.signal);
}

std::string end_in_words(const TaskRecord& record) {
  return record.signal == 0 ? fmt::format("exit code {}", record.code) : end_in_brief(record);
}

}  // namespace rv::monitor

#include "monitor/tasks/task_results.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/os/atomic_file.h"
#include "base/os/listing.h"
#include "shared/system/descriptor.h"

namespace rv::monitor {
namespace {

/// The file from `offset` to its present end.
std::string read_from(const std::string& path, std::size_t offset) {
  const os::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  if (file.number() < 0) return text;
  char buffer[65536];
  for (;;) {
    const auto at = static_cast<off_t>(offset + text.size());
    const ssize_t count = ::pread(file.number(), buffer, sizeof buffer, at);
    if (count <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(count));
  }
}

/// Adds a line "RUN WRITER RECORD", of the start or the end of a task.
void add_earlier(std::string_view line, std::map<int, TaskResult>& results) {
  const auto first = line.find(' ');
  const auto second = first == std::string_view::npos ? first : line.find(' ', first + 1);
  if (second == std::string_view::npos) return;
  const auto record = parse_task_record(line.substr(second + 1));
  if (!record) return;
  auto& result = results[record->task];
  result.task = record->task;
  result.run = line.substr(0, first);
  result.writer = line.substr(first + 1, second - first - 1);
  if (record->event == TaskEvent::start) {
    result.start = record;
  } else {
    result.end = record;
    result.state = record->code == 0 ? TaskState::ok : TaskState::failed;
  }
}

/// Calls `use` with each whole line, and returns how many bytes they have: a writer may be in the middle of the last.
template <class Use>
std::size_t each_line(std::string_view text, const Use& use) {
  std::size_t begin = 0;
  for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', begin)) {
    use(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return begin;
}

}  // namespace

TaskReader::TaskReader(std::string run_folder, TaskList list)
    : folder_(std::move(run_folder)),
      run_(folder_.substr(folder_.rfind('/') + 1)),
      list_(std::move(list)),
      claims_(folder_) {
  std::map<int, TaskResult> earlier;
  each_line(os::read_file(folder_ + "/map/earlier").value_or(""),
            [&](std::string_view line) { add_earlier(line, earlier); });
  for (auto& [task, result] : earlier) earlier_.push_back(std::move(result));
}

void TaskReader::read() {
  claims_.read();
  for (const auto& writer : os::names_in(folder_ + "/map/journal")) read_journal(writer);
}

void TaskReader::read_journal(const std::string& writer) {
  auto& offset = read_[writer];
  const auto text = read_from(folder_ + "/map/journal/" + writer, offset);
  offset += each_line(text, [&](std::string_view line) {
    if (const auto record = parse_task_record(line)) take(writer, *record);
  });
}

void TaskReader::take(const std::string& writer, const TaskRecord& record) {
  auto& seen = seen_[record.task];
  switch (record.event) {
    case TaskEvent::start:
      // The journals are read in any order, and clocks of nodes differ.
      if (seen.start && seen.start->attempt > record.attempt) return;
      seen.start = record;
      seen.writer = writer;
      seen.returned = false;
      if (began_ == 0 || record.time < began_) began_ = record.time;
      return;
    case TaskEvent::returned:
      if (!seen.start) seen.returned = true;
      return;
    case TaskEvent::end:
    case TaskEvent::cut:
      if (seen.end && seen.end->event == TaskEvent::end && seen.end->code == 0) return;
      if (!seen.end || seen.end->attempt <= record.attempt) seen.end = record;
      return;
  }
}

TaskResult TaskReader::result_of(int task, bool over) const {
  TaskResult result{.task = task, .state = TaskState::not_started, .run = run_, .writer = {}, .start = {}, .end = {}};
  const auto* claimed = claims_.claims().writer_of(task);
  const bool by_this_start = claimed != nullptr && claimed->starts_with(claims_.claims().start() + ".");
  const auto open = !over && by_this_start ? TaskState::running : TaskState::interrupted;
  const auto found = seen_.find(task);
  if (claimed != nullptr) result.writer = *claimed;
  if (found == seen_.end()) {
    if (claimed != nullptr) result.state = open;
    return result;
  }
  const auto& seen = found->second;
  if (!seen.writer.empty()) result.writer = seen.writer;
  result.start = seen.start;
  const bool of_this_attempt = seen.end && (!seen.start || seen.end->attempt >= seen.start->attempt);
  if (of_this_attempt || (seen.end && seen.end->code == 0)) {
    result.end = seen.end;
    result.state = seen.end->event == TaskEvent::cut ? TaskState::interrupted
                   : seen.end->code == 0             ? TaskState::ok
                                                     : TaskState::failed;
  } else if (seen.start || !seen.returned) {
    result.state = open;
  }
  return result;
}

std::vector<TaskResult> TaskReader::results(bool over, bool earlier) const {
  std::vector<TaskResult> all = earlier ? earlier_ : std::vector<TaskResult>();
  all.reserve(all.size() + list_.numbers.size());
  for (const int task : list_.numbers) all.push_back(result_of(task, over));
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.task < b.task; });
  return all;
}

std::vector<std::pair<std::string, TaskRecord>> TaskReader::records_of(int task) const {
  std::vector<std::pair<std::string, TaskRecord>> records;
  for (const auto& journal : read_) {
    const auto& writer = journal.first;
    each_line(os::read_file(folder_ + "/map/journal/" + writer).value_or(""), [&](std::string_view line) {
      const auto record = parse_task_record(line);
      if (record && record->task == task) records.emplace_back(writer, *record);
    });
  }
  std::stable_sort(records.begin(), records.end(),
                   [](const auto& a, const auto& b) { return a.second.time < b.second.time; });
  return records;
}

void write_earlier_results(const std::string& run_folder, const std::vector<TaskResult>& results) {
  std::string text;
  for (const auto& result : results) {
    for (const auto& record : {result.start, result.end}) {
      if (!record) continue;
      text.append(result.run).append(" ").append(result.writer).append(" ").append(to_line(*record)).append("\n");
    }
  }
  os::write_file(run_folder + "/map/earlier", text);
}

std::string output_of(const std::string& run_folder, const std::string& writer, const TaskRecord& start,
                      const std::optional<TaskRecord>& end) {
  const auto path = fmt::format("{}/map/output/{}.{}", run_folder, writer, start.slot);
  auto text = read_from(path, static_cast<std::size_t>(start.offset));
  if (end) text.resize(std::min(text.size(), static_cast<std::size_t>(end->bytes)));
  return text;
}

}  // namespace rv::monitor

#include "cli/map/task_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "cli/map/task_values.h"
#include "shared/documents/document_excess.h"
#include "shared/system/descriptor.h"

namespace rv::cli {
namespace {

constexpr auto separator = ":::";

Error refused(const std::string& message, std::string advice) {
  return {message, std::move(advice), ExitCode::usage};
}

std::string read_all(int file, const std::string& source) {
  std::string text;
  std::vector<char> buffer(std::size_t{1} << 16);
  while (true) {
    const ssize_t count = ::read(file, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      throw refused(fmt::format("{} can't be read: {}", source, std::strerror(errno)),
                    "the list is a text file with one task per line");
    }
    if (count == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
    if (text.size() > largest_document) {
      throw refused(fmt::format("{} is larger than 256 MiB", source), "split the list into several runs");
    }
  }
}

std::string read_list(const std::string& path) {
  const os::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) {
    throw refused(fmt::format("--arg-file {}: {}", path, std::strerror(errno)), "check the name of the task list");
  }
  return read_all(file.number(), path);
}

bool is_terminal(int file) {
  return ::isatty(file) == 1;
}

bool has_values(const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), separator) != words.end();
}

Error no_tasks() {
  return refused("rv map has no tasks", "write their values after :::, or read them from a file: -a FILE");
}

void check_command(const std::vector<std::string>& command) {
  if (command.empty()) {
    throw refused("rv map needs a command to run for each task",
                  "write it last: rv map -g 4 -- python fit.py {} ::: a.csv b.csv");
  }
  if (command.size() > 1 || command.front().find_first_of(" \t\n") == std::string::npos) return;
  throw refused(fmt::format("\"{}\" is a shell command, and rv map starts programs without a shell", command.front()),
                "write the arguments separately, or a shell that takes the value as $1: bash -c '… \"$1\"' task {}");
}

}  // namespace

void check_sent_tasks(const std::vector<std::string>& words, const std::string& file) {
  const bool from_stream = file == "-" || file == "/dev/stdin" || file.starts_with("/dev/fd/");
  if (has_values(words) || (!file.empty() && !from_stream)) return;
  if (file.empty() && is_terminal(STDIN_FILENO)) throw no_tasks();
  throw refused(fmt::format("rv map can't read tasks from {} on a login node",
                            file.starts_with("/dev/fd/") ? "a pipe of this shell" : "stdin"),
                "write them to a file of the project, one per line: rv map -a FILE");
}

TaskSource read_task_source(const std::vector<std::string>& words, const std::string& file) {
  TaskSource tasks;
  const auto split = std::find(words.begin(), words.end(), separator);
  tasks.command.assign(words.begin(), split);
  check_command(tasks.command);
  if (split != words.end()) {
    if (!file.empty()) throw refused("--arg-file and ::: can't be combined", "remove one of them");
    tasks.values.assign(split + 1, words.end());
    check_tasks(tasks.command, tasks.values, "");
    return tasks;
  }
  const bool from_stdin = file == "-" || file.empty();
  if (file.empty() && is_terminal(STDIN_FILENO)) throw no_tasks();
  const std::string source = from_stdin ? "stdin" : file;
  tasks.values = lines_of(from_stdin ? read_all(STDIN_FILENO, source) : read_list(file), source);
  check_tasks(tasks.command, tasks.values, source);
  std::erase_if(tasks.values, [](const std::string& value) { return value.empty(); });
  return tasks;
}

}  // namespace rv::cli

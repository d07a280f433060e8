// The command and the values that a user gave to rv map.
#pragma once

#include <string>
#include <vector>

namespace rv::cli {

struct TaskSource {
  std::vector<std::string> command;
  std::vector<std::string> values;
};

/// `words`: the command, and values after ":::". `file`: --arg-file, "-" for stdin; empty: none. Without both, stdin is
/// read unless it is a terminal. Throws Error(usage) for a list that can't be read, and for tasks that can't be started
/// (check_tasks).
TaskSource read_task_source(const std::vector<std::string>& words, const std::string& file);

/// On a laptop: throws Error(usage) for tasks from stdin or a pipe, which do not go over ssh.
void check_sent_tasks(const std::vector<std::string>& words, const std::string& file);

}  // namespace rv::cli

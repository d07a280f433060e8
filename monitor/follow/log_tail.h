// The last part of a log, with the numbers of its lines.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rv::monitor {

struct LogTail {
  std::string file;  // below the run folder: "logs/udc-an28-1.err"
  std::string node;  // whose output it is; empty for the batch script's own log
  std::vector<std::string> lines;
  std::optional<long> first_line;  // number of lines[0] from 1; nothing: the file is longer than what was read
  long long begin = 0;             // bytes of the file before lines[0]
};

/// The last `bytes` bytes of the file, from a line's beginning. Nothing when it can't be read or is empty.
std::optional<LogTail> read_tail(const std::string& folder, const std::string& file, std::size_t bytes);

}  // namespace rv::monitor

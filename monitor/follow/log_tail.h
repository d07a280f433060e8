// The last part of a log, with the numbers of its lines.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rv::monitor {

struct LogTail {
  std::string file;  // below the run folder: "logs/udc-an28-1.err"
  std::string node;  // node of the processes; empty: the log of the batch script
  std::vector<std::string> lines;
  std::optional<long> first_line;  // number of lines[0], from 1; nothing: the beginning of the file was not read
  long long begin = 0;             // offset of lines[0] in the file, in bytes
};

/// Reads the last `bytes` bytes of the file, from the beginning of a line. Nothing if it can't be read or is empty.
std::optional<LogTail> read_tail(const std::string& folder, const std::string& file, std::size_t bytes);

}  // namespace rv::monitor

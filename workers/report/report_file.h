// Where a worker's report goes, from its options to the exit code.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>

#include "workers/report/report.h"

namespace CLI {
class App;
}

namespace rv::workers {

struct ReportOptions {
  std::filesystem::path report_dir;
  bool json = false, allow_skip = false;
};

void describe(CLI::App& app, ReportOptions& options);

/// The report file FOLDER/NAME.HOST.PID.jsonl, closed by the destructor; without a folder `get` returns null. Throws
/// std::runtime_error if it can't be written.
class ReportFile {
 public:
  ReportFile(const std::filesystem::path& folder, const std::string& name);
  ~ReportFile();
  ReportFile(const ReportFile&) = delete;
  ReportFile& operator=(const ReportFile&) = delete;

  /// JSON lines to the file and, if `json`, to stdout. `text`: sections of text to stdout, but not beside JSON.
  Report report(bool json, bool text = true) const;

 private:
  std::FILE* file_ = nullptr;
};

/// Returns `code`. If a line of the report could not be written, prints this and returns the exit code of an error.
int code_if_written(const Report& report, const std::string& name, int code);

}  // namespace rv::workers

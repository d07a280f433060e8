#pragma once

#include <cstdio>
#include <filesystem>
#include <string>

namespace rv::workers {

/// The report file FOLDER/NAME.HOST.PID.jsonl, closed by the destructor; without a folder `get` returns null. Throws
/// std::runtime_error if it can't be written.
class ReportFile {
 public:
  ReportFile(const std::filesystem::path& folder, const std::string& name);
  ~ReportFile();
  ReportFile(const ReportFile&) = delete;
  ReportFile& operator=(const ReportFile&) = delete;
  std::FILE* get() const { return file_; }

 private:
  std::FILE* file_ = nullptr;
};

}  // namespace rv::workers

#include "workers/report/report_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "workers/devices/node_name.h"

namespace rv::workers {

void describe(CLI::App& app, ReportOptions& options) {
  app.add_option("--report-dir", options.report_dir,
                 fmt::format("also write JSON lines to this folder, as {}.HOST.PID.jsonl", app.get_name()));
  app.add_flag("--json", options.json, "print JSON lines instead of text");
  app.add_flag("--allow-skip", options.allow_skip, "exit with 0 if nothing is worse than a skip");
}

ReportFile::ReportFile(const std::filesystem::path& folder, const std::string& name) {
  if (folder.empty()) return;
  std::filesystem::create_directories(folder);
  const auto path = folder / fmt::format("{}.{}.{}.jsonl", name, node_name(), getpid());
  file_ = std::fopen(path.c_str(), "we");
  if (file_ == nullptr)
    throw std::runtime_error(fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
}

ReportFile::~ReportFile() {
  if (file_ != nullptr) std::fclose(file_);
}

Report ReportFile::report(bool json, bool text) const {
  std::vector<std::FILE*> outputs;
  if (json) outputs.push_back(stdout);
  if (file_ != nullptr) outputs.push_back(file_);
  return Report(text && !json ? stdout : nullptr, outputs);
}

int code_if_written(const Report& report, const std::string& name, int code) {
  if (report.written()) return code;
  fmt::print(stderr, "{}: the report could not be written completely: {}\n", name, std::strerror(errno));
  return exit_code(Verdict::error, false);
}

}  // namespace rv::workers

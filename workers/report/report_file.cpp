#include "workers/report/report_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "workers/devices/node_name.h"

namespace rv::workers {

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

}  // namespace rv::workers

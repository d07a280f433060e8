#include "reports/accept/history_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "shared/system/descriptor.h"

namespace rv::accept {
namespace {

namespace fs = std::filesystem;

std::vector<accept::GpuRecord> records_in(const std::string& path) {
  std::vector<accept::GpuRecord> records;
  const auto text = os::read_file(path).value_or("");
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    if (auto record = accept::record_from_line(std::string_view(text).substr(begin, end - begin))) {
      records.push_back(std::move(*record));
    }
    begin = end + 1;
  }
  return records;
}

// One write of one line: acceptances that end at the same time don't mix theirs.
void append_line(const std::string& path, const std::string& line) {
  const os::Descriptor file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600));
  if (file.number() < 0 || ::write(file.number(), line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    throw Error(fmt::format("can't write {}: {}", path, std::strerror(errno)),
                "check the permissions and the free disk space there");
  }
}

/// A UUID comes from a report: only its plain characters name a file.
std::string file_name(const std::string& uuid) {
  std::string name;
  for (const char c : uuid) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    name += plain ? c : '_';
  }
  return name + ".jsonl";
}

}  // namespace

void keep_history(const std::string& home, const std::vector<accept::GpuRecord>& records) {
  const std::string folder = home + "/accept/gpus";
  if (!records.empty()) os::make_folder(folder);
  for (const auto& record : records) {
    const std::string path = folder + "/" + file_name(record.uuid);
    const auto known = records_in(path);
    const bool again = std::any_of(known.begin(), known.end(), [&](const auto& old) { return old.run == record.run; });
    if (!again) append_line(path, accept::to_line(record));
  }
}

std::vector<accept::GpuRecord> history_of(const std::string& home, const std::string& uuid) {
  return records_in(home + "/accept/gpus/" + file_name(uuid));
}

std::vector<accept::GpuRecord> read_history(const std::string& home, const std::string& which) {
  std::vector<accept::GpuRecord> all;
  std::error_code fault;
  for (fs::directory_iterator it(home + "/accept/gpus", fault), end; !fault && it != end; it.increment(fault)) {
    for (auto& record : records_in(it->path().string())) {
      if (which.empty() || record.node == which || record.uuid.starts_with(which)) all.push_back(std::move(record));
    }
  }
  return all;
}

}  // namespace rv::accept

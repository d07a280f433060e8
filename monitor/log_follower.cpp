#include "monitor/log_follower.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "monitor/atomic_file.h"

namespace rv::monitor {
namespace {

struct LogFile {
  std::string name;  // "udc-an28-1.out"
  std::string node;
  Stream stream;
};

std::vector<LogFile> log_files(const std::string& logs, const std::string& only_node) {
  std::vector<LogFile> files;
  DIR* folder = ::opendir(logs.c_str());
  if (folder == nullptr) return files;
  while (const dirent* entry = ::readdir(folder)) {
    const std::string name = entry->d_name;
    const bool out = name.ends_with(".out");
    if (!out && !name.ends_with(".err")) continue;
    const std::string node = name.substr(0, name.size() - 4);
    if (only_node.empty() || node == only_node) files.push_back({name, node, out ? Stream::out : Stream::err});
  }
  ::closedir(folder);
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return files;
}

long long tail_offset(std::string_view text, int lines) {
  if (lines <= 0) return static_cast<long long>(text.size());
  std::size_t at = text.size();
  if (at > 0 && text[at - 1] == '\n') --at;  // the last line's own end
  for (; lines > 0; --lines) {
    const auto found = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    if (found == std::string_view::npos) return 0;
    at = found;
  }
  return static_cast<long long>(at) + 1;
}

}  // namespace

bool LogFollower::poll(const LogSink& sink) {
  bool any = false;
  for (const auto& log : log_files(logs_, only_node_)) {
    const int fd = ::open((logs_ + "/" + log.name).c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) continue;  // gone between readdir and open
    auto& offset = offsets_[log.name];
    char buffer[65536];
    for (ssize_t count = 0; (count = ::pread(fd, buffer, sizeof buffer, offset)) > 0;) {
      offset += count;
      any = true;
      sink(log.stream, log.node, {buffer, static_cast<std::size_t>(count)});
    }
    ::close(fd);
  }
  return any;
}

void LogFollower::start_at_tail(int lines) {
  for (const auto& log : log_files(logs_, only_node_)) {
    offsets_[log.name] = tail_offset(read_file(logs_ + "/" + log.name).value_or(""), lines);
  }
}

long long LogFollower::offset_of(Stream stream, std::string_view node) const {
  const auto found = offsets_.find(std::string(node) + (stream == Stream::out ? ".out" : ".err"));
  return found == offsets_.end() ? 0 : found->second;
}

int LogFollower::nodes() const {
  std::set<std::string> nodes;
  for (const auto& log : log_files(logs_, only_node_)) nodes.insert(log.node);
  return static_cast<int>(nodes.size());
}

}  // namespace rv::monitor

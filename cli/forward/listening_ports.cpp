#include "cli/forward/listening_ports.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

namespace rv::cli::forward {

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

template <typename Number>
bool read_number(std::string_view text, Number& number, int base) {
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return fault == std::errc() && end == text.data() + text.size();
}

bool has_variable(std::string_view environment, std::string_view setting) {
  while (!environment.empty()) {
    const std::string_view entry = environment.substr(0, environment.find('\0'));
    if (entry == setting) return true;
    environment.remove_prefix(std::min(entry.size() + 1, environment.size()));
  }
  return false;
}

bool belongs(const fs::path& process, const std::string& job, const std::string& node) {
  const std::string name = text_of(process / "comm");
  // Their ports are for Slurm's own messages.
  if (name == "srun\n" || name == "slurmstepd\n") return false;
  const std::string groups = text_of(process / "cgroup") + "\n";
  // Nodes that share a machine are told apart by the environment alone.
  const std::string environment = text_of(process / "environ");
  if (environment.find("SLURMD_NODENAME=") != std::string::npos &&
      !has_variable(environment, "SLURMD_NODENAME=" + node)) {
    return false;
  }
  for (const char* end : {"/", "\n"}) {
    if (groups.find("/job_" + job + end) != std::string::npos) return true;
  }
  return has_variable(environment, "SLURM_JOB_ID=" + job);
}

std::set<std::uint64_t> sockets_of(const fs::path& process) {
  std::set<std::uint64_t> sockets;
  std::error_code fault;
  for (fs::directory_iterator entry(process / "fd", fault), end; !fault && entry != end; entry.increment(fault)) {
    std::error_code gone;
    const std::string target = fs::read_symlink(entry->path(), gone).string();
    std::uint64_t inode = 0;
    if (gone || !target.starts_with("socket:[") || target.back() != ']') continue;
    if (read_number(std::string_view(target).substr(8, target.size() - 9), inode, 10)) sockets.insert(inode);
  }
  return sockets;
}

}  // namespace

std::vector<Listener> parse_listeners(std::string_view text) {
  constexpr std::size_t columns =
      10;  // number, local, remote, state, queues, timer, retransmits, user, time-out, inode
  std::vector<Listener> listeners;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::array<std::string, columns> cells;
    for (std::string& cell : cells) words >> cell;
    const std::size_t colon = cells[1].rfind(':');
    Listener listener;
    if (cells[3] != "0A" || colon == std::string::npos) continue;
    if (!read_number(std::string_view(cells[1]).substr(colon + 1), listener.port, 16)) continue;
    if (!read_number(cells[9], listener.inode, 10)) continue;
    listeners.push_back(listener);
  }
  return listeners;
}

std::vector<int> listening_ports(const std::string& job, const std::string& node) {
  std::map<std::uint64_t, int> port_of;
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    for (const Listener& listener : parse_listeners(text_of(table))) port_of[listener.inode] = listener.port;
  }
  std::set<int> ports;
  std::error_code fault;
  for (fs::directory_iterator entry("/proc", fault), end; !fault && entry != end; entry.increment(fault)) {
    int process = 0;
    if (!read_number(entry->path().filename().string(), process, 10)) continue;
    if (!belongs(entry->path(), job, node)) continue;
    for (const std::uint64_t inode : sockets_of(entry->path())) {
      if (const auto found = port_of.find(inode); found != port_of.end()) ports.insert(found->second);
    }
  }
  return {ports.begin(), ports.end()};
}

}  // namespace rv::cli::forward

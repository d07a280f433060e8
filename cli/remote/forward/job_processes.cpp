#include "cli/remote/forward/job_processes.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/remote/forward/listening_ports.h"
#include "shared/number.h"

namespace rv::forward {

namespace {

namespace fs = std::filesystem;

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string_view digits_at(std::string_view text, std::size_t at) {
  return text.substr(at, std::min(text.find_first_not_of("0123456789", at), text.size()) - at);
}

/// "/slurmstepd.scope/sEKNKTV3WPV500/step_0": sEKNKTV3WPV500, as print_sluid() of 26.05 writes a job's SLUID: an s and
/// 13 digits of Crockford's base 32. Empty: none.
std::string sluid_of_cgroup(const std::string& groups) {
  constexpr std::size_t length = 14;
  for (std::size_t step = groups.find("/step_"); step != std::string::npos; step = groups.find("/step_", step + 1)) {
    if (step < length + 1 || groups[step - length - 1] != '/' || groups[step - length] != 's') continue;
    std::string name = groups.substr(step - length, length);
    if (name.find_first_not_of("0123456789ABCDEFGHJKMNPQRSTVWXYZ", 1) == std::string::npos) return name;
  }
  return {};
}

/// "/slurm/uid_1000/job_42/step_0" and the like: 42, or the job's SLUID. Empty: no job's.
std::string job_of_cgroup(const std::string& groups) {
  constexpr std::string_view mark = "/job_";
  for (std::size_t at = groups.find(mark); at != std::string::npos; at = groups.find(mark, at + 1)) {
    const auto number = digits_at(groups, at + mark.size());
    const std::size_t end = at + mark.size() + number.size();
    if (!number.empty() && (end == groups.size() || groups[end] == '/' || groups[end] == '\n')) {
      return std::string(number);
    }
  }
  return sluid_of_cgroup(groups);
}

/// "slurmstepd: [42.batch]": 42.
std::string job_of_stepd(const std::string& command_line) {
  constexpr std::string_view mark = "slurmstepd: [";
  return command_line.starts_with(mark) ? std::string(digits_at(command_line, mark.size())) : "";
}

std::optional<std::string> variable_of(std::string_view environment, std::string_view name) {
  while (!environment.empty()) {
    const std::string_view entry = environment.substr(0, environment.find('\0'));
    if (entry.starts_with(name) && entry.substr(name.size()).starts_with('=')) {
      return std::string(entry.substr(name.size() + 1));
    }
    environment.remove_prefix(std::min(entry.size() + 1, environment.size()));
  }
  return std::nullopt;
}

/// The first number of a line like "PPid:	17" in /proc/PID/status.
std::optional<unsigned> status_number(const std::string& status, const std::string& name) {
  const std::size_t line = status.find("\n" + name + ":");
  if (line == std::string::npos) return std::nullopt;
  const std::size_t at = status.find_first_not_of(" \t", line + name.size() + 2);
  return at == std::string::npos ? std::nullopt : number_in<unsigned>(digits_at(status, at));
}

}  // namespace

JobProcesses::JobProcesses(RunJob job, std::string proc)
    : run_(std::move(job)),
      proc_(std::move(proc)),
      cgroups_tell_(by_number(job_of_cgroup(text_of(proc_ + "/self/cgroup"))).kind == Membership::Kind::own) {}

Membership JobProcesses::by_number(const std::string& job) const {
  if (job.empty()) return {};
  if (job == run_.job || job == run_.sluid) return {.kind = Membership::Kind::own, .job = job};
  return {.kind = Membership::Kind::other, .job = job};
}

Membership JobProcesses::by_cgroup(pid_t process) const {
  return cgroups_tell_ ? by_number(job_of_cgroup(text_of(folder(process) + "/cgroup"))) : Membership{};
}

Membership JobProcesses::by_ancestor(pid_t process) const {
  constexpr int deepest = 1000;  // a table that changes while it is read has no end that can be trusted
  for (int i = 0; i < deepest && process > 1; ++i) {
    const std::string status = text_of(folder(process) + "/status");
    // Anybody's program may call itself so, but only Slurm's is root's.
    if (text_of(folder(process) + "/comm") == "slurmstepd\n" && status_number(status, "Uid") == 0U) {
      return by_number(job_of_stepd(text_of(folder(process) + "/cmdline")));
    }
    process = static_cast<pid_t>(status_number(status, "PPid").value_or(0));
  }
  return {};
}

bool JobProcesses::is_users(pid_t process) const {
  return status_number(text_of(folder(process) + "/status"), "Uid") == run_.user;
}

Membership JobProcesses::membership_of(pid_t process) const {
  Membership relation = by_cgroup(process);
  if (relation.kind == Membership::Kind::unknown) relation = by_ancestor(process);
  if (relation.kind == Membership::Kind::own || !is_users(process)) return relation;
  const std::string environment = text_of(folder(process) + "/environ");
  if (!run_.array.empty() && variable_of(environment, "SLURM_ARRAY_JOB_ID") == run_.array) {
    return {.kind = Membership::Kind::own, .job = run_.array};
  }
  if (relation.kind == Membership::Kind::other) return relation;
  return by_number(variable_of(environment, "SLURM_JOB_ID").value_or(""));
}

std::vector<pid_t> JobProcesses::all() const {
  std::vector<pid_t> processes;
  std::error_code fault;
  for (fs::directory_iterator entry(proc_, fault), end; !fault && entry != end; entry.increment(fault)) {
    if (const auto process = number_in<pid_t>(entry->path().filename().string())) processes.push_back(*process);
  }
  return processes;
}

std::set<std::uint64_t> JobProcesses::sockets_of(pid_t process) const {
  std::set<std::uint64_t> sockets;
  std::error_code fault;
  const fs::path open_files = folder(process) + "/fd";
  for (fs::directory_iterator entry(open_files, fault), end; !fault && entry != end; entry.increment(fault)) {
    std::error_code gone;
    const std::string target = fs::read_symlink(entry->path(), gone).string();
    if (gone || !target.starts_with("socket:[") || target.back() != ']') continue;
    if (const auto inode = number_in<std::uint64_t>(std::string_view(target).substr(8, target.size() - 9))) {
      sockets.insert(*inode);
    }
  }
  return sockets;
}

bool JobProcesses::is_on(const std::string& node, pid_t process) const {
  // Only the environment distinguishes nodes that share a machine.
  const auto named = variable_of(text_of(folder(process) + "/environ"), "SLURMD_NODENAME");
  return !named || *named == node;
}

std::vector<int> JobProcesses::listening_ports(const std::string& node) const {
  const std::string own_name = text_of(proc_ + "/self/comm");
  std::map<std::uint64_t, int> port_of;
  for (const Listener& listener : read_listeners(proc_)) port_of[listener.inode] = listener.port;
  std::set<int> ports;
  for (const pid_t process : all()) {
    const std::string name = text_of(folder(process) + "/comm");
    // Their ports are for Slurm's own messages, and for those of a forward (direct_line.h).
    if (name == "srun\n" || name == "slurmstepd\n" || name == own_name) continue;
    if (membership_of(process).kind != Membership::Kind::own || !is_on(node, process)) continue;
    for (const std::uint64_t inode : sockets_of(process)) {
      if (const auto found = port_of.find(inode); found != port_of.end()) ports.insert(found->second);
    }
  }
  return {ports.begin(), ports.end()};
}

}  // namespace rv::forward

#include "workers/stress/footprint.h"

#include <dirent.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <iterator>
#include <sstream>
#include <thread>

#include "shared/system/process_table.h"
#include "workers/sampling/proc_text.h"

namespace rv::workers {
namespace {

using Clock = std::chrono::steady_clock;
/// The driver keeps a little more memory after its first use.
constexpr std::uint64_t memory_allowed = std::uint64_t{32} << 20U;

int own_descriptors() {
  int count = 0;
  if (DIR* const folder = ::opendir("/proc/self/fd"); folder != nullptr) {
    while (const dirent* entry = ::readdir(folder)) count += entry->d_name[0] != '.' ? 1 : 0;
    ::closedir(folder);
  }
  return count - 1;  // without the folder's own descriptor
}

bool is_alive(long long pid) {
  return pid > 0 && (::kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM);
}

std::set<std::string> own_segments() {
  std::set<std::string> names;
  if (DIR* const folder = ::opendir("/dev/shm"); folder != nullptr) {
    while (const dirent* entry = ::readdir(folder)) {
      const auto path = std::string("/dev/shm/") + entry->d_name;
      struct stat file {};
      if (::lstat(path.c_str(), &file) == 0 && S_ISREG(file.st_mode) && file.st_uid == ::geteuid()) names.insert(path);
    }
    ::closedir(folder);
  }
  std::istringstream table(os::proc_file("/proc/sysvipc/shm").value_or(""));
  std::string line;
  std::getline(table, line);  // the header: key shmid perms size cpid lpid nattch uid …
  while (std::getline(table, line)) {
    std::istringstream fields(line);
    long long key = 0, id = 0, perms = 0, size = 0, maker = 0, last = 0, attached = 0;
    uid_t uid = 0;
    if (!(fields >> key >> id >> perms >> size >> maker >> last >> attached >> uid) || uid != ::geteuid()) continue;
    // Footprints are taken when none of our processes is alive, so a segment with a living creator belongs to another
    // program.
    if (!is_alive(maker)) names.insert(fmt::format("System V {}", id));
  }
  return names;
}

Measurement check(const char* name, const Device& device) {
  Measurement m;
  m.suite = "after";
  m.name = name;
  m.device = device;
  m.verdict = Verdict::pass;
  return m;
}

void fail(Measurement& m, std::string reason) {
  m.verdict = Verdict::fail;
  m.reason = std::move(reason);
}

void skip(Measurement& m, const char* detail) {
  m.verdict = Verdict::skip;
  m.reason = "not_available";
  m.params["detail"] = detail;
}

std::set<unsigned> still_there(const Footprint::Gpu& now, const std::set<unsigned>& ours) {
  std::set<unsigned> there;
  if (!now.pids) return there;
  std::set_intersection(now.pids->begin(), now.pids->end(), ours.begin(), ours.end(),
                        std::inserter(there, there.end()));
  return there;
}

bool is_taken(const Footprint::Gpu& before, const Footprint::Gpu& now) {
  return before.used_bytes && now.used_bytes && *now.used_bytes > *before.used_bytes + memory_allowed;
}

Measurement contexts_of(const GivenGpu& gpu, const Footprint::Gpu& now, const Between& between) {
  auto m = check("contexts", gpu.device);
  const auto there = still_there(now, between.pids);
  if (!now.pids) skip(m, "the driver does not report which processes are on the GPU");
  if (!there.empty()) fail(m, fmt::format("contexts of ended processes still exist: {}", fmt::join(there, ", ")));
  return m;
}

Measurement memory_of(const GivenGpu& gpu, const Footprint::Gpu& before, const Footprint::Gpu& now) {
  auto m = check("gpu memory", gpu.device);
  if (!before.used_bytes || !now.used_bytes) {
    skip(m, "the driver does not report how much memory is in use");
    return m;
  }
  m.params["before_bytes"] = *before.used_bytes;
  m.params["after_bytes"] = *now.used_bytes;
  if (!is_taken(before, now)) return m;
  const bool others = before.pids != now.pids;
  if (others) {
    skip(m, "another program started on the GPU meanwhile");
  } else {
    fail(m, fmt::format("{} bytes are in use, {} before", *now.used_bytes, *before.used_bytes));
  }
  return m;
}

Measurement processes_of(const Between& between) {
  auto m = check("processes", host_processor());
  m.params["left"] = between.left_processes.size();
  m.params["seconds_to_end"] = between.seconds_to_end;
  if (!between.left_processes.empty())
    fail(m, fmt::format("left behind, and ended: {}", fmt::join(between.left_processes, "; ")));
  return m;
}

Measurement segments_of(const Footprint& before, const Footprint& now, const Between& between) {
  auto m = check("shared memory", host_processor());
  std::vector<std::string> named, unknown;
  for (const auto& name : new_segments(before, now)) {
    const auto maker = between.makers.find(name);
    if (maker == between.makers.end()) {
      unknown.push_back(name);
      continue;
    }
    named.push_back(fmt::format("{} of {}", name, maker->second));
    ::unlink(name.c_str());
  }
  if (!unknown.empty()) {
    skip(m, "");
    m.params["detail"] = fmt::format("new, of an unknown owner: {}", fmt::join(unknown, ", "));
  }
  if (!named.empty()) fail(m, fmt::format("left behind, and removed: {}", fmt::join(named, ", ")));
  return m;
}

Measurement descriptors_of(const Footprint& before, const Footprint& now) {
  auto m = check("descriptors", host_processor());
  m.params["before"] = before.descriptors;
  m.params["after"] = now.descriptors;
  if (now.descriptors > before.descriptors) {
    fail(m, fmt::format("{} are open, {} before", now.descriptors, before.descriptors));
  }
  return m;
}

bool settled(const Footprint& before, const Footprint& now, const std::set<unsigned>& ours) {
  for (std::size_t i = 0; i < now.gpus.size(); ++i) {
    if (!still_there(now.gpus[i], ours).empty() || is_taken(before.gpus[i], now.gpus[i])) return false;
  }
  return true;
}

}  // namespace

Footprint look_at_footprint(Nvml* nvml, const std::vector<GivenGpu>& gpus) {
  Footprint footprint;
  footprint.segments = own_segments();
  footprint.descriptors = own_descriptors();
  for (const auto& gpu : gpus) {
    auto& one = footprint.gpus.emplace_back();
    if (nvml == nullptr) continue;
    one.used_bytes = nvml->read_use(gpu.device.uuid)["memory_used_bytes"];
    one.pids = nvml->read_processes(gpu.device.uuid);
  }
  return footprint;
}

std::vector<std::string> new_segments(const Footprint& before, const Footprint& now) {
  std::vector<std::string> fresh;
  std::set_difference(now.segments.begin(), now.segments.end(), before.segments.begin(), before.segments.end(),
                      std::back_inserter(fresh));
  return fresh;
}

std::vector<Measurement> judge_footprint(const Footprint& before, const Between& between, Nvml* nvml,
                                         const std::vector<GivenGpu>& gpus) {
  auto now = look_at_footprint(nvml, gpus);
  for (const auto until = Clock::now() + between.settle; Clock::now() < until && !settled(before, now, between.pids);) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    now = look_at_footprint(nvml, gpus);
  }
  std::vector<Measurement> all{processes_of(between)};
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    all.push_back(contexts_of(gpus[i], now.gpus[i], between));
    all.push_back(memory_of(gpus[i], before.gpus[i], now.gpus[i]));
  }
  all.push_back(segments_of(before, now, between));
  all.push_back(descriptors_of(before, now));
  return all;
}

}  // namespace rv::workers

#include "workers/stress/crew_member.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "shared/documents/json_integer.h"
#include "shared/documents/json_or_discard.h"
#include "shared/system/pipe_ends.h"
#include "shared/system/process_table.h"
#include "shared/system/start_child.h"
#include "workers/devices/cause.h"
#include "workers/report/report.h"
#include "workers/sampling/proc_text.h"
#include "workers/stress/descendants.h"
#include "workers/stress/load_size.h"
#include "workers/stress/worker.h"

namespace rv::workers {
namespace {

using Json = nlohmann::ordered_json;

/// A process grows a little without a leak: library buffers, pages of code. More than this plus a twentieth of its
/// matrices is a leak.
constexpr std::uint64_t growth_allowed = std::uint64_t{16} << 20U;
constexpr int descriptors_allowed = 8;

int open_descriptors(pid_t pid) {
  int count = 0;
  if (DIR* const folder = ::opendir(fmt::format("/proc/{}/fd", pid).c_str()); folder != nullptr) {
    while (const dirent* entry = ::readdir(folder)) count += entry->d_name[0] != '.' ? 1 : 0;
    ::closedir(folder);
  }
  return count;
}

std::uint64_t kib_of(const std::string& status, const char* key) {
  return number_after(status, key).value_or(0) << 10U;
}

/// Segments of /dev/shm that it has mapped and not unlinked.
std::vector<std::string> segments_of(pid_t pid) {
  std::vector<std::string> names;
  std::istringstream maps(os::proc_file(fmt::format("/proc/{}/maps", pid)).value_or(""));
  for (std::string line; std::getline(maps, line);) {
    const auto at = line.find(" /dev/shm/");
    if (at == std::string::npos || line.ends_with(" (deleted)")) continue;
    auto name = line.substr(at + 1);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

/// Starts this program as a worker; the caller sets its streams.
os::ChildOrder worker_process(const CrewOrder& order, int worker, const GivenGpu* gpu) {
  os::ChildOrder child;
  child.program = "/proc/self/exe";
  child.argv = {"rv-stress",
                "--worker",
                std::to_string(worker),
                "--side",
                std::to_string(order.side),
                "--device",
                gpu == nullptr ? "cpu" : "gpu"};
  if (!order.inject.empty()) child.argv.insert(child.argv.end(), {"--inject", order.inject});
  child.variables = {{"CUDA_VISIBLE_DEVICES", gpu == nullptr ? "" : gpu->device.uuid},
                     {"RV_STRESS_WORKER", std::to_string(worker)}};
  child.group = os::Group::own_session;  // Ctrl-C at a terminal is handled by the parent
  return child;
}

}  // namespace

CrewMember::CrewMember(const CrewOrder& order, int worker) : order_(order) {
  const auto count = static_cast<int>(order.gpus.size());
  end_.worker = worker;
  end_.gpu = count == 0 ? -1 : worker % count;
  const auto* const gpu = count == 0 ? nullptr : &order.gpus[static_cast<std::size_t>(end_.gpu)];
  auto to = os::make_pipe(), from = os::make_pipe();
  if (!to || !from) throw std::runtime_error(fmt::format("cannot start worker {}: {}", worker, std::strerror(errno)));
  // Only this end is non-blocking.
  ::fcntl(from->reads.number(), F_SETFL, ::fcntl(from->reads.number(), F_GETFL) | O_NONBLOCK);
  auto child = worker_process(order, worker, gpu);
  child.in = to->reads.number();
  child.out = from->writes.number();
  std::fflush(nullptr);  // so that earlier output comes before the child's
  end_.pid = os::start_child(child);
  if (end_.pid < 0) throw std::runtime_error(fmt::format("cannot start worker {}: {}", worker, std::strerror(errno)));
  in_ = std::move(to->writes);
  out_ = std::move(from->reads);
}

void CrewMember::begin(State state) {
  state_ = state;
  since_ = heard_ = Clock::now();
}

void CrewMember::go() {
  const auto status = os::proc_file(fmt::format("/proc/{}/status", pid())).value_or("");
  rss_before_ = kib_of(status, "VmRSS:");
  descriptors_before_ = open_descriptors(pid());
  gpu_before_ = gpu_now_;
  begin(State::working);
  const auto word = fmt::format("go {}\n", order_.seconds);
  std::ignore = ::write(in_.number(), word.data(), word.size());
}

void CrewMember::sample_memory(std::optional<std::uint64_t> gpu_bytes) {
  const auto status = os::proc_file(fmt::format("/proc/{}/status", pid())).value_or("");
  end_.rss_peak_bytes = std::max(end_.rss_peak_bytes, kib_of(status, "VmHWM:"));
  if (!gpu_bytes) return;
  gpu_now_ = gpu_bytes;
  end_.gpu_peak_bytes = std::max(end_.gpu_peak_bytes.value_or(0), *gpu_bytes);
}

/// The last sample of a worker that has finished and waits for permission to end.
void CrewMember::done() {
  sample_memory(std::nullopt);
  end_.segments = segments_of(pid());
  const auto rss = kib_of(os::proc_file(fmt::format("/proc/{}/status", pid())).value_or(""), "VmRSS:");
  const auto allowed = growth_allowed + load_bytes(order_.side) / 20;
  const auto descriptors = open_descriptors(pid());
  std::string grown;
  if (gpu_before_ && gpu_now_ && *gpu_now_ > *gpu_before_ + allowed) {
    grown = fmt::format("its GPU memory grew from {} to {} bytes", *gpu_before_, *gpu_now_);
  } else if (rss_before_ > 0 && rss > rss_before_ + allowed) {
    grown = fmt::format("its memory grew from {} to {} bytes", rss_before_, rss);
  } else if (descriptors > descriptors_before_ + descriptors_allowed) {
    grown = fmt::format("its open files grew from {} to {}", descriptors_before_, descriptors);
  }
  if (!grown.empty() && end_.reason.empty()) {
    end_.kind = WorkerEnd::Kind::failed;
    end_.reason = "leaks: " + grown;
    end_.cause = "leak";
  }
}

void CrewMember::take(const std::string& line) {
  const auto json = parse_json_or_discard<Json>(line);
  if (!json.is_object()) return;
  heard_ = Clock::now();
  const auto said = json.value("say", "");
  if (const auto operations = json.find("operations"); operations != json.end()) {
    end_.operations = integer_of<std::int64_t>(*operations);
    end_.seconds = std::chrono::duration<double>(heard_ - since_).count();
  }
  if (said == "ready") {
    const auto uuid = json.value("uuid", "");
    const auto* const gpu = end_.gpu < 0 ? nullptr : &order_.gpus[static_cast<std::size_t>(end_.gpu)];
    // Depending on the driver's version, CUDA identifies the GPU of a slice by the slice's UUID or by the GPU's.
    if (gpu != nullptr && !gpu->is_slice && uuid != gpu->device.uuid) {
      end_.reason = fmt::format("it was assigned {} and is on {}", gpu->device.uuid, uuid);
    }
    begin(State::ready);
  } else if (said == "failed") {
    failed_ = true;
    end_.reason = json.value("reason", "it failed without an error message");
  } else if (said == "done") {
    end_.seconds = json.value("seconds", 0.0);
    end_.processor_share = json.value("processor_share", 0.0);
    const auto wrong = json.value("wrong", "");
    end_.kind = wrong.empty() && end_.reason.empty() ? WorkerEnd::Kind::done : WorkerEnd::Kind::failed;
    if (!wrong.empty()) {
      end_.reason = wrong;
      end_.cause = "wrong_result";
    }
    if (end_.operations == 0) {
      end_.kind = WorkerEnd::Kind::failed;
      end_.cause = no_operation;
      end_.reason =
          fmt::format("no operation finished within {} s: allow more time, or use smaller matrices", order_.seconds);
    }
    done();
    begin(State::leaving);
    constexpr std::string_view word = "leave\n";
    std::ignore = ::write(in_.number(), word.data(), word.size());
  }
}

void CrewMember::ended(int status) {
  const auto before = state_;
  state_ = State::ended;
  if (WIFEXITED(status) && WEXITSTATUS(status) == does_not_fit) {
    end_.kind = WorkerEnd::Kind::did_not_fit;
    end_.cause = out_of_memory;
  } else if (failed_) {
    end_.kind = WorkerEnd::Kind::failed;
  } else if (before != State::leaving || status != 0) {
    end_.kind = WIFSIGNALED(status) ? WorkerEnd::Kind::killed : WorkerEnd::Kind::failed;
    const auto* const guess = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL
                                  ? "; the kernel log shows whether the host ran out of memory"
                                  : "";
    end_.reason = fmt::format("{} after at least {} operations{}", ending_text(status), end_.operations, guess);
  }
}

void CrewMember::kill_for(WorkerEnd::Kind kind, std::string reason) {
  ::kill(pid(), SIGKILL);
  // A process blocked in the driver does not end: it must not block this process.
  const auto until = Clock::now() + std::chrono::seconds(5);
  while (::waitpid(pid(), nullptr, WNOHANG) == 0) {
    if (Clock::now() >= until) {
      reason += "; SIGKILL does not end it";
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  state_ = State::ended;
  end_.kind = kind;
  end_.reason = std::move(reason);
}

void CrewMember::cut_off() {
  if (state_ == State::ended) return;
  kill_for(WorkerEnd::Kind::cut_off, "it was ended with the whole run");
}

void CrewMember::watch() {
  if (state_ == State::ended) return;
  std::array<char, 4096> some{};
  for (ssize_t got = 0; (got = ::read(out_.number(), some.data(), some.size())) > 0;) {
    said_.append(some.data(), static_cast<std::size_t>(got));
  }
  for (auto end = said_.find('\n'); end != std::string::npos; end = said_.find('\n')) {
    take(said_.substr(0, end));
    said_.erase(0, end + 1);
  }
  int status = 0;
  if (::waitpid(pid(), &status, WNOHANG) == pid()) return ended(status);
  const auto now = Clock::now();
  const auto age = [&](Clock::time_point time) { return std::chrono::duration<double>(now - time).count(); };
  if (state_ == State::starting && age(since_) > order_.start_limit) {
    kill_for(WorkerEnd::Kind::late, fmt::format("it was not ready within {} s", order_.start_limit));
  } else if (state_ == State::working && age(heard_) > order_.silence) {
    kill_for(WorkerEnd::Kind::hung, fmt::format("hangs: no heartbeat for {:.1f} s, after at least {} operations",
                                                age(heard_), end_.operations));
  } else if (state_ == State::leaving && age(since_) > order_.end_limit) {
    kill_for(WorkerEnd::Kind::late, fmt::format("it was done but did not exit within {} s", order_.end_limit));
  }
}

}  // namespace rv::workers

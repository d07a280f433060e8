#include "cli/map/node_tasks.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "base/error.h"
#include "base/os/child.h"
#include "base/variable.h"
#include "cli/map/placeholders.h"
#include "cli/map/task_values.h"
#include "shared/number.h"
#include "shared/system/start_child.h"

namespace rv::cli {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

void set(std::vector<std::string>& environment, std::string_view name, const std::string& value) {
  std::erase_if(environment, [&](std::string_view line) { return line.substr(0, line.find('=')) == name; });
  environment.push_back(std::string(name).append("=").append(value));
}

/// Of a command on one node with one process: a task takes no part in the ranks of the dispatcher.
std::vector<std::string> environment_of_tasks(const monitor::TaskList& list, int slots) {
  auto environment = all_variables();
  for (const auto* zero : {"RANK", "LOCAL_RANK", "NODE_RANK"}) set(environment, zero, "0");
  for (const auto* one : {"WORLD_SIZE", "NNODES"}) set(environment, one, "1");
  set(environment, "MASTER_ADDR", "127.0.0.1");
  set(environment, "RV_TASKS", std::to_string(list.count()));
  if (list.keeps_threads) return environment;
  const int cpus = number_in<int>(variable("SLURM_CPUS_ON_NODE"), 1).value_or(1);
  set(environment, "OMP_NUM_THREADS", std::to_string(std::max(1, cpus / std::max(1, slots))));
  return environment;
}

long long size_of(const os::Descriptor& file) {
  struct stat status {};
  return ::fstat(file.number(), &status) == 0 ? static_cast<long long>(status.st_size) : 0;
}

}  // namespace

NodeTasks::NodeTasks(const monitor::TaskList& list, std::vector<TaskSlot> slots, std::string output)
    : list_(list), environment_(environment_of_tasks(list, static_cast<int>(slots.size()))), input_(os::null_device()) {
  slots_.reserve(slots.size());
  for (auto& place : slots) {
    const auto path = fmt::format("{}.{}", output, slots_.size());
    os::Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    if (file.number() < 0) {
      throw Error(fmt::format("can't write the output of tasks to {}: {}", path, std::strerror(errno)),
                  "free some space there; rv map --resume runs what is left");
    }
    slots_.push_back({.place = std::move(place), .output = std::move(file)});
  }
}

std::vector<std::string> NodeTasks::environment_of(int task, int slot) const {
  auto environment = environment_;
  set(environment, "RV_TASK", std::to_string(task));
  // Two tasks on one node must not listen on the same port.
  if (const auto port = number_in<int>(variable("MASTER_PORT"), 1, 65535)) {
    set(environment, "MASTER_PORT", std::to_string(1024 + (*port - 1024 + slot + 1) % (65536 - 1024)));
  }
  const auto& gpus = slots_[static_cast<std::size_t>(slot)].place.gpus;
  if (!gpus.empty()) set(environment, "CUDA_VISIBLE_DEVICES", gpus);
  return environment;
}

monitor::TaskRecord NodeTasks::start(int task, int attempt) {
  const auto slot = std::find_if(slots_.begin(), slots_.end(), [](const Slot& one) { return !one.busy; });
  const auto& value = list_.value(task);
  os::ChildOrder order;
  order.argv = filled_command(list_.command, value, task, list_.named ? fields_of(value).value_or(Fields()) : Fields());
  monitor::TaskRecord record{.task = task,
                             .attempt = attempt,
                             .slot = static_cast<int>(slot - slots_.begin()),
                             .gpus = slot->place.gpus,
                             .time = now(),
                             .offset = size_of(slot->output)};
  order.environment = environment_of(task, record.slot);
  order.in = input_.number();
  order.out = order.err = slot->output.number();
  order.group = os::Group::own;
  order.death_signal = SIGKILL;  // no task outlives its record
  order.prints_fault = true;
  order.default_signals = {SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGCHLD};
  order.blocked.emplace();
  ::sigemptyset(&*order.blocked);
  const pid_t child = os::start_child(order);
  if (child < 0) {
    throw Error(fmt::format("task {} could not be started: {}", task, std::strerror(errno)),
                "start fewer tasks at a time: --per-gpu or --cpus-per-task");
  }
  slot->busy = true;
  running_.emplace(child, record);
  return record;
}

std::optional<monitor::TaskRecord> NodeTasks::reap() {
  siginfo_t ended{};
  if (::waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid == 0) return std::nullopt;
  // Before the number of the group is free again: the next task has these GPUs to itself.
  const auto found = running_.find(ended.si_pid);
  if (found != running_.end()) ::kill(-ended.si_pid, SIGKILL);
  const auto status = os::wait_for(ended.si_pid);
  if (found == running_.end()) return reap();
  auto record = found->second;
  running_.erase(found);
  auto& slot = slots_[static_cast<std::size_t>(record.slot)];
  slot.busy = false;
  record.event = monitor::TaskEvent::end;
  record.time = now();
  record.bytes = std::max(0LL, size_of(slot.output) - record.offset);
  record.code = os::exit_code(status.value_or(0));
  record.signal = status && WIFSIGNALED(*status) ? WTERMSIG(*status) : 0;
  return record;
}

void NodeTasks::signal(int number) const {
  for (const auto& [child, record] : running_) ::kill(-child, number);
}

}  // namespace rv::cli

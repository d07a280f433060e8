#include "workers/stress/launcher.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "shared/system/descriptor.h"
#include "shared/system/process_table.h"
#include "shared/system/start_child.h"
#include "workers/sampling/process_tree.h"
#include "workers/stress/descendants.h"
#include "workers/stress/given_gpus.h"

namespace rv::workers {
namespace {

using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

constexpr auto watch_every = std::chrono::milliseconds(20);
constexpr auto look_every = std::chrono::milliseconds(100);
constexpr auto grace = std::chrono::seconds(5);
constexpr auto settle = std::chrono::seconds(1);
constexpr int not_there = 127, not_executable = 126;

pid_t start(const LauncherOrder& order) {
  const os::Descriptor log(::open(order.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644));
  if (log.number() < 0) throw std::runtime_error(fmt::format("cannot write {}: {}", order.log, std::strerror(errno)));
  const os::Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  std::fflush(nullptr);  // so that earlier output comes before the child's
  const auto pid = os::start_child({.argv = order.argv,
                                    .variables = {{"CUDA_VISIBLE_DEVICES", order.visible}},
                                    .in = nothing.number(),
                                    .out = log.number(),
                                    .err = log.number(),
                                    .group = os::Group::own_session,
                                    .death_signal = SIGKILL,
                                    .prints_fault = true});
  if (pid < 0) throw std::runtime_error(fmt::format("cannot start the launcher: {}", std::strerror(errno)));
  return pid;
}

/// The GPUs on which the driver lists processes of this tree.
class UsedGpus {
 public:
  UsedGpus(Nvml* nvml, bool driver_lists_pids) : nvml_(nvml), driver_lists_pids_(driver_lists_pids) {
    if (nvml != nullptr) all_ = all_gpu_uuids(*nvml);
  }
  void sample() {
    if (nvml_ == nullptr) return;
    const auto tree = ProcessTree(::getpid(), 0).sample().pids;
    for (const auto& uuid : all_) {
      const auto pids = nvml_->read_processes(uuid);
      if (!pids) continue;
      const bool here =
          std::any_of(pids->begin(), pids->end(), [&](auto pid) { return tree.contains(static_cast<pid_t>(pid)); });
      if (here) used_.insert(uuid);
    }
  }
  /// If the driver has never listed one of our processes, the result is unknown: in a container it lists none.
  std::optional<std::set<std::string>> used() const {
    return driver_lists_pids_ || !used_.empty() ? std::optional(used_) : std::nullopt;
  }

 private:
  Nvml* nvml_;
  bool driver_lists_pids_;
  std::vector<std::string> all_;
  std::set<std::string> used_;
};

std::vector<std::string> words_of(const std::vector<LeftProcess>& left) {
  std::vector<std::string> out;
  out.reserve(left.size());
  for (const auto& one : left)
    out.push_back(fmt::format("{} ({}{})", one.pid, one.command, one.zombie ? ", a zombie" : ""));
  return out;
}

bool is_plain(const std::string& word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("-_./+,:@", c) != nullptr;
  });
}

bool is_shell_line(const std::vector<std::string>& argv) {
  return argv.size() == 3 && argv[0] == "bash" && argv[1] == "-c";
}

/// The interpreter in a script's first line; empty: none.
std::string interpreter_of(const fs::path& script) {
  std::ifstream file(script, std::ios::binary);
  std::string line(256, '\0');
  file.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<std::size_t>(file.gcount()));
  line.resize(std::min(line.find('\n'), line.size()));
  if (!line.starts_with("#!")) return "";
  const auto begin = line.find_first_not_of(" \t", 2);
  return begin == std::string::npos ? "" : line.substr(begin, line.find_first_of(" \t", begin) - begin);
}

LauncherTrouble trouble_at(const fs::path& path) {
  std::error_code fault;
  if (!fs::exists(path, fault)) return {not_there, path, ""};
  if (!fs::is_regular_file(path, fault) || ::access(path.c_str(), X_OK) != 0) return {not_executable, path, ""};
  // The system's message, "No such file or directory", seems to refer to the script.
  const auto interpreter = interpreter_of(path);
  if (interpreter.starts_with('/') && !fs::exists(interpreter, fault)) return {not_executable, path, interpreter};
  return {};
}

LauncherTrouble trouble_on_path(const std::string& name) {
  const char* const variable = std::getenv("PATH");
  const std::string path = variable == nullptr ? "/usr/bin:/bin" : variable;
  LauncherTrouble trouble{not_there, name, ""};
  for (std::size_t begin = 0; begin <= path.size();) {
    const auto end = std::min(path.find(':', begin), path.size());
    auto here = trouble_at(fs::path(path.substr(begin, end - begin)) / name);
    if (here.exit_code == 0 || !here.interpreter.empty()) return here;  // the first executable one is used
    trouble.exit_code = std::min(trouble.exit_code, here.exit_code);
    begin = end + 1;
  }
  return trouble;
}

/// Whether the line is a single program with plain arguments.
bool is_one_command(const std::string& line) {
  return line.find_first_of("|&;()<>`\n") == std::string::npos;
}

/// Whether bash itself provides it: a builtin, a keyword, or an exported function.
bool bash_knows(const std::string& word) {
  const os::Descriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  const auto pid = os::start_child({.argv = {"bash", "-c", "type -t -- \"$1\"", "bash", word},
                                    .in = nothing.number(),
                                    .out = nothing.number(),
                                    .err = nothing.number()});
  const auto status = pid < 0 ? std::nullopt : os::wait_for(pid);
  // If bash can't be started, nothing is refused.
  return !status || !WIFEXITED(*status) || WEXITSTATUS(*status) != 1;
}

std::string launcher_program(const std::vector<std::string>& argv) {
  if (argv.empty()) return "";
  if (!is_shell_line(argv)) return argv.front();
  const auto begin = argv[2].find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  return argv[2].substr(begin, argv[2].find_first_of(" \t\n;|&<>()", begin) - begin);
}

}  // namespace

LauncherTrouble launcher_trouble(const std::vector<std::string>& argv) {
  const auto program = launcher_program(argv);
  if (program.empty()) return {not_there, program, ""};
  const bool has_folder = program.find('/') != std::string::npos;
  if (!is_shell_line(argv)) return has_folder ? trouble_at(program) : trouble_on_path(program);
  if (!is_plain(program)) return {};
  if (has_folder) return trouble_at(program);
  if (!is_one_command(argv[2])) return {};
  const auto trouble = trouble_on_path(program);
  return trouble.exit_code == 0 || bash_knows(program) ? LauncherTrouble{} : trouble;
}

LauncherEnd run_launcher(const LauncherOrder& order, Nvml* nvml, bool (*interrupted)()) {
  const auto began = Clock::now();
  const auto pid = start(order);
  LauncherEnd end;
  UsedGpus gpus(nvml, order.driver_lists_pids);
  const auto age = [&] { return std::chrono::duration<double>(Clock::now() - began).count(); };
  int status = 0;
  bool over = false;
  for (auto looked = began - look_every; !over && !end.timed_out && !end.interrupted;) {
    os::reap_adopted({pid});
    over = ::waitpid(pid, &status, WNOHANG) == pid;
    if (!over && Clock::now() - looked >= look_every) {
      gpus.sample();
      looked = Clock::now();
    }
    end.timed_out = !over && age() >= order.seconds;
    end.interrupted = !over && interrupted();
    if (!over) std::this_thread::sleep_for(watch_every);
  }
  end.seconds = age();
  // A process that is ending needs a moment.
  for (const auto until = Clock::now() + settle; over && Clock::now() < until;) {
    os::reap_adopted({});
    if (descendants_left().empty()) break;
    std::this_thread::sleep_for(watch_every);
  }
  if (over) end.left = words_of(descendants_left());
  const auto ends = end_descendants(grace);
  if (const auto mine = ends.find(pid); mine != ends.end()) status = mine->second;
  end.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  end.used = gpus.used();
  return end;
}

}  // namespace rv::workers

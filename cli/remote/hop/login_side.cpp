#include "cli/remote/hop/login_side.h"

#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill is POSIX
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "cli/remote/hop/marks.h"

namespace rv::remote {

namespace {

using namespace std::chrono_literals;

struct CommandProcess {
  pid_t pid = 0;
  bool resumed = false;  // it replaces another process, whose connection was lost
};

/// This user's processes on this machine that run the command with the token: it stands in their arguments.
std::vector<CommandProcess> processes_of(const std::string& token) {
  std::vector<CommandProcess> found;
  std::error_code fault;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", fault)) {
    const std::string name = entry.path().filename();
    pid_t pid = 0;
    const auto number = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (number.ec != std::errc() || pid == ::getpid()) continue;
    // Anybody can start a process with any arguments: only the user's own say what this user runs.
    struct stat status {};
    if (::stat(entry.path().c_str(), &status) != 0 || status.st_uid != ::geteuid()) continue;
    std::ifstream file(entry.path() / "cmdline", std::ios::binary);
    const std::string line{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    constexpr std::string_view option{"\0--hop\0", 7};
    const std::size_t at = line.find(option);
    if (at == std::string::npos) continue;
    try {
      const HopRequest request = decode(line.c_str() + at + option.size());
      if (request.token == token && request.signal.empty()) found.push_back({pid, request.resume.wanted});
    } catch (const Error&) {
      continue;  // another user's --hop
    }
  }
  return found;
}

int send_signal(const HopRequest& request) {
  int number = 0;
  std::from_chars(request.signal.data(), request.signal.data() + request.signal.size(), number);
  bool sent = false;
  // A process that has lost its connection may still run beside its replacement.
  for (const auto& process : processes_of(request.token)) sent = ::kill(process.pid, number) == 0 || sent;
  return sent ? 0 : 1;
}

void say(const HopRequest& request, const std::string& words) {
  std::fflush(stdout);
  const std::string bytes = mark(request.token, words);
  [[maybe_unused]] const ssize_t written = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
}

/// The mark of a command that this signal ends, made before a handler needs it.
struct EndMark {
  int signal = 0;
  std::string bytes = {};
};

std::array end_marks{EndMark{SIGINT}, EndMark{SIGTERM}, EndMark{SIGHUP}, EndMark{SIGQUIT}};

void end_early(int number) {
  for (const EndMark& mark : end_marks) {
    if (mark.signal != number) continue;
    [[maybe_unused]] const ssize_t written = ::write(STDOUT_FILENO, mark.bytes.data(), mark.bytes.size());
  }
  ::_exit(128 + number);
}

/// Until the command catches signals itself, a signal ends it as usual, but the end is reported to the laptop: it would
/// take a missing word for a lost connection.
void tell_of_signals(const HopRequest& request) {
  for (EndMark& end : end_marks) {
    if (!request.dialogue) end.bytes = mark(request.token, fmt::format("end {}", 128 + end.signal));
    struct sigaction present = {};
    ::sigaction(end.signal, nullptr, &present);
    if (present.sa_handler == SIG_DFL) ::signal(end.signal, end_early);
  }
}

}  // namespace

void announce(const HopRequest& request, const std::string& words) {
  say(request, "announce " + words);
}

std::string notes_folder(const std::string& home) {
  return home + "/hop";
}

std::string run_of_token(const std::string& home, const std::string& token) {
  while (true) {
    // The process is searched first: if it ends in between, its note exists.
    const auto processes = processes_of(token);
    const bool alive = std::any_of(processes.begin(), processes.end(), [](const auto& one) { return !one.resumed; });
    if (const auto note = os::read_file(notes_folder(home) + "/" + token)) {
      return note->substr(0, note->find('\n'));
    }
    if (!alive) {
      throw Error("the connection was lost before there was a run", "rv ps shows whether a run was created",
                  ExitCode::connection);
    }
    std::this_thread::sleep_for(100ms);
  }
}

int answer(const HopRequest& request, const std::function<int()>& command) {
  // A run that is being started when the connection breaks is still started, and found again.
  if (request.follows) ::signal(SIGPIPE, SIG_IGN);
  if (request.signal.empty()) tell_of_signals(request);
  say(request, "start");
  int code = 0;
  if (!request.signal.empty()) {
    code = send_signal(request);
  } else if (!request.folder.empty() && ::chdir(request.folder.c_str()) != 0) {
    fmt::print(stderr, "rv: error: {} is not on the login node\n", request.folder);
    code = static_cast<int>(ExitCode::connection);
  } else {
    code = command();
  }
  std::fflush(stderr);
  if (!request.dialogue) say(request, fmt::format("end {}", code));
  return code;
}

}  // namespace rv::remote

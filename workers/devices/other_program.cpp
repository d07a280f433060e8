#include "workers/devices/other_program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sstream>

namespace rv::workers {
namespace {

using Clock = std::chrono::steady_clock;

/// In the child: only what a process of several threads may call between fork and exec.
[[noreturn]] void become(char* const* words, int out, pid_t parent) {
  const int null = ::open("/dev/null", O_RDWR);
  ::dup2(null, 0);
  ::dup2(out, 1);
  ::dup2(null, 2);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // it died before that was said
  ::signal(SIGTERM, SIG_DFL);
  ::signal(SIGINT, SIG_DFL);
  ::execv(words[0], words);
  ::_exit(127);
}

/// Until the end of what it says. False: not in time.
bool read_all(int from, std::string& text, Clock::time_point until) {
  std::array<char, 65536> buffer;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left <= 0) return false;
    pollfd one{from, POLLIN, 0};
    if (::poll(&one, 1, static_cast<int>(left)) <= 0) continue;
    const ssize_t count = ::read(from, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count == 0;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

std::string program_in_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (folder.empty()) continue;
    folder.append("/").append(name);
    if (::access(folder.c_str(), X_OK) == 0) return folder;
  }
  return {};
}

std::optional<std::string> output_of(const std::vector<std::string>& argv, double most_seconds) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  std::vector<std::string> copy = argv;
  std::vector<char*> words;
  words.reserve(copy.size() + 1);
  for (auto& word : copy) words.push_back(word.data());
  words.push_back(nullptr);
  const pid_t self = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) become(words.data(), ends[1], self);
  ::close(ends[1]);
  std::string text;
  const auto until =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(most_seconds));
  const bool whole = child > 0 && read_all(ends[0], text, until);
  ::close(ends[0]);
  if (child <= 0) return std::nullopt;
  if (!whole) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (!whole || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return text;
}

}  // namespace rv::workers

#include "workers/devices/other_program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sstream>

#include "shared/system/pipe_ends.h"
#include "shared/system/start_child.h"

namespace rv::workers {

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
  using Clock = std::chrono::steady_clock;
  auto pipe = os::make_pipe();
  if (!pipe) return std::nullopt;
  const os::Descriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  // Only async-signal-safe calls in the child, since this process may have several threads.
  const pid_t child = os::start_child({.argv = argv,
                                       .in = nothing.number(),
                                       .out = pipe->writes.number(),
                                       .err = nothing.number(),
                                       .death_signal = SIGKILL,
                                       .default_signals = {SIGTERM, SIGINT}});
  pipe->writes.close();
  if (child < 0) return std::nullopt;
  std::string text;
  const auto until =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(most_seconds));
  const bool whole = os::read_to_end(pipe->reads.number(), text, until);
  pipe->reads.close();  // a child that is still writing gets SIGPIPE
  if (!whole) ::kill(child, SIGKILL);
  const auto status = os::wait_for(child);
  if (!whole || !status || !WIFEXITED(*status) || WEXITSTATUS(*status) != 0) return std::nullopt;
  return text;
}

}  // namespace rv::workers

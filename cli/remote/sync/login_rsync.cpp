#include "cli/remote/sync/login_rsync.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/detached_process.h"
#include "base/os/host_name.h"
#include "base/os/local_command.h"
#include "base/text.h"
#include "cli/remote/sync/git.h"
#include "cli/remote/sync/project_store.h"
#include "cli/remote/sync/prune_snapshots.h"
#include "cli/remote/sync/rsync_shell.h"
#include "cli/settings/settings.h"
#include "monitor/run/resolve_run.h"
#include "monitor/run/run_facts.h"

namespace rv::sync {

namespace {

constexpr int program_missing = 127;

void enter(const std::string& folder) {
  if (::chdir(folder.c_str()) == 0) return;
  throw Error(fmt::format("can't enter {} on the login node: {}", folder, std::strerror(errno)),
              "check the folder's permissions");
}

int run_other_half(const std::vector<std::string>& command) {
  try {
    return os::run_local(command, std::nullopt, std::chrono::milliseconds(0)).exit_code;
  } catch (const Error& error) {
    if (static_cast<int>(error.code()) != program_missing) throw;
    throw Error(fmt::format("rsync is not installed on {}", os::host_name()),
                "ask the administrators, or install it yourself (conda install rsync) and put it into the PATH of "
                "non-interactive shells");
  }
}

int receive(const ProjectStore& store, const std::string& token, const std::vector<std::string>& command) {
  os::make_folder(store.files());
  const auto lock = lock_project(store, os::LockMode::exclusive);
  enter(store.files());
  say_on_stderr(token, "folder " + store.files());
  return run_other_half(command);
}

int let_look(const ProjectStore& store, const std::string& token, const std::vector<std::string>& command) {
  if (::access(store.files().c_str(), F_OK) != 0) {
    say_on_stderr(token, "absent");
    say_on_stderr(token, "folder " + store.files());
    return 1;
  }
  const auto lock = lock_project(store, os::LockMode::shared);
  enter(store.files());
  say_on_stderr(token, "folder " + store.files());
  return run_other_half(command);
}

int let_fetch(const Settings& settings, const std::string& name, const std::string& what, const std::string& token,
              const std::vector<std::string>& command) {
  const auto run = monitor::resolve_run(monitor::runs_in(settings.runs_folder()), name);
  enter(run.folder.file(what));
  say_on_stderr(token, "folder " + run.folder.file(what));
  say_on_stderr(token, "run " + run.record.id);
  const auto facts = monitor::read_facts(run.folder);
  if (monitor::copy_is_open(facts)) say_on_stderr(token, "copy is open");
  if (!facts.copies.trouble.empty()) say_on_stderr(token, "copy trouble " + one_line(facts.copies.trouble));
  return run_other_half(command);
}

int serve_rsync(const std::vector<std::string>& words) {
  const std::string& token = words[1];
  const std::vector<std::string> command(words.begin() + 4, words.end());
  try {
    const Settings settings = read_settings();
    const RsyncTarget place = target_of(words[2]);
    // Their words are the names of a run's own folders.
    if (place == RsyncTarget::output || place == RsyncTarget::logs) {
      return let_fetch(settings, words[3], target_name(place), token, command);
    }
    const ProjectStore store(settings.home, words[3]);
    if (place == RsyncTarget::look) return let_look(store, token, command);
    const int code = receive(store, token, command);
    // Nobody has to wait for what makes room.
    os::run_detached([&] { prune_snapshots(settings, {.wait_after_end = std::chrono::hours(1)}); });
    return code;
  } catch (const Error& error) {
    say_on_stderr(token, failure_words(error));
    return static_cast<int>(error.code());
  }
}

std::string whole_stdin() {
  std::string text;
  char buffer[65536];
  while (true) {
    const ssize_t count = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    // A name that was cut off could be another file's.
    if (count <= 0) return text.substr(0, text.rfind('\0') + 1);
    text.append(buffer, static_cast<std::size_t>(count));
  }
}

int serve_removal(const std::string& name, bool look) {
  const ProjectStore store(read_settings().home, name);
  const auto paths = split_nul(whole_stdin());
  if (::access(store.files().c_str(), F_OK) != 0) return 0;
  const auto lock = lock_project(store, os::LockMode::exclusive);
  const std::string removed = join_nul(remove_files(store, paths, look));
  std::fwrite(removed.data(), 1, removed.size(), stdout);
  return 0;
}

}  // namespace

std::optional<int> serve_sync(const std::vector<std::string>& words) {
  if (words.size() > 4 && words.front() == "--rsync") return serve_rsync(words);
  if (words.size() == 3 && words.front() == "--remove") return serve_removal(words[1], words[2] != "go");
  return std::nullopt;
}

}  // namespace rv::sync

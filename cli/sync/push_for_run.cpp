#include "cli/sync/push_for_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/current_folder.h"
#include "cli/sync/push.h"
#include "cli/sync/snapshot.h"
#include "planner/error.h"

namespace rv::cli::sync {

std::optional<remote::ProjectPlace> push_for_run(const HostSettings& there, const Invocation& invocation) {
  const auto project = find_project(current_folder());
  if (!project) return std::nullopt;
  const auto done = push({.project = *project,
                          .there = there,
                          .home = read_settings().home,
                          .dry_run = false,
                          .shows_progress = invocation.terminal.err && !invocation.json});
  if (!invocation.json) {
    fmt::print(stderr, "rv: pushed {} to {}: {}\n", shown(project->root), there.host, summary(done.changes));
  }
  return remote::ProjectPlace{.name = name_of(*project), .folder = project->folder};
}

void enter_snapshot(const remote::ProjectPlace& place, const std::string& home) {
  const std::string folder = make_snapshot(ProjectStore(home, place.name)) + "/" + place.folder;
  // A folder without files in it was not pushed.
  std::error_code fault;
  std::filesystem::create_directories(folder, fault);
  if (fault || ::chdir(folder.c_str()) != 0) {
    throw Error(fmt::format("can't enter {}: {}", folder, fault ? fault.message() : std::strerror(errno)),
                "a file of the project is in its place?");
  }
}

}  // namespace rv::cli::sync

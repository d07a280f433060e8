#include "cli/launch/push_for_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/os/current_folder.h"
#include "cli/code/code_version.h"
#include "cli/remote/sync/push.h"
#include "cli/remote/sync/snapshot.h"

namespace rv::cli {

std::optional<remote::ProjectPlace> push_for_run(const HostSettings& there, const Invocation& invocation) {
  const auto project = sync::find_project(os::current_folder());
  if (!project) return std::nullopt;
  const auto done = sync::push({.project = *project,
                                .there = there,
                                .home = read_settings().home,
                                .dry_run = false,
                                .shows_progress = invocation.terminal.err && !invocation.json});
  if (!invocation.json) {
    fmt::print(stderr, "rv: pushed {} to {}: {}\n", sync::shown(project->root), there.host,
               sync::summary(done.changes));
  }
  remote::ProjectPlace place{.name = sync::name_of(*project), .folder = project->folder, .code = {}};
  // The request is an argument of ssh, too short for a diff; the files are in the snapshot.
  if (const auto version = read_code_version(project->root, Diff::left_out)) place.code = to_record(*version);
  return place;
}

void enter_snapshot(const remote::ProjectPlace& place, const std::string& home) {
  const std::string snapshot = sync::make_snapshot(sync::ProjectStore(home, place.name));
  if (const auto version = parse_record(place.code)) write_code_version(snapshot + ".", *version);
  const std::string folder = snapshot + "/" + place.folder;
  // A folder without files in it was not pushed.
  std::error_code fault;
  std::filesystem::create_directories(folder, fault);
  if (fault || ::chdir(folder.c_str()) != 0) {
    throw Error(fmt::format("can't enter {}: {}", folder, fault ? fault.message() : std::strerror(errno)),
                "a file of the project may be at this path");
  }
}

}  // namespace rv::cli

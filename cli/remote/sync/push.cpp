#include "cli/remote/sync/push.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/os/host_name.h"
#include "cli/remote/hop/hop.h"
#include "cli/remote/sync/git.h"
#include "cli/remote/sync/project_files.h"
#include "cli/remote/sync/pushed_list.h"
#include "cli/remote/sync/rsync.h"

namespace rv::sync {

namespace {

std::vector<std::string> paths_of(const FileStates& states) {
  std::vector<std::string> paths;
  paths.reserve(states.size());
  for (const auto& [path, state] : states) paths.push_back(path);
  return paths;
}

/// Those of them that were there.
std::vector<std::string> remove_there(const PushOrder& order, const std::string& name,
                                      const std::vector<std::string>& paths) {
  std::string answer;
  const int code = remote::run_there({.host = order.there.host,
                                      .cluster_home = order.there.cluster_home,
                                      .folder = "",
                                      .words = {"--remove", name, order.dry_run ? "look" : "go"},
                                      .follows = false,
                                      .terminal = {},
                                      .input = join_nul(paths),
                                      .output = [&](std::string_view bytes) { answer += bytes; }});
  if (code == static_cast<int>(ExitCode::interrupted)) throw Error("interrupted", "", ExitCode::interrupted);
  if (code != 0) {
    throw Error(fmt::format("can't delete on {} the files that you deleted here", order.there.host),
                "nothing else was pushed; try again");
  }
  return split_nul(answer);
}

void add(Changes& changes, const std::vector<Transfer>& transfers) {
  for (const auto& transfer : transfers) {
    (transfer.fresh ? changes.fresh : changes.changed).push_back(transfer.path);
    if (transfer.content) changes.bytes += transfer.size;
  }
}

}  // namespace

std::string name_of(const Project& project) {
  return project_name(project.root, os::host_name());
}

Pushed push(const PushOrder& order) {
  const std::string name = name_of(order.project);
  const PushedList list(order.home, name, order.there);
  Pushed done;
  done.states = project_files(order.project.root);
  const auto before = list.read();
  const auto lost = before ? gone(*before, done.states) : std::vector<std::string>();
  if (!lost.empty()) done.changes.gone = remove_there(order, name, lost);
  if (!order.dry_run && before != done.states) list.write(in_flight(before, done.states));

  RsyncOrder rsync{.there = order.there,
                   .local_folder = "",
                   .place = order.dry_run ? RsyncTarget::look : RsyncTarget::receive,
                   .name = name,
                   .to_cluster = true,
                   .folder = order.project.root,
                   .options = {},
                   .paths = paths_of(done.states),
                   .shows_progress = order.shows_progress};
  // In a dry run, files that are gone here still exist there, and one may be where a folder or file would be copied.
  if (order.dry_run) rsync.options.insert(rsync.options.end(), {"--dry-run", "--force"});
  if (!before) {
    rsync.options.emplace_back("--ignore-times");
  } else if (const auto hidden = hidden_from_rsync(*before, done.states); !hidden.empty()) {
    RsyncOrder whole = rsync;
    whole.paths = hidden;
    whole.options.emplace_back("--ignore-times");
    add(done.changes, run_rsync(whole).transfers);
    std::erase_if(*rsync.paths,
                  [&](const auto& path) { return std::binary_search(hidden.begin(), hidden.end(), path); });
  }
  const auto end = run_rsync(rsync);
  done.folder = end.folder;
  add(done.changes, end.transfers);
  if (end.absent) {
    done.changes.fresh = paths_of(done.states);
    for (const auto& [path, state] : done.states) done.changes.bytes += state.size;
  }
  if (!order.dry_run && before != done.states) list.write(done.states);
  return done;
}

}  // namespace rv::sync

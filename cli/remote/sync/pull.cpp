#include "cli/remote/sync/pull.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "cli/remote/sync/project_files.h"
#include "cli/remote/sync/pull_choice.h"
#include "cli/remote/sync/pushed_list.h"
#include "cli/remote/sync/rsync.h"

namespace rv::sync {

namespace {

HereStates states_here(const std::string& root, const std::vector<Transfer>& transfers) {
  HereStates here;
  std::set<std::string> seen;
  const auto look = [&](const std::string& path, bool leads_to_file) {
    struct stat status {};
    if (!seen.insert(path).second || ::lstat((root + "/" + path).c_str(), &status) != 0) return;
    if (!S_ISDIR(status.st_mode)) {
      here.files.emplace(path, state_of(status));
    } else if (!leads_to_file) {
      here.folders.insert(path);
    }
  };
  for (const auto& transfer : transfers) {
    const std::string& path = transfer.path;
    for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
      look(path.substr(0, slash), true);
    }
    look(path, false);
  }
  return here;
}

/// Without files that are new on the cluster and that a push would leave out: a build there stays there.
void drop_left_out(const std::string& root, const FileStates& pushed, std::vector<Transfer>& transfers) {
  std::vector<std::string> unknown;
  for (const auto& transfer : transfers) {
    if (pushed.count(transfer.path) == 0) unknown.push_back(transfer.path);
  }
  const auto found = left_out(root, unknown);
  const std::set<std::string> ignored(found.begin(), found.end());
  std::erase_if(transfers, [&](const Transfer& transfer) { return ignored.count(transfer.path) > 0; });
}

RsyncEnd run(const PushOrder& order, const std::string& name, std::vector<std::string> options,
             std::optional<std::vector<std::string>> paths) {
  return run_rsync({.there = order.there,
                    .local_folder = "",
                    .place = RsyncTarget::look,
                    .name = name,
                    .to_cluster = false,
                    .folder = order.project.root,
                    .options = std::move(options),
                    .paths = std::move(paths),
                    .shows_progress = order.shows_progress});
}

}  // namespace

Pulled pull(const PushOrder& order, bool force) {
  const std::string name = name_of(order.project);
  const PushedList list(order.home, name, order.there);
  // Without --force, rsync ends at a folder that is in the place of a file, also in a dry run.
  auto looked =
      run(order, name, {"-r", "--dry-run", "--force", "--exclude=.rv-partial", "--exclude=.git"}, std::nullopt);
  if (looked.absent) {
    throw Error(fmt::format("nothing was pushed to {} from {} yet", order.there.host, order.project.root),
                "rv sync push pushes them", ExitCode::usage);
  }
  FileStates pushed = list.read().value_or(FileStates());
  drop_left_out(order.project.root, pushed, looked.transfers);
  const auto choice = choose_pull(looked.transfers, pushed, states_here(order.project.root, looked.transfers), force);

  Pulled done;
  done.folder = looked.folder;
  done.kept = choice.kept;
  done.blocked = choice.blocked;
  done.changes.refused_links = looked.refused_links;
  const std::set<std::string> wanted(choice.wanted.begin(), choice.wanted.end());
  for (const auto& transfer : looked.transfers) {
    if (wanted.count(transfer.path) == 0) continue;
    (transfer.fresh ? done.changes.fresh : done.changes.changed).push_back(transfer.path);
    if (transfer.content) done.changes.bytes += transfer.size;
  }
  if (order.dry_run || choice.wanted.empty()) return done;
  run(order, name, {}, choice.wanted);
  for (const auto& path : choice.wanted) {
    if (const auto state = state_of(order.project.root + "/" + path)) pushed[path] = *state;
  }
  list.write(pushed);
  return done;
}

}  // namespace rv::sync

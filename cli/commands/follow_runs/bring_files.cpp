#include "cli/commands/follow_runs/bring_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/current_folder.h"
#include "base/text.h"
#include "cli/json/values_json.h"
#include "cli/launch/login_node.h"
#include "cli/remote/sync/changes.h"
#include "cli/remote/sync/pull_folder.h"
#include "cli/remote/sync/rsync_shell.h"
#include "monitor/run/resolve_run.h"
#include "monitor/run/run_facts.h"

namespace rv::cli {
namespace {

namespace fs = std::filesystem;

/// The folder of the output. It is created here, and removed again if no file was fetched.
class Destination {
 public:
  Destination(const FilesToBring& wanted, bool make) {
    shown_ = wanted.to;
    if (shown_.empty()) {
      std::string name = wanted.run;
      std::replace(name.begin(), name.end(), '/', '_');
      shown_ = std::string(sync::pull_folder) + "/" + name;
      if (wanted.files == sync::RsyncTarget::logs) shown_ += "/logs";
    }
    path_ = fs::path(os::current_folder()) / shown_;
    if (!make) return;
    std::error_code fault;
    made_ = fs::create_directories(path_, fault);
    if (fault) {
      throw Error(fmt::format("can't create the folder {}: {}", shown_, fault.message()),
                  wanted.files == sync::RsyncTarget::logs ? "choose another: rv logs --pull RUN --to FOLDER"
                                                          : "choose another: rv pull RUN DEST",
                  ExitCode::usage);
    }
    // The files belong to the run and must not be pushed back.
    const std::string ignore = std::string(sync::pull_folder) + "/.gitignore";
    if (wanted.to.empty() && ::access(ignore.c_str(), F_OK) != 0) os::write_file(ignore, "*\n");
  }
  ~Destination() {
    std::error_code ignored;
    if (made_) fs::remove(path_, ignored);  // only an empty one goes
  }
  Destination(const Destination&) = delete;
  Destination& operator=(const Destination&) = delete;

  const std::string& path() const { return path_; }
  const std::string& shown() const { return shown_; }

 private:
  std::string path_;
  std::string shown_;
  bool made_ = false;
};

sync::RsyncEnd fetch(const FilesToBring& wanted, const Destination& to, const Invocation& invocation) {
  const auto there = login_node(invocation);
  sync::RsyncOrder order{.there = there.value_or(HostSettings()),
                         .local_folder = "",
                         .place = wanted.files,
                         .name = wanted.run,
                         .to_cluster = false,
                         .folder = wanted.dry_run && !fs::is_directory(to.path()) ? "/" : to.path(),
                         .options = {"-r", "--exclude=.rv-partial"},
                         .paths = std::nullopt,
                         .shows_progress = invocation.terminal.err && !invocation.json};
  if (wanted.dry_run) order.options.emplace_back("--dry-run");
  if (there) return sync::run_rsync(order);
  const auto run = monitor::resolve_run(monitor::runs_in(invocation.settings.runs_folder()), wanted.run);
  order.local_folder = run.folder.file(sync::target_name(wanted.files) + "/");
  auto end = sync::run_rsync(order);
  end.run = run.record.id;
  const auto facts = monitor::read_facts(run.folder);
  end.copy_is_open = monitor::copy_is_open(facts);
  end.copy_trouble = facts.copies.trouble;
  end.folder = run.folder.file(sync::target_name(wanted.files));
  return end;
}

}  // namespace

int bring_files(const FilesToBring& wanted, const Invocation& invocation) {
  monitor::refuse_empty(wanted.run);
  const Destination to(wanted, !wanted.dry_run);
  const auto end = fetch(wanted, to, invocation);
  sync::Changes changes;
  changes.refused_links = end.refused_links;
  fmt::print(stderr, "{}", sync::refused_links_text(changes));
  if (end.copy_is_open && wanted.files == sync::RsyncTarget::output) {
    fmt::print(stderr,
               "rv: run {0} is still copying its output (--output), or the copy was interrupted; see rv show {0}\n",
               end.run);
  }
  if (!end.copy_trouble.empty() && wanted.files == sync::RsyncTarget::output) {
    fmt::print(stderr, "rv: warning: {}\n", one_line(end.copy_trouble));
  }
  for (const auto& transfer : end.transfers) {
    (transfer.fresh ? changes.fresh : changes.changed).push_back(transfer.path);
    if (transfer.content) changes.bytes += transfer.size;
  }
  if (invocation.json) {
    nlohmann::ordered_json json;
    json["run"] = end.run;
    json["dry_run"] = wanted.dry_run;
    if (wanted.files == sync::RsyncTarget::output) json["copy_is_open"] = end.copy_is_open;
    json["from"] = end.folder;
    json["to"] = to.path();
    sync::add_changes(json, changes);
    fmt::print("{}", json_text(json));
    return 0;
  }
  const bool first = !fs::exists(to.path()) || fs::is_empty(to.path());
  if (changes.none() && first) {
    if (wanted.files == sync::RsyncTarget::logs) {
      fmt::print(stderr, "rv: run {} has no output yet\n", end.run);
    } else if (!end.copy_trouble.empty()) {
      fmt::print(stderr, "rv: run {} has no output files\n", end.run);
    } else {
      fmt::print(stderr, "rv: run {} has no output files; rv run -o PATH saves them when the command ends\n", end.run);
    }
    return 0;
  }
  fmt::print("run {} to {}\n", end.run, to.shown());
  if (wanted.dry_run || invocation.verbose) fmt::print("{}", sync::listing(changes));
  fmt::print("{}\n", sync::summary(changes));
  return 0;
}

}  // namespace rv::cli

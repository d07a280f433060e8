// rv pull: a run's output files come here.

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/current_folder.h"
#include "cli/commands/commands.h"
#include "cli/json/values_json.h"
#include "cli/launch/login_node.h"
#include "monitor/run/resolve_run.h"
#include "remote/sync/changes.h"
#include "remote/sync/pull_folder.h"
#include "remote/sync/rsync.h"

namespace rv::cli {
namespace {

namespace fs = std::filesystem;

struct PullOptions {
  std::string run;
  std::string to;
  bool dry_run = false;
};

/// Where the output goes. Made here, and taken away again when nothing came.
class Destination {
 public:
  Destination(const PullOptions& options, bool make) {
    shown_ = options.to;
    if (shown_.empty()) {
      std::string name = options.run;
      std::replace(name.begin(), name.end(), '/', '_');
      shown_ = std::string(sync::pull_folder) + "/" + name;
    }
    path_ = fs::path(os::current_folder()) / shown_;
    if (!make) return;
    std::error_code fault;
    made_ = fs::create_directories(path_, fault);
    if (fault) {
      throw Error(fmt::format("can't make the folder {}: {}", shown_, fault.message()),
                  "name another one: rv pull ID DEST", ExitCode::usage);
    }
    // What comes here is the run's, and no push is to bring it back.
    const std::string ignore = std::string(sync::pull_folder) + "/.gitignore";
    if (options.to.empty() && ::access(ignore.c_str(), F_OK) != 0) os::write_file(ignore, "*\n");
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

sync::RsyncEnd fetch(const PullOptions& options, const Destination& to, const Invocation& invocation) {
  const auto there = login_node(invocation);
  sync::RsyncOrder order{.there = there.value_or(HostSettings()),
                         .local_folder = "",
                         .place = sync::Place::output,
                         .name = options.run,
                         .to_cluster = false,
                         .folder = options.dry_run && !fs::is_directory(to.path()) ? "/" : to.path(),
                         .options = {"-r", "--exclude=.rv-partial"},
                         .paths = std::nullopt,
                         .shows_progress = invocation.terminal.err && !invocation.json};
  if (options.dry_run) order.options.emplace_back("--dry-run");
  if (there) return sync::run_rsync(order);
  const auto run = monitor::resolve_run(monitor::known_runs(invocation.settings.runs_folder()), options.run);
  order.local_folder = run.folder.file("output/");
  auto end = sync::run_rsync(order);
  end.run = run.record.id;
  end.folder = run.folder.file("output");
  return end;
}

int pull(const PullOptions& options, const Invocation& invocation) {
  monitor::refuse_empty(options.run);
  const Destination to(options, !options.dry_run);
  const auto end = fetch(options, to, invocation);
  sync::Changes changes;
  for (const auto& transfer : end.transfers) {
    (transfer.fresh ? changes.fresh : changes.changed).push_back(transfer.path);
    if (transfer.content) changes.bytes += transfer.size;
  }
  if (invocation.json) {
    nlohmann::ordered_json json;
    json["run"] = end.run;
    json["dry_run"] = options.dry_run;
    json["from"] = end.folder;
    json["to"] = to.path();
    sync::add_changes(json, changes);
    fmt::print("{}", json_text(json));
    return 0;
  }
  const bool first = !fs::exists(to.path()) || fs::is_empty(to.path());
  if (changes.none() && first) {
    fmt::print(stderr, "rv: run {} has no output files; rv run -o PATH keeps them once its command has ended\n",
               end.run);
    return 0;
  }
  fmt::print("run {} to {}\n", end.run, to.shown());
  if (options.dry_run || invocation.verbose) fmt::print("{}", sync::listing(changes));
  fmt::print("{}\n", sync::summary(changes));
  return 0;
}

void add(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = std::make_shared<PullOptions>();
  command.add_option("run", options->run, "ID, name, or unique beginning of an ID")->required();
  command.add_option("destination", options->to, "the folder they go to (rv-output/RUN)");
  command.add_flag("-n,--dry-run", options->dry_run, "only say what would come");
  command.footer(
      "Output files are what rv run -o named and what the command wrote to $RV_OUTPUT_DIR. What has\n"
      "come already does not come again; after a broken connection the rest does.\n"
      "\n"
      "Examples:\n"
      "  rv pull k3f9x2\n"
      "  rv pull train results/");
  command.callback([=, &invocation, &action] { action = [=, &invocation] { return pull(*options, invocation); }; });
}

}  // namespace

const Command pull_command{
    .name = "pull",
    .summary = "Bring a run's output files here",
    .group = groups::follow_runs,
    .place = Place::here,
    .add = add,
};

}  // namespace rv::cli

// rv sync: a project's files between the laptop and the cluster.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/commands/commands.h"
#include "cli/json/values_json.h"
#include "cli/launch/login_node.h"
#include "cli/options/command_option.h"
#include "cli/remote/sync/pull.h"
#include "cli/remote/sync/push.h"
#include "cli/remote/sync/watch.h"

namespace rv::cli {
namespace {

struct SyncOptions {
  std::string action;
  bool dry_run = false;
  bool force = false;
};

sync::PushOrder order_for(const SyncOptions& options, const Invocation& invocation) {
  const auto there = login_node(invocation);
  if (!there) {
    throw Error("rv sync needs a login node", "write rv -H login.site.edu sync push, or set it with rv init",
                ExitCode::usage);
  }
  return {.project = sync::current_project(),
          .there = *there,
          .home = invocation.settings.home,
          .dry_run = options.dry_run,
          .shows_progress = invocation.terminal.err && !invocation.json};
}

nlohmann::ordered_json document(const SyncOptions& options, const sync::PushOrder& order, const std::string& folder,
                                const sync::Changes& changes) {
  nlohmann::ordered_json json;
  json["action"] = options.action;
  json["dry_run"] = options.dry_run;
  json["host"] = order.there.host;
  json["folder"] = folder;
  sync::add_changes(json, changes);
  return json;
}

void print_changes(const std::string& where, const sync::Changes& changes, bool names) {
  fmt::print("{}\n{}{}\n", where, names ? sync::listing(changes) : "", sync::summary(changes));
}

int push(const SyncOptions& options, const Invocation& invocation) {
  const auto order = order_for(options, invocation);
  const auto done = sync::push(order);
  if (invocation.json) {
    fmt::print("{}", cli::json_text(document(options, order, done.folder, done.changes)));
  } else {
    print_changes(fmt::format("to {}:{}", order.there.host, done.folder), done.changes,
                  options.dry_run || invocation.verbose);
  }
  return 0;
}

std::string names_of(std::vector<std::string> paths) {
  for (auto& path : paths) path = sync::shown(path);
  return listed(paths);
}

int pull(const SyncOptions& options, const Invocation& invocation) {
  const auto order = order_for(options, invocation);
  const auto done = sync::pull(order, options.force);
  fmt::print(stderr, "{}", sync::refused_links_text(done.changes));
  if (invocation.json) {
    auto json = document(options, order, done.folder, done.changes);
    json["kept"] = done.kept;
    json["blocked"] = done.blocked;
    fmt::print("{}", cli::json_text(json));
  } else {
    print_changes(fmt::format("from {}:{}", order.there.host, done.folder), done.changes, true);
  }
  if (!done.blocked.empty()) {
    throw Error("not pulled, because a folder is in their place here: " + names_of(done.blocked),
                "rename or remove the folder" + (done.kept.empty() ? "" : "; also not pulled: " + names_of(done.kept)));
  }
  if (done.kept.empty()) return 0;
  throw Error("not pulled, because both sides changed them since the last push: " + names_of(done.kept),
              "keep the cluster's files with rv sync pull --force, or yours with rv sync push");
}

int watch(const SyncOptions& options, const Invocation& invocation) {
  const auto order = order_for(options, invocation);
  return sync::watch(order, [&](const sync::Pushed& done) {
    if (invocation.json) {
      fmt::print("{}", cli::json_text(document(options, order, done.folder, done.changes), -1));
    } else {
      fmt::print("{}{}\n", sync::listing(done.changes), sync::summary(done.changes));
    }
    std::fflush(stdout);
  });
}

void check(const SyncOptions& options) {
  const std::vector<std::string> known{"push", "pull", "watch"};
  if (std::find(known.begin(), known.end(), options.action) == known.end()) {
    throw Error(fmt::format("rv sync: unknown action \"{}\"{}", options.action, suggestion(options.action, known)),
                "the actions are push, pull and watch", ExitCode::usage);
  }
  if (options.force && options.action != "pull") {
    throw Error("--force needs rv sync pull", "see rv sync --help", ExitCode::usage);
  }
  if (options.dry_run && options.action == "watch") {
    throw Error("watch and --dry-run can't be combined", "rv sync push --dry-run", ExitCode::usage);
  }
}

void add_sync(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = std::make_shared<SyncOptions>();
  add_option(command, "action", options->action, "push, pull or watch (push on every change)").required();
  add_flag(command, "-n,--dry-run", options->dry_run, "only list what would be copied");
  add_flag(command, "--force", options->force, "with pull: take the cluster's file if both sides changed it");
  set_footer(command,
             "A project is the nearest folder upwards with .git or .rvignore. Files that git or .rvignore ignore\n"
             "are not copied. rv run pushes by itself.\n"
             "\n"
             "Examples:\n"
             "  rv sync push --dry-run\n"
             "  rv sync push\n"
             "  rv sync watch\n"
             "  rv sync pull");
  set_callback(command, [=, &invocation, &action] {
    check(*options);
    action = [=, &invocation] {
      if (options->action == "push") return push(*options, invocation);
      return options->action == "pull" ? pull(*options, invocation) : watch(*options, invocation);
    };
  });
}

}  // namespace

extern const Command sync_command{
    .name = "sync",
    .summary = "Copy this project's files to the cluster, or back",
    .group = groups::other,
    .example = "rv sync push; the actions are push, pull and watch",
    .runs_on = RunsOn::here,
    .add = add_sync,
};

}  // namespace rv::cli

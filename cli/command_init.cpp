// rv init: settings that have been tried out.

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <set>

#include "cli/commands.h"
#include "cli/config_file.h"
#include "cli/remote/hop.h"
#include "cli/remote/remote_script.h"
#include "monitor/atomic_file.h"
#include "planner/error.h"
#include "slurm/gateway.h"

namespace rv::cli {
namespace {

struct InitOptions {
  std::string account;
  std::string scratch;
  std::string cluster_home;
};

void say(const std::string& what, const std::string& found) {
  fmt::print("{:<14}{}\n", what, found);
}

void keep(const std::string& path, const std::string& key, const std::string& value) {
  if (!value.empty()) say(key, value + (write_setting(path, key, value) ? "" : " (as before)"));
}

/// A file is written and removed, because permissions, quotas and read-only mounts are told apart by that alone.
void check_folder(const std::string& what, const std::string& path) {
  try {
    monitor::make_folder(path);
    const std::string probe = path + "/.rv-init";
    monitor::write_file(probe, std::string(1 << 20, 'x'));
    ::unlink(probe.c_str());
  } catch (const Error& trouble) {
    throw Error(fmt::format("{} can't be used: {}", what, trouble.what()),
                fmt::format("name another folder: rv init --{} DIR", what == "scratch" ? "scratch" : "cluster-home"),
                ExitCode::usage);
  }
  struct statvfs disk {};
  const bool known = ::statvfs(path.c_str(), &disk) == 0;
  const double gigabytes = static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize) / 1e9;
  say(what, path + (known ? fmt::format(", can be written, {:.1f} GB free", gigabytes) : ", can be written"));
}

void check_account(const planner::Cluster& cluster, const std::string& account) {
  if (cluster.unanswered.contains("associations") || cluster.associations.empty()) {
    say("accounts", "unknown: accounting did not answer");
    return;
  }
  std::set<std::string> accounts;
  for (const auto& association : cluster.associations) accounts.insert(association.account);
  if (!account.empty() && !accounts.contains(account)) {
    throw Error(fmt::format("you have no account {} on {}", account, cluster.controller.cluster_name),
                fmt::format("yours: {}", fmt::join(accounts, ", ")), ExitCode::usage);
  }
  say("accounts", fmt::format("{}", fmt::join(accounts, ", ")));
}

int check_here(const InitOptions& options, const Invocation& invocation) {
  const Settings& settings = invocation.settings;
  const auto cluster = slurm::Gateway().read_cluster();
  say("Slurm", fmt::format("{} on {}, {} nodes", cluster.controller.version, cluster.controller.cluster_name,
                           cluster.nodes.size()));
  check_account(cluster, options.account.empty() ? settings.account : options.account);
  check_folder("cluster-home", settings.home);
  check_folder("scratch", options.scratch.empty() ? settings.scratch : options.scratch);
  const std::string file = settings.home + "/config.yaml";
  keep(file, "account", options.account);
  keep(file, "scratch", options.scratch);
  return 0;
}

std::string asked_host(const Invocation& invocation) {
  const bool people = invocation.terminal.in && invocation.terminal.err;
  if (!people) return {};
  fmt::print(stderr, "Login node, as ssh knows it (empty: this machine is one): ");
  std::string host;
  std::getline(std::cin, host);
  return host;
}

int init(const InitOptions& options, const Invocation& invocation) {
  if (invocation.hop) return check_here(options, invocation);
  const Settings& settings = invocation.settings;
  std::string host = invocation.host.empty() ? settings.host : invocation.host;
  if (host.empty()) host = asked_host(invocation);
  if (host.empty()) return check_here(options, invocation);

  const std::string there = options.cluster_home.empty() ? settings.cluster_home : options.cluster_home;
  if (!there.empty() && (!there.starts_with('/') || !remote::is_plain_word(there))) {
    throw Error(fmt::format("--cluster-home {}: an absolute folder of plain characters is expected", there),
                "write it like --cluster-home /scratch/ann/rv", ExitCode::usage);
  }
  std::vector<std::string> words{"init"};
  if (!options.account.empty()) words.insert(words.end(), {"--account", options.account});
  if (!options.scratch.empty()) words.insert(words.end(), {"--scratch", options.scratch});
  const int code = remote::run_there({.host = host,
                                      .cluster_home = there,
                                      .folder = "",
                                      .words = words,
                                      .follows = false,
                                      .terminal = invocation.terminal});
  if (code != 0) return code;
  const std::string file = settings.home + "/config.yaml";
  keep(file, "host", host);
  keep(file, "cluster_home", options.cluster_home);
  return 0;
}

}  // namespace

void add_init(CLI::App& app, const Invocation& invocation, Action& action) {
  auto* command = app.add_subcommand("init", "Set up rv: tries ssh, Slurm and the folders, writes the settings");
  auto options = std::make_shared<InitOptions>();
  command->add_option("--account", options->account, "the account to charge by default")->type_name("NAME");
  command->add_option("--scratch", options->scratch, "folder for caches on the cluster")->type_name("DIR");
  command->add_option("--cluster-home", options->cluster_home, "folder of rv and its runs on the cluster")
      ->type_name("DIR");
  command->footer(
      "Examples:\n"
      "  rv init -H login.site.edu --account lab    on a laptop\n"
      "  rv init --account lab                      on the login node");
  command->callback([=, &invocation, &action] { action = [=, &invocation] { return init(*options, invocation); }; });
}

}  // namespace rv::cli

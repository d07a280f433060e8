// rv init: settings that have been tried out.

#include <fmt/format.h>

#include "base/error.h"
#include "base/quote.h"
#include "base/wrong_value.h"
#include "cli/commands/commands.h"
#include "cli/launch/login_node.h"
#include "cli/options/command_option.h"
#include "cli/remote/hop/hop.h"
#include "cli/remote/hop/remote_script.h"
#include "cli/setup/ask.h"
#include "cli/setup/init_here.h"

namespace rv::cli {
namespace {

std::string with_user(const std::string& host, const std::string& user) {
  return user.empty() ? host : user + "@" + host.substr(host.find('@') + 1);
}

void check_home(const std::string& path) {
  if (path.empty() || (path.starts_with('/') && is_plain_word(path))) return;
  throw wrong_value("--cluster-home", path, "an absolute folder of plain characters",
                    "write it like --cluster-home /scratch/ann/rv");
}

int init(const InitOptions& options, const Invocation& invocation) {
  if (invocation.hop) return set_up_here(options, invocation);
  const Settings& settings = invocation.settings;
  const bool asks = can_ask(invocation.terminal) && !invocation.json;
  std::string host = invocation.host.empty() ? settings.host : invocation.host;
  if (invocation.host.empty() && asks) host = ask("Login node, as for ssh (empty: this machine)", host);
  if (host.empty() || is_this_machine(with_user(host, options.user))) {
    if (!options.user.empty() || !options.cluster_home.empty()) {
      throw Error("--user and --cluster-home are for a login node that is reached over ssh",
                  "name it: rv init -H login.site.edu; on the login node itself RV_HOME names the folder",
                  ExitCode::usage);
    }
    return set_up_here(options, invocation);
  }

  std::string user = options.user;
  if (user.empty() && asks && host.find('@') == std::string::npos) user = ask("User there (empty: ssh's default)", "");
  host = with_user(host, user);
  // The settings for another host's folder do not apply here.
  const std::string known_home = host == settings.host ? settings.cluster_home : "";
  std::string home = options.cluster_home.empty() ? known_home : options.cluster_home;
  if (options.cluster_home.empty() && asks) home = ask("Folder for rv and its runs there (empty: ~/.rv)", home);
  check_home(home);

  std::vector<std::string> words{"init"};
  if (!options.account.empty()) words.insert(words.end(), {"--account", options.account});
  if (!options.scratch.empty()) words.insert(words.end(), {"--scratch", options.scratch});
  if (invocation.json) words.emplace_back("--json");
  const int code = remote::run_there({.host = host,
                                      .cluster_home = home,
                                      .folder = "",
                                      .words = words,
                                      .follows = false,
                                      .terminal = invocation.terminal});
  if (code != 0) return code;
  const std::string file = settings.home + "/config.yaml";
  keep_setting(file, "host", host, invocation);
  keep_setting(file, "cluster_home", home, invocation);
  if (!invocation.json) say_found("ready", "rv up -g 1");
  return 0;
}

void add_init(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = std::make_shared<InitOptions>();
  add_option(command, "--user", options->user, "user on the login node (default: ssh's)").type_name("NAME");
  add_option(command, "--account", options->account, "default account to charge").type_name("NAME");
  add_option(command, "--scratch", options->scratch, "folder for caches on the cluster").type_name("DIR");
  add_option(command, "--cluster-home", options->cluster_home,
             "folder of rv and its runs on the cluster (default: ~/.rv)")
      .type_name("DIR");
  set_footer(command,
             "On a terminal rv init prompts for missing values.\n"
             "\n"
             "Examples:\n"
             "  rv init                                                   asks\n"
             "  rv init -H login.site.edu --user ann --account lab        on a laptop\n"
             "  rv init --account lab --scratch /scratch/ann              on the login node");
  set_callback(command,
               [=, &invocation, &action] { action = [=, &invocation] { return init(*options, invocation); }; });
}

}  // namespace

extern const Command init_command{
    .name = "init",
    .summary = "Set up rv: test ssh, Slurm and the folders, write the settings",
    .group = groups::other,
    .runs_on = RunsOn::here,
    .add = add_init,
};

}  // namespace rv::cli

#include "cli/setup/init_here.h"

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/host_name.h"
#include "base/text.h"
#include "base/wrong_value.h"
#include "cli/json/values_json.h"
#include "cli/settings/config_file.h"
#include "cli/setup/ask.h"
#include "cli/setup/quota.h"
#include "monitor/run/hard_links.h"
#include "slurm/gateway.h"

namespace rv::cli {
namespace {

struct Folder {
  std::string path;
  std::optional<double> free_bytes;
};

/// Only writing a file and removing it finds all of permissions, quotas and read-only mounts.
Folder try_folder(const std::string& option, const std::string& path) {
  try {
    os::make_folder(path);
    const std::string probe = fmt::format("{}/.rv-init.{}", path, ::getpid());
    os::write_file(probe, std::string(1 << 20, 'x'));
    ::unlink(probe.c_str());
  } catch (const Error& trouble) {
    throw Error(fmt::format("{} can't be used: {}", path, trouble.what()),
                fmt::format("name another folder: rv init --{} DIR", option), ExitCode::usage);
  }
  struct statvfs disk {};
  if (::statvfs(path.c_str(), &disk) != 0) return {path, std::nullopt};
  return {path, static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize)};
}

std::string folder_line(const Folder& folder) {
  const std::string free = folder.free_bytes ? fmt::format(", {:.1f} GB free", *folder.free_bytes / 1e9) : "";
  return folder.path + ", can be written" + free;
}

nlohmann::ordered_json folder_json(const Folder& folder) {
  return {{"path", folder.path},
          {"free_bytes", folder.free_bytes ? nlohmann::ordered_json(static_cast<std::int64_t>(*folder.free_bytes))
                                           : nlohmann::ordered_json()}};
}

/// The caller's accounts; nothing where accounting did not answer.
std::optional<std::vector<planner::DatabaseName>> accounts_of(const planner::Cluster& cluster) {
  if (cluster.unanswered.contains("associations") || cluster.associations.empty()) return std::nullopt;
  std::set<planner::DatabaseName> accounts;
  for (const auto& association : cluster.associations) accounts.insert(association.account);
  return std::vector<planner::DatabaseName>(accounts.begin(), accounts.end());
}

void check_account(const std::optional<std::vector<planner::DatabaseName>>& accounts,
                   const planner::DatabaseName& account, const planner::DatabaseName& cluster) {
  if (!accounts || account.empty()) return;
  if (std::find(accounts->begin(), accounts->end(), account) != accounts->end()) return;
  const std::vector<std::string> own = planner::texts_of(*accounts);
  throw Error(fmt::format("you have no account \"{}\" on {}{}", account.text(), cluster.text(),
                          suggestion(account.text(), own)),
              fmt::format("yours: {}", fmt::join(own, ", ")), ExitCode::usage);
}

/// Offers the accounts by number where there are several; a number or a name is an answer.
std::string ask_account(const std::optional<std::vector<planner::DatabaseName>>& accounts, const std::string& held) {
  const auto names = accounts ? planner::texts_of(*accounts) : std::vector<std::string>();
  if (names.size() < 2) return ask("Account to charge (empty: Slurm's default)", held);
  for (std::size_t i = 0; i < names.size(); ++i) fmt::print(stderr, "  {}  {}\n", i + 1, names[i]);
  auto answer = ask("Account to charge, by number or name (empty: Slurm's default)", held);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (answer == std::to_string(i + 1)) return names[i];
  }
  return answer;
}

/// A folder as typed. The settings would expand variables; here they are not known yet.
void check_path(const std::string& option, const std::string& path) {
  if (path.empty() || (path.front() == '/' && path.find('$') == std::string::npos)) return;
  throw wrong_value("--" + option, path, "an absolute folder", fmt::format("write it like --{} /scratch/ann", option));
}

}  // namespace

void say_found(const std::string& what, const std::string& found) {
  fmt::print("{:<14}{}\n", what, found);
}

void keep_setting(const std::string& file, const std::string& key, const std::string& value, const Invocation& how) {
  if (value.empty()) return;
  const bool changed = write_setting(file, key, value);
  // The settings of the login node and of the laptop often have the same path.
  const std::string place = how.hop ? os::host_name() + ":" + file : file;
  const std::string line = fmt::format("{}{}", value, changed ? ", written to " + place : ", as before");
  if (how.json) {
    fmt::print(stderr, "rv: {}: {}\n", key, line);  // stdout has one document, which is the login node's
  } else {
    say_found(key, line);
  }
}

int set_up_here(const InitOptions& options, const Invocation& invocation) {
  const Settings& settings = invocation.settings;
  check_path("scratch", options.scratch);
  const bool asks = can_ask(invocation.terminal) && !invocation.json;
  const auto talk = [&](const std::string& what, const std::string& found) {
    if (!invocation.json) say_found(what, found);
    std::fflush(stdout);  // before a question on stderr
  };

  talk("login node", os::host_name());
  const auto cluster = slurm::Gateway().read_cluster();
  talk("Slurm", fmt::format("{} on {}, {}", cluster.controller.version, cluster.controller.cluster_name.text(),
                            counted(static_cast<long long>(cluster.nodes.size()), "node")));
  const auto accounts = accounts_of(cluster);
  talk("accounts", accounts ? fmt::format("{}", fmt::join(planner::texts_of(*accounts), ", "))
                            : "unknown: Slurm's accounting did not answer");

  std::string account = options.account;
  if (account.empty() && asks) account = ask_account(accounts, settings.account);
  check_account(accounts, account.empty() ? settings.account : account, cluster.controller.cluster_name);

  const Folder home = try_folder("cluster-home", settings.home);
  monitor::require_hard_links(home.path, options.scratch.empty() ? settings.scratch : options.scratch);
  talk("runs", folder_line({settings.home + "/runs", home.free_bytes}));
  std::string scratch = options.scratch;
  if (scratch.empty() && asks) {
    scratch = ask("Folder for caches", settings.scratch);
    check_path("scratch", scratch);
    if (scratch == settings.scratch) scratch.clear();
  }
  const Folder caches = try_folder("scratch", scratch.empty() ? settings.scratch : scratch);
  talk("scratch", folder_line(caches));
  const auto quota = quota_figures(settings.quota_command, {home.path, caches.path});
  for (std::size_t i = 0; i < quota.size(); ++i) talk(i == 0 ? "quota" : "", quota[i]);

  const std::string file = settings.home + "/config.yaml";
  if (invocation.json) {
    nlohmann::ordered_json changed = nlohmann::ordered_json::array();
    if (!account.empty() && write_setting(file, "account", account)) changed.push_back("account");
    if (!scratch.empty() && write_setting(file, "scratch", scratch)) changed.push_back("scratch");
    const std::string charged = account.empty() ? settings.account : account;
    fmt::print("{}",
               json_text({{"login_node", os::host_name()},
                          {"slurm", cluster.controller.version},
                          {"cluster", cluster.controller.cluster_name.text()},
                          {"nodes", cluster.nodes.size()},
                          {"accounts",
                           accounts ? nlohmann::ordered_json(planner::texts_of(*accounts)) : nlohmann::ordered_json()},
                          {"account", charged.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(charged)},
                          {"home", folder_json(home)},
                          {"scratch", folder_json(caches)},
                          {"quota", quota},
                          {"settings", file},
                          {"changed", changed}}));
    return 0;
  }
  keep_setting(file, "account", account, invocation);
  keep_setting(file, "scratch", scratch, invocation);
  if (!invocation.hop) say_found("ready", "rv up -g 1");
  return 0;
}

}  // namespace rv::cli

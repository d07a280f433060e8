// The site's and the user's settings, read from YAML.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/diagnosis/gpu_idleness.h"
#include "planner/cluster/gpu_catalogue.h"

namespace rv {

/// The site's key `balance`.
struct BalanceQuestion {
  std::string command;  // a shell line; every {account} in it becomes the account's name, quoted
  std::string pattern;  // POSIX extended, its first group is the number; empty: the first number there is
};

/// Later sources win: built-in, the site file (RV_SITE, else /etc/rv/site.yaml when it is there), the user's
/// $RV_HOME/config.yaml. Documented key by key in docs/configuration.md.
struct Settings {
  std::string home;  // $RV_HOME, else $HOME/.rv; absolute
  std::string runs_folder() const { return home + "/runs"; }
  std::string scratch;        // for caches; $SCRATCH, else home + "/scratch" when nothing is configured
  int fanout = 4;             // candidates in a race
  double head_start_s = 1.0;  // how long rv waits for a candidate whose nodes are free before it submits the others
  std::string host;           // the login node for rv on a laptop; empty: this machine is one
  std::string cluster_home;   // rv's home on that login node; empty: the default there
  bool sync = true;           // a run from a laptop pushes the project first
  std::string account;        // default --account
  std::vector<std::string> setup_lines;            // shell lines before the user's command (module load …)
  std::vector<std::string> avoid_partitions;       // not planned for, unless --partition names them
  std::vector<std::string> prefer_partitions;      // first among strategies of equal time and cost
  std::optional<monitor::IdlePolicy> idle_policy;  // when the site ends an allocation that does nothing
  std::optional<BalanceQuestion> balance;          // how to ask what an account has left
  std::string quota_command;                       // shell line that prints a user's quota
  std::chrono::seconds time{std::chrono::hours(2) + std::chrono::minutes(59)};  // default --time
  std::chrono::seconds segment{std::chrono::hours(4)};  // of a checkpointed run, where no backfill window is known
  std::chrono::seconds idle_stop{0};                    // default --idle-stop of held GPUs; 0: they stay
  std::chrono::seconds stall{0};                        // default --stall of commands; 0: they are not watched
  bool preflight = false;                               // default --preflight of runs with several GPUs
  std::optional<std::chrono::seconds> visibility_lag;  // how late another node's files are seen in home; empty: a guess
  bool gpu_curves = true;                              // jobs keep what their GPUs do, for rv report
  bool build_on_node = false;    // environments of projects are built in a job, not on the login node
  std::string workers;           // folder of rv-health, rv-compute, … for rv accept; empty: beside rv
  std::string node_memory;       // folder of node events that a group shares; empty: the one in rv's home
  std::string accept_baselines;  // file for rv accept; empty: only the built-in ones
  /// More words by which rv stress classifies the output of a launcher: "good", "warning", "critical" → words.
  std::map<std::string, std::vector<std::string>> stress_messages;
  std::string container;            // how the site starts containers: "pyxis", "podman" …; empty: not known
  planner::GpuCatalogue catalogue;  // built-in, extended and priced by the site
};

/// Throws Error(usage) for a file that is not valid YAML, an unknown key (with the nearest known one), a wrong type:
/// naming file, line and key. A `visibility_lag` holds for this process from then on (base/os/visibility.h).
Settings read_settings();

/// Only the keys that decide where to run and with which files: `host`, `cluster_home` and `sync`. All other
/// keys are skipped. Without a home folder no file is read.
struct HostSettings {
  std::string host;
  std::string cluster_home;
  bool sync = true;
};
HostSettings read_host_settings();

/// Applies one file's text on top of `settings`; `file` is what error messages call it.
void apply_settings(Settings& settings, std::string_view text, const std::string& file);

/// The catalogue that travels in the binary (planner/cluster/gpu_catalogue.yaml).
planner::GpuCatalogue built_in_catalogue();

}  // namespace rv

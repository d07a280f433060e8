// Entries for ssh's own configuration, by which ssh, rsync and editors reach the nodes of runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/border/checked_name.h"

namespace rv::cli {

struct SshRun {
  RunId id;
  RunName name;

  bool operator==(const SshRun&) const = default;
};
/// What the login node sends: the user, and the runs that are not over, newest first.
struct SshRuns {
  UserName user;
  std::vector<SshRun> runs;
};
std::string to_text(const SshRuns& runs);
/// Throws Error for text that to_text can't have written, and for a user, an ID or a name that breaks its rule.
SshRuns parse_ssh_runs(std::string_view text);

/// The file to include, below rv's folder on this machine.
std::string ssh_config_path(const std::string& home);
/// The public key of this machine's rv; the pair is made where it is missing. Throws Error.
std::string ssh_public_key(const std::string& home);

/// How a run is reached from here.
struct SshRoute {
  std::vector<std::string> program;  // rv with what stands before its command
  std::string alias;                 // by which the nodes' key is known
  std::string home;                  // rv's folder
};
/// The hosts of each run for ssh: "rv-ID", and "rv-NAME" if ssh accepts the name and no newer run has it.
std::vector<std::vector<std::string>> ssh_hosts(const SshRuns& runs);
/// An entry for each run, with its hosts.
std::string ssh_config_text(const SshRuns& runs, const SshRoute& way);

/// The file without the run's entry; does nothing where there is none, and where others have changed the file.
void forget_ssh_entry(const std::string& home, const std::string& id);

}  // namespace rv::cli

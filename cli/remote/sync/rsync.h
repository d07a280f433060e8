// One rsync between the laptop and the cluster, through the connection that every rv shares.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/remote/sync/rsync_output.h"
#include "cli/settings/settings.h"

namespace rv::sync {

/// What rv on the login node prepares for rsync there (cli/remote/sync/login_rsync.h).
enum class RsyncTarget {
  receive,  // a project's files, made where they are missing, with no other process changing them
  look,     // a project's files, only to be read
  output,   // a run's output files, only to be read
  logs,     // what its command wrote to stdout and stderr, only to be read
};

struct RsyncOrder {
  HostSettings there;        // the login node; no host: `local_folder` instead
  std::string local_folder;  // read from here, with a / at its end
  RsyncTarget place = RsyncTarget::look;
  std::string name;  // the project's or, as typed, the run's
  bool to_cluster = false;
  std::string folder;                             // on this machine
  std::vector<std::string> options;               // beside those that every transfer has
  std::optional<std::vector<std::string>> paths;  // only these, relative to `folder`
  bool shows_progress = false;                    // a line on stderr that ends with the transfer
};

struct RsyncEnd {
  bool absent = false;       // RsyncTarget::look: no push has been made
  std::string folder;        // on the login node; empty where rsync ran here only
  std::string run;           // RsyncTarget::output, RsyncTarget::logs: the run's ID
  std::string copy_trouble;  // RsyncTarget::output: what of the run's --output was not copied there, and why
  bool copy_is_open =
      false;  // RsyncTarget::output: the run's job has yet to finish copying to it, as far as its records say
  std::vector<Transfer> transfers;
  std::vector<std::string> refused_links;  // on the cluster, they lead out of the folder: they did not come
};

/// Runs rsync to its end. Throws Error when there is none here or there, when the connection fails (connection), with
/// the login node's own words for what failed there, and with rsync's for what it could not transfer; interrupted after
/// Ctrl-C.
RsyncEnd run_rsync(const RsyncOrder& order);

}  // namespace rv::sync

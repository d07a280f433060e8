// Files of a run come to this machine.
#pragma once

#include <string>

#include "cli/options/invocation.h"
#include "cli/remote/sync/rsync.h"

namespace rv::cli {

struct FilesToBring {
  std::string run;                                      // as typed
  sync::RsyncTarget files = sync::RsyncTarget::output;  // or logs
  std::string to;                                       // a folder; empty: rv-output/RUN, for logs rv-output/RUN/logs
  bool dry_run = false;                                 // only list what would be fetched
};

/// Fetches the missing files and prints their names. Returns the exit code. Throws Error: no such run, no rsync, a
/// connection that fails, a folder that can't be made.
int bring_files(const FilesToBring& wanted, const Invocation& invocation);

}  // namespace rv::cli

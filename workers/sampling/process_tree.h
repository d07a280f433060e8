#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "workers/sampling/proc_text.h"

namespace rv::workers {

/// What the processes of a tree take together.
struct TreeUse {
  std::set<pid_t> pids;
  std::uint64_t threads = 0;
  double cpu_seconds = 0;       ///< since the first look; what a process did after the last look at it is lost
  std::uint64_t rss_bytes = 0;  ///< pages that several share count for each
  std::optional<ProcessIo> io;  ///< since the first look; nothing: it may not be read
};

/// All that descends from a process, but for that one itself and for `without` (this process). It must adopt the
/// orphans of its tree, or they are lost sight of.
class ProcessTree {
 public:
  ProcessTree(pid_t root, pid_t without) : root_(root), without_(without) {}
  TreeUse look();

 private:
  struct Counted {
    std::uint64_t started = 0;
    std::uint64_t cpu_ticks = 0;
    ProcessIo io;
  };
  void count(pid_t pid, TreeUse& use);

  pid_t root_, without_;
  std::map<pid_t, Counted> known_;
  std::uint64_t cpu_ticks_ = 0;
  ProcessIo io_;
  bool io_told_ = false;
};

}  // namespace rv::workers

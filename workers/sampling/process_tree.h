#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "workers/sampling/proc_text.h"

namespace rv::workers {

/// The resources of all processes of a tree together.
struct TreeUse {
  std::set<pid_t> pids;
  std::uint64_t threads = 0;
  /// since the first sample; what a process used after the last sample that saw it is not counted
  double cpu_seconds = 0;
  std::uint64_t rss_bytes = 0;  ///< shared pages count once for each process
  std::optional<ProcessIo> io;  ///< since the first sample; nothing: not readable
};

/// All descendants of a process, except that process and `without` (this process). The root must adopt orphans
/// (PR_SET_CHILD_SUBREAPER), or they leave the tree.
class ProcessTree {
 public:
  ProcessTree(pid_t root, pid_t without) : root_(root), without_(without) {}
  TreeUse sample();

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
  bool io_readable_ = false;
};

}  // namespace rv::workers

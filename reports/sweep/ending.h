// How a point ended, and how that is known.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/sweep/memory_message.h"

namespace rv::sweep {

enum class EndKind {
  done,
  gpu_out_of_memory,
  host_out_of_memory,   // the kernel ended a process of it for its memory, or it saw that it would not fit
  slurm_out_of_memory,  // Slurm says so of the job, which is gone with the point
  killed,               // SIGKILL for an unknown reason
  signalled,
  timed_out,
  failed,  // an exit code of its own
};

/// "done", "gpu-out-of-memory", …: as the files have it.
std::string_view to_string(EndKind kind);
std::optional<EndKind> end_kind_from(std::string_view word);

bool is_out_of_memory(EndKind kind);

struct End {
  EndKind kind = EndKind::failed;
  std::optional<int> exit_code;  // 128 + N for a signal; nothing: unknown
  std::string evidence;          // one line, for people
};

/// What is known when the process has gone.
struct EndEvidence {
  int exit_code = 0;                          // as a shell has it: 128 + N for a signal
  bool timed_out = false;                     // and was ended for it
  std::optional<long long> oom_kills = {};    // in the cgroup, while it ran; nothing: the counter was not to be read
  std::optional<MemoryMessage> memory = {};   // it printed that memory was short
  bool went_on_after_message = false;         // figures came after that line
  std::vector<int> out_of_memory_codes = {};  // exit codes by which the program says so
};

End ending(const EndEvidence& evidence);

}  // namespace rv::sweep

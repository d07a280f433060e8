#include "reports/sweep/ending.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>

#include "base/text.h"

namespace rv::sweep {
namespace {

constexpr std::array<std::pair<EndKind, std::string_view>, 8> kinds{{
    {EndKind::done, "done"},
    {EndKind::gpu_out_of_memory, "gpu-out-of-memory"},
    {EndKind::host_out_of_memory, "host-out-of-memory"},
    {EndKind::slurm_out_of_memory, "slurm-out-of-memory"},
    {EndKind::killed, "killed"},
    {EndKind::signalled, "signalled"},
    {EndKind::timed_out, "timed-out"},
    {EndKind::failed, "failed"},
}};

constexpr int killed_code = 128 + SIGKILL;

}  // namespace

std::string_view to_string(EndKind kind) {
  return std::find_if(kinds.begin(), kinds.end(), [&](const auto& one) { return one.first == kind; })->second;
}

std::optional<EndKind> end_kind_from(std::string_view word) {
  const auto* const found =
      std::find_if(kinds.begin(), kinds.end(), [&](const auto& one) { return one.second == word; });
  return found == kinds.end() ? std::nullopt : std::optional(found->first);
}

bool is_out_of_memory(EndKind kind) {
  return kind == EndKind::gpu_out_of_memory || kind == EndKind::host_out_of_memory ||
         kind == EndKind::slurm_out_of_memory;
}

End ending(const EndEvidence& seen) {
  End end;
  end.exit_code = seen.exit_code;
  const bool killed = seen.exit_code == killed_code;
  const auto say = [&](EndKind kind, std::string evidence) {
    end.kind = kind;
    end.evidence = std::move(evidence);
    return end;
  };
  if (seen.timed_out) return say(EndKind::timed_out, "it was ended at its time limit");
  if (seen.exit_code != 0 && seen.oom_kills.value_or(0) > 0) {
    return say(EndKind::host_out_of_memory, fmt::format("exit code {}, and the cgroup's oom_kill counter rose by {}",
                                                        seen.exit_code, *seen.oom_kills));
  }
  const auto& codes = seen.out_of_memory_codes;
  if (seen.exit_code != 0 && std::find(codes.begin(), codes.end(), seen.exit_code) != codes.end()) {
    return say(EndKind::gpu_out_of_memory,
               fmt::format("exit code {}, which means out of memory (--oom-exit-code)", seen.exit_code));
  }
  if (killed) {
    return say(EndKind::killed, seen.oom_kills ? "SIGKILL, and the cgroup's oom_kill counter did not rise"
                                               : "SIGKILL, and no oom_kill counter could be read");
  }
  // Simulators catch the exception, close down and end well: such an end counts only where figures came after it.
  if (seen.memory && (seen.exit_code != 0 || !seen.went_on_after_message)) {
    return say(seen.memory->of_host ? EndKind::host_out_of_memory : EndKind::gpu_out_of_memory,
               fmt::format("exit code {}, and its output has: {}", seen.exit_code, one_line(seen.memory->text)));
  }
  if (seen.exit_code == 0) {
    return say(EndKind::done, seen.oom_kills.value_or(0) > 0
                                  ? "exit code 0, but the kernel killed a process in its cgroup for lack of memory"
                              : !seen.memory
                                  ? "exit code 0"
                                  : "exit code 0, with figures after the line: " + one_line(seen.memory->text));
  }
  if (seen.exit_code > 128 && seen.exit_code <= 128 + 64) {
    const int number = seen.exit_code - 128;
    return say(EndKind::signalled, fmt::format("signal {} ({})", number, ::strsignal(number)));
  }
  return say(EndKind::failed, fmt::format("exit code {}", seen.exit_code));
}

}  // namespace rv::sweep

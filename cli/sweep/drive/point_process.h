// The process of one point: new, in a separate session, and without remaining processes afterwards.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace rv::sweep {

struct PointProcess {
  std::vector<std::string> argv;
  std::vector<std::string> environment;  // all of it
  std::string folder;                    // where it starts
  std::string log;                       // gets stdout and stderr
  std::optional<std::chrono::duration<double>> timeout;
  std::chrono::milliseconds grace{5000};  // between SIGTERM and SIGKILL
  pid_t spared = 0;                       // a child of this process that is none of it
};

struct PointProcessEnd {
  int exit_code = 0;  // 128 + N for a signal
  bool timed_out = false;
  bool interrupted = false;  // SIGINT or SIGTERM came (base/os/interrupt.h), and it was ended for that
  int left_behind = 0;       // processes of it that outlived it, and were ended
};

/// Runs it to its end and ends what it leaves. The caller catches interrupts, and adopts orphans. Throws Error with
/// code usage when the program can't be started.
PointProcessEnd run_point_process(const PointProcess& process);

/// Whether SIGINT or SIGTERM comes right behind the end of a point with this exit code. Who ends a job signals all its
/// processes, one after the other, and the point may be before this one: then it has ended by the signal, or has gone
/// on where a child of its was ended and says that all went well. Waits a quarter of a second, after an end by a signal
/// two.
bool interrupt_follows(int exit_code);

}  // namespace rv::sweep

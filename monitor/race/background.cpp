#include "monitor/race/background.h"

#include <cstdlib>
#include <thread>

#include "base/error.h"
#include "base/os/detached_process.h"
#include "monitor/race/start_step.h"
#include "monitor/race/submit.h"
#include "monitor/race/submit_segment.h"
#include "monitor/run/run_secrets.h"

namespace rv::monitor {
namespace {

using namespace std::chrono_literals;

// Runs `work` under the run's submit lock in a process of its own that outlives this one, whatever happens to this one.
template <typename Work>
void in_background(const RunFolder& folder, Work&& work) {
  const auto locked = [&] {
    try {
      // Somebody who only looks whether the lock is free holds it for an instant.
      auto lock = SubmitLock::try_take(folder);
      for (int i = 0; !lock && i < 50; ++i, lock = SubmitLock::try_take(folder)) std::this_thread::sleep_for(20ms);
      if (lock) {
        // The job gets these from the run's folder; Slurm would keep what is in sbatch's environment.
        for (const auto& name : environment_names(folder)) ::unsetenv(name.c_str());
        slurm::Gateway gateway;
        work(gateway, *lock);
      }
    } catch (const std::exception& error) {
      // When the folder can't be written either, there is nowhere left to say so. The next rv sees an open race.
      folder.append({.time = {},
                     .name = EventKind::submit_failed,
                     .candidate = 0,
                     .job = {},
                     .attempt = 1,
                     .more = {{"message", error.what()}}});
    }
  };
  if (!os::run_detached(locked)) {
    throw Error("can't start a process: fork failed", "close some programs and try again");
  }
}

}  // namespace

void submit_in_background(const RunFolder& folder) {
  in_background(folder, [&](auto& gateway, auto& lock) {
    if (folder.record().job.inside) return start_step(folder, lock);
    submit_candidates(folder, gateway, lock);
  });
}

void retry_in_background(const RunFolder& folder, const Retry& retry) {
  in_background(folder, [&](auto& gateway, auto& lock) {
    if (reopen_race(folder, retry, lock)) submit_candidates(folder, gateway, lock);
  });
}

void submit_segment_in_background(const RunFolder& folder, JobId last, const NextSegment& next) {
  in_background(folder, [&](auto& gateway, auto& lock) { submit_segment(folder, gateway, lock, last, next); });
}

}  // namespace rv::monitor

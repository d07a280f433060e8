#include "monitor/run/submit_lock.h"

namespace rv::monitor {

std::optional<SubmitLock> SubmitLock::try_take(const RunFolder& folder) {
  // Where the file system knows no locks two clients may submit the same candidate twice; the gate lets one run.
  auto lock = os::FileLock::try_take(folder.file("submit.lock"), os::WithoutLocks::go_on);
  if (!lock) return std::nullopt;
  return SubmitLock(std::move(*lock));
}

}  // namespace rv::monitor

#include "base/boot_clock.h"

#include <ctime>

#include "shared/system/boot_id.h"

namespace rv {

BootMoment boot_moment() {
  BootMoment moment;
  moment.boot = os::boot_id();
  std::timespec time = {};
  ::clock_gettime(CLOCK_BOOTTIME, &time);
  moment.seconds = time.tv_sec;
  return moment;
}

std::optional<std::chrono::seconds> elapsed(const BootMoment& from, const BootMoment& to) {
  if (from.boot != to.boot) return std::nullopt;
  return std::chrono::seconds(to.seconds - from.seconds);
}

}  // namespace rv

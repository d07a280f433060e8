#include "base/boot_clock.h"

#include <ctime>
#include <fstream>

namespace rv {

BootMoment boot_moment() {
  BootMoment moment;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> moment.boot;
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

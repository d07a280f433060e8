// A clock for waiting times that other processes of this machine go on with.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace rv {

/// A moment on this machine since it was booted. It counts while the machine sleeps, and setting the time of day does
/// not change it (CLOCK_BOOTTIME).
struct BootMoment {
  std::string boot;  // the kernel's random ID of this boot
  std::int64_t seconds = 0;
};

BootMoment boot_moment();

/// Time from one moment to the other. Nothing when they are of two boots, or of two machines.
std::optional<std::chrono::seconds> elapsed(const BootMoment& from, const BootMoment& to);

}  // namespace rv

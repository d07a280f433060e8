// A clock whose readings can be compared between processes on this machine (CLOCK_BOOTTIME).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace rv {

/// The time since this machine was booted, including the time that it was suspended. Setting the time of day does not
/// change it.
struct BootMoment {
  std::string boot;  // the kernel's random ID of this boot
  std::int64_t seconds = 0;
};

BootMoment boot_moment();

/// Returns the time from `from` to `to`; nothing if they belong to different boots or machines.
std::optional<std::chrono::seconds> elapsed(const BootMoment& from, const BootMoment& to);

}  // namespace rv

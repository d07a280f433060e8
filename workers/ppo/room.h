#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>

namespace rv::ppo {

/// Memory of the device as it is now, bytes.
struct Room {
  std::size_t free = 0, total = 0;
};

/// Of the current CUDA device; nothing in a build without CUDA.
std::optional<Room> gpu_room();
/// Of this host and of this process's cgroup, whichever is less; nothing where neither is told.
std::optional<Room> host_room();

/// What ends a training before it begins, in two lines, with the exit code.
struct Refusal {
  std::string message, advice;
  int code = 0;
};

/// The exit code of what does not fit, on a GPU or on the host, as rv-stress has it.
inline constexpr int does_not_fit = 4;

/// "65,536 environments need 61.2 GB of 80.0 GB …"; nothing if they fit. `needed` of n environments; `advice` names the
/// most that fit.
template <class Needed>
std::optional<Refusal> refuse_what_does_not_fit(int environments, const Room& room, bool on_gpu, const Needed& needed);

std::string with_commas(long number);
Refusal too_large(int environments, std::size_t needed, const Room& room, bool on_gpu, int fits);

template <class Needed>
std::optional<Refusal> refuse_what_does_not_fit(int environments, const Room& room, bool on_gpu, const Needed& needed) {
  const auto asked = needed(environments);
  if (asked <= room.free) return std::nullopt;
  int known = 0, not_known = environments;
  while (not_known - known > 1) {
    const int middle = known + (not_known - known) / 2;
    (needed(middle) <= room.free ? known : not_known) = middle;
  }
  return too_large(environments, asked, room, on_gpu, known);
}

}  // namespace rv::ppo

#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "workers/memory/available_memory.h"
#include "workers/ranks/refusal.h"

namespace rv::ppo {

/// Returns the refusal "65,536 environments need 61.2 GB of 80.0 GB …", or nothing if they fit. `needed(n)` is the
/// memory for n environments in bytes; the hint names the largest number that fits.
std::optional<workers::Refusal> refuse_what_does_not_fit(int environments, const workers::AvailableMemory& memory,
                                                         bool on_gpu, const std::function<std::size_t(int)>& needed);

std::string with_commas(long number);

}  // namespace rv::ppo

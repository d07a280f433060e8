#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "workers/memory/room.h"
#include "workers/ranks/refusal.h"

namespace rv::ppo {

/// "65,536 environments need 61.2 GB of 80.0 GB …"; nothing if they fit. `needed` of n environments; the advice names
/// the most that fit.
std::optional<workers::Refusal> refuse_what_does_not_fit(int environments, const workers::Room& room, bool on_gpu,
                                                         const std::function<std::size_t(int)>& needed);

std::string with_commas(long number);

}  // namespace rv::ppo

// Runs the same function in several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace rv {

/// Calls `work` in up to `threads` threads, including the caller's, and returns when all calls have returned. If the
/// system can't create more threads, fewer calls are made, so `work` must divide the job among the calls itself.
/// Rethrows the first exception of a call.
void side_by_side(std::size_t threads, const std::function<void()>& work);

}  // namespace rv

// The same work in several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace rv {

/// Calls `work` in so many threads at once, this one among them, and returns when all calls have. Where the system has
/// no more threads, fewer do it: the work shares itself out. What a call throws is thrown here, the first if several
/// do.
void side_by_side(std::size_t threads, const std::function<void()>& work);

}  // namespace rv

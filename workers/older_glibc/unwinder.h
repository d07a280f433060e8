#pragma once

namespace rv::workers {

/// Initialises the unwinder of this program or library. A worker and the libraries that it carries have one each, and
/// an exception passes from the functions of one into those of the other. libgcc initialises an unwinder when an
/// exception is first thrown with it. Without that it aborts when it handles an exception from elsewhere
/// (_Unwind_SetGR).
inline void ready_unwinder() {
  try {
    throw 0;
  } catch (int) {
  }
}

}  // namespace rv::workers

#pragma once

namespace rv::workers {

/// Readies this program's or library's own unwinder. A worker and the libraries that it carries have one each, and an
/// exception goes from one's functions into the other's. libgcc readies an unwinder when something is thrown with it;
/// before that it aborts where it is to land an exception that comes from elsewhere (_Unwind_SetGR).
inline void ready_unwinder() {
  try {
    throw 0;
  } catch (int) {
  }
}

}  // namespace rv::workers

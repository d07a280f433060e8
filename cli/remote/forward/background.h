// Starting a forward that outlives this process.
#pragma once

#include "cli/remote/forward/forwarder.h"

namespace rv::forward {

/// Starts the process, and returns when its ports are open. Throws the Error for which it could not.
ForwardRecord start_in_background(const ForwardOrder& order);

}  // namespace rv::forward

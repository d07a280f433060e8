// Pushing on every change.
#pragma once

#include <functional>

#include "cli/remote/sync/push.h"

namespace rv::sync {

/// Pushes now, and again whenever a file of the project has changed and a moment has passed without another change,
/// until Ctrl-C. A lost connection is tried again; other errors are printed, and it tries again at the next change or
/// after half a minute. `done` is called for the first push and for each push that changed something. Returns the exit
/// code. Throws Error when the first push fails.
int watch(const PushOrder& order, const std::function<void(const Pushed&)>& done);

}  // namespace rv::sync

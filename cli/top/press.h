// The action of a key. Pure.
#pragma once

#include "cli/top/keys.h"
#include "cli/top/top_state.h"

namespace rv::cli::top {

Pressed press(const Known& known, Choice choice, const Key& key);

}  // namespace rv::cli::top

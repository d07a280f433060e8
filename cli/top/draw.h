// State and selection → a screen. Pure.
#pragma once

#include "cli/top/screen.h"
#include "cli/top/top_state.h"

namespace rv::cli::top {

struct Drawn {
  Screen screen;
  Choice choice;  // with where the runs stand on it
};

Drawn draw(const Known& known, Choice choice, TimePoint now, int width, int height, bool utf8);

/// Rows that it takes to show everything, the chosen run's GPUs included.
int rows_for_all(const Known& known);

}  // namespace rv::cli::top

// One run: its row among the others, and what is known of it and its GPUs.
#pragma once

#include "cli/top/screen.h"
#include "cli/top/top_state.h"

namespace rv::cli::top {

void draw_run_titles(Screen& screen, int row);
void draw_run(Screen& screen, int row, const Run& run, TimePoint now, bool utf8);

/// How many rows the panel below the runs has on a screen so high; `gpus`: none where nothing is known.
int panel_rows(const RunGpus* gpus, int height);
/// In the rows from `row` to before `end`.
void draw_panel(Screen& screen, int row, int end, const Run& run, const RunGpus* gpus, bool utf8);

}  // namespace rv::cli::top

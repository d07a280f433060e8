// A run's whole story as one page.
#pragma once

#include <string>

#include "cli/report/run_story.h"

namespace rv::cli {

std::string run_page(const RunStory& story);

}  // namespace rv::cli

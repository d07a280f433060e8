// `--array 0-99%8`: which elements, and how many of them at once. `--element 3,7-9`: some of them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "cli/options/command_option.h"
#include "monitor/run/run_folder.h"
#include "templates/job_spec.h"

namespace rv::cli {

/// "7", "0-99", "0-20:5", "1,3,8-10", each with "%N" behind it for at most N at a time. Throws Error(usage) for
/// anything else, and for more elements than Slurm allows anywhere (4,000,001).
templates::JobArray parse_array(std::string_view text);

/// The elements of an array run that a call is about; nothing: all.
using Elements = std::optional<std::vector<int>>;

/// Adds `--element LIST`: "7", "0-99", "0-20:5", "1,3,8-10". The list is sorted. `elements` outlives the command.
CommandOption add_element_option(CLI::App& command, Elements& elements, const std::string& description);

/// Throws Error(usage) unless the run is an array with all of these elements.
void check_elements(const monitor::RunRecord& run, const std::vector<int>& elements);

/// The element that a Slurm job ID such as "4711_3" names; nothing for another word, and for the run's own ID or name.
Elements element_of_job(const std::string& word, const monitor::RunRecord& run);

}  // namespace rv::cli

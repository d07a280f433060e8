// Finds the reason why sbatch refused a job in the output of sbatch, the site's job_submit plugins and its wrappers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rv::slurm {

struct Refusal {
  std::string summary;             // the cause on one line
  std::vector<std::string> lines;  // all lines of text, without sbatch's prefixes, rules and frames
};

/// Reads stdout and stderr of sbatch. A plugin's banner may precede or follow the cause, with or without "error:", and
/// Slurm's own message ("Batch job submission failed: …") is often only "Unspecified error". The summary is the most
/// specific line about the request; that is Slurm's message if no other line is more specific.
Refusal parse_refusal(std::string_view out, std::string_view err);

}  // namespace rv::slurm

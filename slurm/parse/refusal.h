// Why sbatch refused a job, out of everything that it, the site's job_submit plugins and its wrappers print.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rv::slurm {

struct Refusal {
  std::string summary;             // the cause on one line
  std::vector<std::string> lines;  // all that was said, without sbatch's prefixes, rules and frames
};

/// Reads sbatch's two streams. A plugin's banner may stand before or behind the cause, with or without "error:", and
/// Slurm's own verdict ("Batch job submission failed: …") is often only "Unspecified error". The summary is the line
/// that says most about the request, and the verdict where it says more than that.
Refusal parse_refusal(std::string_view out, std::string_view err);

}  // namespace rv::slurm

// `--retries N` and `--retry-on LIST`: a command that failed is started again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "templates/job_spec.h"

namespace CLI {
class App;
}

namespace rv::cli {

struct RetryOptions {
  std::optional<int> most;      // --retries
  std::vector<std::string> on;  // --retry-on
};

/// Adds both options. Reading them throws Error(usage) that names the option.
void add_retry_options(CLI::App& command, RetryOptions& options);

/// One --retry-on: "75,137,timeout,oom,nccl". Throws Error(usage) for another word, and for the name of a cause after
/// which no command is started again.
std::vector<std::string> parse_retry_on(const std::string& text);

/// The retries of a job: its command is there, and it is neither an array nor checkpointed. Nothing without --retries,
/// or with --retries 0. Throws Error(usage) where the job can't have retries.
std::optional<templates::Retries> retries_of(const RetryOptions& options, const templates::JobSpec& job);

}  // namespace rv::cli

// rv plan --accuracy --from FILE: predictions scored on a log of finished jobs.
#pragma once

#include <optional>
#include <string>

#include "cli/options/invocation.h"
#include "cli/options/request_options.h"

namespace CLI {
class App;
}

namespace rv::cli {

struct LogAccuracyOptions {
  std::string file;            // "-": stdin
  std::optional<int> warm_up;  // percent
  std::optional<int> submissions;
};

/// Adds --from, --warm-up and --submissions.
void add_log_accuracy_options(CLI::App& command, LogAccuracyOptions& options);

/// Prints the table or the document; returns the exit code. Throws Error for a log that can't be used.
int show_log_accuracy(const LogAccuracyOptions& options, const RequestOptions& request, const Invocation& invocation);

}  // namespace rv::cli

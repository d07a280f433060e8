// The options of a batch script → rv's options, and what is kept for the script itself.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/batch/directives.h"
#include "cli/batch/shape.h"
#include "templates/job_spec.h"

namespace rv::cli {

/// One option of the script and how rv uses it, as text for the user.
struct MappedOption {
  std::size_t place = 0;  // among the script's options
  int line = 0;
  std::string typed;
  std::string becomes;  // "--gpu=4", "passed to sbatch"
};

struct BatchOptions {
  std::vector<MappedOption> mapping;
  std::vector<std::string> options;  // of rv, one argument each: "--gpu=4"
  std::vector<std::string> sbatch;   // for JobSpec::sbatch: --signal, for sbatch itself
  templates::Batch batch;            // without interpreter
};

/// Translates. `name`: the script's path, for messages; its last part is the job's name if the script has no
/// --job-name. `check(option)` throws Error for an option of rv whose value is not valid; the error then names the
/// line. Throws Error(usage) that names a line for an option that rv does not support, and for two that contradict each
/// other.
BatchOptions batch_options(const std::vector<Directive>& directives, const std::string& name, const GivenShape& given,
                           const std::function<void(const std::string& option)>& check);

}  // namespace rv::cli

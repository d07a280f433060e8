// The options of a command inside another run: rv run --in.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace rv::cli {

struct InsideOptions {
  std::optional<std::string> run;  // --in, as typed; nothing: the command gets a job of its own
  bool overlap = false;            // share GPUs and CPUs with other commands
  bool exact = false;              // only the CPUs of -c, one without it
};

/// Adds --in, --overlap and --exact.
std::shared_ptr<InsideOptions> add_inside_options(CLI::App& command);

/// Throws Error(usage) for --overlap or --exact without --in, and for an option in `given` ("--time=2h") that can't be
/// combined with --in because the other run has its job already. `batch`: the command is a script with #SBATCH lines.
void check_inside_options(const InsideOptions& inside, const std::vector<std::string>& given, bool batch);

}  // namespace rv::cli

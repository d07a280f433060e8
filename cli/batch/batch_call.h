// A call of rv whose command is a batch script.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/batch/batch_options.h"
#include "cli/batch/batch_script.h"

namespace CLI {
class App;
}

namespace rv::cli {

struct BatchCall {
  BatchScript script;
  BatchOptions found;
  std::vector<std::string> arguments;  // the script's options of rv, without those that were given, and those given
};

/// How a command describes its options.
struct BatchCommand {
  std::string name;                        // "run", for messages
  std::function<void(CLI::App&)> options;  // adds them
  bool follows = false;                    // it has --follow
  bool arrays = true;                      // it has --array
};

/// The call, where `words` begin with a batch script and nothing says how it is to be started (--interpreter). `given`:
/// the options on rv's command line (cli/options/option_record.h), which take precedence over those of the script.
/// Throws Error(usage) that names the script's line.
std::optional<BatchCall> batch_call(const std::vector<std::string>& words, const std::vector<std::string>& given,
                                    const BatchCommand& command);

/// The command that runs such a script from the run's folder, with its arguments.
std::vector<std::string> batch_argv(const std::vector<std::string>& words);

/// The job's description of it. `array`: whether the run is an array.
templates::Batch batch_of(const BatchCall& call, bool array);

/// Writes the script, and what starts it, into the run's folder.
void write_batch(const std::string& run_folder, const BatchCall& call, const templates::Batch& batch);

/// What each option of the script became, one line each, for stderr.
std::string mapping_text(const BatchCall& call);

/// Whether the mapping of these options has been shown before; from then on it has. `home`: rv's.
bool shown_before(const BatchCall& call, const std::string& home);

}  // namespace rv::cli

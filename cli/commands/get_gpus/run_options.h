// Code shared by rv run and rv rerun.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/inside/inside_options.h"
#include "cli/launch/launch_options.h"

namespace rv::cli {

struct RunOptions {
  std::shared_ptr<LaunchOptions> launch;
  std::shared_ptr<bool> follow;
  std::shared_ptr<InsideOptions> inside;
};

/// Adds all options of rv run, without its command.
RunOptions add_run_options(CLI::App& command);

/// The file in the run's folder with the options that it was started with (docs/run-folder.md).
inline constexpr auto options_file = "options.json";

/// Those of the options that another run repeats: all but --after and the options of one call.
std::vector<std::string> repeatable(std::vector<std::string> options);

/// Goes to the folder in which the run was started. Throws Error(usage).
void enter_folder_of(const monitor::RunRecord& run);

/// Follows the run that rv run or rv rerun has started, after a lost connection (Command::resume).
int follow_run_again(const CLI::App& called, const Invocation& invocation);

/// Starts the command, stores `arguments` in the run's folder, and follows the run if that was asked for.
int run_command_words(const RunOptions& options, const std::vector<std::string>& arguments,
                      const Invocation& invocation);

/// The same for arguments that may be a batch script: then with the options of its #SBATCH lines that `given` does not
/// replace. `options`: `given` as values. Stores those of `given` that rv rerun repeats: all but --after and the
/// options of one call.
int run_words(const RunOptions& options, const std::vector<std::string>& given, const Invocation& invocation);

}  // namespace rv::cli

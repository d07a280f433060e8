#include "cli/inside/inside_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/error.h"
#include "cli/options/command_option.h"

namespace rv::cli {
namespace {

/// The options of rv run that describe a command, or what is shown of it. All others describe a job.
constexpr std::array<std::string_view, 18> usable{"--in",          "--overlap", "--exact",
                                                  "--gpu",         "--cpus",    "--cpus-per-task",
                                                  "--name",        "--follow",  "--env",
                                                  "--raw",         "--no-deps", "--trust-project",
                                                  "--interpreter", "--notify",  "--separate-stderr",
                                                  "--json",        "--no-sync", "--snapshot"};

std::string advice_for(std::string_view option, const std::string& run) {
  if (option == "--time") {
    return fmt::format("the command can run until run {0} ends; for less write rv run --in {0} timeout 10m CMD", run);
  }
  if (option == "--dry-run") return "nothing is planned for it: remove --dry-run, or --in";
  if (option == "--nodes" || option == "--procs-per-node") {
    return "the command gets one process on one node; remove the option, or start srun in rv shell " + run;
  }
  return fmt::format("remove {}, or remove --in to start a job of its own", option);
}

}  // namespace

std::shared_ptr<InsideOptions> add_inside_options(CLI::App& command) {
  auto options = std::make_shared<InsideOptions>();
  add_option(
      command, "--in", options->run,
      "run the command inside this run, which holds GPUs: on -g of them (default: all that no other such command "
      "uses)")
      .type_name("RUN");
  add_flag(command, "--overlap", options->overlap, "with --in: share the GPUs and CPUs with other commands");
  add_flag(command, "--exact", options->exact,
           "with --in: only the CPUs of -c (default: the GPUs' share of the run's CPUs)");
  return options;
}

void check_inside_options(const InsideOptions& inside, const std::vector<std::string>& given, bool batch) {
  if (!inside.run) {
    const auto alone = inside.overlap ? "--overlap" : inside.exact ? "--exact" : "";
    if (*alone == '\0') return;
    throw Error(fmt::format("{} needs --in", alone), fmt::format("add --in RUN, or remove {}", alone), ExitCode::usage);
  }
  if (batch) {
    throw Error("a script with #SBATCH lines and --in can't be combined: the lines describe a job",
                fmt::format("start the script as a command: rv run --in {} bash SCRIPT", *inside.run), ExitCode::usage);
  }
  for (const auto& argument : given) {
    const auto option = std::string_view(argument).substr(0, argument.find('='));
    if (std::find(usable.begin(), usable.end(), option) != usable.end()) continue;
    throw Error(fmt::format("{} and --in can't be combined: run {} has its job already", option, *inside.run),
                advice_for(option, *inside.run), ExitCode::usage);
  }
}

}  // namespace rv::cli

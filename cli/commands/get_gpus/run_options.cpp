#include "cli/commands/get_gpus/run_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "cli/inside/start_inside.h"
#include "cli/json/values_json.h"
#include "cli/launch/follow_run.h"
#include "cli/options/command_option.h"
#include "cli/recipe/recipe.h"

namespace rv::cli {

std::vector<std::string> repeatable(std::vector<std::string> options) {
  const auto& of_call = call_options();
  std::erase_if(options, [&](const std::string& option) {
    const auto name = option.substr(0, option.find('='));
    return name == "--after" || std::find(of_call.begin(), of_call.end(), name) != of_call.end();
  });
  return options;
}

void enter_folder_of(const monitor::RunRecord& run) {
  std::error_code fault;
  std::filesystem::current_path(run.work_folder, fault);
  if (!fault) return;
  throw Error(fmt::format("{}: the run's working folder can't be entered: {}", run.work_folder, fault.message()),
              "start the command in another folder", ExitCode::usage);
}

RunOptions add_run_options(CLI::App& command) {
  RunOptions options{add_launch_options(command), std::make_shared<bool>(false), nullptr};
  add_container_options(command, options.launch->container);
  add_flag(command, "-f,--follow", *options.follow, "show the output and return the exit code of the command");
  add_output_options(command, *options.launch);
  add_array_option(command, *options.launch);
  add_mapping_option(command, *options.launch);
  add_snapshot_option(command, *options.launch);
  options.inside = add_inside_options(command);
  return options;
}

int follow_run_again(const CLI::App& called, const Invocation& invocation) {
  slurm::Gateway gateway;
  return follow_to_end(resumed_run(invocation), gateway, invocation, bars_of(called));
}

int run_words(const RunOptions& options, const std::vector<std::string>& given, const Invocation& invocation) {
  check_inside_options(*options.inside, given, /*batch=*/false);
  RunOptions all = options;
  all.launch = with_batch(
      options.launch,
      [&](CLI::App& app) {
        all = add_run_options(app);
        return all.launch;
      },
      given, {.command = "run", .follows = true}, invocation);
  return run_command_words(all, repeatable(given), invocation);
}

int run_command_words(const RunOptions& options, const std::vector<std::string>& arguments,
                      const Invocation& invocation) {
  check_inside_options(*options.inside, arguments, options.launch->batch.has_value());
  auto snapshot = snapshot_for(*options.launch, invocation);
  auto order = order_for(*options.launch, invocation.user_command, invocation);
  order.job.joined_output = joins_output(*options.launch, *options.follow, invocation.terminal);
  order.prepare = [before = order.prepare, arguments](const monitor::RunFolder& folder) {
    if (before) before(folder);
    os::write_file(folder.file(options_file), json_text({{"options", arguments}}), 0600);
  };
  const auto launched = options.inside->run ? launch_inside(*options.launch, *options.inside, order, invocation)
                                            : launch(*options.launch, order, invocation);
  if (!launched.folder) return launched.exit_code;
  snapshot.keep();
  const auto& folder = *launched.folder;
  slurm::Gateway gateway;
  return *options.follow ? follow_to_end(folder, gateway, invocation, options.launch->bars)
                         : attend(folder, gateway, invocation, {.detach = true}).exit_code.value_or(0);
}

}  // namespace rv::cli

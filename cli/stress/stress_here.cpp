#include "cli/stress/stress_here.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/local_command.h"
#include "base/os/stamped_folder.h"
#include "base/quote.h"
#include "cli/acceptance/workers_folder.h"
#include "cli/json/values_json.h"
#include "cli/launch/container.h"
#include "cli/launch/no_container.h"
#include "cli/options/hosts_options.h"
#include "cli/stress/write_stress_verdict.h"

namespace rv::cli {
namespace {

/// Below it nothing is worth keeping.
constexpr int by_signal = 128;

}  // namespace

std::string rv_stress_folder(const StressOptions& options, const Settings& settings) {
  return workers_folder(options.worker_folder, settings, {"rv-stress"}, "--worker-folder");
}

std::string stress_folders(const std::string& home) {
  return home + "/stress";
}

void print_words(const std::string& worker, const std::vector<std::string>& words, const Invocation& invocation) {
  auto argv = words;
  argv.insert(argv.begin(), worker);
  fmt::print("{}", invocation.json ? json_text({{"command", argv}}) : quote_all(argv) + "\n");
}

int stress_here(const StressOptions& options, const Invocation& invocation) {
  check_beside_local(*options.request, options.detach);
  const auto words = worker_words(options);
  const auto worker = rv_stress_folder(options, invocation.settings) + "/rv-stress";
  if (options.dry_run) {
    print_words(worker, words, invocation);
    return 0;
  }
  os::StampedFolder made(stress_folders(invocation.settings.home));
  const auto& folder = made.path();
  // Progress belongs to stderr: stdout has the tables or the JSON document.
  std::vector<std::string> argv{"bash", "-c",           "exec \"$@\" >&2",  "rv-stress",
                                worker, "--report-dir", folder + "/reports"};
  argv.insert(argv.end(), words.begin(), words.end());
  auto container = container_for(options.container, invocation.settings);
  container.mounts.push_back(std::filesystem::path(worker).parent_path());
  container.message_file = folder + "/" + container_message_file;
  if (!container.image.empty()) write_container_start(folder + "/container");
  argv = container.command(argv, folder + "/container");
  const auto step = container.step();
  argv.insert(argv.begin(), step.begin(), step.end());
  const auto end = os::run_local(argv, std::nullopt, std::chrono::seconds(20));
  if (!container.image.empty() && end.exit_code == no_container)
    throw_no_container(container.image, container.message_file);
  if (end.exit_code > by_signal) return end.exit_code;
  const auto trouble = end.exit_code == 0
                           ? Trouble{}
                           : Trouble{fmt::format("rv-stress ended with code {}", end.exit_code), "its output is above"};
  const auto code = write_stress_verdict(folder, made.name(), trouble, options, invocation);
  if (!options.cleanup) made.keep();
  return code;
}

}  // namespace rv::cli

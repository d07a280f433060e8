#include "cli/stress/stress_here.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/local_command.h"
#include "base/os/random_bytes.h"
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

std::string new_stress_folder(const std::string& home) {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  os::make_folder(home + "/stress");
  for (int attempt = 0; attempt < 100; ++attempt) {
    auto folder = fmt::format("{}/stress/{:%Y%m%d-%H%M%S}-{}", home, now, os::random_hex(2));
    if (::mkdir(folder.c_str(), 0700) == 0) return folder;
  }
  throw Error(fmt::format("can't make a folder in {}/stress", home), "is there room, and may you write there?");
}

void remove_stress_folder(const std::string& folder) {
  std::error_code fault;
  std::filesystem::remove_all(folder, fault);
  std::filesystem::remove(std::filesystem::path(folder).parent_path(), fault);  // where it was the only one
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
  const auto folder = new_stress_folder(invocation.settings.home);
  try {
    // Progress belongs to stderr: stdout has the tables or the JSON document.
    std::vector<std::string> argv{"bash", "-c",           "exec \"$@\" >&2",  "rv-stress",
                                  worker, "--report-dir", folder + "/reports"};
    argv.insert(argv.end(), words.begin(), words.end());
    auto container = container_for(options.container, invocation.settings);
    container.mounts.push_back(std::filesystem::path(worker).parent_path());
    container.told = folder + "/" + container_told;
    if (!container.image.empty()) write_container_start(folder + "/container");
    argv = container.command(argv, folder + "/container");
    const auto step = container.step();
    argv.insert(argv.begin(), step.begin(), step.end());
    const auto end = os::run_local(argv, std::nullopt, std::chrono::seconds(20));
    if (!container.image.empty() && end.exit_code == no_container) throw_no_container(container.image, container.told);
    if (end.exit_code > by_signal) {
      remove_stress_folder(folder);
      return end.exit_code;
    }
    const auto trouble = end.exit_code == 0 ? Trouble{}
                                            : Trouble{fmt::format("rv-stress ended with code {}", end.exit_code),
                                                      "what it said is above"};
    const auto code =
        write_stress_verdict(folder, std::filesystem::path(folder).filename(), trouble, options, invocation);
    if (options.cleanup) remove_stress_folder(folder);
    return code;
  } catch (const Error&) {
    remove_stress_folder(folder);
    throw;
  }
}

}  // namespace rv::cli

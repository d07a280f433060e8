#include "cli/stress/stress_load.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/os/local_command.h"
#include "base/quote.h"
#include "cli/acceptance/workers_folder.h"
#include "cli/json/values_json.h"
#include "cli/launch/no_container.h"
#include "cli/options/hosts_options.h"
#include "cli/stress/write_stress_verdict.h"

namespace rv::cli {

namespace fs = std::filesystem;

std::string rv_stress_folder(const StressOptions& options, const Settings& settings) {
  return workers_folder(options.worker_folder, settings, {"rv-stress"}, "--worker-folder");
}

StressLoad::StressLoad(const StressOptions& options, const Invocation& invocation)
    : Load({*options.request, options.container, options.local, options.detach, options.dry_run}, invocation,
           invocation.settings.home + "/stress"),
      options_(options),
      arguments_(worker_words(options)) {}

LocalShare StressLoad::for_here() {
  check_beside_local(*options_.request, options_.detach);
  worker_ = rv_stress_folder(options_, invocation().settings) + "/rv-stress";
  container_ = container_for(options_.container, invocation().settings);
  container_.mounts.push_back(fs::path(worker_).parent_path());
  return {[this] { return run_here(); }, "rv-stress", "its output is above"};
}

int StressLoad::run_here() {
  const auto& folder = made().path();
  // Progress belongs to stderr: stdout has the tables or the JSON document.
  std::vector<std::string> argv{"bash", "-c", "exec \"$@\" >&2", "rv-stress", worker_, "--report-dir", reports()};
  argv.insert(argv.end(), arguments_.begin(), arguments_.end());
  container_.told = folder + "/" + container_told;
  if (!container_.image.empty()) write_container_start(folder + "/container");
  argv = container_.command(argv, folder + "/container");
  const auto step = container_.step();
  argv.insert(argv.begin(), step.begin(), step.end());
  return os::run_local(argv, std::nullopt, std::chrono::seconds(20)).exit_code;
}

void StressLoad::show() const {
  auto argv = arguments_;
  argv.insert(argv.begin(), worker_);
  fmt::print("{}", invocation().json ? json_text({{"command", argv}}) : quote_all(argv) + "\n");
}

int StressLoad::judge(const std::vector<WorkTrouble>& troubles) {
  Trouble trouble;
  if (!troubles.empty()) {
    std::vector<std::string> parts;
    for (const auto& one : troubles) parts.push_back(one.host.empty() ? one.what : one.host + ": " + one.what);
    const bool on_hosts = !troubles.front().host.empty();
    trouble = {fmt::format("{}{}", fmt::join(parts, "; "), on_hosts ? "; the work was ended on all hosts" : ""),
               troubles.front().advice, on_hosts};
  }
  const auto code = write_stress_verdict(made().path(), made().name(), trouble, options_, invocation());
  if (!options_.cleanup) made().keep();
  return code;
}

}  // namespace rv::cli

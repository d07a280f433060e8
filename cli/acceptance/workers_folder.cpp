#include "cli/acceptance/workers_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/text.h"
#include "cli/settings/worker_places.h"

namespace rv::cli {
namespace {

namespace fs = std::filesystem;

std::string missing_in(const fs::path& folder, const std::vector<std::string>& workers) {
  for (const auto& worker : workers) {
    if (::access((folder / worker).c_str(), X_OK) != 0) return worker;
  }
  return "";
}

std::string whole_path(const fs::path& folder) {
  std::error_code fault;
  const auto whole = fs::canonical(folder, fault);
  return (fault ? fs::absolute(folder) : whole).string();
}

}  // namespace

std::vector<std::string> acceptance_workers(const accept::Order& order) {
  std::vector<std::string> workers;
  if (std::any_of(order.suites.begin(), order.suites.end(), accept::needs_gpus)) {
    workers = {"rv-health", "rv-compute", "rv-collective", "rv-train"};
  }
  if (order.has(accept::Suite::io)) workers.emplace_back("rv-io");
  return workers;
}

std::string workers_folder(const std::string& given, const Settings& settings, const std::vector<std::string>& workers,
                           const std::string& option) {
  if (const auto& named = given.empty() ? settings.workers : given; !named.empty()) {
    const auto missing = missing_in(named, workers);
    if (missing.empty()) return whole_path(named);
    throw Error(fmt::format("{}: {} is missing or can't be executed", named, missing),
                fmt::format("name the folder with {} ({}, or workers in the settings)", listed(workers), option),
                ExitCode::usage);
  }
  const auto places = places_beside_rv();
  for (const auto& folder : places) {
    if (missing_in(folder, workers).empty()) return whole_path(folder);
  }
  throw Error(fmt::format("the workers ({}) are not beside {}", listed(workers), (places.front() / "rv").string()),
              fmt::format("install them there (cmake --install), or name their folder: {} DIR, or workers: DIR in the "
                          "settings; the compute nodes must see it",
                          option),
              ExitCode::usage);
}

}  // namespace rv::cli

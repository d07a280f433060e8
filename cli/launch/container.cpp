#include "cli/launch/container.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "base/os/process.h"
#include "base/variable.h"
#include "slurm/environment.h"

namespace rv::cli {
namespace {

bool on_path(const char* program) {
  const std::string path = variable("PATH");
  std::string_view rest = path;
  while (!rest.empty()) {
    const auto folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    if (!folder.empty() && ::access((std::string(folder) + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

// Pyxis is a plugin of Slurm; srun's own help is where it shows.
bool has_pyxis() {
  const auto help = os::run({.argv = {"srun", "--help"},
                             .input = {},
                             .deadline = std::chrono::seconds(10),
                             .environment = slurm::query_environment(),
                             .folder = {}});
  return help.out.find("--container-image") != std::string::npos;
}

}  // namespace

std::vector<std::string> Container::srun_options(const std::vector<std::string>& mounts) const {
  if (form != "pyxis") return {};
  std::vector<std::string> pairs;
  pairs.reserve(mounts.size());
  for (const auto& folder : mounts) pairs.push_back(fmt::format("{0}:{0}", folder));
  return {"--container-image=" + image, fmt::format("--container-mounts={}", fmt::join(pairs, ",")),
          "--no-container-mount-home"};
}

std::vector<std::string> Container::command(const std::vector<std::string>& argv,
                                            const std::vector<std::string>& mounts) const {
  if (form != "apptainer") return argv;
  std::vector<std::string> words = {"apptainer", "exec", "--nv", "--bind", fmt::format("{}", fmt::join(mounts, ",")),
                                    image};
  words.insert(words.end(), argv.begin(), argv.end());
  return words;
}

Container container_for(const std::string& image, const Settings& settings) {
  if (image.empty()) return {};
  if (!settings.container.empty()) return {settings.container, image};
  if (has_pyxis()) return {"pyxis", image};
  if (on_path("apptainer")) return {"apptainer", image};
  throw Error(fmt::format("--container {}: neither Pyxis (srun --container-image) nor apptainer is here", image),
              "say which one the compute nodes have: container: pyxis, or container: apptainer, in the settings",
              ExitCode::usage);
}

}  // namespace rv::cli

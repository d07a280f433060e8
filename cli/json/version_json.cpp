#include "cli/json/version_json.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/version.h"
#include "slurm/tested_releases.h"

namespace rv::cli {

nlohmann::ordered_json version_json() {
  nlohmann::ordered_json releases = nlohmann::ordered_json::array();
  for (const auto& [release, how] : slurm::tested_releases) releases.push_back({{"release", release}, {"how", how}});
  const std::string_view cuda = cuda_version;
  return {{"version", version},
          {"compiler", compiler},
          {"cuda", cuda.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(cuda)},
          {"slurm_releases", releases}};
}

}  // namespace rv::cli

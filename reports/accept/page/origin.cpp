#include "reports/accept/page/origin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.h"
#include "base/version.h"
#include "base/walltime.h"
#include "shared/time_text.h"

namespace rv::accept {
namespace {

using Json = nlohmann::ordered_json;

/// Keys and their words; a worker's report has them in `versions` or beside its host.
constexpr std::pair<const char*, const char*> libraries[] = {
    {"cuda_driver", "CUDA driver"}, {"cuda_runtime", "CUDA"}, {"cublaslt", "cuBLASLt"}, {"nccl", "NCCL"}};

struct Found {
  std::set<std::string> drivers;
  std::set<std::string> versions[std::size(libraries)];
  double seconds = 0;  // of the slowest node
  double began = 0;    // of the first
};

void take(std::set<std::string>& known, const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found != json.end() && found->is_string()) known.insert(found->get<std::string>());
}

Found found_in(const std::vector<NodeEvidence>& evidence) {
  Found found;
  for (const auto& node : evidence) {
    double seconds = 0;
    for (const auto& step : node.steps) {
      seconds += step.seconds;
      if (step.began > 0) found.began = found.began > 0 ? std::min(found.began, step.began) : step.began;
      for (const auto& report : step.reports) {
        const auto& json = report.environment;
        if (!json.is_object()) continue;
        take(found.drivers, json, "driver");
        const auto versions = json.find("versions");
        for (std::size_t i = 0; i < std::size(libraries); ++i) {
          take(found.versions[i], json, libraries[i].first);
          if (versions != json.end() && versions->is_object()) take(found.versions[i], *versions, libraries[i].first);
        }
      }
    }
    found.seconds = std::max(found.seconds, seconds);
  }
  return found;
}

std::string together(const std::set<std::string>& all) {
  return joined({all.begin(), all.end()});
}

}  // namespace

pages::About about_of(const std::vector<NodeEvidence>& evidence, const std::string& who,
                      std::chrono::sys_seconds judged) {
  const auto found = found_in(evidence);
  pages::About about;
  if (!evidence.empty()) {
    about.host = evidence.size() == 1
                     ? evidence.front().node
                     : fmt::format("{} nodes, {} to {}", evidence.size(), evidence.front().node, evidence.back().node);
  }
  about.driver = together(found.drivers);
  about.versions = fmt::format("rv {}", version);
  for (std::size_t i = 0; i < std::size(libraries); ++i) {
    if (!found.versions[i].empty())
      about.versions += fmt::format(", {} {}", libraries[i].second, together(found.versions[i]));
  }
  if (found.seconds > 0) {
    about.duration = format_duration(std::chrono::seconds(std::llround(found.seconds)));
  }
  about.who = who;
  const auto when =
      found.began > 0 ? std::chrono::sys_seconds(std::chrono::seconds(static_cast<long long>(found.began))) : judged;
  about.when = utc_time(when);
  return about;
}

}  // namespace rv::accept

#include "cli/project/prepare/unneeded.h"

#include <algorithm>

namespace rv::project {

using namespace std::chrono_literals;

std::vector<StoredEnvironment> unneeded(const std::vector<StoredEnvironment>& stored,
                                        const std::vector<EnvironmentUse>& uses, std::chrono::sys_seconds now) {
  constexpr std::chrono::seconds recent = 7 * 24h;
  constexpr std::chrono::seconds handed_on = 24h;  // a run that is being started has no record yet
  std::vector<StoredEnvironment> free;
  for (const auto& one : stored) {
    const bool wanted = std::any_of(uses.begin(), uses.end(), [&](const EnvironmentUse& use) {
      return use.prefix.starts_with(one.folder + "/") && (!use.ended || now - *use.ended < recent);
    });
    if (!wanted && now - one.used >= (one.current ? recent : handed_on)) free.push_back(one);
  }
  return free;
}

}  // namespace rv::project

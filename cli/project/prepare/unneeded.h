// Which environments may go.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "cli/project/prepare/environment_store.h"

namespace rv::project {

/// A run that has an environment.
struct EnvironmentUse {
  std::string prefix;
  std::optional<std::chrono::sys_seconds> ended;  // nothing: it may still be under way
};

/// Environments that no active run uses, that no run has used for a week, and that were not requested meanwhile; one
/// that a newer one has taken the place of, and a half, after a day.
std::vector<StoredEnvironment> unneeded(const std::vector<StoredEnvironment>& stored,
                                        const std::vector<EnvironmentUse>& uses, std::chrono::sys_seconds now);

}  // namespace rv::project

// The environment that a run of a project gets, and how far it is.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/launch/order_script.h"
#include "cli/options/invocation.h"
#include "cli/project/prepare/prepare.h"

namespace rv::cli {

struct ProjectNeeds {
  project::EnvironmentRequest wanted;
  std::optional<project::Environment> environment;  // nothing: it is still to be made
};

/// What the project around the current folder, or around the script that `words` name, declares; nothing where it says
/// nothing of dependencies. A home folder counts only with a .rvignore or settings of its own, as for what rv sync
/// pushes. Starts no process. Throws Error(usage).
std::optional<ProjectNeeds> project_needs(const std::vector<std::string>& words, const Invocation& invocation);

/// Whether the project, or else the site, wants it built in a job (prepare_on_node.h).
bool built_on_node(const ProjectNeeds& needs, const Settings& settings);

/// On stderr, unless --json: which environment it is, or that one will be made.
void say_needs(const ProjectNeeds& needs, const Invocation& invocation);
/// `prefix` and `from`, `ready`, `imports`.
nlohmann::ordered_json needs_json(const ProjectNeeds& needs);

/// Puts the project into the job and its set-up lines into `inputs`. An environment that is still to be made counts
/// as being where it would be.
void add_project(templates::JobSpec& job, ResolvedInputs& inputs, const ProjectNeeds& needs);

/// On stderr: the user's quotas that are nearly full, home's for one, which break what jobs write there.
void say_full_quotas(const Invocation& invocation);

/// Builds it, with progress and warnings about quotas on stderr. Throws Error.
ProjectNeeds prepare_for_run(const ProjectNeeds& needs, const Invocation& invocation, bool rebuild = false);

}  // namespace rv::cli

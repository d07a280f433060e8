#include "cli/launch/project_environment.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/os/current_folder.h"
#include "base/text.h"
#include "base/variable.h"
#include "cli/launch/launch_words.h"
#include "cli/remote/sync/project.h"
#include "cli/setup/quota.h"

namespace rv::cli {
namespace {

namespace fs = std::filesystem;

bool lies_in(const std::string& path, const std::string& folder) {
  return path == folder || path.starts_with(folder == "/" ? folder : folder + "/");
}

/// The topmost folder that is the project's.
std::string project_root(const std::string& here, const Invocation& invocation) {
  if (invocation.hop && !invocation.hop->project.name.empty()) {
    const std::string& below = invocation.hop->project.folder;
    if (!below.empty() && here.ends_with("/" + below)) return here.substr(0, here.size() - below.size() - 1);
    return here;
  }
  const auto project = sync::find_project(here);
  return project ? project->root : here;
}

bool counts(const std::string& folder) {
  std::error_code unknown;
  if (!fs::equivalent(folder, variable("HOME"), unknown)) return true;
  return fs::exists(folder + "/.rvignore", unknown) || fs::exists(folder + "/" + project::settings_file, unknown);
}

/// The files in which the project declares its dependencies.
project::ProjectPlace place_of(const std::vector<std::string>& words, const Invocation& invocation) {
  const std::string here = os::current_folder();
  const std::string root = project_root(here, invocation);
  project::ProjectPlace place;
  place.pushed = invocation.hop.has_value();
  std::string start = here;
  if (const auto script = script_of(words)) {
    const auto path = (fs::path(here) / *script).lexically_normal();
    const std::string folder = path.parent_path().string();
    if (lies_in(folder, root)) {
      start = folder;
      if (path.extension() == ".py") place.script = path.string();
    }
  }
  for (std::string folder = start; lies_in(folder, root); folder = fs::path(folder).parent_path().string()) {
    if (counts(folder)) place.folders.push_back(folder);
    if (folder == root) break;
  }
  return place;
}

/// The folders of the project's own Python modules, absolute.
std::vector<std::string> import_folders(const project::Dependencies& dependencies) {
  std::vector<std::string> folders;
  for (const auto& folder : dependencies.imports) {
    const bool absolute = folder.starts_with('/');
    folders.push_back(absolute ? folder : folder == "." ? dependencies.folder : dependencies.folder + "/" + folder);
  }
  return folders;
}

}  // namespace

std::optional<ProjectNeeds> project_needs(const std::vector<std::string>& words, const Invocation& invocation) {
  const auto& settings = invocation.settings;
  auto wanted = project::find_wanted(place_of(words, invocation), settings.setup_lines, settings.scratch);
  if (!wanted) return std::nullopt;
  ProjectNeeds needs{.wanted = std::move(*wanted), .environment = std::nullopt};
  // Without an environment to build, it is ready.
  needs.environment = needs.wanted.dependencies.kind == project::Kind::none ? project::expected(needs.wanted)
                                                                            : project::ready(needs.wanted);
  if (needs.environment && !needs.environment->name.empty()) project::EnvironmentStore::touch(*needs.environment);
  return needs;
}

bool built_on_node(const ProjectNeeds& needs, const Settings& settings) {
  return needs.wanted.choice.on_node.value_or(settings.build_on_node);
}

void say_needs(const ProjectNeeds& needs, const Invocation& invocation) {
  if (invocation.json) return;
  const auto& wanted = needs.wanted;
  for (const auto& unread : wanted.dependencies.unread) {
    fmt::print(stderr, "rv: note: rv does not install {}: {}\n", one_line(unread.what), one_line(unread.way_out));
  }
  if (wanted.dependencies.kind == project::Kind::none) return;
  if (!needs.environment) {
    fmt::print(stderr, "rv: building the environment of {} {}\n", one_line(project::shown(wanted.dependencies)),
               built_on_node(needs, invocation.settings) ? "in a separate job before anything else is submitted"
                                                         : "before anything is submitted");
    return;
  }
  fmt::print(stderr, "rv: environment {} ({})\n", needs.environment->prefix, one_line(needs.environment->from));
}

nlohmann::ordered_json needs_json(const ProjectNeeds& needs) {
  const auto environment = needs.environment ? *needs.environment : project::expected(needs.wanted);
  nlohmann::ordered_json json;
  json["from"] = needs.wanted.dependencies.files;
  json["project"] = needs.wanted.dependencies.folder;
  json["name"] = environment.name.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(environment.name);
  json["prefix"] = environment.prefix.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(environment.prefix);
  json["ready"] = needs.environment.has_value() && !environment.prefix.empty();
  json["imports"] = import_folders(needs.wanted.dependencies);
  json["notes"] = needs.wanted.dependencies.notes;
  json["unread"] = nlohmann::ordered_json::array();
  for (const auto& unread : needs.wanted.dependencies.unread) {
    json["unread"].push_back({{"what", unread.what}, {"way_out", unread.way_out}});
  }
  return json;
}

void add_project(templates::JobSpec& job, ResolvedInputs& inputs, const ProjectNeeds& needs) {
  const auto environment = needs.environment ? *needs.environment : project::expected(needs.wanted);
  job.environment.reset();
  if (!environment.prefix.empty()) {
    job.environment = {.prefix = environment.prefix, .from = environment.from, .conda = environment.conda};
  }
  job.imports = import_folders(needs.wanted.dependencies);
  inputs.project_setup = needs.wanted.choice.setup;
}

void say_full_quotas(const Invocation& invocation) {
  const auto& settings = invocation.settings;
  const std::vector<std::string> folders{variable("HOME"), settings.scratch};
  for (const auto& figure : nearly_full(settings.quota_command, folders, settings.home + "/quota-asked")) {
    fmt::print(stderr, "rv: note: a quota is nearly full: {}\n", figure);
  }
}

ProjectNeeds prepare_for_run(const ProjectNeeds& needs, const Invocation& invocation, bool rebuild) {
  ProjectNeeds made = needs;
  made.environment = project::prepare(
      needs.wanted, {.rebuild = rebuild,
                     .terminal = invocation.terminal,
                     .quiet = invocation.json,
                     .say = [](const std::string& line) { fmt::print(stderr, "rv: {}\n", one_line(line)); },
                     .before = [&] { say_full_quotas(invocation); }});
  return made;
}

}  // namespace rv::cli

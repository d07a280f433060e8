// rv deps: the environments of projects.

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/table.h"
#include "base/text.h"
#include "base/walltime.h"
#include "cli/commands/commands.h"
#include "cli/json/values_json.h"
#include "cli/launch/confirm_project.h"
#include "cli/launch/prepare_on_node.h"
#include "cli/launch/project_environment.h"
#include "cli/options/command_option.h"
#include "cli/options/given.h"
#include "cli/options/project_options.h"
#include "cli/project/dependencies.h"
#include "cli/project/prepare/environment_store.h"
#include "cli/project/project_settings.h"
#include "monitor/run/run_storage.h"
#include "shared/time_text.h"

namespace rv::cli {
namespace {

struct DepsOptions {
  std::string action = "show";
  std::vector<std::string> names;
  ProjectOptions project;
  std::string script;  // whose own block counts; empty: the project's files
  std::string into;    // in a job that builds: <scratch>/environments/<name>, as the rv that submitted it knows them
};

std::optional<ProjectNeeds> needs_for(const DepsOptions& options, const Invocation& invocation) {
  return project_needs(options.script.empty() ? std::vector<std::string>() : std::vector{options.script}, invocation);
}

ProjectNeeds needs_here(const DepsOptions& options, const Invocation& invocation) {
  auto needs = needs_for(options, invocation);
  if (needs && needs->wanted.dependencies.kind != project::Kind::none) return std::move(*needs);
  if (needs && !needs->wanted.dependencies.unread.empty()) {
    const auto& unread = needs->wanted.dependencies.unread.front();
    throw Error(fmt::format("no environment to build: rv can't install {}", one_line(unread.what)),
                one_line(unread.way_out), ExitCode::usage);
  }
  throw Error("no environment to build: this folder has no dependency file that rv can read",
              "add uv.lock, pixi.toml, environment.yml, requirements.txt, Pipfile, pyproject.toml with dependencies, "
              "setup.py or "
              "a .venv",
              ExitCode::usage);
}

void print_needs(const ProjectNeeds& needs) {
  const auto& dependencies = needs.wanted.dependencies;
  fmt::print("project      {}\n", dependencies.folder);
  const bool none = dependencies.kind == project::Kind::none;
  if (!dependencies.files.empty()) fmt::print("declared by  {}\n", one_line(project::shown(dependencies)));
  for (const auto& unread : dependencies.unread) {
    fmt::print("not read     {}: {}\n", one_line(unread.what), one_line(unread.way_out));
  }
  if (none && needs.wanted.choice.none) {
    fmt::print("environment  none (set in {})\n", project::settings_file);
  } else if (none) {
    fmt::print("environment  none: rv found no dependencies that it can install\n");
  } else if (needs.environment) {
    fmt::print("environment  {}\n", needs.environment->prefix);
    if (!needs.environment->name.empty()) {
      fmt::print("made         {} ago with {}, in {}\n", format_duration(current_time() - needs.environment->made),
                 needs.environment->tool, format_duration(needs.environment->took));
    } else {
      fmt::print("made         by you; rv leaves it as it is\n");
    }
  } else {
    fmt::print("environment  not built yet; the next run or rv deps build builds it\n");
  }
  for (const auto& note : dependencies.notes) fmt::print("note         {}\n", one_line(note));
  for (const auto& folder : needs_json(needs)["imports"]) {
    fmt::print("imports      {}\n", folder.get<std::string>());
  }
}

int show(const DepsOptions& options, const Invocation& invocation) {
  const auto needs = needs_for(options, invocation);
  if (needs && options.project.trust_project) confirm_project(*needs, invocation, true);
  if (invocation.json) {
    fmt::print("{}", json_text({{"environment", needs ? needs_json(*needs) : nlohmann::ordered_json()}}));
  } else if (needs) {
    print_needs(*needs);
  } else {
    fmt::print(stderr, "rv: this folder has no dependency file that rv can read\n");
  }
  return 0;
}

int build(const DepsOptions& options, const Invocation& invocation) {
  const bool rebuild = options.action == "rebuild";
  auto needs = needs_here(options, invocation);
  // In the job that builds, the rv that submitted it has prompted already.
  if (options.into.empty()) confirm_project(needs, invocation, options.project.trust_project);
  if (!options.into.empty() && !needs.wanted.name.empty()) {
    const std::filesystem::path into(options.into);
    needs.wanted.name = into.filename();
    needs.wanted.scratch = into.parent_path().parent_path();
    needs.wanted.choice.on_node = false;
    needs.environment = project::ready(needs.wanted);
  }
  if (needs.wanted.name.empty()) {
    throw Error(
        fmt::format("{} is your own environment, so rv does not build another", needs.environment->prefix),
        fmt::format("to build one, name its files in {}: environment: requirements.txt", project::settings_file),
        ExitCode::usage);
  }
  if (rebuild || !needs.environment) {
    needs = built_on_node(needs, invocation.settings) ? prepare_on_node(needs, RequestOptions(), invocation, rebuild)
                                                      : prepare_for_run(needs, invocation, rebuild);
  }
  if (invocation.json) {
    fmt::print("{}", json_text({{"environment", needs_json(needs)}}));
  } else {
    fmt::print("{}\n", needs.environment->prefix);
  }
  return 0;
}

std::string state_of(const project::StoredEnvironment& stored) {
  if (!stored.whole) return "half made";
  return stored.current ? "current" : "replaced";
}

int list(const Invocation& invocation) {
  const auto all = project::EnvironmentStore(invocation.settings.scratch).all();
  if (invocation.json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const auto& one : all) {
      const bool whole = one.whole.has_value();
      rows.push_back({{"name", one.name},
                      {"folder", one.folder},
                      {"state", state_of(one)},
                      {"from", whole ? nlohmann::ordered_json(one.whole->from) : nlohmann::ordered_json()},
                      {"project", whole ? nlohmann::ordered_json(one.whole->project) : nlohmann::ordered_json()},
                      {"tool", whole ? nlohmann::ordered_json(one.whole->tool) : nlohmann::ordered_json()},
                      {"used", one.used.time_since_epoch().count()},
                      {"bytes", monitor::bytes_below(one.folder)}});
    }
    fmt::print("{}", json_text({{"environments", rows}}));
    return 0;
  }
  if (all.empty()) {
    fmt::print(stderr, "rv: no environments in {}\n", project::EnvironmentStore(invocation.settings.scratch).root());
    return 0;
  }
  Table table;
  for (const char* title : {"NAME", "STATE", "SIZE", "USED", "FROM", "PROJECT"}) {
    table.column(title, std::string_view(title) == "SIZE" ? Table::Align::right : Table::Align::left);
  }
  for (const auto& one : all) {
    table.row({one.name, state_of(one), fmt::format("{} MB", monitor::bytes_below(one.folder) >> 20),
               format_duration(current_time() - one.used) + " ago", one.whole ? one_line(one.whole->from) : "",
               one.whole ? one_line(one.whole->project) : ""});
  }
  fmt::print("{}", table.text(invocation.terminal.width, invocation.terminal.colour));
  return 0;
}

int remove_dependencies(const DepsOptions& options, const Invocation& invocation) {
  const project::EnvironmentStore store(invocation.settings.scratch);
  auto names = options.names;
  if (names.empty()) names.push_back(needs_here(options, invocation).wanted.name);
  std::vector<std::string> known;
  for (const auto& one : store.all()) known.push_back(one.name);
  for (const auto& name : names) {
    if (contains(known, name)) continue;
    throw Error(fmt::format("unknown environment \"{}\"{}", name, suggestion(name, known)), "rv deps list names them",
                ExitCode::usage);
  }
  nlohmann::ordered_json removed = nlohmann::ordered_json::array();
  for (const auto& one : store.all()) {
    if (!contains(names, one.name)) continue;
    if (!store.remove(one)) {
      throw Error(fmt::format("another rv process is creating {}", one.name), "try again when it has finished");
    }
    removed.push_back(one.folder);
    if (!invocation.json) fmt::print("{}\n", one.folder);
  }
  if (invocation.json) fmt::print("{}", json_text({{"removed", removed}}));
  return 0;
}

int act(const DepsOptions& options, const Invocation& invocation) {
  if (options.action != "rm" && !options.names.empty()) {
    throw Error(fmt::format("rv deps {} takes no names", options.action), "it is about the project in this folder",
                ExitCode::usage);
  }
  if (options.action == "show") return show(options, invocation);
  if (options.action == "build" || options.action == "rebuild") return build(options, invocation);
  if (options.action == "list") return list(invocation);
  if (options.action == "rm") return remove_dependencies(options, invocation);
  throw Error(fmt::format("rv deps: unknown action \"{}\"{}", options.action,
                          suggestion(options.action, {"show", "build", "rebuild", "rm", "list"})),
              "the actions are show, build, rebuild, rm and list", ExitCode::usage);
}

/// The report about a project needs the laptop's files.
bool of_project(const CLI::App& called) {
  const auto texts = given_texts(called, "action");
  const std::string action = texts.empty() ? "show" : texts.front();
  return action != "list" && (action != "rm" || !given(called, "names"));
}

void add_deps(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = std::make_shared<DepsOptions>();
  add_option(command, "action", options->action, "show (default), build, rebuild, rm, list");
  add_option(command, "names", options->names, "for rm: the environments to remove (default: this project's)");
  add_trust_project(command, options->project);
  add_option(command, "--script", options->script, "use the dependencies that this script declares (PEP 723)")
      .type_name("FILE");
  add_option(command, "--into", options->into).group("");
  set_footer(command,
             "The project's files declare its dependencies. A run builds its environment by itself.\n\n"
             "Examples:\n  rv deps\n  rv deps build\n  rv deps list\n  rv deps rm 3f2a9c1d4b5e6f70");
  set_callback(command, [=, &invocation, &action] { action = [=, &invocation] { return act(*options, invocation); }; });
}

}  // namespace

extern const Command deps_command{
    .name = "deps",
    .summary = "Show or build the environment of a project's dependencies",
    .group = groups::other,
    .needs_files = of_project,
    .add = add_deps,
};

}  // namespace rv::cli

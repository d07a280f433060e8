#include "cli/project/prepare/prepare.h"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/file_lock.h"
#include "base/text.h"
#include "base/trust/private_folder.h"
#include "base/trust/project_folder.h"
#include "base/walltime.h"
#include "cli/project/executed_code.h"
#include "cli/project/prepare/run_recipe.h"
#include "cli/project/prepare/this_machine.h"
#include "shared/time_text.h"

namespace rv::project {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t least_free = 200ULL << 20;  // an empty environment takes some 20 MB
constexpr std::uint64_t least_files = 2000;

bool declares(const std::string& folder, const Dependencies& found) {
  std::error_code ignored;
  return !found.nothing() || fs::exists(folder + "/" + settings_file, ignored);
}

void check_room(const std::string& folder) {
  struct statvfs status {};
  if (::statvfs(folder.c_str(), &status) != 0) return;  // not known
  const std::uint64_t free = static_cast<std::uint64_t>(status.f_bavail) * status.f_frsize;
  const bool few_files = status.f_files > 0 && status.f_favail < least_files;
  if (free >= least_free && !few_files) return;
  throw Error(few_files ? fmt::format("{} has room for {} files only: too few for an environment", folder,
                                      static_cast<std::uint64_t>(status.f_favail))
                        : fmt::format("{} has {} MB free: too little for an environment", folder, free >> 20),
              "make room there, or set scratch in the settings to another folder; rv deps list shows environments that "
              "may go, --no-deps uses no environment");
}

void remove_halves(const EnvironmentStore& store, const std::string& name) {
  for (const auto& stored : store.all()) {
    if (stored.name == name && !stored.whole) store.remove_locked(stored);
  }
}

/// The last lines that say something.
std::string last_lines(const std::string& text, std::size_t most) {
  std::vector<std::string> lines;
  std::size_t end = text.size();
  while (end > 0 && lines.size() < most) {
    const std::size_t begin = text.find_last_of('\n', end - 1);
    std::string line =
        text.substr(begin == std::string::npos ? 0 : begin + 1, end - (begin == std::string::npos ? 0 : begin + 1));
    // A progress bar's last state.
    while (line.ends_with('\r')) line.pop_back();
    line = line.substr(line.find_last_of('\r') + 1);
    if (line.find_first_not_of(" \t") != std::string::npos) lines.push_back(line);
    if (begin == std::string::npos) break;
    end = begin;
  }
  std::string out;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) out += "\n  " + one_line(*line);
  return out;
}

/// Whether the output of a tool (pip, uv, the conda family) reports that it can't reach its index.
bool out_of_reach(std::string_view said) {
  constexpr std::array<std::string_view, 9> words{"after connection broken by", "NewConnectionError",
                                                  "ConnectTimeoutError",        "Temporary failure in name resolution",
                                                  "Name or service not known",  "Network is unreachable",
                                                  "error sending request",      "CONNECTION FAILED",
                                                  "Could not resolve host"};
  return std::any_of(words.begin(), words.end(), [&](auto word) { return said.find(word) != std::string_view::npos; });
}

[[noreturn]] void failed(const EnvironmentRequest& wanted, const Environment& half, const RecipeEnd& end) {
  constexpr std::size_t shown_lines = 15;
  struct statvfs status {};
  const bool known = ::statvfs(half.folder.c_str(), &status) == 0;
  const bool full =
      known && (status.f_bavail * status.f_frsize < (8U << 20) || (status.f_files > 0 && status.f_favail < 10));
  const std::string said = os::read_file(half.folder + ".log").value_or("");
  const std::string reason = full                 ? "; the disk of " + half.folder + " is full"
                             : out_of_reach(said) ? "; its package index can't be reached from this machine"
                                                  : "";
  throw Error(
      fmt::format("the environment of {} could not be made: {} ended with code {}{}{}", shown(wanted.dependencies),
                  end.failed.empty() ? half.tool : end.failed, end.exit_code, reason, last_lines(said, shown_lines)),
      fmt::format("nothing was submitted; {}the whole output is in {}.log; --no-deps uses no environment",
                  reason.empty() || full ? ""
                                         : "the site's proxy or mirror is a set-up line or the tool's own "
                                           "setting; ",
                  half.folder));
}

Environment make(const EnvironmentRequest& wanted, const EnvironmentStore& store, const Preparation& preparation) {
  const auto began = std::chrono::steady_clock::now();
  Environment environment = expected(wanted);
  // Its number comes before the halves go: one whose maker was killed may still be written to.
  environment.folder = store.next_folder(wanted.name);
  remove_halves(store, wanted.name);
  const Recipe made = recipe(wanted.dependencies, wanted.choice, find_tools(), environment.folder, wanted.scratch);
  environment.prefix = environment.folder + "/" + made.prefix;
  environment.conda = made.conda;
  environment.tool = made.tool;
  check_room(store.root());
  for (const auto& [variable, folder] : made.caches) {
    trust::check_private_folder(folder, "set scratch in the settings to another folder");
  }
  if (preparation.before) preparation.before();
  for (const auto& note : made.notes) preparation.say("note: " + note);
  for (const auto& note : wanted.dependencies.notes) preparation.say("note: " + note);
  preparation.say(fmt::format("preparing the environment of {} with {} in {}", shown(wanted.dependencies), made.tool,
                              environment.folder));
  os::make_folder(environment.folder + "/tmp");
  for (const auto& file : made.files) os::write_file(environment.folder + "/" + file.name, file.content);
  const RecipeEnd end = run_recipe(made, {.folder = wanted.dependencies.folder,
                                          .setup = wanted.setup,
                                          .log = environment.folder + ".log",
                                          .terminal = preparation.terminal,
                                          .quiet = preparation.quiet,
                                          .say = preparation.say});
  std::error_code ignored;
  if (end.exit_code != 0) {
    // The free space is measured before the old environment is deleted.
    try {
      failed(wanted, environment, end);
    } catch (const Error&) {
      fs::remove_all(environment.folder, ignored);
      throw;
    }
  }
  fs::remove_all(environment.folder + "/tmp", ignored);
  environment.made = current_time();
  environment.took = std::chrono::ceil<std::chrono::seconds>(std::chrono::steady_clock::now() - began);
  store.publish(environment);
  if (!store.current(wanted.name)) {
    throw Error(fmt::format("the environment in {} has no {}/bin/python that can be started", environment.folder,
                            environment.prefix),
                fmt::format("the output is in {}.log", environment.folder));
  }
  preparation.say(fmt::format("the environment is ready after {}", format_duration(environment.took)));
  return environment;
}

bool declares_dependencies(const std::string& name) {
  constexpr std::array<std::string_view, 14> whole{settings_file,     ".venv",
                                                   "uv.lock",         "uv.toml",
                                                   "pixi.lock",       "pixi.toml",
                                                   "pyproject.toml",  "setup.py",
                                                   "setup.cfg",       "Pipfile",
                                                   "Pipfile.lock",    "conda-lock.yml",
                                                   "conda-lock.yaml", "conda-linux-64.lock"};
  if (std::find(whole.begin(), whole.end(), name) != whole.end()) return true;
  return (name.starts_with("requirements") && name.ends_with(".txt")) ||
         (name.starts_with("environment") && (name.ends_with(".yml") || name.ends_with(".yaml")));
}

/// Throws Error(usage) for a folder in which another user may have put what this run would install or start.
void check_owner(const ProjectFolder& folder, const std::string& script = "") {
  std::string reason = script.empty() ? "" : trust::marker_distrust(folder.path, script);
  for (const auto& name : folder.names) {
    if (reason.empty() && declares_dependencies(name)) reason = trust::marker_distrust(folder.path, name);
  }
  if (reason.empty() && contains(folder.names, ".venv")) reason = trust::marker_distrust(folder.path + "/.venv", "bin");
  if (reason.empty()) return;
  throw Error(fmt::format("the dependencies of {} are not used: {}", one_line(folder.path), reason),
              trust::project_way_out(folder.path) + "; --no-deps uses no environment", ExitCode::usage);
}

}  // namespace

namespace {

/// The project's packages that a tool builds here, or whose dependencies it queries.
std::vector<LocalPackage> built_packages(const Dependencies& found) {
  if (found.kind == Kind::none || found.kind == Kind::own) return {};
  if (found.kind == Kind::conda) return found.requirements.local;
  // uv reads of a workspace's members only its lock; pip, in its place, asks them.
  std::vector<LocalPackage> packages;
  if (found.kind != Kind::uv_lock || find_tools().uv.empty()) packages = found.local;
  for (const auto& tree : found.trees) packages.push_back({tree, {}, false});
  return packages;
}

/// The wish for the dependencies that were found.
EnvironmentRequest wanted_of(Dependencies found, EnvironmentChoice choice, const std::vector<std::string>& setup_lines,
                             const std::string& scratch) {
  EnvironmentRequest wanted{.dependencies = std::move(found),
                            .choice = std::move(choice),
                            .setup = setup_lines,
                            .scratch = scratch,
                            .name = "",
                            .code = {},
                            .start = "",
                            .script = ""};
  const auto& path = wanted.dependencies.folder;
  wanted.start = path;
  const ProjectFolder folder = read_folder(path);
  wanted.setup.insert(wanted.setup.end(), wanted.choice.setup.begin(), wanted.choice.setup.end());
  const bool made = wanted.dependencies.kind != Kind::none && wanted.dependencies.kind != Kind::own;
  wanted.code = executed_code(wanted.choice, built_packages(wanted.dependencies), folder.read);
  if (!made) return wanted;
  const std::string python = wanted.choice.python.empty() ? "python3" : wanted.choice.python;
  wanted.name = environment_name(wanted.dependencies, wanted.choice, wanted.setup, this_machine(python, path),
                                 folder.read, [&](const std::string& file) {
                                   return file_stamp(file.starts_with('/') ? file : fmt::format("{}/{}", path, file));
                                 });
  return wanted;
}

/// The script's own block, unless the project's settings choose otherwise.
std::optional<EnvironmentRequest> wanted_by_script(const ProjectPlace& place,
                                                   const std::vector<std::string>& setup_lines,
                                                   const std::string& scratch) {
  if (place.script.empty() || place.folders.empty()) return std::nullopt;
  const fs::path script(place.script);
  const ProjectFolder folder = read_folder(script.parent_path().string());
  EnvironmentChoice choice;
  for (const auto& path : place.folders) {
    std::error_code ignored;
    if (!fs::exists(path + "/" + settings_file, ignored)) continue;
    choice = read_choice(path);
    break;
  }
  const auto name = script.filename().string();
  auto found = script_dependencies(folder, name, choice);
  if (!found) return std::nullopt;
  check_owner(folder, name);
  auto wanted = wanted_of(std::move(*found), std::move(choice), setup_lines, scratch);
  wanted.script = name;
  return wanted;
}

/// By the lock of the workspace that the folder is a member of.
std::optional<EnvironmentRequest> wanted_by_workspace(const ProjectFolder& folder,
                                                      const std::vector<std::string>& folders,
                                                      const std::vector<std::string>& setup_lines,
                                                      const std::string& scratch) {
  const bool own = contains(folder.names, "uv.lock") || folder.runs(".venv/bin/python");
  if (own || !contains(folder.names, "pyproject.toml")) return std::nullopt;
  for (const auto& path : folders) {
    const auto member = fs::path(folder.path).lexically_relative(path).string();
    if (path == folder.path || member.starts_with("..")) continue;
    const ProjectFolder root = read_folder(path);
    if (!contains(root.names, "uv.lock")) continue;
    const bool chooses = contains(folder.names, settings_file);
    auto choice = read_choice(chooses ? folder.path : path);
    auto found = member_dependencies(root, member, choice);
    if (!found) continue;
    check_owner(root);
    auto wanted = wanted_of(std::move(*found), std::move(choice), setup_lines, scratch);
    wanted.start = folder.path;
    return wanted;
  }
  return std::nullopt;
}

}  // namespace

std::optional<EnvironmentRequest> find_wanted(const ProjectPlace& place, const std::vector<std::string>& setup_lines,
                                              const std::string& scratch) {
  if (auto wanted = wanted_by_script(place, setup_lines, scratch)) return wanted;
  std::optional<EnvironmentRequest> unread;
  for (const auto& path : place.folders) {
    ProjectFolder folder = read_folder(path);
    check_owner(folder);
    auto choice = read_choice(path);
    if (place.pushed && choice.from.empty()) folder.runs = [](const std::string&) { return false; };
    if (choice.from.empty() && !choice.none) {
      if (auto wanted = wanted_by_workspace(folder, place.folders, setup_lines, scratch)) return wanted;
    }
    auto found = find_dependencies(folder, choice);
    const bool counts = declares(path, found);
    if (!counts && (unread || found.unread.empty())) continue;
    auto wanted = wanted_of(std::move(found), std::move(choice), setup_lines, scratch);
    if (counts) return wanted;
    unread = std::move(wanted);
  }
  return unread;
}

Environment expected(const EnvironmentRequest& wanted) {
  Environment environment;
  environment.name = wanted.name;
  environment.from = shown(wanted.dependencies);
  environment.project = wanted.dependencies.folder;
  if (wanted.name.empty()) return environment;
  environment.folder = EnvironmentStore(wanted.scratch).next_folder(wanted.name);
  const bool pixi = wanted.dependencies.kind == Kind::pixi_lock;
  environment.prefix = environment.folder + (pixi ? "/pixi/.pixi/envs/default" : "/env");
  environment.conda = pixi || wanted.dependencies.kind == Kind::conda;
  return environment;
}

std::optional<Environment> ready(const EnvironmentRequest& wanted) {
  if (wanted.dependencies.kind != Kind::own) return EnvironmentStore(wanted.scratch).current(wanted.name);
  const std::string& own = wanted.dependencies.own;
  Environment environment;
  environment.prefix = own.starts_with('/') ? own : wanted.dependencies.folder + "/" + own;
  environment.folder = environment.prefix;
  environment.from = own;
  environment.project = wanted.dependencies.folder;
  std::error_code ignored;
  environment.conda = fs::is_directory(environment.prefix + "/conda-meta", ignored);
  return environment;
}

Environment prepare(const EnvironmentRequest& wanted, const Preparation& preparation) {
  if (wanted.name.empty()) return expected(wanted);
  const EnvironmentStore store(wanted.scratch);
  const auto before = store.current(wanted.name);  // checks the owners of the folders
  if (before && !preparation.rebuild) return *before;
  os::make_folder(store.root() + "/locks");
  auto lock = os::FileLock::try_take(store.lock_file(wanted.name), os::WithoutLocks::go_on);
  if (!lock) {
    preparation.say(
        fmt::format("another rv is preparing this environment ({}): waiting for it", shown(wanted.dependencies)));
    lock = os::FileLock::wait(store.lock_file(wanted.name), os::LockMode::exclusive);
  }
  if (!lock) {
    throw Error(fmt::format("can't open {}: {}", store.lock_file(wanted.name), std::strerror(errno)),
                "set scratch in the settings to a folder that you can write to");
  }
  // An environment that another process has built meanwhile is used, also for a rebuild.
  const auto meanwhile = store.current(wanted.name);
  const bool another = meanwhile && (!before || meanwhile->folder != before->folder);
  if (meanwhile && (another || !preparation.rebuild)) return *meanwhile;
  return make(wanted, store, preparation);
}

}  // namespace rv::project

#include "cli/remote/sync/guarded_git.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

#include "base/variable.h"
#include "cli/remote/sync/git.h"

namespace rv::sync {

namespace {

/// A large work tree on a slow disk may take its time.
constexpr std::chrono::seconds patience{600};
constexpr std::chrono::seconds short_patience{5};

bool only_informs(GitQuestion question) {
  return question == GitQuestion::settings || question == GitQuestion::status || question == GitQuestion::changes;
}

std::string subcommand(GitQuestion question) {
  switch (question) {
    case GitQuestion::files:
      return "ls-files";
    case GitQuestion::ignored:
      return "check-ignore";
    case GitQuestion::new_worktree:
      return "init";
    case GitQuestion::settings:
      return "config";
    case GitQuestion::status:
      return "status";
    case GitQuestion::changes:
      return "diff";
  }
  return {};
}

/// Without what git itself sets for its hooks, which would name another work tree.
std::vector<std::string> environment() {
  constexpr std::array<std::string_view, 12> dropped = {
      "GIT_DIR=",           "GIT_WORK_TREE=",        "GIT_INDEX_FILE=",      "GIT_PREFIX=",
      "GIT_COMMON_DIR=",    "GIT_OBJECT_DIRECTORY=", "GIT_NAMESPACE=",       "GIT_OPTIONAL_LOCKS=",
      "GIT_NO_LAZY_FETCH=", "GIT_ALLOW_PROTOCOL=",   "GIT_TERMINAL_PROMPT=", "LC_ALL="};
  auto variables = all_variables();
  std::erase_if(variables, [&](const std::string& text) {
    return std::any_of(dropped.begin(), dropped.end(), [&](const auto name) { return text.starts_with(name); });
  });
  // GIT_OPTIONAL_LOCKS=0: the index is not refreshed. A missing object is fetched from the project's remote, which may
  // be a command (ext::, uploadpack): git from 2.44 knows GIT_NO_LAZY_FETCH, all know GIT_ALLOW_PROTOCOL.
  variables.insert(variables.end(), {"GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none",
                                     "GIT_TERMINAL_PROMPT=0", "LC_ALL=C"});
  return variables;
}

}  // namespace

namespace {

/// The settings that switch off the filters (git-lfs, or any command) through which git would read changed files.
/// Nothing if git does not list them, or lists one that its command line can't name.
std::optional<std::vector<std::string>> without_filters(const std::string& folder) {
  const auto found = ask_git(folder, GitQuestion::settings,
                             {"-z", "--name-only", "--get-regexp", "^filter\\..*\\.(clean|process|required)$"});
  constexpr int none = 1;  // git config's code
  if (!found.ok() && (found.exit_code != none || found.timed_out)) return std::nullopt;
  std::vector<std::string> options;
  for (const auto& name : split_nul(found.out)) {
    if (name.find('=') != std::string::npos) return std::nullopt;  // -c takes what follows for the value
    options.insert(options.end(), {"-c", name + (name.ends_with(".required") ? "=false" : "=")});
  }
  return options;
}

}  // namespace

os::Result ask_git(const std::string& folder, GitQuestion question, const std::vector<std::string>& arguments,
                   std::string input, Excludes excludes) {
  // core.fsmonitor is empty rather than false: before 2.36 "false" is the name of a command. The system's and the
  // user's own configuration is read as always: ignored files, safe.directory.
  std::vector<std::string> argv{"git", "--no-pager"};
  for (const char* setting : {"core.fsmonitor=", "core.hooksPath=/dev/null", "core.sshCommand=false",
                              "core.askPass=false", "core.pager=cat", "credential.helper=", "protocol.allow=never"}) {
    argv.insert(argv.end(), {"-c", setting});
  }
  if (excludes == Excludes::none) argv.insert(argv.end(), {"-c", "core.excludesFile=/dev/null"});
  if (question == GitQuestion::status || question == GitQuestion::changes) {
    const auto options = without_filters(folder);
    if (!options) {
      os::Result unknown;
      unknown.err = "its filters can't be switched off";
      return unknown;
    }
    argv.insert(argv.end(), options->begin(), options->end());
  }
  argv.push_back(subcommand(question));
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return os::run({.argv = std::move(argv),
                  .input = std::move(input),
                  .deadline = only_informs(question) ? short_patience : patience,
                  .environment = environment(),
                  .folder = folder});
}

bool refused_owner(const os::Result& result) {
  // 2.35.2 says "unsafe repository", later releases "detected dubious ownership".
  return result.err.find("dubious ownership") != std::string::npos ||
         result.err.find("unsafe repository") != std::string::npos;
}

}  // namespace rv::sync

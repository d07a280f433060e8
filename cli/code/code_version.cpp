#include "cli/code/code_version.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "base/documents/parse_document.h"
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/text.h"
#include "cli/remote/sync/git.h"
#include "cli/remote/sync/guarded_git.h"
#include "cli/remote/sync/project.h"
#include "shared/documents/json_dump.h"
#include "shared/documents/json_integer.h"

namespace rv::cli {
namespace {

constexpr std::size_t longest_diff = std::size_t{1} << 20;
constexpr std::string_view record_file = "code.json";
constexpr std::string_view diff_file = "code.diff";

std::string after(const std::string& line, std::string_view start) {
  return line.substr(start.size());
}

/// Reads `git status --porcelain=v2 --branch -z` (git-status(1)): headers begin with "# ", an untracked file with "? ",
/// a changed one with a digit or "u". A renamed file ("2 ") is followed by its old name.
CodeVersion parse_status(std::string_view text) {
  constexpr std::string_view commit = "# branch.oid ";
  constexpr std::string_view branch = "# branch.head ";
  CodeVersion version;
  bool old_name = false;
  for (const auto& line : sync::split_nul(text)) {
    if (std::exchange(old_name, false)) continue;
    if (line.starts_with(commit)) {
      if (const auto hash = after(line, commit); hash != "(initial)") version.commit = hash;
    } else if (line.starts_with(branch)) {
      if (const auto name = after(line, branch); name != "(detached)") version.branch = name;
    } else if (line.starts_with("? ")) {
      ++version.untracked;
    } else if (line.starts_with("1 ") || line.starts_with("2 ") || line.starts_with("u ")) {
      ++version.changed;
      old_name = line.starts_with("2 ");
    }
  }
  return version;
}

void add_diff(CodeVersion& version, const std::string& root) {
  if (version.commit.empty() || version.changed == 0) return;
  auto diff = sync::ask_git(root, sync::GitQuestion::changes,
                            {"--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=dirty", "HEAD"});
  version.whole_diff = diff.ok() && diff.out.size() <= longest_diff;
  if (!diff.ok()) return;
  version.diff = std::move(diff.out);
  if (!version.whole_diff) version.diff.resize(version.diff.rfind('\n', longest_diff) + 1);
}

}  // namespace

std::optional<CodeVersion> read_code_version(const std::string& folder, Diff diff) {
  const auto project = sync::find_project(folder);
  if (!project) return std::nullopt;
  const auto status =
      sync::ask_git(project->root, sync::GitQuestion::status,
                    {"--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--ignore-submodules=dirty"});
  if (!status.ok()) return std::nullopt;
  auto version = parse_status(status.out);
  version.root = project->root;
  if (diff == Diff::read) {
    add_diff(version, project->root);
  } else {
    version.whole_diff = version.changed == 0;
  }
  return version;
}

std::string to_record(const CodeVersion& version) {
  const nlohmann::ordered_json json{{"root", version.root},           {"commit", version.commit},
                                    {"branch", version.branch},       {"changed", version.changed},
                                    {"untracked", version.untracked}, {"whole_diff", version.whole_diff}};
  return json_dump(json);
}

std::optional<CodeVersion> parse_record(const std::string& text) {
  try {
    const auto json = parse_json<nlohmann::json>(text, "the record of a run's code");
    return CodeVersion{.root = json.at("root"),
                       .commit = json.at("commit"),
                       .branch = json.at("branch"),
                       .changed = integer_at<int>(json, "changed"),
                       .untracked = integer_at<int>(json, "untracked"),
                       .whole_diff = json.at("whole_diff")};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

void write_code_version(const std::string& prefix, const CodeVersion& version) {
  try {
    if (!version.diff.empty()) os::write_file(prefix + std::string(diff_file), version.diff);
    os::write_file(prefix + std::string(record_file), to_record(version) + "\n");
  } catch (const Error&) {
    return;
  }
}

std::optional<CodeVersion> written_code_version(const std::string& prefix) {
  const auto text = os::read_file(prefix + std::string(record_file));
  return text ? parse_record(*text) : std::nullopt;
}

std::optional<std::string> written_diff(const std::string& prefix) {
  return os::read_file(prefix + std::string(diff_file));
}

std::string in_words(const CodeVersion& version) {
  constexpr std::size_t shown = 12;
  std::string words = version.commit.empty() ? "no commit" : version.commit.substr(0, shown);
  if (!version.branch.empty()) words += " on " + one_line(version.branch);
  if (version.changed > 0) words += ", " + counted(version.changed, "file") + " changed";
  if (version.untracked > 0) words += fmt::format(", {} not tracked", version.untracked);
  return words;
}

}  // namespace rv::cli

#include "cli/project/pipfile.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/documents/json_members.h"
#include "base/documents/parse_document.h"
#include "cli/project/toml.h"

namespace rv::project {
namespace {

using Json = nlohmann::ordered_json;

std::string extras_of(const Json& package) {
  std::string text;
  for (const auto& extra : member_of(package, "extras")) {
    if (extra.is_string()) text += (text.empty() ? "" : ",") + extra.get<std::string>();
  }
  return text.empty() ? "" : "[" + text + "]";
}

/// "1.21" means "==1.21", and "*" any version.
std::string version_of(const std::string& version) {
  if (version == "*") return "";
  const bool bare = !version.empty() && version.front() >= '0' && version.front() <= '9';
  return bare ? "==" + version : version;
}

std::string line_of(const std::string& name, const Json& package) {
  if (package.is_string()) return name + version_of(package.get<std::string>());
  const auto path = member_text(package, "path");
  if (!path.empty())
    return "-e " + (path == "." || path.starts_with("./") || path.starts_with('/') ? path : "./" + path) +
           extras_of(package);
  std::string line = name + extras_of(package);
  const auto git = member_text(package, "git");
  const auto file = member_text(package, "file");
  const auto version = member_text(package, "version");
  if (!git.empty()) {
    const auto ref = member_text(package, "ref");
    line += " @ git+" + git + (ref.empty() ? "" : "@" + ref);
  } else if (!file.empty()) {
    line += " @ " + file;
  } else {
    line += version_of(version);
  }
  const auto markers = member_text(package, "markers");
  return markers.empty() ? line : line + " ; " + markers;
}

/// The first index is pip's only one: packages that a project requests from another index never come from a public one.
void add_indexes(const Json& sources, std::vector<std::string>& lines) {
  bool first = true;
  for (const auto& source : sources) {
    const auto url = member_text(source, "url");
    if (url.empty()) continue;
    lines.push_back((first ? "--index-url " : "--extra-index-url ") + url);
    first = false;
  }
}

bool has_hashes(const Json& package) {
  const auto& hashes = member_of(package, "hashes");
  return hashes.is_array() && !hashes.empty();
}

/// pip requires hashes for all packages or for none.
std::vector<std::string> lines_of(const Json& sources, const Json& packages) {
  std::vector<std::string> lines;
  add_indexes(sources, lines);
  if (!packages.is_object()) return lines;
  const bool hashed = std::all_of(packages.begin(), packages.end(), has_hashes);
  for (const auto& [name, package] : packages.items()) {
    auto line = line_of(name, package);
    if (hashed) {
      for (const auto& hash : package["hashes"]) {
        if (hash.is_string()) line += " --hash=" + hash.get<std::string>();
      }
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

/// Whose index is not the first: pip could take a package of that name from another.
bool wants_an_index(const Json& packages) {
  if (!packages.is_object()) return false;
  return std::any_of(packages.begin(), packages.end(),
                     [](const Json& package) { return !member_text(package, "index").empty(); });
}

}  // namespace

std::optional<std::vector<std::string>> pipfile_lock_lines(std::string_view text) {
  const auto json = parse_json_or_discard<Json>(text);
  if (!json.is_object() || !member_of(json, "default").is_object()) return std::nullopt;
  return lines_of(member_of(member_of(json, "_meta"), "sources"), member_of(json, "default"));
}

std::optional<std::vector<std::string>> pipfile_lines(std::string_view text) {
  const auto toml = parse_toml(text);
  if (!toml || wants_an_index(member_of(*toml, "packages"))) return std::nullopt;
  return lines_of(member_of(*toml, "source"), member_of(*toml, "packages"));
}

}  // namespace rv::project

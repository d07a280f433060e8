#include "cli/project/pyproject.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/did_you_mean.h"
#include "base/documents/json_members.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/project/toml.h"

namespace rv::project {
namespace {

using Json = nlohmann::ordered_json;

bool lists(const Json& array, std::string_view word) {
  return array.is_array() && std::any_of(array.begin(), array.end(), [&](const Json& one) { return one == word; });
}

const Json& at(const Json& json, std::initializer_list<const char*> keys) {
  const Json* found = &json;
  for (const char* key : keys) found = &member_of(*found, key);
  return *found;
}

void add_texts(const Json& json, std::vector<std::string>& texts) {
  if (json.is_string()) texts.push_back(json.get<std::string>());
  if (!json.is_array()) return;
  for (const auto& one : json) {
    if (one.is_string()) texts.push_back(one.get<std::string>());
  }
}

std::vector<std::string> keys_of(const Json& table) {
  std::vector<std::string> keys;
  if (!table.is_object()) return keys;
  for (const auto& [key, value] : table.items()) keys.push_back(key);
  return keys;
}

/// "{path = "../lib"}", or a list of these.
void add_paths(const Json& table, std::vector<std::string>& folders) {
  if (!table.is_object()) return;
  for (const auto& [name, source] : table.items()) {
    const Json list = source.is_array() ? source : Json::array({source});
    for (const auto& one : list) {
      const auto path = member_text(one, "path");
      const bool file = path.ends_with(".whl") || path.ends_with(".gz") || path.ends_with(".zip");
      if (!path.empty() && !file) folders.push_back(path);
    }
  }
}

/// setuptools and Hatch take dependencies from requirements files that they name; any other dynamic list is computed.
void read_dynamic(const Json& toml, Pyproject& found) {
  const auto& setuptools = at(toml, {"tool", "setuptools", "dynamic"});
  add_texts(at(setuptools, {"dependencies", "file"}), found.files);
  const auto& optional = member_of(setuptools, "optional-dependencies");
  if (optional.is_object()) {
    for (const auto& [extra, from] : optional.items()) add_texts(member_of(from, "file"), found.files);
  }
  const auto& hooks = at(toml, {"tool", "hatch", "metadata", "hooks"});
  add_texts(at(hooks, {"requirements_txt", "files"}), found.files);
  found.computed = found.files.empty();
}

/// Whether a package comes from an index that only Poetry queries for it: pip and uv would query their own.
bool has_private_source(const Json& toml, const Json& needed) {
  constexpr std::array<std::string_view, 4> open{"https://pypi.org/", "https://download.pytorch.org/",
                                                 "https://pypi.nvidia.com", "https://test.pypi.org/"};
  if (!needed.is_object()) return false;
  return std::any_of(needed.begin(), needed.end(), [&](const Json& package) {
    const auto source = member_text(package, "source");
    if (source.empty() || source == "pypi" || source == "PyPI") return false;
    for (const auto& one : at(toml, {"tool", "poetry", "source"})) {
      const auto url = member_text(one, "url");
      const bool is_open = std::any_of(open.begin(), open.end(), [&](auto host) { return url.starts_with(host); });
      if (member_text(one, "name") == source && is_open) return false;
    }
    return true;
  });
}

void read_poetry(const Json& toml, Pyproject& found) {
  const auto& needed = at(toml, {"tool", "poetry", "dependencies"});
  const auto names = keys_of(needed);
  const bool needs = std::any_of(names.begin(), names.end(), [](const auto& name) { return name != "python"; });
  add_paths(needed, found.sources);
  if (has_private_source(toml, needed)) {
    found.poetry = true;
    found.dependencies = false;
  }
  if (!needs || found.dependencies) return;
  const auto backend = member_text(member_of(toml, "build-system"), "build-backend");
  const bool builds = member_of(at(toml, {"tool", "poetry"}), "package-mode") != false;
  found.poetry = found.poetry || !builds || backend.find("poetry") == std::string::npos;
  found.dependencies = !found.poetry;
}

bool has_hatch_environments(const Json& toml) {
  const auto& environments = at(toml, {"tool", "hatch", "envs"});
  if (!environments.is_object()) return false;
  return std::any_of(environments.begin(), environments.end(), [](const Json& one) {
    return member_of(one, "dependencies").is_array() || member_of(one, "extra-dependencies").is_array();
  });
}

void add_group(const Json& groups, const std::string& group, const std::string& file, std::vector<std::string>& open,
               std::vector<std::string>& lines) {
  const Json* found = nullptr;
  if (groups.is_object()) {
    for (const auto& [name, list] : groups.items()) {
      if (normalised(name) == normalised(group)) found = &list;
    }
  }
  if (found == nullptr) {
    throw Error(fmt::format("{}: unknown dependency group \"{}\"{}", file, group, suggestion(group, keys_of(groups))),
                "name groups of [dependency-groups]", ExitCode::usage);
  }
  if (contains(open, normalised(group))) {
    throw Error(fmt::format("{}: the dependency group {} includes itself", file, group), "remove one include-group",
                ExitCode::usage);
  }
  open.push_back(normalised(group));
  for (const auto& one : *found) {
    if (one.is_string()) lines.push_back(one.get<std::string>());
    const auto included = member_text(one, "include-group");
    if (!included.empty()) add_group(groups, included, file, open, lines);
  }
  open.pop_back();
}

}  // namespace

Pyproject scan_pyproject(std::string_view text) {
  Pyproject found;
  const auto parsed = parse_toml(text);
  if (!parsed) {
    found.readable = false;
    return found;
  }
  const Json& toml = *parsed;
  const auto& project = member_of(toml, "project");
  const auto& dynamic = member_of(project, "dynamic");
  const auto& dependencies = member_of(project, "dependencies");
  found.package = member_of(toml, "build-system").is_object();
  found.name = member_text(project, "name");
  found.extras = keys_of(member_of(project, "optional-dependencies"));
  found.groups = keys_of(member_of(toml, "dependency-groups"));
  found.pixi = at(toml, {"tool", "pixi"}).is_object();
  found.hatch_environments = has_hatch_environments(toml);
  found.dependencies = dependencies.is_array() && !dependencies.empty();
  if (lists(dynamic, "dependencies")) {
    found.dependencies = true;
    read_dynamic(toml, found);
  } else if (lists(dynamic, "optional-dependencies")) {
    read_dynamic(toml, found);
  }
  add_paths(at(toml, {"tool", "uv", "sources"}), found.sources);
  read_poetry(toml, found);
  if (found.name.empty()) found.name = member_text(at(toml, {"tool", "poetry"}), "name");
  return found;
}

std::vector<std::string> group_requirements(std::string_view text, const std::vector<std::string>& groups,
                                            const std::string& file) {
  const auto toml = parse_toml(text);
  const Json all = toml ? member_of(*toml, "dependency-groups") : Json();
  std::vector<std::string> open, lines;
  for (const auto& group : groups) add_group(all, group, file, open, lines);
  return lines;
}

std::string normalised(std::string_view name) {
  std::string out;
  for (const char c : lower(name)) {
    const bool separator = c == '-' || c == '_' || c == '.';
    if (!separator)
      out += c;
    else if (!out.ends_with('-'))
      out += '-';
  }
  return out;
}

}  // namespace rv::project

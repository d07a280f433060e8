#include "cli/project/unread.h"

#include <algorithm>

#include "base/text.h"

namespace rv::project {
namespace {

bool is_yaml(const std::string& name) {
  return name.ends_with(".yml") || name.ends_with(".yaml");
}

/// Recognised only by name: a file of conda that is not called environment.yml, and lists for pip-tools.
bool is_other_list(const std::string& name) {
  const bool conda = is_yaml(name) && (name.starts_with("environment") || name.starts_with("conda") ||
                                       name == "env.yml" || name == "env.yaml");
  return conda || (name.starts_with("requirements") && name.ends_with(".in")) || name == "requirements";
}

std::string choice(const std::string& name) {
  return "environment: " + name + " in .rv.yaml";
}

}  // namespace

std::vector<Unread> unread_files(const std::vector<std::string>& names, const Pyproject& pyproject) {
  std::vector<Unread> found;
  if (!pyproject.readable) found.push_back({"pyproject.toml", "correct it: it is not valid TOML"});
  if (pyproject.poetry) {
    found.push_back({"Poetry's dependencies in pyproject.toml",
                     "poetry export -o requirements.txt, or a [build-system] with poetry-core"});
  }
  if (!pyproject.groups.empty()) {
    found.push_back({"the dependency groups " + listed(pyproject.groups) + " of pyproject.toml",
                     "environment: {groups: [" + pyproject.groups.front() + "]} in .rv.yaml"});
  }
  if (!pyproject.extras.empty()) {
    found.push_back({"the optional dependencies " + listed(pyproject.extras) + " of pyproject.toml",
                     "environment: {extras: [" + pyproject.extras.front() + "]} in .rv.yaml"});
  }
  if (pyproject.hatch_environments) {
    found.push_back({"Hatch's environments in pyproject.toml", "hatch dep show requirements >requirements.txt"});
  }
  for (const auto& name : names) {
    if (name == "pylock.toml" || (name.starts_with("pylock.") && name.ends_with(".toml"))) {
      found.push_back({name, "let the tool that wrote it export requirements.txt (uv export, pdm export)"});
    }
  }
  if (contains(names, "pdm.lock")) found.push_back({"pdm.lock", "pdm export -o requirements.txt"});
  if (contains(names, "poetry.lock") && !pyproject.poetry) {
    found.push_back(
        {"poetry.lock", "poetry export -o requirements.txt (Poetry 2: poetry self add poetry-plugin-export)"});
  }
  for (const auto& name : names) {
    if (is_other_list(name)) {
      const bool folder = name == "requirements";
      found.push_back({folder ? "the folder requirements" : name, choice(folder ? "requirements/FILE.txt" : name)});
    }
  }
  return found;
}

std::vector<std::string> unread_locks(const std::vector<std::string>& names) {
  std::vector<std::string> notes;
  if (contains(names, "poetry.lock")) {
    notes.push_back(
        "poetry.lock is not read: pip installs what pyproject.toml allows; "
        "poetry export -o requirements.txt writes its versions (Poetry 2: poetry self add poetry-plugin-export)");
  }
  if (contains(names, "pdm.lock")) {
    notes.push_back(
        "pdm.lock is not read: pip installs what pyproject.toml allows; pdm export -o requirements.txt "
        "writes its versions");
  }
  return notes;
}

}  // namespace rv::project

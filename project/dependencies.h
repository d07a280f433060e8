// Which files of a project say what it needs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "project/project_settings.h"
#include "project/requirements.h"

namespace rv::project {

enum class Kind {
  none,  // nothing to install
  own,   // an environment that the user has made: .venv
  uv_lock,
  pixi_lock,
  conda,         // environment.yml
  requirements,  // pip's requirements files
  package,       // pyproject.toml or setup.py
};

struct Dependencies {
  Kind kind = Kind::none;
  std::string folder;                // the project's, absolute
  std::vector<std::string> files;    // from there: all that decides what is installed, for people the first
  std::string own;                   // of kind own: that folder, from there
  Requirements requirements;         // of kind requirements
  std::vector<LocalPackage> local;   // whose dependencies are installed, and whose code is imported from where it is
  std::vector<std::string> imports;  // folders that Python looks for modules in, from the project's folder

  bool nothing() const { return kind == Kind::none && imports.empty(); }
};

/// "requirements.txt and base.txt", ".venv".
std::string shown(const Dependencies& dependencies);

/// What is in a folder: its names, its files' content, and whether a path in it leads to a program.
struct ProjectFolder {
  std::string path;  // absolute
  std::vector<std::string> names;
  ReadFile read;
  std::function<bool(const std::string& path)> runs;  // an executable file, links followed
  std::function<bool(const std::string& path)> is_folder;
};

/// The folder's own dependencies; kind none where it declares none. A working .venv comes first, then uv.lock,
/// pixi.lock, environment.yml, requirements.txt, pyproject.toml with dependencies, setup.py. Throws Error(usage) for
/// what the choice names and is not there, and for several requirements-*.txt without a requirements.txt.
Dependencies find_dependencies(const ProjectFolder& folder, const EnvironmentChoice& choice);

}  // namespace rv::project

// Which files of a project declare its dependencies.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/project/project_settings.h"
#include "cli/project/requirements.h"
#include "cli/project/unread.h"

namespace rv::project {

enum class Kind {
  none,  // nothing to install
  own,   // an environment that the user has made: .venv
  uv_lock,
  pixi_lock,     // pixi.toml, with its lock or without
  conda,         // environment.yml, a lock of conda
  requirements,  // pip's requirements files, and what is written as such: a script's block, a Pipfile, groups
  package,       // pyproject.toml, setup.py or setup.cfg
};

struct Dependencies {
  Kind kind = Kind::none;
  std::string folder;                // the project's, absolute
  std::vector<std::string> files;    // from there: those that declare it, for people the first
  std::vector<std::string> also;     // further files that decide what is installed
  std::vector<std::string> trees;    // folders that are installed as a copy: all their files enter the name
  std::string own;                   // of kind own: that folder, from there
  Requirements requirements;         // of kind requirements; of kind conda what pip installs
  std::vector<LocalPackage> local;   // whose dependencies are installed, and whose code is imported from where it is
  std::vector<std::string> bare;     // folders of local packages that need nothing: their names are local, too
  std::vector<std::string> imports;  // folders that Python looks for modules in, from the project's folder
  std::string member;                // of a uv workspace: the package that is wanted; empty: the root's
  std::string python;                // the versions of Python that a script allows; empty: any
  std::vector<std::string> notes;    // for people: what of this can't be known
  std::vector<Unread> unread;        // of kind none: what there is

  bool nothing() const { return kind == Kind::none && imports.empty(); }
};

/// "requirements.txt and base.txt", ".venv".
std::string shown(const Dependencies& dependencies);

/// The content of a folder: names, file contents, and whether a path in it leads to a program.
struct ProjectFolder {
  std::string path;  // absolute
  std::vector<std::string> names;
  ReadFile read;
  std::function<bool(const std::string& path)> runs;  // an executable file, links followed
  std::function<bool(const std::string& path)> is_folder;
};

/// The folder's own dependencies; kind none where it declares none that rv can install. A working .venv comes first,
/// then uv.lock, pixi, conda's lock and environment.yml, requirements.txt, Pipfile, pyproject.toml with dependencies,
/// setup.py, setup.cfg. Throws Error(usage) for what the choice names and is not there, and for several
/// requirements-*.txt without a requirements.txt.
Dependencies find_dependencies(const ProjectFolder& folder, const EnvironmentChoice& choice);

/// The dependencies in a script's own block (script_block.h); nothing for one without such a block, and where the
/// choice names something else. `script`: from the folder.
std::optional<Dependencies> script_dependencies(const ProjectFolder& folder, const std::string& script,
                                                const EnvironmentChoice& choice);

/// The dependencies of `member`, a folder below `root` ("libs/a"), by the root's uv.lock; nothing where that lock has
/// no such member.
std::optional<Dependencies> member_dependencies(const ProjectFolder& root, const std::string& member,
                                                const EnvironmentChoice& choice);

}  // namespace rv::project

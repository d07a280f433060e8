// Folders and programs of this machine, and the properties that decide the content of an environment. Starts no
// process.
#pragma once

#include <string>
#include <vector>

#include "cli/project/environment_name.h"
#include "cli/project/recipe.h"

namespace rv::project {

/// A folder as it is now; paths are checked when they are queried.
ProjectFolder read_folder(const std::string& path);

/// Its settings file, or the defaults. Throws Error(usage).
EnvironmentChoice read_choice(const std::string& folder);

/// The program's path as a shell would find it, links as they are; empty where there is none.
std::string on_path(const std::string& program);

/// Programs on PATH, and where their installers put them in a home folder.
Tools find_tools();

/// `python`: the interpreter that will be requested; it is identified by its path, size and time, `folder`'s
/// .python-version and PYENV_VERSION.
Machine this_machine(const std::string& python, const std::string& folder);

/// Size and age of a file, of a folder of all files in it; "" where it is not there.
std::string file_stamp(const std::string& path);

}  // namespace rv::project

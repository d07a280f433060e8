// Pipenv's files as lines of a requirements file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rv::project {

/// The packages of a Pipfile.lock (its "default" part, at their versions) with its indexes. Nothing for text that is
/// no such file.
std::optional<std::vector<std::string>> pipfile_lock_lines(std::string_view text);

/// The requirements that a Pipfile's [packages] allow. Also nothing if a package has its own index, which lines
/// of a requirements file can't say.
std::optional<std::vector<std::string>> pipfile_lines(std::string_view text);

}  // namespace rv::project

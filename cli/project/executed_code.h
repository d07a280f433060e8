// The code of a project that rv executes on the login node before the user's command runs.
#pragma once

#include <string>
#include <vector>

#include "cli/project/dependencies.h"

namespace rv::project {

/// One line for people for each: a set-up line, an interpreter given by its path, and for each local package a
/// setup.py, hatch_build.py or build backend in the project, with the SHA-256 of its text. Equal lines mean equal code.
/// The result is empty for most projects. What packages from an index execute while they are installed is not included.
std::vector<std::string> executed_code(const EnvironmentChoice& choice, const std::vector<LocalPackage>& local,
                                       const ReadFile& read);

}  // namespace rv::project

// The projects' code that the user has agreed to: $RV_HOME/trusted/HASH, one file (0600) for each answer. HASH is the
// SHA-256 of the lines of executed_code.h, which are also the file's content.
#pragma once

#include <string>
#include <vector>

namespace rv::project {

/// True if the user has agreed to exactly these lines, and if there are none.
bool is_trusted_code(const std::string& home, const std::vector<std::string>& code);

/// Keeps the answer. Throws Error.
void trust_code(const std::string& home, const std::vector<std::string>& code);

}  // namespace rv::project

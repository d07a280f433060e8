// Files of the source tree that tests read.
#pragma once

#include <string>

/// "docs/json.md" → its absolute path.
std::string in_tree(const std::string& path);

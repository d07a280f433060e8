// conda's environment.yml, as far as other files decide what it installs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rv::project {

/// The lines that it has pip install: what stands below "- pip:" in its dependencies. Throws Error(usage) for text that
/// is not YAML.
std::vector<std::string> pip_lines(std::string_view text, const std::string& file);

}  // namespace rv::project

#include "cli/project/file_names.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace rv::project {

bool is_requirements(std::string_view name) {
  return name.starts_with("requirements") && name.ends_with(".txt");
}

bool is_conda(std::string_view name) {
  return name.starts_with("environment") && (name.ends_with(".yml") || name.ends_with(".yaml"));
}

bool is_metadata(const std::string& name) {
  constexpr std::array<std::string_view, 9> whole{"pyproject.toml", "setup.py",    "setup.cfg",
                                                  "MANIFEST.in",    "VERSION",     "version.txt",
                                                  "versioneer.py",  "poetry.lock", "Pipfile"};
  return std::find(whole.begin(), whole.end(), name) != whole.end() || is_requirements(name) || is_conda(name) ||
         (name.starts_with("requirements") && name.ends_with(".in")) ||
         (name.starts_with("constraints") && name.ends_with(".txt"));
}

std::string base_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::string in(const std::string& folder, const std::string& name) {
  const auto path = std::filesystem::path(folder == "." ? "" : folder) / name;
  const auto text = path.lexically_normal().string();
  return text.empty() ? "." : text.ends_with('/') ? text.substr(0, text.size() - 1) : text;
}

}  // namespace rv::project

#include "cli/project/executed_code.h"

#include <fmt/format.h>

#include "shared/sha256.h"

namespace rv::project {

std::vector<std::string> executed_code(const EnvironmentChoice& choice, const std::vector<LocalPackage>& local,
                                       const ReadFile& read) {
  std::vector<std::string> code;
  for (const auto& line : choice.setup) code.push_back("setup: " + line);
  // A plain name is found on the user's own PATH.
  if (choice.python.find('/') != std::string::npos) code.push_back("python: " + choice.python);
  for (const auto& package : local) {
    const std::string folder = package.folder == "." ? "" : package.folder + "/";
    for (const char* name : {"setup.py", "hatch_build.py"}) {
      if (const auto text = read(folder + name)) {
        code.push_back(fmt::format("{}{} (SHA-256 {})", folder, name, sha256_hex(*text)));
      }
    }
    // PEP 517: a backend in the project itself.
    const auto settings = read(folder + "pyproject.toml");
    if (settings && settings->find("backend-path") != std::string::npos) {
      code.push_back(fmt::format("the build backend of {}pyproject.toml (SHA-256 {})", folder, sha256_hex(*settings)));
    }
  }
  return code;
}

}  // namespace rv::project

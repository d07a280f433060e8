#include "cli/project/conda_file.h"

#include <yaml-cpp/yaml.h>

#include "base/documents/yaml_reader.h"

namespace rv::project {

std::vector<std::string> pip_lines(std::string_view text, const std::string& file) {
  std::vector<std::string> lines;
  const auto document = parse_yaml(text, file);
  if (!document.IsMap() || !document["dependencies"] || !document["dependencies"].IsSequence()) return lines;
  for (const auto& one : document["dependencies"]) {
    if (!one.IsMap() || !one["pip"] || !one["pip"].IsSequence()) continue;
    for (const auto& line : one["pip"]) {
      if (line.IsScalar()) lines.push_back(line.as<std::string>());
    }
  }
  return lines;
}

}  // namespace rv::project

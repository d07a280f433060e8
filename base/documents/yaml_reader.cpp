#include "base/documents/yaml_reader.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "base/did_you_mean.h"
#include "base/documents/parse_document.h"
#include "base/error.h"
#include "base/walltime.h"

namespace rv {

void refuse_yaml(const YAML::Node& node, const YamlPosition& position, const std::string& fault,
                 const std::string& advice) {
  const YAML::Mark mark = node.Mark();
  const std::string line = mark.is_null() ? "" : fmt::format(":{}", mark.line + 1);
  const std::string key = position.key.empty() ? "" : position.key + ": ";
  throw Error(fmt::format("{}{}: {}{}", position.file, line, key, fault), advice, ExitCode::usage);
}

std::string yaml_text(const YAML::Node& node, const YamlPosition& position) {
  if (!node.IsScalar())
    refuse_yaml(node, position, "expected a string", fmt::format("write it like {}: text", position.key));
  return node.Scalar();
}

double yaml_number(const YAML::Node& node, const YamlPosition& position, double least, double most) {
  double value = 0;
  const bool number = node.IsScalar() && YAML::convert<double>::decode(node, value) && std::isfinite(value);
  if (!number || value < least || value > most) {
    refuse_yaml(node, position, fmt::format("expected a number from {} to {}", least, most),
                fmt::format("write it like {}: {}", position.key, std::max(least, std::min(1.5, most))));
  }
  return value;
}

int yaml_count(const YAML::Node& node, const YamlPosition& position, int least, int most) {
  const double value = yaml_number(node, position, least, most);
  if (value != std::floor(value)) {
    refuse_yaml(node, position, "expected a whole number", fmt::format("write it like {}: {}", position.key, least));
  }
  return static_cast<int>(value);
}

bool yaml_flag(const YAML::Node& node, const YamlPosition& position) {
  bool value = false;
  if (!node.IsScalar() || !YAML::convert<bool>::decode(node, value)) {
    refuse_yaml(node, position, "expected true or false", fmt::format("write {}: true", position.key));
  }
  return value;
}

std::chrono::seconds yaml_time(const YAML::Node& node, const YamlPosition& position) {
  const auto time = parse_walltime(yaml_text(node, position));
  if (!time) {
    refuse_yaml(node, position, "expected a duration",
                fmt::format("write it like {}: 2h, or {}: 2:59:00", position.key, position.key));
  }
  return *time;
}

std::vector<std::string> yaml_texts(const YAML::Node& node, const YamlPosition& position) {
  if (node.IsNull()) return {};
  if (node.IsScalar()) return {node.Scalar()};
  if (!node.IsSequence()) {
    refuse_yaml(node, position, "expected a list", fmt::format("write it like {}: [first, second]", position.key));
  }
  std::vector<std::string> texts;
  for (const YAML::Node& item : node) texts.push_back(yaml_text(item, position));
  return texts;
}

std::vector<YamlEntry> yaml_entries(const YAML::Node& node, const YamlPosition& position) {
  if (node.IsNull()) return {};
  if (!node.IsMap()) refuse_yaml(node, position, "expected keys with values", "write one \"key: value\" on each line");
  std::vector<YamlEntry> entries;
  std::set<std::string> names;
  for (const auto& pair : node) {
    const std::string name = yaml_text(pair.first, position);
    if (!names.insert(name).second) {
      refuse_yaml(pair.first, {position.file, name}, "duplicate key", "keep one of them");
    }
    entries.push_back({pair.first, pair.second, name});
  }
  return entries;
}

void refuse_key(const YamlEntry& entry, const YamlPosition& position, const std::vector<std::string>& known) {
  refuse_yaml(entry.key, {position.file, ""},
              fmt::format("unknown key \"{}\"{}", entry.name, suggestion(entry.name, known)),
              fmt::format("known keys: {}", fmt::join(known, ", ")));
}

YAML::Node parse_yaml(std::string_view text, const std::string& file) {
  refuse_excess(yaml_excess(text), file);
  try {
    return YAML::Load(std::string(text));
  } catch (const YAML::Exception& fault) {
    throw Error(fmt::format("{}:{}: not valid YAML: {}", file, fault.mark.line + 1, fault.msg),
                "docs/configuration.md shows a complete file", ExitCode::usage);
  }
}

}  // namespace rv

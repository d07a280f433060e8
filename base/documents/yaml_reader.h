// Reads YAML mappings key by key, with errors that name file, line and key. Each yaml_… function returns the value, or
// throws Error(usage) if its type or range is wrong.
#pragma once

#include <yaml-cpp/yaml.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace rv {

/// The file and the key of a value, for messages.
struct YamlPosition {
  std::string file;
  std::string key;
};

/// Throws Error(usage): "FILE:LINE: KEY: FAULT".
[[noreturn]] void refuse_yaml(const YAML::Node& node, const YamlPosition& position, const std::string& fault,
                              const std::string& advice);

std::string yaml_text(const YAML::Node& node, const YamlPosition& position);
double yaml_number(const YAML::Node& node, const YamlPosition& position, double least, double most);
int yaml_count(const YAML::Node& node, const YamlPosition& position, int least, int most);
bool yaml_flag(const YAML::Node& node, const YamlPosition& position);
/// A time in the form of --time: 2h, 2:59:00.
std::chrono::seconds yaml_time(const YAML::Node& node, const YamlPosition& position);
/// A list of strings; a single string is a list of one.
std::vector<std::string> yaml_texts(const YAML::Node& node, const YamlPosition& position);

/// Returns the entries of a mapping in file order. Throws Error(usage) if the node is not a mapping or a key is
/// repeated.
struct YamlEntry {
  YAML::Node key;
  YAML::Node value;
  std::string name;
};
std::vector<YamlEntry> yaml_entries(const YAML::Node& node, const YamlPosition& position);

/// Throws Error(usage) for an unknown key; the advice names the nearest known key.
[[noreturn]] void refuse_key(const YamlEntry& entry, const YamlPosition& position,
                             const std::vector<std::string>& known);

/// Returns the document. Throws Error(usage) with file and line if it is not valid YAML.
YAML::Node parse_yaml(std::string_view text, const std::string& file);

}  // namespace rv

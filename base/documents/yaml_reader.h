// Reading a YAML mapping key by key, with errors that name file, line and key.
#pragma once

#include <yaml-cpp/yaml.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace rv {

/// Where a value stands and what it is called, for messages.
struct YamlPosition {
  std::string file;
  std::string key;
};

/// Throws Error(usage): "FILE:LINE: KEY: FAULT".
[[noreturn]] void refuse_yaml(const YAML::Node& node, const YamlPosition& place, const std::string& fault,
                              const std::string& advice);

std::string yaml_text(const YAML::Node& node, const YamlPosition& place);
double yaml_number(const YAML::Node& node, const YamlPosition& place, double least, double most);
int yaml_count(const YAML::Node& node, const YamlPosition& place, int least, int most);
bool yaml_flag(const YAML::Node& node, const YamlPosition& place);
/// As --time takes it: 2h, 2:59:00.
std::chrono::seconds yaml_time(const YAML::Node& node, const YamlPosition& place);
/// A list of texts; a single text is a list of one.
std::vector<std::string> yaml_texts(const YAML::Node& node, const YamlPosition& place);

/// The entries of a mapping in file order. Throws for anything but a mapping, and for a key that stands there twice.
struct YamlEntry {
  YAML::Node key;
  YAML::Node value;
  std::string name;
};
std::vector<YamlEntry> yaml_entries(const YAML::Node& node, const YamlPosition& place);

/// Throws for a key that is none of `known`, with the nearest known one.
[[noreturn]] void refuse_key(const YamlEntry& entry, const YamlPosition& place, const std::vector<std::string>& known);

/// The document, or an Error(usage) with file and line.
YAML::Node parse_yaml(std::string_view text, const std::string& file);

}  // namespace rv

#include "cli/settings/config_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "base/documents/yaml_reader.h"
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "cli/settings/settings.h"
#include "shared/documents/json_dump.h"

namespace rv {

namespace {

/// A word that YAML reads as that text, or the text in quotes; JSON's quoting is YAML's as well.
std::string yaml_scalar(const std::string& value) {
  const bool plain = !value.empty() && std::all_of(value.begin(), value.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("-_./@").find(static_cast<char>(c)) != std::string_view::npos;
  });
  const bool letter = plain && (std::isalpha(static_cast<unsigned char>(value.front())) != 0 || value.front() == '/');
  return letter ? value : json_dump(nlohmann::json(value));
}

}  // namespace

std::string with_setting(std::string_view text, const std::string& key, const std::string& value) {
  const std::string line = fmt::format("{}: {}\n", key, yaml_scalar(value));
  std::string out;
  bool placed = false;
  bool replacing = false;  // the line before was the key's
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view now = text.substr(0, end);
    text.remove_prefix(end);
    const bool indented = now.front() == ' ' || now.front() == '\t' || now.front() == '-';
    if (replacing && indented) {
      throw Error(fmt::format("{} takes several lines in the settings file", key), "change it there by hand",
                  ExitCode::usage);
    }
    replacing = !placed && now.starts_with(key + ":");
    out += replacing ? line : std::string(now);
    placed = placed || replacing;
  }
  if (placed) return out;
  if (!out.empty() && out.back() != '\n') out += '\n';
  return out + line;
}

bool write_setting(const std::string& path, const std::string& key, const std::string& value) {
  const std::string before = os::read_file(path).value_or("");
  for (const YamlEntry& entry : yaml_entries(parse_yaml(before, path), {path, ""})) {
    if (entry.name == key && entry.value.IsScalar() && entry.value.Scalar() == value) return false;
  }
  const std::string after = with_setting(before, key, value);
  // rv never writes a file that it could not read back, even if the user's YAML is unusual.
  Settings tried;
  tried.catalogue = built_in_catalogue();
  apply_settings(tried, after, path);
  const std::size_t slash = path.rfind('/');
  if (slash != std::string::npos) os::make_folder(path.substr(0, slash));
  os::write_file(path, after);
  return true;
}

}  // namespace rv

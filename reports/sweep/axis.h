// What is varied: `--over envs=1024,2048`, and where it goes in the command: `{envs}`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rv::sweep {

struct Axis {
  std::string name;                 // letters, digits and "_", no digit first
  std::vector<std::string> values;  // as typed, each once
  bool operator==(const Axis&) const = default;
};

/// "envs=1024,2048". Throws Error(usage) that names the word: no name, no values, an empty one, one that stands there
/// twice.
Axis parse_axis(std::string_view text);

/// A whole number above zero, digits only.
std::optional<long long> whole_number(std::string_view text);

/// Which value each axis has.
using Settings = std::map<std::string, std::string>;

/// A word of the command with every {name} replaced by its value. "{{" and "}}" stand for the braces themselves where
/// they enclose a name; braces around anything else are left alone, as in awk '{print $1}'.
std::string filled(std::string_view word, const Settings& settings);

/// Throws Error(usage) for a {name} that is not an axis, and for an axis that the command does not use.
void check_placeholders(const std::vector<std::string>& words, const std::vector<Axis>& axes);

}  // namespace rv::sweep

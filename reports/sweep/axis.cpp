#include "reports/sweep/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/text.h"
#include "shared/number.h"

namespace rv::sweep {
namespace {

constexpr std::string_view name_letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

bool is_name(std::string_view text) {
  return !text.empty() && text.find_first_not_of(name_letters) == std::string_view::npos &&
         (text.front() < '0' || text.front() > '9');
}

Error refused(std::string_view text, const std::string& fault) {
  return {fmt::format("--over {}: {}", text, fault), "write a name and its values: --over envs=1024,2048,4096",
          ExitCode::usage};
}

/// Replaces what `value_of` gives for the names in braces.
std::string replaced(std::string_view word, const std::function<std::string(std::string_view name)>& value_of) {
  std::string out;
  for (std::size_t at = 0; at < word.size();) {
    if (word[at] != '{') {
      out += word[at++];
      continue;
    }
    const bool doubled = word.substr(at).starts_with("{{");
    const auto begin = at + (doubled ? 2 : 1);
    const auto end = word.find('}', begin);
    const auto name = end == std::string_view::npos ? std::string_view() : word.substr(begin, end - begin);
    if (!is_name(name) || (doubled && !word.substr(end).starts_with("}}"))) {
      out += word[at++];
      continue;
    }
    out += doubled ? fmt::format("{{{}}}", name) : value_of(name);
    at = end + (doubled ? 2 : 1);
  }
  return out;
}

}  // namespace

Axis parse_axis(std::string_view text) {
  const auto equals = text.find('=');
  Axis axis;
  axis.name = text.substr(0, equals);
  if (!is_name(axis.name)) throw refused(text, "expected a name of letters, digits and _ before \"=\"");
  if (equals == std::string_view::npos || equals + 1 == text.size()) {
    throw refused(text, fmt::format("{} has no values", axis.name));
  }
  for (auto rest = text.substr(equals + 1);;) {
    const auto comma = rest.find(',');
    const std::string value(rest.substr(0, comma));
    if (value.empty()) throw refused(text, "a value is empty");
    if (contains(axis.values, value)) throw refused(text, fmt::format("{} is given twice", value));
    if (value.find_first_of("/\n") != std::string::npos || value.front() == '.') {
      throw refused(text, fmt::format("\"{}\" can't be part of a folder's name", one_line(value)));
    }
    axis.values.push_back(value);
    if (comma == std::string_view::npos) return axis;
    rest.remove_prefix(comma + 1);
  }
}

std::optional<long long> whole_number(std::string_view text) {
  return number_in<long long>(text, 1);
}

std::string filled(std::string_view word, const Settings& settings) {
  return replaced(word, [&](std::string_view name) {
    const auto found = settings.find(std::string(name));
    return found == settings.end() ? fmt::format("{{{}}}", name) : found->second;
  });
}

void check_placeholders(const std::vector<std::string>& words, const std::vector<Axis>& axes) {
  std::vector<std::string> names;
  names.reserve(axes.size());
  for (const auto& axis : axes) names.push_back(axis.name);
  std::vector<std::string> used;
  for (const auto& word : words) {
    replaced(word, [&](std::string_view name) {
      used.emplace_back(name);
      return std::string();
    });
  }
  for (const auto& name : used) {
    if (contains(names, name)) continue;
    throw Error(fmt::format("{{{}}}: no --over has this name{}", name, suggestion(name, names)),
                fmt::format("add --over {0}=…, or write {{{{{0}}}}} for literal braces", name), ExitCode::usage);
  }
  for (const auto& name : names) {
    if (contains(used, name)) continue;
    throw Error(fmt::format("--over {0}: the command has no {{{0}}}, so every point would be the same", name),
                fmt::format("write {{{}}} in the command where the value belongs", name), ExitCode::usage);
  }
}

}  // namespace rv::sweep

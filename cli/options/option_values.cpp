#include "cli/options/option_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "base/trimmed.h"
#include "base/walltime.h"
#include "base/wrong_value.h"
#include "shared/number.h"
#include "slurm/parse/hostlist.h"

namespace rv::cli {

int count_value(std::string_view option, std::string_view text, int least, int most) {
  const auto value = number_in<int>(text, least, most);
  if (!value || text.front() == '-') {  // "-0"
    throw wrong_value(option, text, fmt::format("a whole number from {} to {}", least, most),
                      fmt::format("write it like {} {}", option, std::max(least, std::min(4, most))));
  }
  return *value;
}

int port_value(std::string_view option, std::string_view text) {
  constexpr int most = 65'535;
  const auto port = number_in<int>(text, 1, most);
  if (!port) {
    throw wrong_value(option, text, fmt::format("a port from 1 to {}", most),
                      fmt::format("write it like {} 8888", option));
  }
  return *port;
}

namespace {

/// `or_else`: what is accepted besides a time, ", or never".
std::chrono::seconds time_value(std::string_view option, std::string_view text, const std::string& or_else) {
  const std::optional<std::chrono::seconds> value = parse_walltime(text);
  if (!value) {
    throw wrong_value(option, text, "a length of time above 0" + or_else,
                      "write it as 30m, 2h, 3d, 1h30m, MM:SS, HH:MM:SS or D-HH:MM:SS; a bare number is minutes");
  }
  return *value;
}

}  // namespace

std::chrono::seconds duration_value(std::string_view option, std::string_view text) {
  return time_value(option, text, "");
}

std::optional<std::chrono::seconds> duration_or(std::string_view word, std::string_view option, std::string_view text) {
  if (lower(text) == word) return std::nullopt;
  return time_value(option, text, fmt::format(", or {}", word));
}

Mebibytes memory_value(std::string_view option, std::string_view text) {
  constexpr auto expected = "an amount of memory above 0";
  // Slurm reads it as MiB; most users who write it mean GiB.
  if (!text.empty() &&
      std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || c == '.'; })) {
    const bool none = text.find_first_not_of("0.") == std::string_view::npos;
    if (none) throw wrong_value(option, text, expected, "write it as 40G, 512M or 1.5T");
    throw wrong_value(option, text, "an amount of memory with its unit",
                      fmt::format("write {0} {1}G for GiB, or {0} {1}M for MiB", option, text));
  }
  const std::optional<Mebibytes> value = parse_memory(text);
  if (!value || value->count == 0) throw wrong_value(option, text, expected, "write it as 40G, 512M or 1.5T");
  return *value;
}

Mebibytes node_memory_value(std::string_view option, std::string_view text) {
  const auto value = parse_memory(text);
  return value && value->count == 0 ? *value : memory_value(option, text);
}

std::vector<std::string> list_value(std::string_view option, std::string_view text) {
  std::vector<std::string> items;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string_view item = trimmed(text.substr(begin, comma - begin));
    if (item.empty()) {
      throw wrong_value(option, text, "names separated by commas",
                        fmt::format("write it like {} first,second", option));
    }
    items.push_back(line_value(option, item));
    begin = comma + 1;
  }
  return items;
}

std::vector<std::string> hosts_value(std::string_view option, std::string_view text) {
  auto typed = slurm::read_typed_hosts(line_value(option, text));
  if (!typed.fault.empty()) {
    throw Error(fmt::format("{} {}", option, typed.fault), fmt::format("write it like {} n1,n[3-5],n[08-11]", option),
                ExitCode::usage);
  }
  return std::move(typed.hosts);
}

std::vector<std::string> host_set_value(std::string_view option, std::string_view text) {
  auto hosts = hosts_value(option, text);
  std::sort(hosts.begin(), hosts.end());
  hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
  return hosts;
}

std::string line_value(std::string_view option, std::string_view text) {
  if (text.empty() || has_control_character(text)) {
    throw wrong_value(option, text, "one line of plain text", "write Slurm's name, without control characters");
  }
  return std::string(text);
}

}  // namespace rv::cli

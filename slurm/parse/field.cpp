#include "slurm/parse/field.h"

#include <algorithm>
#include <array>
#include <ctime>

#include "shared/number.h"

namespace rv::slurm {

bool is_nothing(std::string_view text) {
  constexpr std::array<std::string_view, 7> words{"", "(null)", "N/A", "None", "NONE", "n/a", "Unknown"};
  return std::find(words.begin(), words.end(), text) != words.end();
}

std::optional<std::int64_t> parse_number(std::string_view text) {
  return number_in<std::int64_t>(text);
}

std::optional<Mebibytes> parse_memory_field(std::string_view text) {
  // A trailing "c" or "n" says per CPU or per node.
  if (text.ends_with('c') || text.ends_with('n')) text.remove_suffix(1);
  return parse_memory(text);
}

std::optional<planner::TimePoint> parse_time(std::string_view text) {
  if (const auto epoch = parse_number(text)) {
    if (*epoch <= 0) return std::nullopt;
    return planner::TimePoint(std::chrono::seconds(*epoch));
  }
  std::tm parts = {};
  const std::string copy(text);
  const char* end = ::strptime(copy.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  parts.tm_isdst = -1;
  const std::time_t epoch = ::mktime(&parts);
  if (epoch <= 0) return std::nullopt;
  return planner::TimePoint(std::chrono::seconds(epoch));
}

namespace {

/// Slurm keeps spans as 32-bit minutes; no part of one is larger, and no sum of them overflows.
constexpr std::int64_t most_of_a_part = std::int64_t{1} << 32;

}  // namespace

std::optional<std::chrono::seconds> parse_span(std::string_view text) {
  std::int64_t days = 0;
  bool has_days = false;
  if (const auto dash = text.find('-'); dash != std::string_view::npos) {
    const auto number = parse_number(text.substr(0, dash));
    if (!number || *number < 0 || *number > most_of_a_part) return std::nullopt;
    days = *number;
    has_days = true;
    text.remove_prefix(dash + 1);
  }
  std::vector<std::int64_t> parts;
  for (const auto part : split(text, ':')) {
    const auto number = parse_number(part);
    if (!number || *number < 0 || *number > most_of_a_part) return std::nullopt;
    parts.push_back(*number);
  }
  if (parts.empty() || parts.size() > 3) return std::nullopt;
  // With days the first part is hours; without them the last part of several is seconds.
  std::int64_t seconds = 0;
  if (has_days || parts.size() == 3) {
    parts.resize(3);
    seconds = parts[0] * 3600 + parts[1] * 60 + parts[2];
  } else {
    seconds = parts.size() == 2 ? parts[0] * 60 + parts[1] : parts[0] * 60;
  }
  return std::chrono::seconds(days * 86400 + seconds);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> split_outside_brackets(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const bool at_end = i == text.size();
    if (!at_end && std::string_view("([{").find(text[i]) != std::string_view::npos) ++depth;
    if (!at_end && std::string_view(")]}").find(text[i]) != std::string_view::npos) --depth;
    if (at_end || (text[i] == separator && depth == 0)) {
      if (i > start) parts.push_back(text.substr(start, i - start));
      start = i + 1;
    }
  }
  return parts;
}

std::vector<std::string> list_of(std::string_view text) {
  std::vector<std::string> list;
  if (is_nothing(text)) return list;
  for (const auto part : split_outside_brackets(text, ',')) list.emplace_back(part);
  return list;
}

std::vector<planner::DatabaseName> names_of(std::string_view text) {
  const std::vector<std::string> list = list_of(text);
  return {list.begin(), list.end()};
}

std::string_view next_line(std::string_view& text) {
  const auto end = text.find('\n');
  const auto line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

}  // namespace rv::slurm

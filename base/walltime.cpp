#include "base/walltime.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <vector>

namespace rv {

namespace {

using std::chrono::seconds;

constexpr std::int64_t day = 86400;
constexpr std::int64_t longest = 365250 * day;  // a thousand years

/// Takes digits off the front.
std::optional<std::int64_t> take_number(std::string_view& text) {
  std::int64_t value = 0;
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  const auto [at, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || value > longest) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(at - text.data()));
  return value;
}

/// "1h30m": units from large to small, each at most once.
std::optional<std::int64_t> with_units(std::string_view text) {
  struct Unit {
    char letter;
    std::int64_t length;
  };
  constexpr std::array<Unit, 4> units{{{'d', day}, {'h', 3600}, {'m', 60}, {'s', 1}}};
  std::int64_t total = 0;
  std::size_t next = 0;
  while (!text.empty()) {
    const auto value = take_number(text);
    if (!value || text.empty()) return std::nullopt;
    const char letter =
        text.front() >= 'A' && text.front() <= 'Z' ? static_cast<char>(text.front() + 32) : text.front();
    text.remove_prefix(1);
    while (next < units.size() && units[next].letter != letter) ++next;
    if (next == units.size()) return std::nullopt;
    total += *value * units[next].length;
    ++next;
  }
  return total;
}

/// Numbers between colons; every one after the first is below 60.
std::optional<std::vector<std::int64_t>> fields(std::string_view text) {
  std::vector<std::int64_t> values;
  while (true) {
    const auto value = take_number(text);
    if (!value || (!values.empty() && *value > 59)) return std::nullopt;
    values.push_back(*value);
    if (text.empty()) return values;
    if (text.front() != ':') return std::nullopt;
    text.remove_prefix(1);
  }
}

std::optional<std::int64_t> with_days(std::string_view days, std::string_view rest) {
  const auto count = take_number(days);
  const auto parts = fields(rest);
  if (!count || !days.empty() || !parts || parts->size() > 3 || parts->front() > 23) return std::nullopt;
  std::int64_t total = *count * day;
  std::int64_t length = 3600;
  for (const std::int64_t part : *parts) {
    total += part * length;
    length /= 60;
  }
  return total;
}

std::optional<std::int64_t> any_form(std::string_view text) {
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    return with_days(text.substr(0, dash), text.substr(dash + 1));
  }
  if (const auto parts = fields(text)) {
    if (parts->size() == 1) return parts->front() * 60;
    if (parts->size() == 2) return parts->front() * 60 + parts->back();
    if (parts->size() == 3) return parts->front() * 3600 + (*parts)[1] * 60 + parts->back();
    return std::nullopt;
  }
  return with_units(text);
}

std::string two_digits(std::int64_t value) {
  return (value < 10 ? "0" : "") + std::to_string(value);
}

}  // namespace

std::optional<seconds> parse_walltime(std::string_view text) {
  const auto total = any_form(text);
  if (!total || *total <= 0 || *total > longest) return std::nullopt;
  return seconds(*total);
}

std::string format_walltime(seconds limit) {
  const std::int64_t total = std::max<std::int64_t>(limit.count(), 0);
  const std::string clock =
      two_digits(total % day / 3600) + ":" + two_digits(total % 3600 / 60) + ":" + two_digits(total % 60);
  return total < day ? clock : std::to_string(total / day) + "-" + clock;
}

std::string format_duration(seconds span) {
  const std::int64_t total = std::max<std::int64_t>(span.count(), 0);
  const std::array<std::int64_t, 4> parts{total / day, total % day / 3600, total % 3600 / 60, total % 60};
  constexpr std::string_view letters = "dhms";
  std::size_t first = 0;
  while (first + 1 < parts.size() && parts[first] == 0) ++first;
  std::string text = std::to_string(parts[first]) + letters[first];
  // The next smaller unit says enough: "2h 50m" needs no seconds.
  if (first + 1 < parts.size() && parts[first + 1] != 0) {
    text += " " + std::to_string(parts[first + 1]) + letters[first + 1];
  }
  return text;
}

std::string typed_duration(seconds span) {
  std::string text = format_duration(span);
  std::erase(text, ' ');
  return parse_walltime(text) == span ? text : format_walltime(span);
}

std::string rounded_duration(std::chrono::seconds span) {
  if (span < std::chrono::minutes(5)) return format_duration(span);
  return format_duration(std::chrono::round<std::chrono::minutes>(span));
}

}  // namespace rv

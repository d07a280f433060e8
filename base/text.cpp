#include "base/text.h"

#include <algorithm>
#include <array>

#include "base/terminal_text.h"

namespace rv {

namespace {

std::string with_between(const std::vector<std::string>& words, std::string_view between) {
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += between;
    out += word;
  }
  return out;
}

}  // namespace

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string comparable(std::string_view name) {
  std::string out = lower(name);
  std::erase_if(out, [](char c) { return c == ' ' || c == '-' || c == '_' || c == '\t'; });
  constexpr std::array<std::string_view, 5> makers{"nvidia", "geforce", "tesla", "amd", "instinct"};
  for (const std::string_view maker : makers) {
    if (out.size() > maker.size() && out.starts_with(maker)) out.erase(0, maker.size());
  }
  return out;
}

std::string one_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  while (!text.empty()) {
    const auto [bytes, code] = take_character(text);
    line += is_control(code) ? "?" : bytes;
  }
  return line;
}

std::string listed(const std::vector<std::string>& words) {
  return with_between(words, ", ");
}

std::string joined(const std::vector<std::string>& words) {
  return with_between(words, ",");
}

std::string counted(long long count, std::string_view noun) {
  std::string out = std::to_string(count) + " " + std::string(noun);
  if (count != 1) out += "s";
  return out;
}

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::vector<std::string_view> last_lines(std::string_view text, std::size_t most) {
  std::vector<std::string_view> lines;
  while (!text.empty() && lines.size() < most) {
    const auto end = text.rfind('\n');
    auto line = text.substr(end + 1);  // all of it where there is none
    while (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") != std::string_view::npos) lines.insert(lines.begin(), line);
    text = end == std::string_view::npos ? std::string_view() : text.substr(0, end);
  }
  return lines;
}

}  // namespace rv

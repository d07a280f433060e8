#include "slurm/parse/key_value.h"

#include <algorithm>

namespace rv::slurm {
namespace {

bool is_key_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':' || c == '/';
}

// Where the key that starts at `at` has its "=", or npos when none starts there.
std::size_t end_of_key(std::string_view line, std::size_t at) {
  std::size_t end = at;
  while (end < line.size() && is_key_character(line[end])) ++end;
  return end > at && end < line.size() && line[end] == '=' ? end : std::string_view::npos;
}

}  // namespace

KeyValues::KeyValues(std::string_view line) {
  std::size_t at = 0;
  std::size_t equals = end_of_key(line, at);
  while (equals != std::string_view::npos) {
    std::size_t end = equals;
    std::size_t next_equals = std::string_view::npos;
    do {
      end = line.find(' ', end + 1);
      next_equals = end == std::string_view::npos ? end : end_of_key(line, end + 1);
    } while (end != std::string_view::npos && next_equals == std::string_view::npos);
    pairs_.emplace_back(line.substr(at, equals - at),
                        line.substr(equals + 1, end == std::string_view::npos ? end : end - equals - 1));
    at = end == std::string_view::npos ? line.size() : end + 1;
    equals = next_equals;
  }
  // scontrol pads lines and doubles blanks here and there
  for (auto& [key, value] : pairs_) {
    while (value.ends_with(' ')) value.remove_suffix(1);
  }
}

std::string_view KeyValues::operator[](std::string_view key) const {
  const auto found = std::find_if(pairs_.begin(), pairs_.end(), [&](const auto& pair) { return pair.first == key; });
  return found == pairs_.end() ? std::string_view() : found->second;
}

}  // namespace rv::slurm

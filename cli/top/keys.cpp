#include "cli/top/keys.h"

#include <charconv>
#include <optional>

namespace rv::cli::top {
namespace {

using Kind = Key::Kind;

/// "0;12;5": button, column, row, from 1, of a press ('M') in xterm's SGR form.
std::optional<Key> mouse(std::string_view words, char final) {
  int numbers[3] = {};
  for (int& number : numbers) {
    const auto [end, fault] = std::from_chars(words.data(), words.data() + words.size(), number);
    if (fault != std::errc()) return std::nullopt;
    words.remove_prefix(std::min(words.size(), static_cast<std::size_t>(end - words.data()) + 1));
  }
  Key key{.kind = Kind::click, .character = 0, .row = numbers[2] - 1, .column = numbers[1] - 1};
  if (numbers[0] == 64) key.kind = Kind::wheel_up;
  if (numbers[0] == 65) key.kind = Kind::wheel_down;
  if (key.kind == Kind::click && (final != 'M' || numbers[0] != 0)) return std::nullopt;
  return key;
}

std::optional<Key> sequence(std::string_view parameters, char final) {
  const auto plain = [](Kind kind) { return Key{.kind = kind}; };
  if (parameters.starts_with('<')) return mouse(parameters.substr(1), final);
  switch (final) {
    case 'A':
      return plain(Kind::up);
    case 'B':
      return plain(Kind::down);
    case 'H':
      return plain(Kind::home);
    case 'F':
      return plain(Kind::end);
    case '~':
      break;
    default:
      return std::nullopt;
  }
  if (parameters == "5") return plain(Kind::page_up);
  if (parameters == "6") return plain(Kind::page_down);
  if (parameters == "1" || parameters == "7") return plain(Kind::home);
  if (parameters == "4" || parameters == "8") return plain(Kind::end);
  return std::nullopt;
}

}  // namespace

std::vector<Key> KeyReader::feed(std::string_view bytes) {
  held_ += bytes;
  std::vector<Key> keys;
  std::size_t at = 0;
  while (at < held_.size()) {
    const char byte = held_[at];
    if (byte != '\x1b') {
      ++at;
      if (byte == '\r' || byte == '\n') keys.push_back({.kind = Kind::enter});
      if (byte == '\x7f' || byte == '\b') keys.push_back({.kind = Kind::backspace});
      if (byte >= ' ' && byte < '\x7f') keys.push_back({.kind = Kind::character, .character = byte});
      continue;
    }
    if (at + 1 == held_.size()) break;
    const char second = held_[at + 1];
    if (second != '[' && second != 'O') {
      keys.push_back({.kind = Kind::escape});
      ++at;
      continue;
    }
    auto end = at + 2;
    while (end < held_.size() && (held_[end] < '@' || held_[end] > '~')) ++end;
    if (end == held_.size()) break;
    if (const auto key = sequence(std::string_view(held_).substr(at + 2, end - at - 2), held_[end])) {
      keys.push_back(*key);
    }
    at = end + 1;
  }
  held_.erase(0, at);
  return keys;
}

std::vector<Key> KeyReader::flush() {
  const bool escape = held_ == "\x1b";
  held_.clear();
  return escape ? std::vector<Key>{{.kind = Kind::escape}} : std::vector<Key>();
}

}  // namespace rv::cli::top

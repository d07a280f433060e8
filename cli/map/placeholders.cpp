#include "cli/map/placeholders.h"

#include <algorithm>
#include <functional>

namespace rv::cli {
namespace {

bool is_name(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || digit(c); });
}

bool is_key(std::string_view text) {
  return text.empty() || text == "#" || is_name(text);
}

/// The word with each placeholder replaced by what `replace` returns for its key: "", "#" or a name.
std::string replaced(std::string_view word, const std::function<std::string(std::string_view key)>& replace) {
  std::string text;
  while (!word.empty()) {
    const auto open = word.find('{');
    text += word.substr(0, open);
    if (open == std::string_view::npos) break;
    word.remove_prefix(open);
    const bool doubled = word.starts_with("{{");
    const std::size_t begin = doubled ? 2 : 1;
    const auto close = word.find('}');
    const bool whole = close != std::string_view::npos && (!doubled || word.substr(close).starts_with("}}"));
    if (!whole || !is_key(word.substr(begin, close - begin))) {
      text += '{';
      word.remove_prefix(1);
      continue;
    }
    const auto key = word.substr(begin, close - begin);
    if (doubled) {
      text.append("{").append(key).append("}");
    } else {
      text += replace(key);
    }
    word.remove_prefix(close + begin);
  }
  return text;
}

}  // namespace

std::vector<std::string> named_placeholders(const std::vector<std::string>& command) {
  std::vector<std::string> names;
  for (const auto& word : command) {
    replaced(word, [&](std::string_view key) {
      if (is_name(key) && std::find(names.begin(), names.end(), key) == names.end()) names.emplace_back(key);
      return std::string();
    });
  }
  return names;
}

bool has_placeholder(const std::string& word) {
  bool found = false;
  replaced(word, [&](std::string_view /*key*/) {
    found = true;
    return std::string();
  });
  return found;
}

std::vector<std::string> filled_command(const std::vector<std::string>& command, std::string_view value, int task,
                                        const Fields& fields) {
  std::vector<std::string> argv;
  argv.reserve(command.size() + 1);
  bool used = false;
  for (const auto& word : command) {
    argv.push_back(replaced(word, [&](std::string_view key) {
      used = true;
      if (key.empty()) return std::string(value);
      if (key == "#") return std::to_string(task);
      const auto field = fields.find(key);
      return field == fields.end() ? fields.at(std::string(key)) : field->second;
    }));
  }
  if (!used) argv.emplace_back(value);
  return argv;
}

}  // namespace rv::cli

#include "cli/kubernetes/pods/yaml_text.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/text.h"

namespace rv::kubernetes {
namespace {

using Json = nlohmann::ordered_json;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Plain without a doubt: no number, no date, no word that some reader of YAML takes for a truth or for nothing.
bool is_plain(const std::string& text) {
  constexpr std::array<std::string_view, 9> words = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"};
  if (text.empty() || !(is_letter(text.front()) || text.front() == '/')) return false;
  const auto harmless = [](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == '/';
  };
  return std::all_of(text.begin(), text.end(), harmless) &&
         std::find(words.begin(), words.end(), lower(text)) == words.end();
}

/// A literal block keeps a text whose lines are ordinary and which ends with one newline.
bool fits_block(const std::string& text) {
  if (text.size() < 2 || text.back() != '\n' || text[text.size() - 2] == '\n') return false;
  if (text.front() == ' ' || text.front() == '\n') return false;
  // Characters that some reader of YAML takes for the end of a line, or for none.
  constexpr std::array<std::string_view, 5> odd = {"\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9", "\xEF\xBB\xBF", "\x7F"};
  if (std::any_of(odd.begin(), odd.end(), [&](auto part) { return text.find(part) != std::string::npos; }))
    return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return c == '\n' || static_cast<unsigned char>(c) >= 0x20; });
}

/// JSON's own quoting is YAML's double quoting too, once nothing but ASCII is left.
std::string quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', /*ensure_ascii=*/true);
}

std::string scalar(const Json& json) {
  if (!json.is_string()) return json.dump();
  const auto& text = json.get_ref<const std::string&>();
  return is_plain(text) ? text : quoted(text);
}

std::string block(const std::string& text, std::size_t indent) {
  std::string lines = "|\n";
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at);
    if (end != at) lines += std::string(indent, ' ') + text.substr(at, end - at);
    lines += '\n';
    at = end + 1;
  }
  return lines;
}

void write(const Json& json, std::size_t indent, std::string& out);

/// What stands behind "key:" or "-".
void write_value(const Json& json, std::size_t indent, bool in_list, std::string& out) {
  if (json.is_string() && fits_block(json.get_ref<const std::string&>())) {
    out += " " + block(json.get_ref<const std::string&>(), indent);
  } else if (json.is_structured() && !json.empty()) {
    if (in_list) {
      // The first entry stands on the dash's own line.
      std::string inner;
      write(json, indent, inner);
      out += " " + inner.substr(indent);
    } else {
      out += "\n";
      write(json, indent, out);
    }
  } else {
    out += " " + scalar(json) + "\n";
  }
}

void write(const Json& json, std::size_t indent, std::string& out) {
  const std::string margin(indent, ' ');
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) {
      out += margin + scalar(Json(key)) + ":";
      write_value(value, indent + 2, false, out);
    }
  } else {
    for (const auto& value : json) {
      out += margin + "-";
      write_value(value, indent + 2, true, out);
    }
  }
}

}  // namespace

std::string yaml_text(const Json& json) {
  if (!json.is_structured() || json.empty()) return scalar(json) + "\n";
  std::string out;
  write(json, 0, out);
  return out;
}

std::string yaml_documents(const std::vector<Json>& documents) {
  std::string out;
  for (const auto& document : documents) out += (out.empty() ? "" : "---\n") + yaml_text(document);
  return out;
}

}  // namespace rv::kubernetes

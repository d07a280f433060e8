#include "cli/kubernetes/pods/yaml_text.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/text.h"
#include "shared/documents/json_dump.h"

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

void write_text(const std::string& text, YAML::Emitter& out) {
  if (fits_block(text)) {
    out << YAML::Literal << text;
  } else if (is_plain(text)) {
    out << text;
  } else {
    out << YAML::DoubleQuoted << text;
  }
}

void write(const Json& json, YAML::Emitter& out) {
  if (json.is_structured() && json.empty()) out << YAML::Flow;  // {} or [] behind its key
  if (json.is_object()) {
    out << YAML::BeginMap;
    for (const auto& [key, value] : json.items()) {
      out << YAML::Key;
      write_text(key, out);
      out << YAML::Value;
      write(value, out);
    }
    out << YAML::EndMap;
  } else if (json.is_array()) {
    out << YAML::BeginSeq;
    for (const auto& value : json) write(value, out);
    out << YAML::EndSeq;
  } else if (json.is_string()) {
    write_text(json.get_ref<const std::string&>(), out);
  } else if (json.is_null()) {
    out << YAML::Null;
  } else {
    out << json_dump(json);
  }
}

}  // namespace

std::string yaml_text(const Json& json) {
  YAML::Emitter out;
  out.SetOutputCharset(YAML::EscapeNonAscii);  // within quotes; a literal block has the characters themselves
  write(json, out);
  std::string text(out.c_str(), out.size());
  while (text.ends_with('\n')) text.pop_back();  // a literal block has ended its line, the other values have not
  return text + "\n";
}

std::string yaml_documents(const std::vector<Json>& documents) {
  std::string out;
  for (const auto& document : documents) out += (out.empty() ? "" : "---\n") + yaml_text(document);
  return out;
}

}  // namespace rv::kubernetes

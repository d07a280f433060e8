#include "cli/project/toml.h"

#include <cctype>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/project/decoded.h"

namespace rv::project {
namespace {

using Json = nlohmann::ordered_json;
using Path = std::vector<std::string>;

struct NotToml {};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Json document() {
    Json root = Json::object();
    Json* table = &root;
    while (skip_empty(), !at_end()) {
      if (peek() == '[') {
        table = &header(root);
      } else {
        assign(*table);
      }
      end_of_line();
    }
    return root;
  }

 private:
  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  bool begins(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  char next() {
    if (at_end()) throw NotToml();
    return text_[at_++];
  }
  void expect(char wanted) {
    if (next() != wanted) throw NotToml();
  }
  void blanks() {
    while (peek() == ' ' || peek() == '\t') ++at_;
  }
  void comment() {
    if (peek() != '#') return;
    while (!at_end() && peek() != '\n') ++at_;
  }
  /// Blanks, line ends and comments.
  void skip_empty() {
    while (!at_end()) {
      const char c = peek();
      if (c == '#') {
        comment();
      } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        ++at_;
      } else {
        return;
      }
    }
  }
  void end_of_line() {
    blanks();
    comment();
    if (peek() == '\r') ++at_;
    if (!at_end()) expect('\n');
  }

  std::string bare() {
    const std::size_t begin = at_;
    while (std::isalnum(static_cast<unsigned char>(peek())) != 0 || peek() == '_' || peek() == '-') ++at_;
    if (at_ == begin) throw NotToml();
    return std::string(text_.substr(begin, at_ - begin));
  }
  std::string key() {
    if (peek() == '"') return basic();
    if (peek() == '\'') return literal();
    return bare();
  }
  Path path() {
    Path keys;
    while (true) {
      blanks();
      keys.push_back(key());
      blanks();
      if (peek() != '.') return keys;
      ++at_;
    }
  }

  /// The table at a key: for a list of tables, its last one.
  static Json& below(Json& table, const std::string& key) {
    Json& found = table[key];
    if (found.is_null()) found = Json::object();
    if (found.is_array() && !found.empty() && found.back().is_object()) return found.back();
    if (!found.is_object()) throw NotToml();
    return found;
  }

  Json& header(Json& root) {
    expect('[');
    const bool list = peek() == '[';
    if (list) ++at_;
    const auto keys = path();
    expect(']');
    if (list) expect(']');
    Json* table = &root;
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) table = &below(*table, keys[i]);
    if (!list) return below(*table, keys.back());
    Json& all = (*table)[keys.back()];
    if (all.is_null()) all = Json::array();
    if (!all.is_array()) throw NotToml();
    all.push_back(Json::object());
    return all.back();
  }

  void assign(Json& table) {
    const auto keys = path();
    expect('=');
    blanks();
    Json* at = &table;
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) at = &below(*at, keys[i]);
    if (at->contains(keys.back())) throw NotToml();
    (*at)[keys.back()] = value();
  }

  Json value() {
    constexpr int deepest = 50;
    if (++depth_ > deepest) throw NotToml();
    Json read = value_here();
    --depth_;
    return read;
  }
  Json value_here() {
    if (begins("\"\"\"")) return multiline('"');
    if (begins("'''")) return multiline('\'');
    if (peek() == '"') return basic();
    if (peek() == '\'') return literal();
    if (peek() == '[') return array();
    if (peek() == '{') return inline_table();
    const std::size_t begin = at_;
    while (!at_end() && std::string_view(",]}#\r\n").find(peek()) == std::string_view::npos) ++at_;
    auto word = std::string(text_.substr(begin, at_ - begin));
    while (!word.empty() && (word.back() == ' ' || word.back() == '\t')) word.pop_back();
    if (word.empty()) throw NotToml();
    if (word == "true" || word == "false") return word == "true";
    return word;
  }

  Json array() {
    Json all = Json::array();
    expect('[');
    while (true) {
      skip_empty();
      if (peek() == ']') break;
      all.push_back(value());
      skip_empty();
      if (peek() == ',')
        ++at_;
      else if (peek() != ']')
        throw NotToml();
    }
    ++at_;
    return all;
  }
  Json inline_table() {
    Json table = Json::object();
    expect('{');
    while (true) {
      skip_empty();
      if (peek() == '}') break;
      assign(table);
      skip_empty();
      if (peek() == ',')
        ++at_;
      else if (peek() != '}')
        throw NotToml();
    }
    ++at_;
    return table;
  }

  std::string literal() {
    expect('\'');
    const auto end = text_.find_first_of("'\n", at_);
    if (end == std::string_view::npos || text_[end] == '\n') throw NotToml();
    auto out = std::string(text_.substr(at_, end - at_));
    at_ = end + 1;
    return out;
  }
  std::string basic() {
    expect('"');
    std::string out;
    while (peek() != '"') {
      const char c = next();
      if (c == '\n') throw NotToml();
      if (c == '\\')
        escape(out);
      else
        out += c;
    }
    ++at_;
    return out;
  }
  void escape(std::string& out) {
    constexpr std::string_view names = "btnfre\"\\";
    constexpr std::string_view values = "\b\t\n\f\r\x1b\"\\";
    const char c = next();
    if (const auto found = names.find(c); found != std::string_view::npos) {
      out += values[found];
      return;
    }
    const int digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (digits == 0) throw NotToml();
    std::uint32_t point = 0;
    for (int i = 0; i < digits; ++i) {
      const char digit = next();
      if (std::isxdigit(static_cast<unsigned char>(digit)) == 0) throw NotToml();
      point = point << 4U | static_cast<std::uint32_t>(std::stoi(std::string(1, digit), nullptr, 16));
    }
    append_utf8(out, point);
  }
  std::string multiline(char quote) {
    at_ += 3;
    if (peek() == '\r') ++at_;
    if (peek() == '\n') ++at_;
    const std::string end(3, quote);
    std::string out;
    while (!begins(end)) {
      const char c = next();
      if (c != '\\' || quote == '\'') {
        out += c;
      } else if (peek() == '\n' || peek() == '\r' || peek() == ' ') {
        while (peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\n') ++at_;
      } else {
        escape(out);
      }
    }
    at_ += 3;
    for (int more = 0; more < 2 && peek() == quote; ++more) out += next();
    return out;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::optional<Json> parse_toml(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  try {
    return Parser(text).document();
  } catch (const NotToml&) {
    return std::nullopt;
  }
}

}  // namespace rv::project

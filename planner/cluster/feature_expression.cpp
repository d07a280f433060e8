#include "planner/cluster/feature_expression.h"

#include <algorithm>

#include "base/text.h"

namespace rv::planner {

namespace {

constexpr std::string_view operators = "&|()";
constexpr std::string_view beyond_one_node = "[]*,!";
constexpr int deepest = 64;  // no site nests like that; a hostile text must not exhaust the stack

/// Reads and decides in one pass. `features` is null when only the form is looked at.
struct Reader {
  std::string_view rest;
  const std::vector<std::string>* features = nullptr;
  bool broken = false;
  int depth = 0;

  bool at(char c) const { return !rest.empty() && rest.front() == c; }

  bool term() {
    if (at('(')) {
      if (++depth > deepest) {
        broken = true;
        return false;
      }
      rest.remove_prefix(1);
      const bool value = sequence();
      --depth;
      if (!at(')')) broken = true;
      if (!rest.empty()) rest.remove_prefix(1);
      return value;
    }
    const std::size_t length = std::min(rest.find_first_of(operators), rest.size());
    if (length == 0) broken = true;
    const std::string_view name = rest.substr(0, length);
    rest.remove_prefix(length);
    return features != nullptr && contains(*features, name);
  }

  bool sequence() {
    bool value = term();
    while (!broken && (at('&') || at('|'))) {
      const bool all = at('&');
      rest.remove_prefix(1);
      const bool next = term();
      value = all ? value && next : value || next;
    }
    return value;
  }
};

}  // namespace

FeatureExpression::FeatureExpression(std::string_view text) {
  for (const char c : text) {
    if (c != ' ') text_ += c;
  }
  if (text_.empty()) return;
  Reader reader{text_};
  reader.sequence();
  decidable_ = !reader.broken && reader.rest.empty() && text_.find_first_of(beyond_one_node) == std::string::npos;
}

bool FeatureExpression::fits(const std::vector<std::string>& features) const {
  if (text_.empty() || !decidable_) return true;
  return Reader{text_, &features}.sequence();
}

std::optional<std::string> both(std::string_view expression, std::string_view feature) {
  if (expression.empty()) return std::string(feature);
  int depth = 0;
  bool outer_or = false;
  bool brackets = false;
  for (const char c : expression) {
    if (c == '*' || c == ',') return std::nullopt;
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == '(' || c == '[') brackets = true;
    if (c == '|' && depth == 0) outer_or = true;
  }
  if (outer_or && brackets) return std::nullopt;
  const std::string text(expression);
  return (outer_or ? "(" + text + ")" : text) + "&" + std::string(feature);
}

}  // namespace rv::planner

#include "planner/cluster/feature_expression.h"

#include <algorithm>

#include "base/text.h"

namespace rv::planner {

namespace {

constexpr std::string_view operators = "&|()";
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

/// Whether a text of names, '&', '|' and parentheses is well formed.
bool plain(std::string_view text) {
  Reader reader{text};
  reader.sequence();
  return !reader.broken && reader.rest.empty() && text.find_first_of("[]*,") == std::string::npos;
}

bool holds(std::string_view expression, const FeatureExpression::Features& features) {
  return Reader{expression, &features}.sequence();
}

/// Parts between the character where no bracket is open.
std::vector<std::string> parts_of(std::string_view text, char between) {
  std::vector<std::string> parts{""};
  int depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c == between && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

}  // namespace

FeatureExpression::FeatureExpression(std::string_view text) {
  for (const char c : text) {
    if (c != ' ') text_ += c;
  }
  if (text_.empty()) return;
  if (text_.find('*') != std::string::npos) {
    readable_ = read_counts(text_);
  } else {
    read_alternatives(text_);
    readable_ = std::all_of(alternatives_.begin(), alternatives_.end(), plain);
  }
  if (!readable_) alternatives_.clear();
}

/// "[a*2&b*1]" or "a*2". Without brackets around several parts, every node has all of the features.
bool FeatureExpression::read_counts(const std::string& text) {
  const bool bracketed = text.front() == '[' && text.back() == ']';
  std::string everywhere;
  open_counts_ = !bracketed && text.find_first_of("&|") != std::string::npos;
  for (const std::string& part : parts_of(bracketed ? text.substr(1, text.size() - 2) : text, '&')) {
    const std::size_t star = part.find('*');
    const std::string expression = part.substr(0, star);
    if (!plain(expression)) return false;
    if (star == std::string::npos) {
      everywhere += (everywhere.empty() ? "" : "&") + expression;
      continue;
    }
    const std::string number = part.substr(star + 1);
    if (number.empty() || number.size() > 6 || number.find_first_not_of("0123456789") != std::string::npos)
      return false;
    counts_.push_back({expression, std::stoi(number)});
  }
  alternatives_ = {everywhere};
  if (!open_counts_) return true;
  Count all{everywhere, 0};
  for (const Count& one : counts_) {
    all.expression += (all.expression.empty() ? "" : "&") + one.expression;
    all.nodes = std::max(all.nodes, one.nodes);
  }
  alternatives_ = {all.expression};
  counts_ = {all};
  return true;
}

/// "x&[a|b]" is "x&(a)" or "x&(b)".
void FeatureExpression::read_alternatives(const std::string& text) {
  const std::size_t open = text.find('[');
  const std::size_t close = text.find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) {
    alternatives_ = {text};
    return;
  }
  for (const std::string& one : parts_of(text.substr(open + 1, close - open - 1), '|')) {
    const bool bare = one.find_first_of(operators) == std::string::npos;
    alternatives_.push_back(text.substr(0, open) + (bare ? one : "(" + one + ")") + text.substr(close + 1));
  }
}

std::string FeatureExpression::fault() const {
  if (text_.find('*') == std::string::npos) return {};
  const bool bracketed = text_.front() == '[' && text_.back() == ']';
  const std::string inner = bracketed ? text_.substr(1, text_.size() - 2) : text_;
  if (bracketed && parts_of(inner, '|').size() > 1) return "a count such as a*2 can't be combined with '|' in brackets";
  const std::vector<std::string> parts = parts_of(inner, '&');
  const auto counts = [](const std::string& part) { return part.find('*') != std::string::npos; };
  if (bracketed && !std::all_of(parts.begin(), parts.end(), counts)) {
    return "if one feature in brackets has a count, every feature needs one";
  }
  return {};
}

std::vector<std::string> FeatureExpression::names() const {
  std::vector<std::string> found;
  const auto collect = [&](const std::string& expression) {
    std::string name;
    for (const char c : expression + "&") {
      if (operators.find(c) == std::string_view::npos) {
        name += c;
      } else if (!name.empty()) {
        if (!contains(found, name)) found.push_back(name);
        name.clear();
      }
    }
  };
  for (const std::string& alternative : alternatives_) collect(alternative);
  for (const Count& one : counts_) collect(one.expression);
  return found;
}

bool FeatureExpression::fits(const Features& features) const {
  return alternatives_.empty() || std::any_of(alternatives_.begin(), alternatives_.end(), [&](const std::string& one) {
           return one.empty() || holds(one, features);
         });
}

bool FeatureExpression::together(const std::vector<const Features*>& nodes, int count) const {
  if (alternatives_.empty()) return true;
  const auto having = [&](const std::string& expression) {
    return std::count_if(nodes.begin(), nodes.end(),
                         [&](const Features* features) { return expression.empty() || holds(expression, *features); });
  };
  const bool same = std::any_of(alternatives_.begin(), alternatives_.end(),
                                [&](const std::string& one) { return having(one) >= count; });
  int counted = 0;
  for (const Count& one : counts_) {
    if (having(one.expression) < one.nodes) return false;
    counted += one.nodes;
  }
  if (counted > count) return false;  // refused: a job has no more nodes than it asks for
  // Counts that use up all nodes leave none without such a feature.
  if (counted < count || counts_.empty()) return same;
  return same && std::count_if(nodes.begin(), nodes.end(), [&](const Features* features) {
                   return std::any_of(counts_.begin(), counts_.end(),
                                      [&](const Count& one) { return holds(one.expression, *features); });
                 }) >= count;
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

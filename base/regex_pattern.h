// A POSIX extended regular expression.
#pragma once

#include <regex.h>

#include <optional>
#include <string>

namespace rv {

/// `^` and `$` stand for the ends of a line. The C library's: std::regex would add a tenth to the binary.
class RegexPattern {
 public:
  explicit RegexPattern(const std::string& text);
  ~RegexPattern();
  RegexPattern(const RegexPattern&) = delete;
  RegexPattern& operator=(const RegexPattern&) = delete;

  /// What the C library finds wrong with the expression; empty: nothing.
  std::string fault() const;
  bool has_group() const { return fault_ == 0 && compiled_.re_nsub > 0; }
  /// What the first group matched, where the expression is found in `text`.
  std::optional<std::string> first_group(const std::string& text) const;

 private:
  regex_t compiled_ = {};
  int fault_;
};

}  // namespace rv

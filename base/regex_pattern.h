// A POSIX extended regular expression.
#pragma once

#include <regex.h>

#include <optional>
#include <string>

namespace rv {

/// Uses the C library's regcomp(3): std::regex would make the binary a tenth larger. `^` and `$` match at line ends.
class RegexPattern {
 public:
  explicit RegexPattern(const std::string& text);
  ~RegexPattern();
  RegexPattern(const RegexPattern&) = delete;
  RegexPattern& operator=(const RegexPattern&) = delete;

  /// Returns the C library's message about an invalid expression; empty if it is valid.
  std::string fault() const;
  bool has_group() const { return fault_ == 0 && compiled_.re_nsub > 0; }
  /// Returns the match of the first group, if the expression matches in `text`.
  std::optional<std::string> first_group(const std::string& text) const;

 private:
  regex_t compiled_ = {};
  int fault_;
};

}  // namespace rv

#include "base/regex_pattern.h"

#include <array>

namespace rv {

RegexPattern::RegexPattern(const std::string& text)
    : fault_(::regcomp(&compiled_, text.c_str(), REG_EXTENDED | REG_NEWLINE)) {}

RegexPattern::~RegexPattern() {
  if (fault_ == 0) ::regfree(&compiled_);
}

std::string RegexPattern::fault() const {
  if (fault_ == 0) return "";
  std::array<char, 128> text = {};
  ::regerror(fault_, &compiled_, text.data(), text.size());
  return text.data();
}

std::optional<std::string> RegexPattern::first_group(const std::string& text) const {
  if (!has_group()) return std::nullopt;
  std::array<regmatch_t, 2> found = {};
  if (::regexec(&compiled_, text.c_str(), found.size(), found.data(), 0) != 0 || found[1].rm_so < 0)
    return std::nullopt;
  return text.substr(static_cast<std::size_t>(found[1].rm_so),
                     static_cast<std::size_t>(found[1].rm_eo - found[1].rm_so));
}

}  // namespace rv

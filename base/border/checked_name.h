// Names that another machine, user or file supplies. A name of one of these types has passed its rule: it can't end a
// line, a quotation or an address, and it can't be read as an option.
#pragma once

#include <string>
#include <string_view>

namespace rv {

/// `text` for a message: control characters and bytes beyond ASCII as \xNN, at most 60 characters.
std::string printable(std::string_view text);

/// What a kind of name may be. `expected`: for the error, behind "expected".
struct NameRule {
  std::string_view what;
  std::string_view expected;
  bool (*allows)(std::string_view text);
};
/// Throws Error for a text that the rule does not allow; the error contains the text in printable form.
void check_name(const NameRule& rule, std::string_view text);

extern const NameRule run_id_rule;
extern const NameRule user_name_rule;
extern const NameRule host_name_rule;
extern const NameRule run_name_rule;

template <const NameRule& rule>
class CheckedName {
 public:
  /// Throws Error.
  explicit CheckedName(std::string text) : text_(std::move(text)) { check_name(rule, text_); }

  const std::string& text() const { return text_; }
  bool operator==(const CheckedName&) const = default;

 private:
  std::string text_;
};

using RunId = CheckedName<run_id_rule>;        // "k3f9x2"
using UserName = CheckedName<user_name_rule>;  // of an account, "ann", "ann@site.edu"
using HostName = CheckedName<host_name_rule>;  // of a node, "udc-an28-2"
using RunName = CheckedName<run_name_rule>;    // for people: any text without control characters

/// Throws Error for a number that is not 1 to 65535.
int checked_port(long long number);

}  // namespace rv

// Names that another machine, user or file supplies. A value of one of these types satisfies its rule: it can't end a
// line, a quotation or an address, and it can't be mistaken for an option.
#pragma once

#include <string>
#include <string_view>

namespace rv {

/// Returns `text` for a message: control characters and bytes beyond ASCII as \xNN, at most 60 characters.
std::string printable(std::string_view text);

/// The rule for a kind of name. `expected` follows the word "expected" in the error.
struct NameRule {
  std::string_view what;
  std::string_view expected;
  bool (*allows)(std::string_view text);
};
/// Throws Error if the rule does not allow the text; the error contains it in printable form.
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
using RunName = CheckedName<run_name_rule>;    // any text without control characters

/// Returns the number. Throws Error unless it is 1 to 65535.
int checked_port(long long number);

}  // namespace rv

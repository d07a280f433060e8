// Names of the report files that rv accepts from another machine.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rv {

/// The work that writes the reports. Each kind has names of its own.
enum class ReportKind { acceptance, stress, sweep };

/// A relative path below a node's report folder that was checked: no empty, hidden, "." or ".." component, no control
/// character, at most 150 bytes before the last slash and 100 behind it (ustar stores that much).
class ReportName {
 public:
  /// Returns nothing for a name that `kind` does not write.
  static std::optional<ReportName> parse(ReportKind kind, std::string_view text);

  const std::string& text() const { return text_; }
  bool operator==(const ReportName&) const = default;

 private:
  explicit ReportName(std::string_view text) : text_(text) {}

  std::string text_;
};

/// Whether rv makes this file itself of the others: the order, the tables and the page of a sweep. One from another
/// machine is not used.
bool is_made_here(ReportKind kind, const ReportName& name);

/// Whether `text` may be a folder of such names.
bool is_report_folder(std::string_view text);

}  // namespace rv

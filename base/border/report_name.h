// Names of the report files that rv accepts from another machine.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rv {

/// The work that writes the reports. Each kind has its own file names.
enum class ReportKind { acceptance, stress, sweep };

/// A checked relative path below a node's report folder: no empty, hidden, "." or ".." component, no control character,
/// at most 150 bytes before the last slash and 100 after it (the limits of ustar).
class ReportName {
 public:
  /// Returns nothing if work of this kind does not write a file of that name.
  static std::optional<ReportName> parse(ReportKind kind, std::string_view text);

  const std::string& text() const { return text_; }
  bool operator==(const ReportName&) const = default;

 private:
  explicit ReportName(std::string_view text) : text_(text) {}

  std::string text_;
};

/// Whether rv itself computes this file from the others: the order, the tables and the page of a sweep. A copy from
/// another machine is not used.
bool is_made_here(ReportKind kind, const ReportName& name);

/// Whether `text` is a valid folder for such names.
bool is_report_folder(std::string_view text);

}  // namespace rv

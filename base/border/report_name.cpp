#include "base/border/report_name.h"

#include <algorithm>
#include <array>

#include "base/regex_pattern.h"
#include "base/terminal_text.h"

namespace rv {
namespace {

constexpr std::size_t longest_folder = 150, longest_base = 100, most_components = 8;

bool is_component(std::string_view text) {
  return !text.empty() && text.front() != '.' && !has_control_character(text);
}

/// Components of a path that leads down only.
bool leads_down(std::string_view path) {
  if (std::count(path.begin(), path.end(), '/') >= static_cast<std::ptrdiff_t>(most_components)) return false;
  while (true) {
    const auto end = path.find('/');
    if (!is_component(path.substr(0, end))) return false;
    if (end == std::string_view::npos) return true;
    path.remove_prefix(end + 1);
  }
}

bool matches(const RegexPattern& pattern, std::string_view text) {
  return pattern.first_group(std::string(text)).has_value();
}

bool is_written_by(ReportKind kind, std::string_view name) {
  static const RegexPattern acceptance(
      "^(order\\.json|steps\\.jsonl|container-told|"
      "[a-z0-9-]+/(out|err|nccl\\.[A-Za-z0-9._-]+\\.log|[A-Za-z0-9_-][A-Za-z0-9._-]*\\.jsonl))$");
  static const RegexPattern stress("^(container-told|[A-Za-z0-9_-][A-Za-z0-9._,+=:@-]*\\.(jsonl|log))$");
  switch (kind) {
    case ReportKind::acceptance:
      return matches(acceptance, name);
    case ReportKind::stress:
      return matches(stress, name);
    case ReportKind::sweep:  // values of axes and the user's own files in a point's folder: all that leads down
      return true;
  }
  return false;
}

}  // namespace

std::optional<ReportName> ReportName::parse(ReportKind kind, std::string_view text) {
  const auto slash = text.rfind('/');
  const auto folder = slash == std::string_view::npos ? 0 : slash;
  const auto base = slash == std::string_view::npos ? text.size() : text.size() - slash - 1;
  if (folder > longest_folder || base > longest_base || !leads_down(text)) return std::nullopt;
  if (!is_written_by(kind, text)) return std::nullopt;
  return ReportName(text);
}

bool is_made_here(ReportKind kind, const ReportName& name) {
  static constexpr std::array<std::string_view, 4> made{"sweep.json", "results.json", "combined_results.csv",
                                                        "report.html"};
  return kind == ReportKind::sweep && std::find(made.begin(), made.end(), name.text()) != made.end();
}

bool is_report_folder(std::string_view text) {
  return text.size() <= longest_folder && leads_down(text);
}

}  // namespace rv

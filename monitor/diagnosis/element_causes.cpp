#include "monitor/diagnosis/element_causes.h"

#include <algorithm>

#include "base/text.h"
#include "monitor/run/elements.h"

namespace rv::monitor {
namespace {

std::optional<Cause> cause_in_logs(int index, const std::vector<Finding>& findings) {
  for (const auto& finding : findings) {
    if (!finding.is_warning() && element_of_log(finding.log->file) == index) return finding.cause();
  }
  return std::nullopt;
}

}  // namespace

std::optional<int> element_of_log(std::string_view file) {
  constexpr std::string_view folder = "logs/";
  if (!file.starts_with(folder)) return std::nullopt;
  file.remove_prefix(folder.size());
  return file.find('.') == std::string_view::npos ? std::nullopt : element_of_label(file);
}

std::vector<ElementCause> element_causes(const RunEvidence& evidence, const std::vector<Finding>& findings) {
  std::vector<ElementCause> causes;
  if (!evidence.view.array) return causes;
  for (const auto& element : evidence.view.array->elements) {
    if (!has_failed(element)) continue;
    const ElementCause one{
        .indices = {}, .exit_code = element.exit->code, .cause = cause_in_logs(element.index, findings)};
    auto same = std::find_if(causes.begin(), causes.end(), [&](const ElementCause& cause) {
      return cause.exit_code == one.exit_code && cause.cause == one.cause;
    });
    if (same == causes.end()) same = causes.insert(causes.end(), one);
    same->indices.push_back(element.index);
  }
  std::stable_sort(causes.begin(), causes.end(),
                   [](const ElementCause& a, const ElementCause& b) { return a.indices.size() > b.indices.size(); });
  return causes;
}

std::string to_string(const ElementCause& cause) {
  return elements_in_words(cause.indices) + ": " + exit_code_words(cause.exit_code) +
         (cause.cause ? ", " + std::string(text_of(*cause.cause).text) : "");
}

}  // namespace rv::monitor

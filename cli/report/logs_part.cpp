#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/report/parts.h"
#include "reports/pages/html.h"

namespace rv::cli {
namespace {

using pages::escape_html;

constexpr std::size_t most_bytes = 600'000;  // of all logs together
constexpr std::size_t most_lines = 200, most_open = 4;

std::string text_of(const monitor::LogTail& log, std::size_t bytes, std::size_t& shown) {
  std::string text;
  for (auto line = log.lines.rbegin(); line != log.lines.rend() && shown < most_lines; ++line) {
    auto clean = one_line(*line);
    if (clean.size() > 2000) clean = clean.substr(0, 2000) + "…";
    if (text.size() + clean.size() > bytes) break;
    text.insert(0, escape_html(clean) + "\n");
    ++shown;
  }
  return text;
}

}  // namespace

std::string logs_html(const RunStory& story) {
  std::string out;
  std::size_t open = 0;
  const auto bytes = most_bytes / std::max<std::size_t>(story.logs.size(), 1);
  for (const auto& log : story.logs) {
    std::size_t shown = 0;
    const auto text = text_of(log, bytes, shown);
    if (text.empty()) continue;
    const auto summary = fmt::format(
        "<strong>{}</strong> <span class=\"dim\">{}</span>", escape_html(log.file),
        log.first_line
            ? fmt::format("{} of {} lines", shown, static_cast<std::size_t>(*log.first_line - 1) + log.lines.size())
            : "the last " + counted(static_cast<long long>(shown), "line"));
    const auto body = fmt::format("<div class=\"tail\"><pre>{}</pre></div>\n", text);
    out += open++ < most_open ? fmt::format("<details open><summary>{}</summary>\n{}</details>\n", summary, body)
                              : pages::folded(summary, body);
  }
  return out;
}

}  // namespace rv::cli

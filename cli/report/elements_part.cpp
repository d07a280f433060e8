#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/report/parts.h"
#include "cli/views/run_table.h"
#include "reports/pages/html.h"
#include "shared/time_text.h"

namespace rv::cli {
namespace {

using pages::escape_html;

/// More squares than these would be most of the page.
constexpr std::size_t most_squares = 4000;
constexpr std::size_t most_rows = 100;

std::string failed_html(const std::vector<monitor::Element>& elements) {
  std::string rows;
  std::size_t count = 0;
  for (const auto& one : elements) {
    if (!monitor::has_failed(one) || count++ >= most_rows) continue;
    rows += fmt::format("<tr><td class=\"n\">{}</td><td class=\"n bad\">{}</td><td>{}</td><td>{}</td></tr>\n",
                        one.index, monitor::exit_code_figure(one.exit->code),
                        one.start ? escape_html(one.start->nodes) : "", local_time(one.exit->time));
  }
  if (rows.empty()) return "";
  auto out = fmt::format(
      "<div class=\"scroll\"><table class=\"failed\">\n<tr><th class=\"n\">element</th><th class=\"n\">exit code</th>"
      "<th>node</th><th>ended</th></tr>\n{}</table></div>\n",
      rows);
  if (count > most_rows) out += fmt::format("<p class=\"dim\">and {} more</p>\n", count - most_rows);
  return out;
}

}  // namespace

std::string elements_html(const RunStory& story) {
  if (!story.view.array) return "";
  const auto& array = *story.view.array;
  std::string out = fmt::format("<p>{}</p>\n", escape_html(monitor::element_words(array.elements, array.indices)));
  out += failed_html(array.elements);
  if (array.indices.size() > most_squares) return out;
  std::map<int, const monitor::Element*> known;
  for (const auto& one : array.elements) known[one.index] = &one;
  std::string squares;
  for (const int index : array.indices) {
    const auto found = known.find(index);
    const auto* const kind = found == known.end()                  ? "none"
                             : !found->second->exit                ? "skip"
                             : monitor::has_failed(*found->second) ? "fail"
                                                                   : "pass";
    squares += fmt::format("<i class=\"{}\" title=\"{}\"></i>", kind, index);
  }
  return out + "<div class=\"squares\">" + squares +
         "</div>\n<p class=\"dim legend\"><span><i class=\"pass\"></i>done</span> <span><i "
         "class=\"fail\"></i>failed</span> "
         "<span><i class=\"skip\"></i>no end yet</span> <span><i class=\"none\"></i>not begun</span></p>\n";
}

}  // namespace rv::cli

#include "reports/pages/html.h"

#include <fmt/format.h>

namespace rv::pages {

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string scrolling(const std::string& chart) {
  return chart.empty() ? chart : "<div class=\"scroll\">" + chart + "</div>\n";
}

std::string folded(const std::string& summary, const std::string& html) {
  if (html.empty()) return "";
  return fmt::format("<details><summary>{}</summary>\n{}</details>\n", summary, html);
}

}  // namespace rv::pages

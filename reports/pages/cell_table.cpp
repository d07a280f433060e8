#include "reports/pages/cell_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace rv::pages {

namespace {

std::string attribute(const char* name, const std::string& value) {
  return value.empty() ? "" : fmt::format(" {}=\"{}\"", name, value);
}

std::string class_of(const Column& column, const std::string& own) {
  return column.number ? own.empty() ? "n" : "n " + own : own;
}

}  // namespace

std::string cell_table(const std::vector<Column>& columns, const std::vector<std::vector<Cell>>& rows,
                       const std::string& missing, const std::string& css) {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool any = std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return !row[i].html.empty(); });
    if (any || columns[i].always) shown.push_back(i);
  }
  std::string out = fmt::format("<div class=\"scroll\"><table{}>\n<tr>", attribute("class", css));
  for (const auto i : shown) {
    out += fmt::format("<th{}>{}</th>", attribute("class", class_of(columns[i], "")), columns[i].title);
  }
  out += "</tr>\n";
  for (const auto& row : rows) {
    out += "<tr>";
    for (const auto i : shown) {
      const auto& cell = row[i];
      out += fmt::format("<td{}{}>{}</td>", attribute("class", class_of(columns[i], cell.css)),
                         attribute("title", cell.title), cell.html.empty() ? missing : cell.html);
    }
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

}  // namespace rv::pages

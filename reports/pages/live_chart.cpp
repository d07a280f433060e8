#include "reports/pages/live_chart.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "reports/pages/html.h"
#include "shared/documents/json_dump.h"

namespace rv::pages {
namespace {

constexpr std::string_view opening = "<figure class=\"plot\">";

/// A string of the page's script. "<" would end the script that the text stands in.
std::string script_text(const std::string& text) {
  const auto quoted = json_dump(nlohmann::json(text));
  std::string out;
  for (const char c : quoted) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : "null";
}

std::string list(const std::vector<std::string>& texts) {
  std::string out;
  for (const auto& text : texts) out += (out.empty() ? "" : ",") + script_text(text);
  return "[" + out + "]";
}

/// A row for each x: x, then each line's value there, or null.
std::string rows_json(const LineChart& chart) {
  std::map<double, std::vector<std::optional<double>>> rows;
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    for (const auto& [x, y] : chart.lines[i].points) {
      if (chart.doubling && !(x > 0)) continue;
      auto& row = rows[x];
      row.resize(chart.lines.size());
      row[i] = y;
    }
  }
  std::string out;
  for (const auto& [x, row] : rows) {
    out += (out.empty() ? "[" : ",[") + fmt::format("{:.10g}", x);
    for (const auto& value : row) out += value ? "," + number(*value) : ",null";
    out += "]";
  }
  return "[" + out + "]";
}

std::string lines_json(const LineChart& chart) {
  std::string out;
  for (const auto& line : chart.lines) {
    out += fmt::format("{}{{\"name\":{}{}}}", out.empty() ? "" : ",", script_text(line.name),
                       line.baseline_of ? fmt::format(",\"of\":{}", *line.baseline_of) : "");
  }
  return "[" + out + "]";
}

std::string_view kind_of(Axis axis) {
  return axis == Axis::bytes ? "bytes" : axis == Axis::names ? "names" : "number";
}

}  // namespace

std::string chart_json(const LineChart& chart) {
  std::string marks;
  for (const auto& mark : chart.marks) {
    marks += fmt::format("{}[{},{}]", marks.empty() ? "" : ",", number(mark.x), script_text(mark.word));
  }
  return fmt::format(
      "{{\"x\":{},\"unit\":{},\"axis\":\"{}\",\"doubling\":{},\"logy\":{},\"dots\":{},\"names\":{},\"lines\":{},"
      "\"marks\":[{}],\"rows\":{}}}",
      script_text(chart.x_name), script_text(chart.unit), kind_of(chart.axis), chart.doubling, chart.log_y, chart.dots,
      list(chart.x_names), lines_json(chart), marks, rows_json(chart));
}

std::string live_chart(const LineChart& chart) {
  const auto svg = line_chart_svg(chart);
  if (svg.empty()) return "";
  return fmt::format("{}<div class=\"still scroll\">{}</div><script type=\"application/json\">{}</script></figure>\n",
                     opening, svg, chart_json(chart));
}

bool has_live_chart(std::string_view html) {
  return html.find(opening) != std::string_view::npos;
}

}  // namespace rv::pages

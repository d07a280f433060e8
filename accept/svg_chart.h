// Charts as SVG text that stands in an HTML page. Colours come from the page's style sheet.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rv::accept {

/// "&", "<", ">" and quotes made safe for HTML text and attributes.
std::string escape_html(std::string_view text);

struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points;  // x: bytes, y: GB/s, by x
};

/// Bandwidth against size: x by powers of two, y from zero. Points have titles with their figures.
std::string curves_svg(const std::vector<Curve>& curves, const std::string& unit);

struct Bar {
  std::string label;
  double value = 0;
  bool good = true;
};

/// One horizontal bar for each, from zero; `reference`: a line across all.
std::string bars_svg(const std::vector<Bar>& bars, const std::string& unit, std::optional<double> reference);

/// A square matrix, rows from, columns to; nothing where there is no figure. Dark is fast.
std::string heat_map_svg(const std::vector<std::vector<std::optional<double>>>& matrix, const std::string& unit);

}  // namespace rv::accept

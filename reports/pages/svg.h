// The pieces of a chart as SVG text. Colours come from the page's style sheet (reports/pages/html.h).
#pragma once

#include <string>
#include <string_view>

namespace rv::pages {

/// Classes c0 to c5 are lines' colours.
inline constexpr int line_colours = 6;

std::string svg_begin(int width, int height, const char* kind);
std::string svg_text(double x, double y, const char* anchor, std::string_view words);
/// `kind`: "grid" or "axis".
std::string svg_line(double x1, double y1, double x2, double y2, const char* kind);

}  // namespace rv::pages

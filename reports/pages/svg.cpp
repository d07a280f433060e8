#include "reports/pages/svg.h"

#include <fmt/format.h>

#include "reports/pages/html.h"

namespace rv::pages {

std::string svg_begin(int width, int height, const char* kind) {
  return fmt::format("<svg class=\"chart {0}\" viewBox=\"0 0 {1} {2}\" width=\"{1}\" height=\"{2}\" role=\"img\">\n",
                     kind, width, height);
}

std::string svg_text(double x, double y, const char* anchor, std::string_view words) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     escape_html(words));
}

std::string svg_line(double x1, double y1, double x2, double y2, const char* kind) {
  return fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kind, x1, y1, x2,
                     y2);
}

}  // namespace rv::pages

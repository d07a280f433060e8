#include "reports/pages/line_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "reports/pages/html.h"
#include "reports/pages/svg.h"

namespace rv::pages {
namespace {

constexpr int width = 760, height = 280, left = 60, right = 150, top = 22, bottom = 40;

/// Where values have their places.
struct Scale {
  double first = 0, last = 1;  // of x, or of its power of two
  double low = 0, high = 1;    // of y, or of its power of ten
  bool doubling = false, log_y = false;

  double x(double value) const {
    const double at = doubling ? std::log2(value) : value;
    return left + (at - first) / (last - first) * (width - left - right);
  }
  double y(double value) const {
    const double at = log_y ? std::log10(value) : value;
    return height - bottom - (at - low) / (high - low) * (height - top - bottom);
  }
  bool has_place(double at_x, double at_y) const {
    return (!doubling || at_x > 0) && (!log_y || at_y > 0) && std::isfinite(at_x) && std::isfinite(at_y);
  }
};

std::vector<double> places_of(const LineChart& chart) {
  std::set<double> all;
  for (const auto& line : chart.lines) {
    for (const auto& [x, y] : line.points) all.insert(x);
  }
  for (const auto& mark : chart.marks) all.insert(mark.x);
  if (chart.doubling) std::erase_if(all, [](double x) { return !(x > 0); });
  return {all.begin(), all.end()};
}

Scale scale_of(const LineChart& chart, const std::vector<double>& places) {
  Scale scale;
  scale.doubling = chart.doubling;
  scale.log_y = chart.log_y;
  const auto at = [&](double x) { return chart.doubling ? std::log2(x) : x; };
  scale.first = chart.doubling ? at(places.front()) : 0;
  scale.last = std::max(at(places.back()), scale.first + (chart.doubling ? 1 : 1e-9));
  double most = 0, least = 0;
  for (const auto& line : chart.lines) {
    for (const auto& [x, y] : line.points) {
      most = std::max(most, y);
      if (y > 0) least = least == 0 ? y : std::min(least, y);
    }
  }
  if (chart.log_y && least > 0) {
    scale.low = std::floor(std::log10(least));
    scale.high = std::max(std::ceil(std::log10(most)), scale.low + 1);
  } else {
    scale.high = ticks_to(most).back();
  }
  return scale;
}

std::string x_text(const LineChart& chart, double value) {
  if (chart.axis == Axis::names) {
    const auto at = static_cast<std::size_t>(std::max(value, 0.0));
    return at < chart.x_names.size() ? chart.x_names[at] : "";
  }
  return chart.axis == Axis::bytes ? bytes_text(static_cast<std::uint64_t>(value)) : tick_text(value);
}

std::string x_axis(const LineChart& chart, const Scale& scale, const std::vector<double>& places) {
  std::string out;
  double free_from = 0;
  // Names have no room on an axis of hundreds.
  if (chart.axis == Axis::names) {
    return svg_text(left, height - 6, "start", chart.x_name) + svg_text(6, 12, "start", chart.unit);
  }
  const auto ticks = chart.doubling ? places : ticks_to(places.back());
  for (const double value : ticks) {
    const double x = scale.x(value);
    if (x > width - right + 1) continue;
    out += svg_line(x, height - bottom, x, height - bottom + 4, "axis");
    if (x < free_from) continue;
    out += svg_text(x, height - bottom + 18, "middle", x_text(chart, value));
    free_from = x + 46;
  }
  return out + svg_text(left, height - 6, "start", chart.x_name) + svg_text(6, 12, "start", chart.unit);
}

std::string y_axis(const LineChart& chart, const Scale& scale) {
  std::vector<double> ticks;
  if (chart.log_y) {
    const int each = std::max(1, static_cast<int>((scale.high - scale.low) / 6));
    for (int power = static_cast<int>(scale.low); power <= static_cast<int>(scale.high); power += each) {
      ticks.push_back(std::pow(10.0, power));
    }
  } else {
    ticks = ticks_to(scale.high);
  }
  std::string out;
  for (const double value : ticks) {
    out += svg_line(left, scale.y(value), width - right, scale.y(value), "grid");
    out += svg_text(left - 6, scale.y(value) + 4, "end", tick_text(value));
  }
  return out;
}

/// Points alone: a path of strokes without length, because a circle for each would be most of the page.
std::string points_svg(const LineChart& chart, const Line& line, std::size_t colour, const Scale& scale) {
  std::string path;
  for (const auto& [x, y] : line.points) {
    if (scale.has_place(x, y)) path += fmt::format("M{:.0f},{:.1f}h0", scale.x(x), scale.y(y));
  }
  return chart.lines.empty() ? "" : fmt::format("<path class=\"points c{}\" d=\"{}\"/>\n", colour, path);
}

std::string line_svg(const LineChart& chart, std::size_t number, const Scale& scale) {
  const auto& line = chart.lines[number];
  const auto colour = line.baseline_of.value_or(number) % line_colours;
  if (chart.axis == Axis::names && !line.baseline_of) return points_svg(chart, line, colour, scale);
  std::string points, dots;
  for (const auto& [x, y] : line.points) {
    if (!scale.has_place(x, y)) continue;
    points += fmt::format("{:.1f},{:.1f} ", scale.x(x), scale.y(y));
    if (!chart.dots || line.baseline_of) continue;
    dots += fmt::format(
        "<circle class=\"c{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"><title>{} {}: {} {}</title></circle>\n", colour,
        scale.x(x), scale.y(y), escape_html(chart.x_name), x_text(chart, x), tick_text(y), escape_html(chart.unit));
  }
  return fmt::format("<polyline class=\"{}c{}\" points=\"{}\"/>\n{}", line.baseline_of ? "base " : "", colour, points,
                     dots);
}

/// Beside the lines, never over them.
std::string names_svg(const LineChart& chart) {
  std::string out;
  double y = top + 12;
  bool baselines = false;
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    baselines = baselines || chart.lines[i].baseline_of;
    if (chart.lines[i].baseline_of || chart.lines[i].name.empty()) continue;
    out += fmt::format("<rect class=\"c{}\" x=\"{}\" y=\"{:.1f}\" width=\"12\" height=\"12\"/>\n", i % line_colours,
                       width - right + 14, y - 10);
    out += svg_text(width - right + 32, y, "start", chart.lines[i].name);
    y += 20;
  }
  if (!baselines) return out;
  out += fmt::format("<path class=\"dashes\" d=\"M{},{:.1f}h12\"/>\n", width - right + 14, y - 4);
  return out + svg_text(width - right + 32, y, "start", "baseline");
}

}  // namespace

std::string tick_text(double value) {
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size >= 1e6) return fmt::format("{:.4g}M", value / 1e6);
  if (size >= 1e5) return fmt::format("{:.4g}k", value / 1e3);
  if (size < 1000) return fmt::format("{:.4g}", value);
  auto digits = fmt::format("{:.0f}", value);
  return digits.insert(digits.size() - 3, ",");
}

std::string bytes_text(std::uint64_t bytes) {
  for (const auto& [shift, unit] : {std::pair{30U, 'G'}, {20U, 'M'}, {10U, 'K'}}) {
    if (bytes >= (std::uint64_t{1} << shift) && bytes % (std::uint64_t{1} << shift) == 0) {
      return fmt::format("{}{}", bytes >> shift, unit);
    }
  }
  return std::to_string(bytes);
}

std::vector<double> ticks_to(double most) {
  if (!(most > 0) || !std::isfinite(most)) return {0, 1};
  double step = std::pow(10.0, std::floor(std::log10(most)));
  for (const double part : {0.2, 0.5, 1.0, 2.0}) {
    if (most / (part * step) <= 5.0001) {
      step *= part;
      break;
    }
  }
  std::vector<double> ticks = {0};
  while (ticks.back() < most * (1 - 1e-9)) ticks.push_back(static_cast<double>(ticks.size()) * step);
  return ticks;
}

std::string line_chart_svg(const LineChart& chart) {
  const auto places = places_of(chart);
  if (places.empty()) return "";
  const auto scale = scale_of(chart, places);
  std::string out = svg_begin(width, height, "lines") + y_axis(chart, scale) + x_axis(chart, scale, places);
  for (std::size_t i = 0; i < chart.lines.size(); ++i) out += line_svg(chart, i, scale);
  out += names_svg(chart);
  for (const auto& mark : chart.marks) {
    const double x = scale.x(mark.x);
    out += fmt::format("<line class=\"mark\" x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\"/>\n", x, top,
                       height - bottom);
    out += svg_text(x, top - 4, "middle", mark.word);
  }
  return out + "</svg>\n";
}

}  // namespace rv::pages

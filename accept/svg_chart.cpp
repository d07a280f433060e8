#include "accept/svg_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "accept/summary.h"

namespace rv::accept {
namespace {

constexpr int curve_colours = 6;

/// The next round figure above: 1, 2 or 5 times a power of ten.
double round_above(double value) {
  if (!(value > 0)) return 1;
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0, 10.0}) {
    if (value <= step * power) return step * power;
  }
  return 10 * power;
}

std::string begin(int width, int height, const char* kind) {
  return fmt::format("<svg class=\"chart {0}\" viewBox=\"0 0 {1} {2}\" width=\"{1}\" height=\"{2}\" role=\"img\">\n",
                     kind, width, height);
}

std::string text(double x, double y, const char* anchor, std::string_view words) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     escape_html(words));
}

std::string line(double x1, double y1, double x2, double y2, const char* kind) {
  return fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kind, x1, y1, x2,
                     y2);
}

}  // namespace

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

std::string curves_svg(const std::vector<Curve>& curves, const std::string& unit) {
  constexpr int width = 760, height = 360, left = 60, right = 150, top = 16, bottom = 40;
  double least = 0, most = 0, highest = 0;
  for (const auto& curve : curves) {
    for (const auto& [x, y] : curve.points) {
      least = least == 0 ? x : std::min(least, x);
      most = std::max(most, x);
      highest = std::max(highest, y);
    }
  }
  if (least <= 0) return "";
  const double top_value = round_above(highest);
  const double first = std::floor(std::log2(least)), last = std::max(std::ceil(std::log2(most)), first + 1);
  const auto at_x = [&](double bytes) {
    return left + (std::log2(bytes) - first) / (last - first) * (width - left - right);
  };
  const auto at_y = [&](double value) { return height - bottom - value / top_value * (height - top - bottom); };

  std::string out = begin(width, height, "curves");
  for (int i = 0; i <= 5; ++i) {
    const double value = top_value * i / 5;
    out += line(left, at_y(value), width - right, at_y(value), "grid");
    out += text(left - 6, at_y(value) + 4, "end", figure_text(value));
  }
  const int step = std::max(1, static_cast<int>((last - first) / 8));
  for (int power = static_cast<int>(first); power <= static_cast<int>(last); power += step) {
    const double x = at_x(std::exp2(power));
    out += line(x, height - bottom, x, height - bottom + 4, "axis");
    out += text(x, height - bottom + 18, "middle", power >= 0 ? size_text(std::uint64_t{1} << power) : "");
  }
  out += text(left, height - 6, "start", "bytes");
  out += text(6, 12, "start", unit);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    std::string points;
    for (const auto& [x, y] : curves[i].points) points += fmt::format("{:.1f},{:.1f} ", at_x(x), at_y(y));
    const auto colour = i % curve_colours;
    out += fmt::format("<polyline class=\"c{}\" points=\"{}\"/>\n", colour, points);
    for (const auto& [x, y] : curves[i].points) {
      out += fmt::format(
          "<circle class=\"c{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"><title>{} {}: {} {}</title></circle>\n", colour,
          at_x(x), at_y(y), escape_html(curves[i].name), size_text(static_cast<std::uint64_t>(x)), figure_text(y),
          escape_html(unit));
    }
    const double y = top + 12 + 20.0 * static_cast<double>(i);
    out += fmt::format("<rect class=\"c{}\" x=\"{}\" y=\"{:.1f}\" width=\"12\" height=\"12\"/>\n", colour,
                       width - right + 14, y - 10);
    out += text(width - right + 32, y, "start", curves[i].name);
  }
  return out + "</svg>\n";
}

std::string bars_svg(const std::vector<Bar>& bars, const std::string& unit, std::optional<double> reference) {
  if (bars.empty()) return "";
  constexpr int width = 760, row = 22, left = 190, right = 120;
  const int height = row * static_cast<int>(bars.size()) + 8;
  double most = reference.value_or(0);
  for (const auto& bar : bars) most = std::max(most, bar.value);
  const auto length = [&](double value) { return most > 0 ? value / most * (width - left - right) : 0; };
  std::string out = begin(width, height, "bars");
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const double y = 4 + row * static_cast<double>(i);
    out += text(left - 8, y + 15, "end", bars[i].label);
    out += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\"/>\n",
                       bars[i].good ? "good" : "bad", left, y + 3, length(bars[i].value), row - 6);
    out += text(left + length(bars[i].value) + 6, y + 15, "start", figure_text(bars[i].value) + " " + unit);
  }
  if (reference) out += line(left + length(*reference), 2, left + length(*reference), height - 2, "reference");
  return out + "</svg>\n";
}

std::string heat_map_svg(const std::vector<std::vector<std::optional<double>>>& matrix, const std::string& unit) {
  const auto size = static_cast<int>(matrix.size());
  if (size == 0) return "";
  const int cell = size > 16 ? 24 : 52, margin = 44;
  double most = 0;
  for (const auto& cells : matrix) {
    for (const auto& value : cells) most = std::max(most, value.value_or(0));
  }
  std::string out = begin(margin + size * cell + 4, margin + size * cell + 4, "heat");
  out += text(4, 14, "start", "from \\ to");
  for (int i = 0; i < size; ++i) {
    out += text(margin + (i + 0.5) * cell, margin - 8, "middle", std::to_string(i));
    out += text(margin - 8, margin + (i + 0.5) * cell + 4, "end", std::to_string(i));
  }
  for (int from = 0; from < size; ++from) {
    const auto& cells = matrix[static_cast<std::size_t>(from)];
    for (int to = 0; to < size && to < static_cast<int>(cells.size()); ++to) {
      const auto& value = cells[static_cast<std::size_t>(to)];
      if (!value) continue;
      const double share = most > 0 ? *value / most : 0;
      out += fmt::format(
          "<rect class=\"cell\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" style=\"fill-opacity:{:.3f}\">"
          "<title>{} to {}: {} {}</title></rect>\n",
          margin + to * cell + 1, margin + from * cell + 1, cell - 2, cell - 2, 0.08 + 0.92 * share, from, to,
          figure_text(*value), escape_html(unit));
      if (size <= 16) {
        // Light letters on what is dark.
        out += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                           share > 0.55 ? "on" : "off", margin + (to + 0.5) * cell, margin + (from + 0.5) * cell + 4,
                           figure_text(*value));
      }
    }
  }
  return out + "</svg>\n";
}

}  // namespace rv::accept

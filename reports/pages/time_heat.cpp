#include "reports/pages/time_heat.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/pages/line_chart.h"
#include "reports/pages/svg.h"

namespace rv::pages {
namespace {

constexpr int width = 760, left = 60, right = 150, top = 6, bottom = 30, levels = 10;
constexpr std::size_t most_columns = 120, most_cells = 8000;

/// The mean of what is known in a part of a row.
std::optional<double> mean_of(const std::vector<std::optional<double>>& row, std::size_t begin, std::size_t end) {
  double sum = 0;
  int known = 0;
  for (auto i = begin; i < std::min(end, row.size()); ++i) {
    if (!row[i]) continue;
    sum += *row[i];
    ++known;
  }
  return known == 0 ? std::nullopt : std::optional(sum / known);
}

}  // namespace

std::string time_heat_svg(const TimeHeat& heat) {
  std::size_t times = 0;
  for (const auto& row : heat.rows) times = std::max(times, row.size());
  if (times == 0) return "";
  const auto columns = std::min({times, most_columns, std::max<std::size_t>(most_cells / heat.rows.size(), 1)});
  const double cell = static_cast<double>(width - left - right) / static_cast<double>(columns);
  const double line = heat.rows.size() <= 16 ? 14 : heat.rows.size() <= 64 ? 8 : 4;
  const int height = top + bottom + static_cast<int>(std::ceil(line * static_cast<double>(heat.rows.size())));
  // A path for each shade: a rectangle for each cell would be most of the page.
  std::array<std::string, levels> shades;
  for (std::size_t row = 0; row < heat.rows.size(); ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      const auto value = mean_of(heat.rows[row], column * times / columns, (column + 1) * times / columns);
      if (!value) continue;
      const double share = std::clamp(*value / heat.most, 0.0, 1.0);
      const auto level = std::min(static_cast<std::size_t>(share * levels), std::size_t{levels - 1});
      shades[level] += fmt::format("M{:.1f},{:.1f}h{:.1f}v{:.1f}h-{:.1f}z", left + cell * static_cast<double>(column),
                                   top + line * static_cast<double>(row), cell, line - 1, cell);
    }
  }
  std::string out = svg_begin(width, height, "timeheat");
  for (std::size_t level = 0; level < levels; ++level) {
    if (shades[level].empty()) continue;
    out += fmt::format("<path class=\"cell\" style=\"fill-opacity:{:.2f}\" d=\"{}\"/>\n",
                       0.06 + 0.94 * static_cast<double>(level) / (levels - 1), shades[level]);
  }
  const std::size_t each = line >= 14 ? 1 : static_cast<std::size_t>(std::ceil(14 / line));
  for (std::size_t row = 0; row < heat.rows.size() && row < heat.names.size(); row += each) {
    out += svg_text(left - 6, top + line * static_cast<double>(row) + 10, "end", heat.names[row]);
  }
  const auto ticks = ticks_to(heat.seconds);
  for (const double tick : ticks) {
    if (tick > heat.seconds * 1.0001) continue;
    const double x = left + (heat.seconds > 0 ? tick / heat.seconds : 0) * (width - left - right);
    out += svg_text(x, height - 12, "middle", tick_text(tick));
  }
  return out + svg_text(width - right + 14, height - 12, "start", "s") + "</svg>\n";
}

}  // namespace rv::pages

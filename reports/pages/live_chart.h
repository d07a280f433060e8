// A chart that page.js makes move, over the one that stands still.
#pragma once

#include <string>
#include <string_view>

#include "reports/pages/line_chart.h"

namespace rv::pages {

/// The chart as SVG with its figures beside it, from which a browser draws one to zoom and to point at. On paper, and
/// where no script runs, the SVG is what is seen. Empty where there is nothing to draw.
std::string live_chart(const LineChart& chart);

bool has_live_chart(std::string_view html);

/// The figures as page.js reads them: JSON that may stand inside HTML.
std::string chart_json(const LineChart& chart);

}  // namespace rv::pages

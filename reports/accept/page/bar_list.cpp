#include "reports/accept/page/bar_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/accept/summary.h"
#include "reports/pages/html.h"

namespace rv::accept {

using pages::escape_html;

std::string bars_html(const std::vector<Bar>& bars, const std::string& unit, const Beside& beside) {
  if (bars.empty()) return "";
  const bool alone = bars.size() == 1 && !beside.baseline && !beside.peak;
  double most = std::max(beside.peak.value_or(0), beside.baseline.value_or(0) * 1.1);  // the mark is not the edge
  for (const auto& bar : bars) most = std::max(most, bar.value);
  const auto percent = [&](double value) { return most > 0 ? 100 * value / most : 0; };
  const auto mark =
      beside.baseline ? fmt::format("<u style=\"left:{:.1f}%\"></u>", percent(*beside.baseline)) : std::string();
  std::string out = "<div class=\"bars\">\n";
  for (const auto& bar : bars) {
    const auto share = beside.peak ? fmt::format("{:.0f} %", 100 * bar.value / *beside.peak) : std::string();
    const auto track = alone ? std::string()
                             : fmt::format("<b class=\"{}\" style=\"width:{:.1f}%\"></b>{}", bar.good ? "good" : "bad",
                                           percent(bar.value), mark);
    out += fmt::format(
        "<span>{}</span><span class=\"track{}\">{}</span><span class=\"n\">{} {}</span><span class=\"n "
        "dim\">{}</span>\n",
        escape_html(bar.label), beside.peak ? " of-peak" : "", track, figure_text(bar.value),
        escape_html(unit_text(unit)), share);
  }
  return out + "</div>\n";
}

}  // namespace rv::accept

#include "reports/accept/page/collective_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/natural_order.h"
#include "base/text.h"
#include "reports/accept/small_message.h"
#include "reports/accept/summary.h"
#include "reports/pages/html.h"
#include "reports/pages/live_chart.h"
#include "shared/median.h"

namespace rv::accept {

using pages::escape_html;

namespace {

/// More charts than these are folded into one of medians.
constexpr std::size_t most_places = 4;

/// By operation and size: values of all places that are drawn together, and the baseline.
struct Point {
  std::vector<double> values;
  std::optional<double> baseline;
  Verdict verdict = Verdict::pass;
};
using Sizes = std::map<std::uint64_t, Point>;
using Operations = std::map<std::string, Sizes>;

std::string operation_of(const FigureKey& key) {
  return key.figure + (key.type == "fp32" ? "" : " " + key.type);
}

bool is_message(const JudgedFigure& judged) {
  return judged.figure.suite == "collective" && judged.figure.value && judged.key.bytes && !judged.key.in_place;
}

struct Places {
  std::vector<std::pair<std::string, Operations>> shown;  // by title, as they are to be read
  std::size_t folded = 0;                                 // nodes of the last one, taken together; 0: none are
};

/// Who is drawn alone: all nodes together, and nodes that did not pass or are few.
Places places_of(const Judgement& judgement, bool small) {
  std::map<std::string, std::set<std::string>, NaturalOrder> places;  // and what went wrong there
  for (const auto& judged : judgement.figures) {
    if (!is_message(judged) || is_small_message(judged.key) != small) continue;
    auto& bad = places[judged.subject.node];
    if (judged.verdict != Verdict::pass) bad.insert(judged.figure.name);
  }
  const auto nodes = places.size() - places.count("");
  std::vector<std::string> order;
  for (const bool bad : {true, false}) {
    for (const auto& [node, wrong] : places) {
      if (!node.empty() && wrong.empty() != bad) order.push_back(node);
    }
  }
  if (places.contains("")) order.insert(order.begin(), "");
  Places out;
  std::map<std::string, std::size_t> at;
  Operations together;
  for (const auto& place : order) {
    const bool alone =
        place.empty() || nodes <= most_places || (!places[place].empty() && out.shown.size() < 2 * most_places);
    if (alone) {
      at[place] = out.shown.size();
      out.shown.emplace_back(place.empty() ? "all nodes together" : place, Operations{});
    } else {
      ++out.folded;
    }
  }
  for (const auto& judged : judgement.figures) {
    if (!is_message(judged) || is_small_message(judged.key) != small) continue;
    const auto found = at.find(judged.subject.node);
    auto& operations = found == at.end() ? together : out.shown[found->second].second;
    auto& point = operations[operation_of(judged.key)][*judged.key.bytes];
    point.values.push_back(*judged.figure.value);
    if (judged.baseline != nullptr) point.baseline = judged.baseline->value;
    point.verdict = fold({point.verdict, judged.verdict});
  }
  if (out.folded > 0) {
    out.shown.emplace_back(counted(static_cast<long long>(out.folded), "node") + " each, their medians",
                           std::move(together));
  }
  return out;
}

pages::LineChart chart_of(const Operations& operations, const std::string& unit) {
  pages::LineChart chart{
      .x_name = "bytes", .unit = unit, .doubling = true, .dots = true, .log_y = true, .axis = pages::Axis::bytes};
  std::vector<pages::Line> baselines;
  for (const auto& [operation, sizes] : operations) {
    pages::Line line{.name = operation}, baseline{.name = "", .baseline_of = chart.lines.size()};
    for (const auto& [bytes, point] : sizes) {
      line.points.emplace_back(static_cast<double>(bytes), median(point.values));
      if (point.baseline) baseline.points.emplace_back(static_cast<double>(bytes), *point.baseline);
    }
    chart.lines.push_back(std::move(line));
    if (baseline.points.size() > 1) baselines.push_back(std::move(baseline));
  }
  for (auto& baseline : baselines) chart.lines.push_back(std::move(baseline));
  return chart;
}

/// The smallest size of each operation.
std::string latency_table(const Operations& operations) {
  std::string out =
      "<div class=\"scroll\"><table class=\"latency\">\n<tr><th>operation</th><th class=\"n\">bytes</th>"
      "<th class=\"n\">µs</th><th class=\"n\">baseline µs</th><th class=\"n\">ratio</th><th>verdict</th></tr>\n";
  for (const auto& [operation, sizes] : operations) {
    const auto& [bytes, point] = *sizes.begin();
    const double time = median(point.values);
    out += fmt::format(
        "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
        "<td class=\"{}\">{}</td></tr>\n",
        escape_html(operation), size_text(bytes), figure_text(time), point.baseline ? figure_text(*point.baseline) : "",
        point.baseline && time > 0 ? fmt::format("{:.2f}", *point.baseline / time) : "", to_string(point.verdict),
        to_string(point.verdict));
  }
  return out + "</table></div>\n";
}

}  // namespace

std::string bandwidth_html(const Judgement& judgement) {
  std::string out;
  for (const auto& [place, operations] : places_of(judgement, false).shown) {
    out += fmt::format("<h3>{}</h3>\n{}", escape_html(place), live_chart(chart_of(operations, "GB/s")));
  }
  return out;
}

std::string latency_html(const Judgement& judgement) {
  std::string out;
  for (const auto& [place, operations] : places_of(judgement, true).shown) {
    out += fmt::format("<h3>{}</h3>\n{}", escape_html(place), latency_table(operations));
    const bool sweep =
        std::any_of(operations.begin(), operations.end(), [](const auto& o) { return o.second.size() > 1; });
    if (sweep) out += live_chart(chart_of(operations, "µs"));
  }
  return out;
}

}  // namespace rv::accept

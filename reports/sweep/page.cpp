#include "reports/sweep/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "base/quote.h"
#include "base/text.h"
#include "base/version.h"
#include "base/walltime.h"
#include "reports/pages/cell_table.h"
#include "reports/pages/html.h"
#include "reports/pages/live_chart.h"
#include "reports/pages/time_heat.h"
#include "shared/time_text.h"

namespace rv::sweep {

using pages::escape_html;
using pages::scrolling;

namespace {

constexpr auto style = R"(
td.oom, td.bad { color: var(--fail); font-weight: 600; }
dl.answers dt { font-weight: 600; margin-top: .6rem; } dl.answers dd { margin: 0; overflow-wrap: anywhere; }
dl.answers .unknown { color: var(--dim); }
p.command { overflow-wrap: anywhere; font-family: ui-monospace, monospace; }
)";

/// More than these in a line would not be seen, and make the page heavy.
constexpr std::size_t most_in_line = 300;

/// What was not measured is folded below what was.
std::string answers_html(const std::vector<Answer>& answers) {
  std::string known, unknown;
  long long open = 0;
  for (const auto& one : answers) {
    open += one.measured ? 0 : 1;
    (one.measured ? known : unknown) += fmt::format(
        "<dt>{}</dt><dd><span class=\"{}\">{}</span> <span class=\"dim\">({})</span></dd>\n", escape_html(one.question),
        one.measured ? "known" : "unknown", escape_html(one.answer), escape_html(one.evidence));
  }
  const auto list = [](const std::string& entries) {
    return entries.empty() ? "" : "<dl class=\"answers\">\n" + entries + "</dl>\n";
  };
  return list(known) + pages::folded(counted(open, "question") + " not answered by this sweep", list(unknown));
}

std::string cell(const std::optional<double>& value) {
  return fmt::format("<td class=\"n\">{}</td>", value ? number_text(*value) : "—");
}

std::optional<double> last(const PointResult& result, const std::string& name) {
  const auto found = result.metrics.find(name);
  return found == result.metrics.end() ? std::nullopt : std::optional(found->second.last());
}

std::optional<Region> region_of(const std::vector<Curve>& curves, const PointResult& result) {
  for (const auto& curve : curves) {
    for (const auto& point : curve.points) {
      if (std::find(point.runs.begin(), point.runs.end(), &result) != point.runs.end()) return point.region;
    }
  }
  return std::nullopt;
}

std::string text_of(const std::optional<double>& value) {
  return value ? number_text(*value) : std::string();
}

std::string table_html(const Sweep& sweep, const std::vector<Curve>& curves) {
  const std::vector<pages::Column> columns = {{"point"},
                                              {escape_html(sweep.order.throughput), true},
                                              {"region"},
                                              {"iteration s", true},
                                              {"training s", true},
                                              {"VRAM MiB", true},
                                              {"GPU %", true},
                                              {"°C", true},
                                              {"W", true},
                                              {"CPU %", true},
                                              {"RAM MiB", true},
                                              {"end"}};
  std::vector<std::vector<pages::Cell>> rows;
  for (const auto& result : sweep.results) {
    const auto metric = result.metrics.find(sweep.order.throughput);
    const auto region = region_of(curves, result);
    std::vector<pages::Cell> row = {
        {escape_html(to_text(result.point, sweep.order.axes))},
        {text_of(metric == result.metrics.end() ? std::nullopt : std::optional(metric->second.typical()))},
        {region ? std::string(to_string(*region)) : ""},
        {text_of(last(result, "iteration_s"))},
        {text_of(last(result, "training_s"))}};
    for (const auto* name :
         {"peak_vram_mib", "peak_gpu_util", "peak_gpu_temp", "peak_gpu_power", "peak_cpu_util", "peak_ram_mib"}) {
      row.push_back({text_of(result.samples[name])});
    }
    const auto* const kind = is_out_of_memory(result.end.kind)  ? "oom"
                             : result.end.kind == EndKind::done ? "good"
                                                                : "bad";
    row.push_back({std::string(to_string(result.end.kind)), kind, escape_html(result.end.evidence)});
    rows.push_back(std::move(row));
  }
  return pages::cell_table(columns, rows, "—", "points");
}

/// One figure of all curves over the first axis, marked where memory ran out.
std::string over_axis(const Order& order, const std::vector<std::pair<std::string, const Curve*>>& curves,
                      const std::string& unit, const std::function<std::optional<double>(const CurvePoint&)>& figure) {
  pages::LineChart chart{.x_name = order.axes.front().name, .unit = unit, .doubling = true, .dots = true};
  bool any = false;
  for (const auto& [name, curve] : curves) {
    pages::Line line{name, {}};
    for (const auto& point : curve->points) {
      if (const auto value = figure(point)) line.points.emplace_back(static_cast<double>(point.x), *value);
    }
    any = any || !line.points.empty();
    chart.lines.push_back(std::move(line));
    if (const auto* const not_ran = smallest_out_of_memory(*curve)) {
      chart.marks.push_back({static_cast<double>(not_ran->x), curves.size() > 1 ? "OOM " + name : "OOM"});
    }
  }
  return any ? live_chart(chart) : "";
}

using Named = std::vector<std::pair<std::string, const Curve*>>;

std::string throughput_html(const Order& order, const Named& curves) {
  const auto chart = over_axis(order, curves, order.throughput == steps_per_s ? "steps/s" : order.throughput,
                               [](const CurvePoint& point) { return point.throughput; });
  return chart.empty() ? "<p class=\"dim\">No point reported it.</p>\n" : chart;
}

std::string vram_html(const Order& order, const Named& curves) {
  auto named = curves;
  if (named.size() == 1) named.front().first = "VRAM";
  // What a point had allocated when memory ran out is not what it needs: the mark stands for it.
  // None where nothing was measured, as on CPUs.
  return over_axis(order, named, "MiB", [](const CurvePoint& point) {
    return point.out_of_memory == nullptr ? point.vram_mib : std::nullopt;
  });
}

/// Lines of one column over the seconds since the beginning, one a GPU where the table has several.
std::vector<pages::Line> lines_of(const SampleTable& table, const std::string& column, const std::string& name,
                                  double began) {
  std::map<std::string, pages::Line> by_gpu;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto time = table.number(row, "time");
    const auto value = table.number(row, column);
    if (time && value) by_gpu[table.text(row, "gpu")].points.emplace_back(std::max(*time - began, 0.0), *value);
  }
  std::vector<pages::Line> lines;
  for (auto& [gpu, line] : by_gpu) {
    line.name = by_gpu.size() > 1 ? fmt::format("{} {}", name, gpu) : name;
    const auto each = line.points.size() / most_in_line + 1;
    std::vector<std::pair<double, double>> thinned;
    thinned.reserve(line.points.size() / each + 1);
    // The highest of neighbours stays: peaks are what is looked for.
    for (std::size_t i = 0; i < line.points.size(); i += each) {
      const auto end = std::min(i + each, line.points.size());
      thinned.push_back(*std::max_element(line.points.begin() + static_cast<std::ptrdiff_t>(i),
                                          line.points.begin() + static_cast<std::ptrdiff_t>(end),
                                          [](const auto& a, const auto& b) { return a.second < b.second; }));
    }
    line.points = std::move(thinned);
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string over_time(const char* title, const std::string& unit, std::vector<std::vector<pages::Line>> groups) {
  pages::LineChart chart{.x_name = "seconds", .unit = unit};
  for (auto& group : groups) {
    for (auto& line : group) chart.lines.push_back(std::move(line));
  }
  const auto drawn = live_chart(chart);
  return drawn.empty() ? "" : fmt::format("<h4>{}</h4>\n{}", title, drawn);
}

std::string cores_html(const SampleTable& cpu, double began) {
  pages::TimeHeat heat;
  for (const auto& column : cpu.columns()) {
    if (!column.starts_with("core")) continue;
    heat.names.push_back(column.substr(0, column.find('_')));
    auto& row = heat.rows.emplace_back();
    for (std::size_t i = 0; i < cpu.rows(); ++i) row.push_back(cpu.number(i, column));
  }
  if (cpu.rows() > 0) heat.seconds = std::max(cpu.number(cpu.rows() - 1, "time").value_or(began) - began, 0.0);
  const auto svg = heat.rows.empty() ? std::string() : time_heat_svg(heat);
  return svg.empty() ? "" : "<h4>CPU cores, % busy: dark is busy</h4>\n" + scrolling(svg);
}

std::string point_html(const Order& order, const PointSeries& point) {
  const auto& result = *point.result;
  const auto& [gpu, cpu, ram, process] = point.samples;
  const double began = result.began;
  const auto lines = [&](const SampleTable& table, const char* column, const char* name) {
    return lines_of(table, column, name, began);
  };
  std::string out = fmt::format("<details><summary><strong>{}</strong>: {}, {}</summary>\n",
                                escape_html(to_text(result.point, order.axes)), to_string(result.end.kind),
                                escape_html(result.end.evidence));
  for (const auto& one : result.samples.missing) {
    out += fmt::format("<p class=\"dim\">Not sampled: {}, from {:.0f} s on{}: {}</p>\n", escape_html(one.source),
                       std::max(one.since - began, 0.0),
                       one.until ? fmt::format(" to {:.0f} s", *one.until - began) : "", escape_html(one.why));
  }
  out += over_time("Utilisation", "%",
                   {lines(gpu, "utilization_gpu_pct", "GPU"), lines(gpu, "utilization_memory_pct", "GPU memory"),
                    lines(cpu, "all_pct", "CPU")});
  out += over_time("Power", "W", {lines(gpu, "power_w", "GPU")});
  out += over_time("Temperature", "°C", {lines(gpu, "temperature_c", "GPU")});
  out += over_time("Clocks", "MHz", {lines(gpu, "clock_sm_mhz", "SM"), lines(gpu, "clock_memory_mhz", "memory")});
  out += over_time(
      "Memory", "MiB",
      {lines(gpu, "memory_used_mib", "VRAM"), lines(ram, "used_mib", "RAM"), lines(process, "rss_mib", "processes")});
  return out + cores_html(cpu, began) + "</details>\n";
}

void take(std::set<std::string>& known, const std::string& text) {
  if (!text.empty()) known.insert(text);
}

pages::About about_of(const std::vector<PointResult>& results, const std::string& who) {
  std::set<std::string> hosts, drivers;
  double began = 0, ended = 0;
  for (const auto& result : results) {
    take(hosts, result.host);
    take(drivers, result.driver);
    began = began == 0 ? result.began : std::min(began, result.began);
    ended = std::max(ended, result.began + result.wall_s);
  }
  pages::About about{.host = joined({hosts.begin(), hosts.end()}),
                     .driver = joined({drivers.begin(), drivers.end()}),
                     .versions = fmt::format("rv {}", version),
                     .duration = {},
                     .who = who,
                     .when = {}};
  if (began > 0) {
    const std::chrono::sys_seconds when{std::chrono::seconds(static_cast<long long>(began))};
    about.when = utc_time(when);
    about.duration = format_duration(std::chrono::seconds(std::llround(ended - began)));
  }
  return about;
}

std::string comparison_table(const Comparison& comparison, const ComparedCurve& curve, const Order& order) {
  auto out = fmt::format(
      "<div class=\"scroll\"><table class=\"points\">\n<tr><th class=\"n\">{}</th><th class=\"n\">{}</th>"
      "<th class=\"n\">{}</th><th class=\"n\">ratio</th></tr>\n",
      escape_html(order.axes.front().name), escape_html(comparison.first), escape_html(comparison.second));
  for (const auto& point : curve.points) {
    const auto side = [](const CurvePoint* one) { return one == nullptr ? std::nullopt : one->throughput; };
    const auto mine = side(point.first), theirs = side(point.second);
    out +=
        fmt::format("<tr><td class=\"n\">{}</td>{}{}{}</tr>\n", number_text(static_cast<double>(point.x)), cell(mine),
                    cell(theirs), cell(mine && theirs && *theirs > 0 ? std::optional(*mine / *theirs) : std::nullopt));
  }
  return out + "</table></div>\n";
}

}  // namespace

std::string page(const Sweep& sweep, const std::vector<PointSeries>& series, const std::string& search,
                 const std::string& who) {
  const auto& order = sweep.order;
  const auto machine = machine_of(sweep.results);
  const auto curves = curves_of(order, sweep.results);
  pages::Page page(fmt::format("Sweep over {}, {}", order.axes.front().name, machine), style);
  page.heading("Sweep over " + escape_html(order.axes.front().name));
  page.lead(fmt::format("<p>{}, {}</p>\n<p class=\"command\">{}</p>\n", escape_html(machine),
                        counted(static_cast<long long>(sweep.results.size()), "point"),
                        escape_html(quote_all(order.command))));
  if (!search.empty()) page.lead(fmt::format("<p>{}</p>\n", escape_html(search)));
  Named named;
  for (const auto& curve : curves) {
    page.section("Answers" + (curve.label.empty() ? "" : ", " + curve.label),
                 answers_html(answer(order, curve, machine, {})));
    named.emplace_back(curve.label.empty() ? order.throughput : curve.label, &curve);
  }
  page.section("Throughput", throughput_html(order, named));
  page.section("VRAM, the highest of one GPU", vram_html(order, named));
  page.section("Points", table_html(sweep, curves));
  std::string over_time;
  for (const auto& point : series) over_time += point_html(order, point);
  page.section("Over time", over_time);
  return page.html(about_of(sweep.results, who));
}

std::string page(const Comparison& comparison, const Sweep& first, const Sweep& second, const std::string& who) {
  const auto& order = first.order;
  pages::Page page(fmt::format("{} and {}", comparison.first, comparison.second), style);
  page.heading(fmt::format("{} and {}", escape_html(comparison.first), escape_html(comparison.second)));
  for (const auto& curve : comparison.curves) {
    const auto label = curve.first.label.empty() ? "" : ", " + curve.first.label;
    const Named both{{comparison.first, &curve.first}, {comparison.second, &curve.second}};
    page.section("Answers" + label, answers_html(curve.answers));
    page.section("Throughput" + label, throughput_html(order, both));
    page.section("VRAM, the highest of one GPU" + label, vram_html(order, both));
    page.section("Points" + label, comparison_table(comparison, curve, order));
  }
  auto results = first.results;
  results.insert(results.end(), second.results.begin(), second.results.end());
  auto about = about_of(results, who);
  about.duration.clear();  // two machines, maybe months apart
  return page.html(about);
}

}  // namespace rv::sweep
